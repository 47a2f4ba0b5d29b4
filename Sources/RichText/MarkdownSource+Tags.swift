import Bytes

extension MarkdownSource {
    private static let markupInCode = ByteSet("\n*_~`[]\\!<|")

    /// A tag, a comment or a less-than sign.
    mutating func readAngle() {
        tags += 1
        let isClosing = index + 1 < input.count && input[index + 1] == ASCII.slash
        let name = Self.tagName(in: input, at: index + (isClosing ? 2 : 1))
        if name.isEmpty { return readComment() }
        if !isClosing, Element.dropped.contains(name) { return dropElement(name) }
        guard let end = tagEnd else { return emitReference(UInt8(ascii: "<")) }
        if !isClosing, name == "pre" || name == "code", let closer = closer("</" + name, from: end) {
            output += "<\(name)>".utf8
            index = end
            protect(upTo: closer)
            output += "</\(name)>".utf8
            index = min(input.count, closer + name.utf8.count + 2)
            if index < input.count, input[index] == UInt8(ascii: ">") { index += 1 }
            return
        }
        copyTag(upTo: end)
    }

    /// The lower-case name at `start`; empty when no letter stands there.
    static func tagName(in bytes: [UInt8], at start: Int) -> String {
        guard start < bytes.count, ASCII.isLetter(bytes[start]) else { return "" }
        let name = bytes[start...].prefix(16).prefix { isAlphanumeric($0) || $0 == ASCII.hyphen || $0 == ASCII.colon }
        return String(decoding: name.map(ASCII.lowercased), as: UTF8.self)
    }

    /// One past the `>` of the tag at `index`; nil when the text ends or another tag begins before.
    private var tagEnd: Int? {
        guard let end = input[(index + 1)...].firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }),
            input[end] == UInt8(ascii: ">")
        else { return nil }
        return end + 1
    }

    private mutating func copyTag(upTo end: Int) {
        while index < end {
            if input[index] == ASCII.lineFeed { output.append(ASCII.space) } else { output.append(input[index]) }
            index += 1
        }
    }

    /// Comments go; anything else that begins with `<` and no letter is text.
    private mutating func readComment() {
        guard input[index...].starts(with: "<!--".utf8), let end = closer("-->", from: index + 4) else {
            return emitReference(UInt8(ascii: "<"))
        }
        index = end + 3
    }

    /// Without its closing tag the element is text, so that `the <script> tag` loses nothing.
    private mutating func dropElement(_ name: String) {
        guard let closer = closer("</" + name, from: index),
            let end = input[closer...].firstIndex(of: UInt8(ascii: ">"))
        else { return emitReference(UInt8(ascii: "<")) }
        if keepsEmbeds, name == "iframe", let tagEnd {
            // A tag without content, so that nothing inside the frame is read; whether it is shown is decided later.
            output += "<embed".utf8
            index += 1 + name.utf8.count
            copyTag(upTo: tagEnd)
        }
        index = end + 1
    }

    /// The next `text` at `start` or later, in any case. Every part of the input is searched once for each text.
    mutating func closer(_ text: String, from start: Int) -> Int? {
        if let known = nextCloser[text], known >= start { return known == Int.max ? nil : known }
        let wanted = [UInt8](text.utf8)
        var index = start
        while index + wanted.count <= input.count {
            if input[index] == wanted[0], zip(input[index...], wanted).allSatisfy({ ASCII.lowercased($0) == $1 }) {
                nextCloser[text] = index
                return index
            }
            index += 1
        }
        nextCloser[text] = Int.max
        return nil
    }

    /// Copies HTML code: tags as they are, everything that Markdown would read as references.
    private mutating func protect(upTo end: Int) {
        while index < end {
            let byte = input[index]
            if byte == UInt8(ascii: "<"), let tagEnd, tagEnd <= end, isTagStart(index + 1) {
                tags += 1
                copyTag(upTo: tagEnd)
            } else if Self.markupInCode.contains(byte) {
                emitReference(byte)
            } else {
                emitPlain()
            }
        }
    }

    private func isTagStart(_ index: Int) -> Bool {
        input[index] == ASCII.slash || ASCII.isLetter(input[index])
    }

    /// `[img]url[/img]`, or a bracket.
    mutating func readBracket() {
        let opening = [UInt8]("[img]".utf8)
        guard zip(input[index...], opening).allSatisfy({ ASCII.lowercased($0) == $1 }),
            input.count - index > opening.count, let end = closer("[/img]", from: index)
        else {
            markup += 2
            return emitPlain()
        }
        let source = input[(index + opening.count)..<end]
        guard source.count <= LinkTarget.longest, let target = LinkTarget(source) else {
            return emitReference(UInt8(ascii: "["))
        }
        tags += 1
        output += "<img src=\"".utf8
        Escaping.attribute(target.url, into: &output)
        output += "\">".utf8
        index = end + "[/img]".utf8.count
    }
}

/// The tag `<br>`, which some editors send where others send a line feed.
enum LineBreakTags {
    /// With a line feed for each, outside Markdown code. One that the source has after it is part of it.
    static func replaced(in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        var code: [CodeRanges.Code]?
        var nextCode = 0
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<"), let end = tagEnd(bytes, index) else {
                index += 1
                continue
            }
            let ranges = code ?? CodeRanges(bytes).all
            code = ranges
            while nextCode < ranges.count, ranges[nextCode].range.upperBound <= index { nextCode += 1 }
            if nextCode == ranges.count || !ranges[nextCode].range.contains(index) {
                result += bytes[copied..<index]
                result.append(ASCII.lineFeed)
                copied = end < bytes.count && bytes[end] == ASCII.lineFeed ? end + 1 : end
            }
            index = end
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }

    private static func tagEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        guard start + 3 < bytes.count, ASCII.lowercased(bytes[start + 1]) == UInt8(ascii: "b"),
            ASCII.lowercased(bytes[start + 2]) == UInt8(ascii: "r")
        else { return nil }
        var index = start + 3
        while index < bytes.count, bytes[index] <= ASCII.space { index += 1 }
        if index < bytes.count, bytes[index] == ASCII.slash { index += 1 }
        return index < bytes.count && bytes[index] == UInt8(ascii: ">") ? index + 1 : nil
    }
}
