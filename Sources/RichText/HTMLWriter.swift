import Bytes

/// Writes HTML of the allow-list. It has no way to pass markup through: text is escaped, elements are values.
///
/// Line breaks and spaces are held back until something visible follows, so that none stands at the ends of the result,
/// next to a block, or more than twice in a row. An element without content is not written.
struct HTMLWriter {
    enum Node {
        case element(Element)
        case link(LinkTarget, isInlineImage: Bool)
        case span(SpanClass)
    }

    private struct Entry {
        var node: Node
        var isWritten = false
    }

    private var html: [UInt8] = []
    private var plain: [UInt8] = []
    private var entries: [Entry] = []
    private var written = 0
    private var lineFeeds = 0
    private var isAfterDivision = false
    private var isAfterBlock = true
    private var spaces: [UInt8] = []
    /// How many quotes the text stands in.
    var quotes = 0

    private(set) var hasImages = false
    private(set) var hasEmbeds = false
    private(set) var hasLinks = false
    private(set) var hasCode = false
    private(set) var hosts: [String] = []
    private var seenHosts: Set<String> = []

    /// The result so far; every element must have been closed.
    var result: RenderedComment {
        var comment = RenderedComment(
            html: String(decoding: html, as: UTF8.self), plainText: String(decoding: plain, as: UTF8.self))
        comment.hasImages = hasImages
        comment.hasEmbeds = hasEmbeds
        comment.hasLinks = hasLinks
        comment.hasCode = hasCode
        comment.linkHosts = hosts
        return comment
    }

    mutating func open(_ node: Node) {
        entries.append(Entry(node: node))
    }

    mutating func close() {
        guard let entry = entries.popLast(), entry.isWritten else { return }
        written = min(written, entries.count)
        switch entry.node {
        case .element(let element):
            html += "</".utf8
            html += element.rawValue.utf8
            html.append(UInt8(ascii: ">"))
            if element.isBlock {
                isAfterBlock = true
                spaces = []
            }
        case .link: html += "</a>".utf8
        case .span: html += "</span>".utf8
        }
    }

    mutating func lineFeed() {
        lineFeeds += 1
        spaces = []
    }

    /// The edge of a block that has no element in the output.
    mutating func division() {
        isAfterDivision = true
        spaces = []
    }

    /// One line of text.
    mutating func text(_ bytes: ArraySlice<UInt8>) {
        guard let start = bytes.firstIndex(where: { !ASCII.isBlank($0) }),
            let last = bytes.lastIndex(where: { !ASCII.isBlank($0) })
        else {
            spaces += bytes
            return
        }
        spaces += bytes[..<start]
        prepareForContent()
        Escaping.text(bytes[start...last], into: &html)
        plain += bytes[start...last]
        spaces += bytes[(last + 1)...]
    }

    /// Text with its line feeds and spaces, inside code.
    mutating func preformatted(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        prepareForContent()
        Escaping.text(bytes, into: &html)
        plain += bytes
    }

    mutating func image(_ target: LinkTarget, isInlineImage: Bool) {
        prepareForContent()
        html += isInlineImage ? "<img class=\"inline-image\" src=\"".utf8 : "<img src=\"".utf8
        Escaping.attribute(target.url, into: &html)
        html += "\">".utf8
        hasImages = true
        note(target)
    }

    /// A player in a frame that can do nothing to the page around it.
    mutating func embed(_ target: EmbedTarget, width: Int?, height: Int?) {
        prepareForContent()
        html += "<iframe src=\"".utf8
        Escaping.attribute(target.url, into: &html)
        html += "\" width=\"\(width ?? 560)\" height=\"\(height ?? 315)\"".utf8
        html += " sandbox=\"allow-scripts allow-same-origin allow-popups allow-presentation\"".utf8
        html += " allowfullscreen loading=\"lazy\" referrerpolicy=\"strict-origin-when-cross-origin\"></iframe>".utf8
        hasEmbeds = true
    }

    private mutating func prepareForContent() {
        let opensBlock = entries[written...].contains {
            if case .element(let element) = $0.node { element.isBlock } else { false }
        }
        let breaks = min(2, max(lineFeeds, isAfterDivision ? 1 : 0))
        let isAtBlock = opensBlock || isAfterBlock
        let startsLine = isAtBlock || breaks > 0
        if isAtBlock {
            if !plain.isEmpty { plain.append(ASCII.lineFeed) }
        } else {
            for _ in 0..<breaks {
                html += "<br />".utf8
                plain.append(ASCII.lineFeed)
            }
            html += spaces
            plain += spaces
        }
        (lineFeeds, isAfterDivision, isAfterBlock, spaces) = (0, false, false, [])
        for index in written..<entries.count {
            entries[index].isWritten = true
            write(opening: entries[index].node)
        }
        written = entries.count
        if startsLine, quotes > 0 { writeQuoteMarks() }
    }

    private mutating func writeQuoteMarks() {
        for _ in 0..<min(quotes, 3) {
            html += "&gt; ".utf8
            plain += "> ".utf8
        }
    }

    private mutating func write(opening node: Node) {
        switch node {
        case .element(let element):
            if element == .code || element == .pre { hasCode = true }
            html.append(UInt8(ascii: "<"))
            html += element.rawValue.utf8
            html.append(UInt8(ascii: ">"))
        case .link(let target, let isInlineImage):
            html += "<a href=\"".utf8
            Escaping.attribute(target.url, into: &html)
            html += "\" rel=\"nofollow noopener\" target=\"_blank\"".utf8
            html += isInlineImage ? " class=\"inline-image\">".utf8 : ">".utf8
            hasLinks = true
            note(target)
        case .span(let name): html += "<span class=\"\(name.rawValue)\">".utf8
        }
    }

    private mutating func note(_ target: LinkTarget) {
        guard let host = target.host, seenHosts.insert(host).inserted else { return }
        hosts.append(host)
    }
}
