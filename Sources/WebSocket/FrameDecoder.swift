import Bytes

/// The fixed part of one frame (RFC 6455, section 5.2).
struct FrameHeader: Sendable, Equatable {
    var isFinal: Bool
    var opcode: Opcode
    /// On the first frame of a compressed message (RFC 7692, section 6).
    var isPacked: Bool
    /// Nil on frames that a server sends.
    var mask: MaskingKey?
    /// Bytes of payload that follow.
    var length: Int
}

/// Reads frame headers that come in pieces, and refuses those that break the protocol as soon as the byte that shows it
/// is there.
struct FrameDecoder: Sendable {
    enum Result: Equatable {
        case needMore
        case header(FrameHeader)
        case failure(CloseCode)
    }

    private let role: Role
    private let frameLimit: Int
    private let takesPacked: Bool
    private var held: [14 of UInt8] = .init(repeating: 0)
    private var count = 0

    /// Whether no byte of a next header has come.
    var isBetweenFrames: Bool { count == 0 }

    /// `frameLimit` is the largest payload in bytes, `takesPacked` whether compressed messages were agreed on.
    init(role: Role, frameLimit: Int, takesPacked: Bool) {
        self.role = role
        self.takesPacked = takesPacked
        self.frameLimit = frameLimit
    }

    mutating func next(_ input: Span<UInt8>, _ position: inout Int) -> Result {
        while position < input.count {
            held[count] = input[position]
            count += 1
            position += 1
            if let code = fault() { return .failure(code) }
            if count >= 2, count == headerSize { return finish() }
        }
        return .needMore
    }

    private var headerSize: Int {
        let lengthSize =
            switch held[1] & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + lengthSize + (held[1] & 0x80 != 0 ? 4 : 0)
    }

    /// What is wrong with the byte that came last.
    private func fault() -> CloseCode? {
        switch count {
        case 1:
            guard held[0] & 0x30 == 0, let opcode = Opcode(rawValue: held[0] & 0x0F) else { return .protocolError }
            guard held[0] & 0x40 == 0 || takesPacked && opcode.beginsMessage else { return .protocolError }
            return opcode.isControl && held[0] & 0x80 == 0 ? .protocolError : nil
        case 2:
            guard (held[1] & 0x80 != 0) == (role == .server) else { return .protocolError }
            let length = held[1] & 0x7F
            if held[0] & 0x08 != 0 { return length > 125 ? .protocolError : nil }
            return length < 126 ? tooBig(Int(length)) : nil
        case 4 where held[1] & 0x7F == 126:
            let length = Int(held[2]) << 8 | Int(held[3])
            return length < 126 ? .protocolError : tooBig(length)
        case 3 where held[1] & 0x7F == 127:
            return held[2] & 0x80 != 0 ? .protocolError : nil
        case 10 where held[1] & 0x7F == 127:
            return longLength <= 0xFFFF ? .protocolError : tooBig(longLength)
        default:
            return nil
        }
    }

    private func tooBig(_ length: Int) -> CloseCode? {
        length > frameLimit ? .messageTooBig : nil
    }

    private var longLength: Int {
        var length = 0
        for index in 2..<10 { length = length << 8 | Int(held[index]) }
        return length
    }

    private mutating func finish() -> Result {
        guard let opcode = Opcode(rawValue: held[0] & 0x0F) else { return .failure(.protocolError) }
        let length =
            switch held[1] & 0x7F {
            case 126: Int(held[2]) << 8 | Int(held[3])
            case 127: longLength
            case let short: Int(short)
            }
        defer { count = 0 }
        return .header(
            FrameHeader(
                isFinal: held[0] & 0x80 != 0, opcode: opcode, isPacked: held[0] & 0x40 != 0, mask: mask,
                length: length))
    }

    private var mask: MaskingKey? {
        guard held[1] & 0x80 != 0 else { return nil }
        return MaskingKey(held[count - 4], held[count - 3], held[count - 2], held[count - 1])
    }
}
