import Bytes

/// The head of an answer that was received, checked.
package struct ReceivedHead: Sendable {
    /// How the body is delimited (RFC 9112, section 6.3).
    package enum Framing: Sendable, Equatable {
        /// No body.
        case none
        /// This many bytes, more than zero.
        case length(Int)
        /// Chunks until one of size zero.
        case chunked
        /// Until the connection ends.
        case untilClose
    }

    /// 200 to 999; interim answers are skipped.
    package let status: Int
    /// 0 or 1, of HTTP/1.x.
    package let minorVersion: Int
    /// Names in lower case.
    package let headers: HeaderFields
    /// What the parser will deliver after this head.
    package let framing: Framing
}

/// What `ResponseParser` found next.
package enum ResponseEvent: Sendable {
    /// All input is used up; the answer goes on.
    case needMore
    /// A complete head.
    case head(ReceivedHead)
    /// Some of the body, as a range of the input that was passed to this call. Never empty.
    case body(Range<Int>)
    /// The answer is complete; what follows in the input was not asked for.
    case end
    /// The input is no HTTP or exceeds a limit. Every later call fails the same way.
    case failure(ParseFailure)
}

/// Reads one HTTP/1 answer off a byte stream that comes in pieces of any size (RFC 9112), as strictly as requests are
/// read. A value without I/O.
package struct ResponseParser: Sendable {
    private enum State: Sendable {
        case head
        case length(Int)
        case chunked(ChunkedDecoder)
        case untilClose
        case done
        case failed(ParseFailure)
    }

    /// Interim answers before the one that counts (RFC 9110, section 15.2).
    private static let interimLimit = 10

    private let limits: Limits
    private let method: Method
    private var state = State.head
    private var scanner = HeadScanner.head
    private var pending: [UInt8] = []
    private var bodyLeft: Int
    private var interimLeft = Self.interimLimit

    /// - Parameters:
    ///   - method: of the request; an answer to HEAD has no body.
    ///   - limits: `bodyBytes` is for the body without its transfer coding.
    package init(to method: Method, limits: Limits = Limits()) {
        self.method = method
        self.limits = limits
        bodyLeft = limits.bodyBytes
    }

    /// Takes bytes of `input` from `position` on, moves `position` past them and says what they were. Call it again,
    /// with the rest of the same input, until it returns `.needMore`, `.end` or `.failure`.
    package mutating func next(_ input: Span<UInt8>, _ position: inout Int) -> ResponseEvent {
        switch state {
        case .head: nextHead(input, &position)
        case .length(let left): nextOfLength(left, input, &position)
        case .chunked(let decoder): nextOfChunks(decoder, input, &position)
        case .untilClose: nextUntilClose(input, &position)
        case .done: .end
        case .failed(let failure): .failure(failure)
        }
    }

    /// The connection ended.
    /// - Returns: whether the answer is complete by that.
    package mutating func connectionEnded() -> Bool {
        switch state {
        case .untilClose, .done:
            state = .done
            return true
        default:
            return false
        }
    }

    private mutating func nextHead(_ input: Span<UInt8>, _ position: inout Int) -> ResponseEvent {
        while position < input.count {
            let window = min(input.count - position, limits.headBytes - pending.count)
            let piece = input.extracting(position..<(position + window))
            switch scanner.scan(piece) {
            case .invalid(let failure):
                return fail(failure)
            case .incomplete:
                pending.append(copying: piece)
                position += window
                if pending.count == limits.headBytes { return fail(.headTooLarge) }
            case .complete(let count):
                pending.append(copying: piece.extracting(..<count))
                position += count
                scanner = .head
                let whole = pending
                pending = []
                if let event = finishHead(whole.span) { return event }
            }
        }
        return .needMore
    }

    /// - Returns: nil after an interim answer.
    private mutating func finishHead(_ bytes: Span<UInt8>) -> ResponseEvent? {
        do throws(ParseFailure) {
            let head = try ReceivedHead(parsing: bytes, to: method, limits: limits)
            if head.status < 200 {
                interimLeft -= 1
                return interimLeft >= 0 ? nil : fail(.malformedStatusLine)
            }
            return begin(head)
        } catch {
            return fail(error)
        }
    }

    private mutating func begin(_ head: ReceivedHead) -> ResponseEvent {
        switch head.framing {
        case .none: state = .done
        case .length(let length):
            guard length <= bodyLeft else { return fail(.bodyTooLarge) }
            state = .length(length)
        case .chunked: state = .chunked(ChunkedDecoder(limits: limits))
        case .untilClose: state = .untilClose
        }
        return .head(head)
    }

    private mutating func nextOfLength(_ left: Int, _ input: Span<UInt8>, _ position: inout Int) -> ResponseEvent {
        guard position < input.count else { return .needMore }
        let range = position..<(position + min(left, input.count - position))
        position = range.upperBound
        state = left == range.count ? .done : .length(left - range.count)
        return .body(range)
    }

    private mutating func nextOfChunks(
        _ decoder: ChunkedDecoder, _ input: Span<UInt8>, _ position: inout Int
    ) -> ResponseEvent {
        var decoder = decoder
        // The state must not share the trailer bytes while the decoder appends to them.
        state = .head
        let event = decoder.next(input, &position, bodyLeft: bodyLeft)
        state = .chunked(decoder)
        switch event {
        case .needMore: return .needMore
        case .data(let range):
            bodyLeft -= range.count
            return .body(range)
        case .end:
            state = .done
            return .end
        case .failure(let failure): return fail(failure)
        }
    }

    private mutating func nextUntilClose(_ input: Span<UInt8>, _ position: inout Int) -> ResponseEvent {
        guard position < input.count else { return .needMore }
        guard bodyLeft > 0 else { return fail(.bodyTooLarge) }
        let range = position..<(position + min(bodyLeft, input.count - position))
        bodyLeft -= range.count
        position = range.upperBound
        return .body(range)
    }

    private mutating func fail(_ failure: ParseFailure) -> ResponseEvent {
        state = .failed(failure)
        pending = []
        return .failure(failure)
    }
}

extension ReceivedHead {
    /// `head` runs from the status line through the empty line that ends it.
    init(parsing head: Span<UInt8>, to method: Method, limits: Limits) throws(ParseFailure) {
        guard let lineEnd = head.firstIndex(of: ASCII.carriageReturn, from: 0), lineEnd + 4 <= head.count else {
            throw .malformedStatusLine
        }
        (minorVersion, status) = try Self.statusLine(head.extracting(..<lineEnd))
        let section = head.extracting((lineEnd + 2)..<(head.count - 2))
        headers = try FieldSection.parse(section, limit: limits.headerCount)
        framing = try Self.framing(of: headers, status: status, minorVersion: minorVersion, to: method)
    }

    /// `HTTP/1.1 200 OK`; the reason may be missing with its space (RFC 9112, section 4). No upgrade was asked for.
    private static func statusLine(_ line: Span<UInt8>) throws(ParseFailure) -> (minorVersion: Int, status: Int) {
        let start = Array("HTTP/1.".utf8)
        guard line.count >= 12 else { throw .malformedStatusLine }
        for index in start.indices where line[index] != start[index] { throw .malformedStatusLine }
        guard line[7] == ASCII.zero || line[7] == ASCII.zero + 1 else { throw .unknownVersion }
        guard line[8] == ASCII.space, line.count == 12 || line[12] == ASCII.space else { throw .malformedStatusLine }
        var status = 0
        for index in 9..<12 {
            guard ASCII.isDigit(line[index]) else { throw .malformedStatusLine }
            status = status * 10 + Int(line[index] - ASCII.zero)
        }
        guard status >= 100, status != 101 else { throw .malformedStatusLine }
        return (Int(line[7] - ASCII.zero), status)
    }

    /// RFC 9112, section 6.3. Stricter than it allows: whatever could be read in two ways is refused.
    private static func framing(
        of headers: HeaderFields, status: Int, minorVersion: Int, to method: Method
    ) throws(ParseFailure) -> Framing {
        guard StatusCode.allowsBody(status), method != .head else { return .none }
        switch try HeadParser.framing(of: headers, minorVersion: minorVersion) {
        case .chunked: return .chunked
        case .length(let length): return .length(length)
        case .none: return headers.contains("content-length") ? .none : .untilClose
        }
    }
}
