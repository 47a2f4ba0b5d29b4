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
            let byte = input[index]
            if byte >= ASCII.space, byte != ASCII.delete {
                switch state {
                case .line: break
                case .lineStart: state = .line
                case .lineReturn, .lineStartReturn: return .invalid(.bareCarriageReturn)
                }
                index += 1
                continue
            }
            if let result = scanSpecial(byte) {
                return result == .complete(0) ? .complete(index + 1) : result
            }
            index += 1
        }
        return .incomplete
    }

    /// Nil goes on; `complete(0)` ends with this byte.
    private mutating func scanSpecial(_ byte: UInt8) -> Result? {
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
        default: return .invalid(.controlByte)
        }
        return nil
    }
}
