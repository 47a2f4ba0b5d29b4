import Bytes

/// Finds the end of a head or trailer section in input that comes in pieces, and refuses control bytes and line ends
/// other than CR LF on the way (RFC 9112, section 2.2). Looks at each byte once, however the input is split.
struct HeadScanner: Sendable {
    enum Result: Equatable {
        /// All bytes belong to the section, which goes on.
        case incomplete
        /// The section ends after this many bytes.
        case complete(Int)
        case invalid(ParseFailure)
    }

    private enum State: Sendable {
        case line
        case lineReturn
        case lineStart
        case lineStartReturn
    }

    private var state: State
    private(set) var sawLineEnd = false

    /// A request head: the first line must not be empty.
    static let head = HeadScanner(state: .line)
    /// A trailer section: an empty line at once ends it.
    static let trailer = HeadScanner(state: .lineStart)

    private init(state: State) {
        self.state = state
    }

    mutating func scan(_ input: Span<UInt8>) -> Result {
        var index = 0
        while index < input.count {
            if case .line = state { index = Self.endOfPlainText(in: input, from: index) }
            guard index < input.count else { break }
            if let result = scanByte(input[index]) {
                return result == .complete(0) ? .complete(index + 1) : result
            }
            index += 1
        }
        return .incomplete
    }

    /// Skips bytes that mean nothing within a line, eight at a time.
    private static func endOfPlainText(in input: Span<UInt8>, from start: Int) -> Int {
        var index = start
        // SAFETY: bytes have no padding; a word is loaded only where eight bytes are left.
        let raw = unsafe input.bytes
        while index + 8 <= input.count {
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !hasControl(word) else { break }
            index += 8
        }
        while index < input.count, isPlainByte(input[index]) { index += 1 }
        return index
    }

    /// Whether any of eight bytes is below 0x20 or is 0x7F. A subtraction borrows into the top bit of a byte only when
    /// the byte is smaller; bytes from 0x80 on are masked out.
    private static func hasControl(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let below = (word &- ones &* 0x20) & ~word
        let folded = word ^ (ones &* 0x7F)
        let deletes = (folded &- ones) & ~folded
        return (below | deletes) & (ones &* 0x80) != 0
    }

    /// Nil goes on; `complete(0)` ends with this byte.
    private mutating func scanByte(_ byte: UInt8) -> Result? {
        switch (state, byte) {
        case (.line, ASCII.carriageReturn): state = .lineReturn
        case (.lineStart, ASCII.carriageReturn): state = .lineStartReturn
        case (.lineReturn, ASCII.lineFeed):
            state = .lineStart
            sawLineEnd = true
        case (.lineStartReturn, ASCII.lineFeed): return .complete(0)
        case (.line, ASCII.tab), (.lineStart, ASCII.tab): state = .line
        case (.line, ASCII.lineFeed), (.lineStart, ASCII.lineFeed): return .invalid(.bareLineFeed)
        case (.lineReturn, _), (.lineStartReturn, _): return .invalid(.bareCarriageReturn)
        default:
            guard isPlainByte(byte) else { return .invalid(.controlByte) }
            state = .line
        }
        return nil
    }
}
