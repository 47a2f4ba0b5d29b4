import Bytes

// Asked for every byte of a head, so these stand in this module, where they are inlined.

/// The byte in lower case if a field name or a method may contain it (RFC 9110, section 5.6.2), else 0.
func lowerCaseTokenByte(_ byte: UInt8) -> UInt8 {
    // One bit for each of 0x00–0x3F and 0x40–0x7F.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    switch byte >> 6 {
    case 0: return low >> UInt64(byte) & 1 == 1 ? byte : 0
    case 1:
        guard high >> UInt64(byte & 63) & 1 == 1 else { return 0 }
        return byte &- 0x41 < 26 ? byte | 0x20 : byte
    default: return 0
    }
}

/// Whether a field value may contain the byte (RFC 9110, section 5.5): no control but the tab.
func isFieldByte(_ byte: UInt8) -> Bool {
    isPlainByte(byte) || byte == 0x09
}

/// Whether the byte is no control.
func isPlainByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F
}

/// Whether the bytes can be a host with an optional port (RFC 9110, section 7.2). The empty host is for the caller to
/// judge; user names are refused.
func isHost(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
        switch bytes[index] {
        case let byte where ASCII.isLetterOrDigit(byte): continue
        // `. - : _ % ~ [ ] ! $ & ' ( ) * + , ; =`
        case 0x2D, 0x2E, 0x3A, 0x5F, 0x25, 0x7E, 0x5B, 0x5D, 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: continue
        default: return false
        }
    }
    return true
}

extension Span<UInt8> {
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }
}
