import Bytes

/// What `RequestParser` found next.
package enum RequestEvent: Sendable {
    /// All input is used up; the request goes on.
    case needMore
    /// A complete head. Set the body limit now, before the next call.
    case head(RequestHead)
    /// Some of the body, as a range of the input that was passed to this call. Never empty.
    case body(Range<Int>)
    /// The request is complete; what follows in the input belongs to the next one.
    case end
    /// The input is not HTTP or exceeds a limit. Every later call fails the same way.
    case failure(ParseFailure)
}

/// Reads HTTP/1 requests off a byte stream that comes in pieces of any size (RFC 9112).
///
/// A value without I/O, owned by one connection. The body is never copied; the head is only copied when it comes in
/// more than one piece, and every byte is looked at once. Between requests the parser holds no memory.
///
///     var position = 0
///     while true {
///         switch parser.next(input, &position) { … }   // until .needMore, .failure, or enough requests
///     }
package struct RequestParser: Sendable {
    private enum State: Sendable {
        /// Before a request: one empty line may precede it (RFC 9112, section 2.2).
        case start
        case startLineFeed
        case head
        /// Declared and not announced yet: the limit is checked at the first call after `.head`.
        case bodyStart(RequestHead.Framing)
        case length(Int)
        case chunked(ChunkedDecoder)
        case failed(ParseFailure)
    }

    private let limits: Limits
    private var state = State.start
    private var scanner = HeadScanner.head
    private var pending: [UInt8] = []
    private var bodyLeft: Int

    /// A parser at the start of a connection.
    package init(limits: Limits = Limits()) {
        self.limits = limits
        bodyLeft = limits.bodyBytes
    }

    /// Whether nothing of a next request has arrived yet, so that the connection is idle.
    package var isBetweenRequests: Bool {
        switch state {
        case .start: true
        case .head: pending.isEmpty
        default: false
        }
    }

    /// How many bytes the body of the current request may have. Call it after `.head` and before the next `next`;
    /// the following request starts with `Limits.bodyBytes` again.
    package mutating func setBodyLimit(_ bytes: Int) {
        bodyLeft = bytes
    }

    /// Takes bytes of `input` from `position` on, moves `position` past them and says what they were. Call it again,
    /// with the rest of the same input, until it returns `.needMore`: then `position` is at the end of the input.
    package mutating func next(_ input: Span<UInt8>, _ position: inout Int) -> RequestEvent {
        while true {
            switch state {
            case .start, .startLineFeed, .head:
                return nextHead(input, &position)
            case .bodyStart(let framing):
                if let event = beginBody(framing) { return event }
            case .length(let left):
                return nextOfLength(left, input, &position)
            case .chunked(let decoder):
                return nextOfChunks(decoder, input, &position)
            case .failed(let failure):
                return .failure(failure)
            }
        }
    }

    private mutating func nextHead(_ input: Span<UInt8>, _ position: inout Int) -> RequestEvent {
        if case .start = state, position < input.count {
            if input[position] == ASCII.carriageReturn {
                position += 1
                state = .startLineFeed
            } else {
                state = .head
            }
        }
        if case .startLineFeed = state, position < input.count {
            guard input[position] == ASCII.lineFeed else { return fail(.bareCarriageReturn) }
            position += 1
            state = .head
        }
        guard position < input.count else { return .needMore }
        if pending.isEmpty, input[position] == ASCII.carriageReturn { return fail(.malformedRequestLine) }
        return scanHead(input, &position)
    }

    private mutating func scanHead(_ input: Span<UInt8>, _ position: inout Int) -> RequestEvent {
        let window = min(input.count - position, limits.headBytes - pending.count)
        let piece = input.extracting(position..<(position + window))
        switch scanner.scan(piece) {
        case .invalid(let failure):
            return fail(failure)
        case .incomplete:
            pending.append(copying: piece)
            position += window
            guard pending.count == limits.headBytes else { return .needMore }
            return fail(scanner.sawLineEnd ? .headTooLarge : .targetTooLong)
        case .complete(let count):
            position += count
            scanner = .head
            guard !pending.isEmpty else { return finishHead(piece.extracting(..<count)) }
            pending.append(copying: piece.extracting(..<count))
            let whole = pending
            pending = []
            return finishHead(whole.span)
        }
    }

    private mutating func finishHead(_ bytes: Span<UInt8>) -> RequestEvent {
        do throws(ParseFailure) {
            let head = try HeadParser.parse(bytes, limits: limits)
            state = .bodyStart(head.framing)
            return .head(head)
        } catch {
            return fail(error)
        }
    }

    private mutating func beginBody(_ framing: RequestHead.Framing) -> RequestEvent? {
        switch framing {
        case .none:
            return finish()
        case .length(let length):
            guard length <= bodyLeft else { return fail(.bodyTooLarge) }
            state = .length(length)
        case .chunked:
            state = .chunked(ChunkedDecoder(limits: limits))
        }
        return nil
    }

    private mutating func nextOfLength(_ left: Int, _ input: Span<UInt8>, _ position: inout Int) -> RequestEvent {
        guard left > 0 else { return finish() }
        guard position < input.count else { return .needMore }
        let range = position..<(position + min(left, input.count - position))
        position = range.upperBound
        state = .length(left - range.count)
        return .body(range)
    }

    private mutating func nextOfChunks(
        _ decoder: ChunkedDecoder, _ input: Span<UInt8>, _ position: inout Int
    ) -> RequestEvent {
        var decoder = decoder
        // The state must not share the trailer bytes while the decoder appends to them.
        state = .start
        let event = decoder.next(input, &position, bodyLeft: bodyLeft)
        state = .chunked(decoder)
        switch event {
        case .needMore:
            return .needMore
        case .data(let range):
            bodyLeft -= range.count
            return .body(range)
        case .end:
            return finish()
        case .failure(let failure):
            return fail(failure)
        }
    }

    private mutating func finish() -> RequestEvent {
        state = .start
        bodyLeft = limits.bodyBytes
        return .end
    }

    private mutating func fail(_ failure: ParseFailure) -> RequestEvent {
        state = .failed(failure)
        pending = []
        return .failure(failure)
    }
}
