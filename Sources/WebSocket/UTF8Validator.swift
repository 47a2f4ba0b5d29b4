import Bytes

/// Checks UTF-8 that comes in pieces (RFC 3629, section 4). A byte that cannot continue any valid text is refused when
/// it arrives, so an endless message of garbage costs nothing.
package struct UTF8Validator: Sendable {
    /// Continuation bytes that the character still needs.
    private var missing = 0
    /// What the next continuation byte may be. Narrower than 80–BF after E0, ED, F0 and F4, so that overlong forms,
    /// surrogates and numbers above 10FFFF fall out.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// At the start of a text.
    package init() {}

    /// Whether the text could end here.
    package var isComplete: Bool { missing == 0 }

    /// Takes the next piece.
    /// - Returns: whether everything so far can be the beginning of a valid text. Once false, do not go on.
    package mutating func accept(_ piece: Span<UInt8>) -> Bool {
        var index = 0
        while index < piece.count {
            if missing == 0 { index = endOfASCII(in: piece, from: index) }
            guard index < piece.count else { return true }
            guard accept(piece[index]) else { return false }
            index += 1
        }
        return true
    }

    private func endOfASCII(in piece: Span<UInt8>, from start: Int) -> Int {
        var index = start
        // SAFETY: bytes have no padding; a word is loaded only where eight bytes are left.
        let raw = unsafe piece.bytes
        while index + 8 <= piece.count,
            unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            index += 8
        }
        while index < piece.count, piece[index] < 0x80 { index += 1 }
        return index
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            guard allowed.contains(byte) else { return false }
            missing -= 1
            allowed = 0x80...0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return false
        }
        switch byte {
        case 0xE0: allowed = 0xA0...0xBF
        case 0xED: allowed = 0x80...0x9F
        case 0xF0: allowed = 0x90...0xBF
        case 0xF4: allowed = 0x80...0x8F
        default: break
        }
        return true
    }
}
