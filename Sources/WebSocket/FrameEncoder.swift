import Bytes

/// Writes frames (RFC 6455, section 5.2). Frames without a mask are a server's and may be shared by all receivers.
package enum FrameEncoder {
    /// One frame. `mask` makes it a client's; `isFinal` false makes it a fragment; `isPacked` says that it begins a
    /// message that was compressed. Nothing is checked, so that tests
    /// can send what the protocol forbids.
    package static func frame(
        _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, isPacked: Bool = false, mask: MaskingKey? = nil
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 14)
        bytes.append((isFinal ? 0x80 : 0) | (isPacked ? 0x40 : 0) | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case 0..<126:
            bytes.append(maskBit | UInt8(payload.count))
        case 126...0xFFFF:
            bytes.append(maskBit | 126)
            appendBigEndian(payload.count, size: 2, to: &bytes)
        default:
            bytes.append(maskBit | 127)
            appendBigEndian(payload.count, size: 8, to: &bytes)
        }
        if let mask { bytes.append(contentsOf: mask.bytes) }
        let start = bytes.count
        bytes.append(contentsOf: payload)
        mask?.apply(to: &bytes, in: start..<bytes.count, offset: 0)
        return bytes
    }

    /// A text message. `payload` must be UTF-8.
    package static func text(_ payload: [UInt8], mask: MaskingKey? = nil) -> [UInt8] {
        frame(.text, payload, mask: mask)
    }

    /// A binary message.
    package static func binary(_ payload: [UInt8], mask: MaskingKey? = nil) -> [UInt8] {
        frame(.binary, payload, mask: mask)
    }

    /// A Ping. What exceeds 125 bytes is cut off.
    package static func ping(_ payload: [UInt8] = [], mask: MaskingKey? = nil) -> [UInt8] {
        frame(.ping, [UInt8](payload.prefix(125)), mask: mask)
    }

    /// A Pong. What exceeds 125 bytes is cut off.
    package static func pong(_ payload: [UInt8], mask: MaskingKey? = nil) -> [UInt8] {
        frame(.pong, [UInt8](payload.prefix(125)), mask: mask)
    }

    /// A Close. Without a code, or with one that may not be sent, it carries nothing. A reason over 123 bytes of UTF-8
    /// is cut between characters.
    package static func close(_ code: CloseCode?, reason: String = "", mask: MaskingKey? = nil) -> [UInt8] {
        guard let code, code.mayBeSent else { return frame(.close, [], mask: mask) }
        var payload: [UInt8] = []
        appendBigEndian(Int(code.rawValue), size: 2, to: &payload)
        for scalar in reason.unicodeScalars {
            let bytes = String(scalar).utf8
            guard payload.count + bytes.count <= 125 else { break }
            payload.append(contentsOf: bytes)
        }
        return frame(.close, payload, mask: mask)
    }

    private static func appendBigEndian(_ value: Int, size: Int, to bytes: inout [UInt8]) {
        for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
    }
}
