/// Percent-encoding of URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Decodes `%XX`, and `+` as a space when `plusIsSpace` says that `text` is form data.
    ///
    /// An escape that is none (`%zz`, or `%4` at the end) stays as it is written. Nil when the result is not UTF-8.
    package static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index != text.endIndex {
            let byte = text[index]
            text.formIndex(after: &index)
            if byte == ASCII.percent, let escaped = escape(in: text, at: index) {
                bytes.append(escaped)
                text.formIndex(&index, offsetBy: 2)
            } else {
                bytes.append(byte == ASCII.plus && plusIsSpace ? ASCII.space : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes every byte but `A-Z a-z 0-9 - _ . ! ~ * ' ( )`, as `encodeURIComponent` of JavaScript does.
    package static func encodeComponent(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(ASCII.percent)
                bytes.append(upperDigit(byte >> 4))
                bytes.append(upperDigit(byte & 15))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape<Text: Collection<UInt8>>(in text: Text, at index: Text.Index) -> UInt8? {
        guard index != text.endIndex, let high = ASCII.hexValue(text[index]) else { return nil }
        let next = text.index(after: index)
        guard next != text.endIndex, let low = ASCII.hexValue(text[next]) else { return nil }
        return high << 4 | low
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        return switch byte {
        case 0x2D, 0x5F, 0x2E, 0x21, 0x7E, 0x2A, 0x27, 0x28, 0x29: true
        default: false
        }
    }

    private static func upperDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero &+ value : 0x37 &+ value
    }
}
