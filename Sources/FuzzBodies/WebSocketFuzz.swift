import WebSocket

/// The WebSocket decoder: sees the same messages however the input is split, never exceeds a limit, lets only UTF-8
/// through as text, and understands what the encoder writes.
package enum WebSocketFuzz: FuzzBody {
    private static let limits = MessageAssembler.Limits(frameBytes: 256, messageBytes: 400)

    /// The first byte chooses the role and whether compression was agreed on, the rest is the stream.
    package static func run(_ data: [UInt8]) {
        guard let first = data.first else { return }
        let role: Role = first & 1 == 0 ? .server : .client
        let transcripts = Cuts.all(data.dropFirst()).map { transcript($0, role, takesPacked: first & 2 != 0) }
        precondition(transcripts.allSatisfy { $0 == transcripts[0] }, "the messages depend on how the input is split")
        for event in transcripts[0] { checkEcho(of: event, role) }
    }

    private static func transcript(
        _ pieces: [ArraySlice<UInt8>], _ role: Role, takesPacked: Bool = false
    ) -> [MessageEvent] {
        var assembler = MessageAssembler(role: role, limits: limits, takesPacked: takesPacked)
        var seen: [MessageEvent] = []
        for piece in pieces {
            let input = [UInt8](piece)
            var position = 0
            feeding: while true {
                let before = position
                let event = assembler.next(input.span, &position)
                precondition(position >= before && position <= input.count, "the decoder left its input")
                check(event)
                switch event {
                case .needMore:
                    precondition(position == input.count, "the decoder left bytes behind")
                    break feeding
                case .failure:
                    return seen + [event]
                default:
                    precondition(position > before, "an event out of nothing")
                    seen.append(event)
                }
            }
        }
        return seen
    }

    private static func check(_ event: MessageEvent) {
        switch event {
        case .needMore: break
        case .text(let bytes):
            precondition(bytes.count <= limits.messageBytes, "a message exceeds its limit")
            precondition(String(validating: bytes, as: UTF8.self) != nil, "a text that is no UTF-8")
        case .binary(let bytes): precondition(bytes.count <= limits.messageBytes, "a message exceeds its limit")
        case .ping(let bytes), .pong(let bytes): precondition(bytes.count <= 125, "a long control frame")
        case .close(let code, _): precondition(code?.mayBeSent ?? true, "a code that may not be sent")
        case .failure(let code):
            precondition([.protocolError, .invalidPayload, .messageTooBig].contains(code), "an odd failure")
        }
    }

    /// What was received, encoded again, is received again.
    private static func checkEcho(of event: MessageEvent, _ role: Role) {
        let mask = role == .server ? MaskingKey(0x12, 0x34, 0x56, 0x78) : nil
        let frame: [UInt8]? =
            switch event {
            case .text(let bytes) where bytes.count <= limits.frameBytes: FrameEncoder.text(bytes, mask: mask)
            case .binary(let bytes) where bytes.count <= limits.frameBytes: FrameEncoder.binary(bytes, mask: mask)
            case .ping(let bytes): FrameEncoder.ping(bytes, mask: mask)
            case .pong(let bytes): FrameEncoder.pong(bytes, mask: mask)
            case .close(let code, let reason): FrameEncoder.close(code, reason: reason, mask: mask)
            default: nil
            }
        guard let frame else { return }
        precondition(transcript([frame[...]], role) == [event], "the encoder and the decoder disagree")
    }
}
