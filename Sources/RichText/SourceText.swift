import Bytes
@_spi(_Unicode) import Swift

/// A source as the renderer reads it: UTF-8 in composed form (NFC), lines ended by a line feed, and none of the
/// characters that steer a terminal, hide text or turn its direction round.
enum SourceText {
    static func normalised(_ source: String) -> [UInt8] {
        var bytes = [UInt8](source.utf8)
        if bytes.contains(where: { $0 >= 0x7F || ($0 < 0x20 && $0 != ASCII.lineFeed) }) {
            bytes = composed(clean(bytes))
        }
        return trimmed(bytes)
    }

    /// The text of one node: entities may have brought back what `normalised` took out.
    static func cleaned(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7F || ($0 < 0x20 && $0 != ASCII.lineFeed) }) else { return bytes }
        return composed(clean(bytes))
    }

    /// Characters that never come out: controls, the ones that embed or override a direction, and noncharacters.
    ///
    /// Marks such as U+200F stay: they only order the text beside them, and Arabic and Hebrew need them.
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFDD0...0xFDEF, 0xFFF9...0xFFFB: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    private static func clean(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let scalar = Scalars.at(index, in: bytes)
            let width = Scalars.width(bytes[index])
            switch scalar {
            case "\r" where index + 1 < bytes.count && bytes[index + 1] == ASCII.lineFeed: break
            case "\r", "\u{2028}", "\u{2029}": kept.append(ASCII.lineFeed)
            default:
                if !isDropped(scalar) { kept += bytes[index..<min(bytes.count, index + width)] }
            }
            index += width
        }
        return kept
    }

    /// Text below U+0300 is composed already: that is where the combining marks begin, in UTF-8 with the byte 0xCC.
    private static func composed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0xCC }) else { return bytes }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: String(decoding: bytes, as: UTF8.self)._nfc)
        return [UInt8](String(scalars).utf8)
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { $0 > ASCII.space }),
            let last = bytes.lastIndex(where: { $0 > ASCII.space })
        else { return [] }
        return first == 0 && last == bytes.count - 1 ? bytes : [UInt8](bytes[first...last])
    }
}
