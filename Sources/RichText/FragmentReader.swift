import Bytes
import CGumbo
import Glibc

/// Reads a piece of HTML the way browsers do and keeps what the allow-list names.
struct FragmentReader {
    private let allowsImages: Bool
    private let allowsSpoilers: Bool
    private let linksAsText: Bool
    private let embedHosts: Set<String>?
    private(set) var text: TextReader
    private(set) var writer = HTMLWriter()
    private var codes = 0
    private var preformatted = 0
    private var links = 0
    private var lists = 0

    /// What was done on the way in, to be undone on the way out.
    private enum Effect {
        case none, element, code, pre, link, list, division, quote
    }

    private var effects: [Effect] = []

    /// What the reader does with an element.
    private enum Kind {
        case transparent, dropped, image, embed, lineBreak
        case element(Element)
    }

    /// By the number of the tag.
    private static let kinds: [Kind] = (0..<GUMBO_TAG_UNKNOWN.rawValue).map { number in
        let name = String(cString: gumbo_normalized_tagname(GumboTag(number)))
        if name == "img" || name == "image" { return .image }
        if name == "embed" { return .embed }
        if name == "br" || name == "hr" { return .lineBreak }
        if Element.dropped.contains(name) { return .dropped }
        return Element(sourceName: name).map(Kind.element) ?? .transparent
    }

    init(_ options: RenderOptions) {
        allowsImages = options.allowsImages
        allowsSpoilers = options.allowsSpoilers
        linksAsText = options.linksAsText
        embedHosts = options.embedHosts.map { EmbedTarget.knownHosts.union($0) }
        text = TextReader(options)
    }

    /// Text without markup.
    mutating func read(plain bytes: [UInt8]) {
        text.read(bytes, into: &writer)
    }

    /// Callable on any thread. The cost grows with the square of the nesting, which the caller bounds.
    mutating func read(html bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var options = kGumboDefaultOptions
            options.fragment_context = GUMBO_TAG_DIV
            options.max_errors = 0
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let start, let output = gumbo_parse_with_options(&options, start, buffer.count) else { return }
            defer { gumbo_destroy_output(&options, output) }
            if let root = output.pointee.root { walk(root) }
        }
    }

    /// Depth first, without recursion.
    private mutating func walk(_ root: UnsafeMutablePointer<GumboNode>) {
        var path: [(node: UnsafeMutablePointer<GumboNode>, next: Int)] = [(root, 0)]
        while let (node, next) = path.last {
            let children = node.pointee.v.element.children
            guard next < Int(children.length), let raw = children.data[next] else {
                path.removeLast()
                if !path.isEmpty { leave() }
                continue
            }
            path[path.count - 1].next += 1
            let child = raw.assumingMemoryBound(to: GumboNode.self)
            switch child.pointee.type {
            case GUMBO_NODE_ELEMENT: if enter(child) { path.append((child, 0)) }
            case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE: readText(child.pointee.v.text.text)
            default: break
            }
        }
    }

    private mutating func readText(_ string: UnsafePointer<CChar>) {
        let raw = UnsafeRawBufferPointer(start: string, count: strlen(string))
        let bytes = SourceText.cleaned([UInt8](raw))
        if preformatted > 0 { return writer.preformatted(bytes[...]) }
        if effects.last == .list, bytes.allSatisfy({ $0 <= ASCII.space }) { return }
        guard codes > 0 || links > 0 else { return text.read(bytes, into: &writer) }
        for (number, line) in bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).enumerated() {
            if number > 0 { writer.lineFeed() }
            if line.isEmpty { continue }
            if line.allSatisfy(ASCII.isBlank) { writer.preformatted(line) } else { writer.text(line) }
        }
    }

    /// Whether the element's content is to be read.
    private mutating func enter(_ node: UnsafeMutablePointer<GumboNode>) -> Bool {
        let tag = Int(node.pointee.v.element.tag.rawValue)
        switch tag < Self.kinds.count ? Self.kinds[tag] : .transparent {
        case .image: readImage(node)
        case .embed: readEmbed(node)
        case .lineBreak: writer.lineFeed()
        case .dropped: break
        case .transparent:
            effects.append(.none)
            return true
        case .element(let element):
            effects.append(effect(of: element, node))
            return true
        }
        return false
    }

    private mutating func effect(of element: Element, _ node: UnsafeMutablePointer<GumboNode>) -> Effect {
        switch element {
        case .a: return openLink(node)
        case .span: return openSpan(node)
        case .li where lists == 0: return division()
        case .div: return division()
        case .blockquote:
            writer.division()
            writer.quotes += 1
            return .quote
        case .code:
            codes += 1
            writer.open(.element(.code))
            return .code
        case .pre:
            preformatted += 1
            writer.open(.element(.pre))
            return .pre
        case .ul, .ol:
            lists += 1
            writer.open(.element(element))
            return .list
        default:
            writer.open(.element(element))
            return .element
        }
    }

    private mutating func division() -> Effect {
        writer.division()
        return .division
    }

    private mutating func leave() {
        switch effects.popLast() {
        case nil, Effect.none?: return
        case .division: return writer.division()
        case .quote:
            writer.quotes -= 1
            return writer.division()
        case .code: codes -= 1
        case .pre: preformatted -= 1
        case .link: links -= 1
        case .list: lists -= 1
        case .element: break
        }
        writer.close()
    }

    private mutating func openLink(_ node: UnsafeMutablePointer<GumboNode>) -> Effect {
        guard !linksAsText, links == 0, let target = LinkTarget(attribute("href", of: node), allowsMail: true) else {
            return .none
        }
        links += 1
        writer.open(.link(target, isInlineImage: hasClass("inline-image", node)))
        return .link
    }

    private mutating func openSpan(_ node: UnsafeMutablePointer<GumboNode>) -> Effect {
        let names: [SpanClass] = [.spoiler, .mention, .hashtag]
        guard let name = names.first(where: { hasClass($0.rawValue, node) }), name != .spoiler || allowsSpoilers else {
            return .none
        }
        writer.open(.span(name))
        return .element
    }

    private mutating func readImage(_ node: UnsafeMutablePointer<GumboNode>) {
        guard allowsImages, preformatted == 0, let target = LinkTarget(attribute("src", of: node)) else { return }
        writer.image(target, isInlineImage: hasClass("inline-image", node))
    }

    private mutating func readEmbed(_ node: UnsafeMutablePointer<GumboNode>) {
        guard let embedHosts, preformatted == 0, codes == 0, links == 0,
            let target = EmbedTarget(attribute("src", of: node), hosts: embedHosts)
        else { return }
        writer.embed(
            target, width: EmbedTarget.size(attribute("width", of: node)),
            height: EmbedTarget.size(attribute("height", of: node)))
    }

    private func attribute(_ name: String, of node: UnsafeMutablePointer<GumboNode>) -> [UInt8] {
        guard let attribute = gumbo_get_attribute(&node.pointee.v.element.attributes, name),
            let value = attribute.pointee.value
        else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    private func hasClass(_ name: String, _ node: UnsafeMutablePointer<GumboNode>) -> Bool {
        attribute("class", of: node).split(separator: ASCII.space).contains { $0.elementsEqual(name.utf8) }
    }
}
