/// Base 64 (RFC 4648): the standard alphabet with padding and the URL alphabet without.
///
/// Decoding is exact, so that one value has one spelling: no line breaks, no bits left over in the last digit.
package enum Base64 {
    private static let standardDigits = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlDigits = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardValues = values(of: standardDigits)
    private static let urlValues = values(of: urlDigits)
    private static let noDigit: UInt8 = 0xFF

    /// Standard alphabet, padded with `=` (section 4).
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = encode(bytes, digits: standardDigits)
        while text.count % 4 != 0 { text.append(ASCII.equals) }
        return String(decoding: text, as: UTF8.self)
    }

    /// URL alphabet, not padded (section 5).
    package static func encodeURL(_ bytes: [UInt8]) -> String {
        String(decoding: encode(bytes, digits: urlDigits), as: UTF8.self)
    }

    /// How long `encodeURL` makes so many bytes.
    package static func urlLength(of count: Int) -> Int { (count * 8 + 5) / 6 }

    /// As `encodeURL`, into bytes that are there already.
    package static func putURL(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8], at start: Int) {
        put(bytes, digits: urlDigits, into: &output, at: start)
    }

    /// The bytes of padded standard text; nil when the padding is not exact or any other byte occurs.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let bytes = [UInt8](text.utf8)
        guard bytes.count % 4 == 0 else { return nil }
        let padding = bytes.suffix(2).reversed().prefix { $0 == ASCII.equals }.count
        return decode(bytes.dropLast(padding), values: standardValues)
    }

    /// The bytes of unpadded URL text; nil when any other byte occurs.
    package static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
        decode([UInt8](text.utf8)[...], values: urlValues)
    }

    private static func encode(_ bytes: [UInt8], digits: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: urlLength(of: bytes.count))
        put(bytes[...], digits: digits, into: &text, at: 0)
        return text
    }

    private static func put(
        _ bytes: ArraySlice<UInt8>, digits: [UInt8], into output: inout [UInt8], at start: Int
    ) {
        var index = start
        var bits: UInt32 = 0
        var held = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                output[index] = digits[Int(bits >> UInt32(held) & 63)]
                index += 1
            }
        }
        if held > 0 { output[index] = digits[Int(bits << UInt32(6 - held) & 63)] }
    }

    private static func decode(_ text: ArraySlice<UInt8>, values: [UInt8]) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var held = 0
        for character in text {
            let value = values[Int(character)]
            guard value != noDigit else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
        }
        let leftOver = bits & (1 << UInt32(held) - 1)
        return leftOver == 0 ? bytes : nil
    }

    private static func values(of digits: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: noDigit, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }
}
