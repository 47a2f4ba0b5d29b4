import Bytes

/// Rewrites a comment's source so that a CommonMark parser reads it the way comment editors mean it.
///
/// Only lists, fences, emphasis by `*`, code spans, links and images are left for the parser. What else it would take for
/// markup is defused with character references, and line starts with a noncharacter that no later stage lets through.
struct MarkdownSource {
    /// U+FDD0, put before what would open a block. `SourceText` has removed it from what people send.
    static let guardMark: [UInt8] = [0xEF, 0xB7, 0x90]
    /// Lines, and pieces of possible markup outside code, that count twice, beyond which a source is plain text.
    static let mostMarkup = 1600
    /// Tags beyond which a source is plain text.
    static let mostTags = 400

    private static let escapable = ByteSet("*_~`[]<|")
    /// Bytes that `step` looks at.
    private static let notable = ByteSet("\n<[\\*_`~|hH&")
    private static let markupInURL = ByteSet("*_~!")

    let input: [UInt8]
    let marksSpoilers: Bool
    let keepsEmbeds: Bool
    var output: [UInt8] = []
    var index = 0
    var markup = 0
    var tags = 0
    var lists = OpenLists()
    var strike = Pair(mark: "~~", open: "<strike>", close: "</strike>")
    var spoiler = Pair(mark: "||", open: "<span class=\"spoiler\">", close: "</span>")
    /// Where an opening mark stood in `output`, and what comes there; ascending.
    var insertions: [(offset: Int, bytes: [UInt8])] = []
    /// The next `</name` or `[/img]` for each that was looked for; `Int.max` when there is none.
    var nextCloser: [String: Int] = [:]
    private let code: [CodeRanges.Code]
    private var nextCode = 0

    /// A mark that opens and closes the same way.
    struct Pair {
        let mark: [UInt8]
        let open: [UInt8]
        let close: [UInt8]
        /// The place of the mark that may open in `insertions`.
        var opener: Int?

        init(mark: String, open: String, close: String) {
            self.mark = [UInt8](mark.utf8)
            self.open = [UInt8](open.utf8)
            self.close = [UInt8](close.utf8)
        }
    }

    /// Nil when there is so much markup that parsing it would take long.
    static func prepare(_ bytes: [UInt8], marksSpoilers: Bool, keepsEmbeds: Bool) -> [UInt8]? {
        var source = MarkdownSource(
            LineBreakTags.replaced(in: bytes), marksSpoilers: marksSpoilers, keepsEmbeds: keepsEmbeds)
        return source.run()
    }

    private init(_ bytes: [UInt8], marksSpoilers: Bool, keepsEmbeds: Bool) {
        input = bytes
        self.marksSpoilers = marksSpoilers
        self.keepsEmbeds = keepsEmbeds
        code = CodeRanges(bytes).all
        output.reserveCapacity(bytes.count + bytes.count / 4)
    }

    private mutating func run() -> [UInt8]? {
        startLine()
        while index < input.count {
            if isAtCode { copyCode() } else { step() }
            copyText()
            if markup > Self.mostMarkup || tags > Self.mostTags { return nil }
        }
        return withInsertions()
    }

    /// Whether code begins at `index`. Code that began inside something else is forgotten.
    private var isAtCode: Bool {
        mutating get {
            while nextCode < code.count, code[nextCode].range.lowerBound < index { nextCode += 1 }
            return nextCode < code.count && code[nextCode].range.lowerBound == index
        }
    }

    /// Whether the line at `index` opens a fenced block.
    var isAtFence: Bool {
        mutating get { isAtCode && code[nextCode].isFence }
    }

    private mutating func copyCode() {
        let piece = code[nextCode]
        markup += 2
        for byte in input[piece.range] {
            output.append(byte)
            if byte == ASCII.lineFeed, !piece.isFence { output += Self.guardMark }
        }
        index = piece.range.upperBound
    }

    /// Copies what no other step would treat differently.
    private mutating func copyText() {
        let end = nextCode < code.count ? max(index, code[nextCode].range.lowerBound) : input.count
        let start = index
        while index < end, !Self.notable.contains(input[index]) { index += 1 }
        if index > start { output += input[start..<index] }
    }

    private mutating func step() {
        switch input[index] {
        case ASCII.lineFeed:
            output.append(ASCII.lineFeed)
            markup += 1
            index += 1
            startLine()
        case UInt8(ascii: "<"): readAngle()
        case UInt8(ascii: "["): readBracket()
        case UInt8(ascii: "\\"): readBackslash()
        case ASCII.asterisk: readAsterisks()
        case ASCII.underscore, UInt8(ascii: "`"): emitReference(input[index])
        case UInt8(ascii: "~"): readPair(\.strike)
        case UInt8(ascii: "|") where marksSpoilers: readPair(\.spoiler)
        case UInt8(ascii: "h"), UInt8(ascii: "H"): readURL()
        case ASCII.ampersand:
            markup += 2
            emitPlain()
        default: emitPlain()
        }
    }

    mutating func emitPlain() {
        output.append(input[index])
        index += 1
    }

    /// Writes `byte` so that it is text to every parser.
    mutating func emitReference(_ byte: UInt8) {
        markup += 2
        output += "&#".utf8
        output += String(byte).utf8
        output.append(ASCII.semicolon)
        index += 1
    }

    /// `\` counts only before the marks it can defuse: it is more often part of a path.
    private mutating func readBackslash() {
        let next = index + 1 < input.count ? input[index + 1] : 0
        let isShrug = next == ASCII.underscore && input[..<index].suffix(2).elementsEqual("¯".utf8)
        if isShrug || !Self.escapable.contains(next) {
            emitReference(UInt8(ascii: "\\"))
        } else {
            index += 1
        }
        if Self.escapable.contains(next) { emitReference(next) }
    }

    /// Between two ASCII letters or digits an asterisk is one (`2*3*4`); elsewhere it may be emphasis.
    private mutating func readAsterisks() {
        let start = index
        var end = start
        while end < input.count, input[end] == ASCII.asterisk { end += 1 }
        let isInside =
            start > 0 && end < input.count && Self.isAlphanumeric(input[start - 1]) && Self.isAlphanumeric(input[end])
        while index < end {
            markup += 2
            if isInside { emitReference(ASCII.asterisk) } else { emitPlain() }
        }
    }

    private mutating func readPair(_ kind: WritableKeyPath<MarkdownSource, Pair>) {
        let mark = self[keyPath: kind].mark
        let start = index
        var end = start
        while end < input.count, input[end] == mark[0] { end += 1 }
        markup += 2
        index = end
        let opener = self[keyPath: kind].opener
        if end - start != 2 {
            output += input[start..<end]
        } else if let opener, input[start - 1] > ASCII.space, output.count > insertions[opener].offset {
            insertions[opener].bytes = self[keyPath: kind].open
            output += self[keyPath: kind].close
            self[keyPath: kind].opener = nil
        } else if opener == nil, end < input.count, input[end] > ASCII.space {
            self[keyPath: kind].opener = insertions.count
            insertions.append((output.count, mark))
        } else {
            output += mark
        }
    }

    private mutating func readURL() {
        guard let end = BareURL.end(in: input, at: index) else { return emitPlain() }
        while index < end {
            if Self.markupInURL.contains(input[index]) { emitReference(input[index]) } else { emitPlain() }
        }
    }

    private func withInsertions() -> [UInt8] {
        guard !insertions.isEmpty else { return output }
        var result: [UInt8] = []
        result.reserveCapacity(output.count + 24 * insertions.count)
        var copied = 0
        for insertion in insertions {
            result += output[copied..<insertion.offset]
            result += insertion.bytes
            copied = insertion.offset
        }
        return result + output[copied...]
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }
}
