import Bytes
import Compression

/// What `MessageAssembler` found next.
package enum MessageEvent: Sendable, Equatable {
    /// All input is used up.
    case needMore
    /// A whole text message, valid UTF-8.
    case text([UInt8])
    /// A whole binary message.
    case binary([UInt8])
    /// Must be answered by a Pong with the same bytes, at most 125.
    case ping([UInt8])
    case pong([UInt8])
    /// The peer closes. The code may be sent back as it is; nil when the peer gave none. What follows is ignored.
    case close(code: CloseCode?, reason: String)
    /// Close with this code: 1002, 1007 or 1009. Every later call fails the same way.
    case failure(CloseCode)
}

/// Turns a WebSocket byte stream that comes in pieces of any size into messages (RFC 6455, sections 5 and 7).
///
/// A value without I/O, owned by one connection; between messages it holds no memory. Payload is copied once, into the
/// message, and never reserved ahead of its arrival, so a frame header cannot claim memory.
package struct MessageAssembler: Sendable {
    /// How much a peer may send at once; exactly at a limit passes.
    package struct Limits: Sendable, Equatable {
        /// Payload of one frame in bytes.
        package var frameBytes: Int
        /// All fragments of one message together, in bytes.
        package var messageBytes: Int

        /// A message that does not get smaller gets a little longer when it is compressed.
        var packedSlack: Int { messageBytes / 8 + 64 }

        /// 64 KiB each unless told otherwise.
        package init(frameBytes: Int = 64 * 1024, messageBytes: Int = 64 * 1024) {
            self.frameBytes = frameBytes
            self.messageBytes = messageBytes
        }
    }

    private enum State: Sendable {
        case header
        case payload(FrameHeader, taken: Int)
        case closed
        case failed(CloseCode)
    }

    private let limits: Limits
    private var decoder: FrameDecoder
    private var state = State.header
    /// The kind of the message whose fragments are arriving; nil between messages.
    private var kind: Opcode?
    /// Whether that message is compressed.
    private var isPacked = false
    private var message: [UInt8] = []
    private var control: [UInt8] = []
    private var text = UTF8Validator()

    /// An assembler at the start of a connection.
    /// - Parameter takesPacked: whether compressed messages were agreed on, each by itself. Their limits hold for what is
    ///   in them; the bytes that come may be a little more.
    package init(role: Role, limits: Limits = Limits(), takesPacked: Bool = false) {
        self.limits = limits
        let slack = takesPacked ? limits.packedSlack : 0
        decoder = FrameDecoder(role: role, frameLimit: limits.frameBytes + slack, takesPacked: takesPacked)
    }

    /// Whether nothing has come of a next frame or message: one just made would do the same from here on.
    package var isBetweenMessages: Bool {
        guard case .header = state else { return false }
        return kind == nil && decoder.isBetweenFrames
    }

    /// Takes bytes of `input` from `position` on, moves `position` past them and says what they were. Call it again,
    /// with the rest of the same input, until it returns `.needMore`: then `position` is at the end of the input.
    package mutating func next(_ input: Span<UInt8>, _ position: inout Int) -> MessageEvent {
        while true {
            switch state {
            case .header:
                switch decoder.next(input, &position) {
                case .needMore: return .needMore
                case .failure(let code): return fail(code)
                case .header(let header):
                    if let code = begin(header) { return fail(code) }
                }
            case .payload(let header, let taken):
                if let event = take(header, taken, input, &position) { return event }
                guard case .payload = state else { continue }
                return .needMore
            case .closed:
                position = input.count
                return .needMore
            case .failed(let code):
                return .failure(code)
            }
        }
    }

    /// RFC 6455, section 5.4: how fragments may follow each other.
    private mutating func begin(_ header: FrameHeader) -> CloseCode? {
        if !header.opcode.isControl {
            guard (header.opcode == .continuation) == (kind != nil) else { return .protocolError }
            if header.opcode != .continuation {
                kind = header.opcode
                isPacked = header.isPacked
            }
            let slack = isPacked ? limits.packedSlack : 0
            guard header.length <= limits.frameBytes + slack,
                header.length <= limits.messageBytes + slack - message.count
            else { return .messageTooBig }
        }
        state = .payload(header, taken: 0)
        return nil
    }

    /// Nil when the frame is not complete yet, or when it is and no event comes of it.
    private mutating func take(
        _ header: FrameHeader, _ taken: Int, _ input: Span<UInt8>, _ position: inout Int
    ) -> MessageEvent? {
        let piece = input.extracting(position..<(position + min(header.length - taken, input.count - position)))
        position += piece.count
        if header.opcode.isControl {
            Self.append(piece, to: &control, header.mask, offset: taken)
        } else {
            let start = message.count
            Self.append(piece, to: &message, header.mask, offset: taken)
            if kind == .text, !isPacked, !acceptText(from: start) { return fail(.invalidPayload) }
        }
        guard taken + piece.count == header.length else {
            state = .payload(header, taken: taken + piece.count)
            return nil
        }
        state = .header
        return header.opcode.isControl ? finishControl(header.opcode) : header.isFinal ? finishMessage() : nil
    }

    private mutating func acceptText(from start: Int) -> Bool {
        var validator = text
        defer { text = validator }
        return validator.accept(message.span.extracting(start...))
    }

    private static func append(_ piece: Span<UInt8>, to bytes: inout [UInt8], _ mask: MaskingKey?, offset: Int) {
        let start = bytes.count
        bytes.append(copying: piece)
        mask?.apply(to: &bytes, in: start..<bytes.count, offset: offset)
    }

    private mutating func finishMessage() -> MessageEvent {
        if isPacked {
            do throws(MessageDeflate.Failure) {
                message = try MessageDeflate.plain(message, limit: limits.messageBytes)
            } catch {
                return fail(error == .tooLong ? .messageTooBig : .invalidPayload)
            }
            if kind == .text, !acceptText(from: 0) { return fail(.invalidPayload) }
        }
        guard kind != .text || text.isComplete else { return fail(.invalidPayload) }
        defer {
            kind = nil
            isPacked = false
            message = []
            text = UTF8Validator()
        }
        return kind == .text ? .text(message) : .binary(message)
    }

    private mutating func finishControl(_ opcode: Opcode) -> MessageEvent {
        defer { control = [] }
        switch opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        default: return finishClose()
        }
    }

    /// RFC 6455, section 5.5.1.
    private mutating func finishClose() -> MessageEvent {
        guard !control.isEmpty else {
            state = .closed
            return .close(code: nil, reason: "")
        }
        guard control.count >= 2 else { return fail(.protocolError) }
        let code = CloseCode(rawValue: UInt16(control[0]) << 8 | UInt16(control[1]))
        guard code.mayBeSent else { return fail(.protocolError) }
        guard let reason = String(validating: control.span.extracting(2...)) else { return fail(.invalidPayload) }
        state = .closed
        return .close(code: code, reason: reason)
    }

    private mutating func fail(_ code: CloseCode) -> MessageEvent {
        state = .failed(code)
        message = []
        control = []
        return .failure(code)
    }
}
