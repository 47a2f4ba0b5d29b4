import Bytes
import CCmark
import Glibc

/// Parses a prepared source as CommonMark and writes it as HTML of the known elements, for an HTML parser to read.
///
/// What comes out need not be well formed and is not trusted.
struct MarkdownTree {
    private var output: [UInt8] = []
    private var tags = OpenTags()

    /// Callable on any thread: the parser keeps its state to itself as long as it has no extensions.
    static func html(of prepared: [UInt8]) -> [UInt8] {
        var tree = MarkdownTree()
        tree.output.reserveCapacity(2 * prepared.count)
        prepared.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let document = cmark_parse_document(start, bytes.count, CMARK_OPT_DEFAULT) else { return }
            defer { cmark_node_free(document) }
            tree.walk(document)
        }
        return tree.output
    }

    private mutating func walk(_ document: OpaquePointer) {
        guard let iterator = cmark_iter_new(document) else { return }
        defer { cmark_iter_free(iterator) }
        var imageDepth = 0
        while true {
            let event = cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return }
            guard let node = cmark_iter_get_node(iterator) else { return }
            let isEntering = event == CMARK_EVENT_ENTER
            if cmark_node_get_type(node) == CMARK_NODE_IMAGE, Self.target(of: node) != nil {
                if isEntering, imageDepth == 0 { writeImage(node) }
                imageDepth += isEntering ? 1 : -1
            } else if imageDepth == 0 {
                if isEntering { enter(node) } else { leave(node) }
            }
        }
    }

    private mutating func enter(_ node: OpaquePointer) {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_TEXT: write(text: node)
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: output.append(ASCII.lineFeed)
        case CMARK_NODE_EMPH: open(.i)
        case CMARK_NODE_STRONG: open(.b)
        case CMARK_NODE_CODE:
            output += "<code>".utf8
            write(code: Self.literal(of: node))
            output += "</code>".utf8
        case CMARK_NODE_CODE_BLOCK: writeBlock(node)
        case CMARK_NODE_HTML_INLINE: writeTag(Self.literal(of: node))
        case CMARK_NODE_HTML_BLOCK:
            write(text: node)
            separate(node)
        case CMARK_NODE_THEMATIC_BREAK:
            output += "---".utf8
            separate(node)
        case CMARK_NODE_HEADING: output += String(repeating: "#", count: Int(cmark_node_get_heading_level(node))).utf8
        case CMARK_NODE_LINK: writeLink(node)
        case CMARK_NODE_LIST: open(cmark_node_get_list_type(node) == CMARK_ORDERED_LIST ? .ol : .ul)
        case CMARK_NODE_ITEM: open(.li)
        case CMARK_NODE_BLOCK_QUOTE: open(.blockquote)
        default: break
        }
    }

    private mutating func leave(_ node: OpaquePointer) {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_EMPH: close(.i)
        case CMARK_NODE_STRONG: close(.b)
        case CMARK_NODE_LINK: close(.a)
        case CMARK_NODE_LIST: close(cmark_node_get_list_type(node) == CMARK_ORDERED_LIST ? .ol : .ul)
        case CMARK_NODE_ITEM: close(.li)
        case CMARK_NODE_BLOCK_QUOTE: close(.blockquote)
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: separate(node)
        default: break
        }
    }

    private mutating func separate(_ node: OpaquePointer) {
        if cmark_node_next(node) != nil { output += "\n\n".utf8 }
    }

    private mutating func writeBlock(_ node: OpaquePointer) {
        var literal = Self.literal(of: node)
        if literal.last == ASCII.lineFeed { literal.removeLast() }
        var length: Int32 = 0
        var offset: Int32 = 0
        var mark: CChar = 0
        if cmark_node_get_fenced(node, &length, &offset, &mark) == 0 {
            Escaping.text(literal[...], into: &output)
            return separate(node)
        }
        output += "<pre><code>".utf8
        write(code: literal)
        output += "</code></pre>".utf8
    }

    private mutating func writeImage(_ node: OpaquePointer) {
        output += "<img src=\"".utf8
        Escaping.attribute(Self.target(of: node)?.url ?? [], into: &output)
        output += "\">".utf8
    }

    /// Where an image points to; one that may not be shown is its description instead.
    private static func target(of image: OpaquePointer) -> LinkTarget? {
        LinkTarget(bytes(cmark_node_get_url(image)))
    }

    private mutating func writeLink(_ node: OpaquePointer) {
        guard tags.open(.a) else { return }
        output += "<a href=\"".utf8
        Escaping.attribute(Self.bytes(cmark_node_get_url(node)), into: &output)
        output += "\">".utf8
    }

    private mutating func write(text node: OpaquePointer) {
        Escaping.text(Self.literal(of: node)[...], into: &output)
    }

    /// Most editors escape what is typed, in code too, so the references they write count in code as well.
    private mutating func write(code literal: [UInt8]) {
        let references = ["lt;", "gt;", "amp;", "quot;", "apos;", "nbsp;"]
        var rest = literal[...]
        while let ampersand = rest.firstIndex(of: ASCII.ampersand) {
            Escaping.text(rest[..<ampersand], into: &output)
            rest = rest[(ampersand + 1)...]
            if references.contains(where: { rest.starts(with: $0.utf8) }) || Self.startsNumber(rest) {
                output.append(ASCII.ampersand)
            } else {
                output += "&amp;".utf8
            }
        }
        Escaping.text(rest, into: &output)
    }

    private static func startsNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == ASCII.hash else { return false }
        let isHex = bytes.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = bytes.dropFirst(isHex ? 2 : 1).prefix(8)
            .prefix { isHex ? ASCII.hexValue($0) != nil : ASCII.isDigit($0) }
        return !digits.isEmpty && digits.endIndex < bytes.endIndex && bytes[digits.endIndex] == ASCII.semicolon
    }

    /// A tag of the source. Only links, images, players and spans keep their attributes.
    private mutating func writeTag(_ tag: [UInt8]) {
        let isClosing = tag.count > 1 && tag[1] == ASCII.slash
        let name = MarkdownSource.tagName(in: tag, at: isClosing ? 2 : 1)
        switch name {
        case "br", "hr": output.append(ASCII.lineFeed)
        case "td", "th": output.append(ASCII.space)
        case "img", "embed": if !isClosing { output += tag }
        default:
            guard let element = Element(sourceName: name) else { return }
            if isClosing {
                close(element)
            } else if element == .a || element == .span {
                if tags.open(element) { output += tag }
            } else {
                open(element)
            }
        }
    }

    private mutating func open(_ element: Element) {
        if tags.open(element) {
            output.append(UInt8(ascii: "<"))
            output += element.rawValue.utf8
            output.append(UInt8(ascii: ">"))
        } else if element == .li || element == .div {
            output.append(ASCII.lineFeed)
        }
    }

    private mutating func close(_ element: Element) {
        guard tags.close(element) else { return }
        output += "</".utf8
        output += element.rawValue.utf8
        output.append(UInt8(ascii: ">"))
    }

    /// Without the marks that `MarkdownSource` puts in.
    private static func literal(of node: OpaquePointer) -> [UInt8] {
        let literal = bytes(cmark_node_get_literal(node))
        let mark = MarkdownSource.guardMark
        guard literal.contains(mark[0]) else { return literal }
        var kept: [UInt8] = []
        kept.reserveCapacity(literal.count)
        var index = 0
        while index < literal.count {
            if literal[index] == mark[0], literal[index...].starts(with: mark) {
                index += mark.count
            } else {
                kept.append(literal[index])
                index += 1
            }
        }
        return kept
    }

    private static func bytes(_ string: UnsafePointer<CChar>?) -> [UInt8] {
        guard let string else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: string, count: strlen(string)))
    }
}

/// The tags that are open, so that no more than the HTML parser can bear are opened inside each other, and none is closed
/// that was not opened.
struct OpenTags {
    /// The HTML parser's cost grows with the square of its open elements.
    private static let deepest = 48

    private var open: [Element] = []
    private var skipped: [Element: Int] = [:]

    /// Whether the tag is to be written.
    mutating func open(_ element: Element) -> Bool {
        if open.count < Self.deepest {
            open.append(element)
            return true
        }
        skipped[element, default: 0] += 1
        return false
    }

    /// Whether the closing tag is to be written.
    mutating func close(_ element: Element) -> Bool {
        if let count = skipped[element], count > 0 {
            skipped[element] = count - 1
            return false
        }
        guard let last = open.lastIndex(of: element) else { return false }
        open.remove(at: last)
        return true
    }
}
