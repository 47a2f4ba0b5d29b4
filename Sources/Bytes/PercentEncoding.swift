/// Percent-encoding of URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Decodes `%XX`, and `+` as a space when `plusIsSpace` says that `text` is form data.
    ///
    /// An escape that is none (`%zz`, or `%4` at the end) stays as it is written. Nil when the result is not UTF-8.
    package static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
        decode([UInt8](text)[...], plusIsSpace: plusIsSpace)
    }

    /// The same for a slice of an array, without the cost of a generic call.
    package static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        guard let bytes = unescape(text.span, plusIsSpace: plusIsSpace) else { return String(validating: text.span) }
        return String(validating: bytes.span)
    }

    /// Nil when there is nothing to decode.
    private static func unescape(_ text: Span<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var first = 0
        while first < text.count, text[first] != ASCII.percent, text[first] != ASCII.plus { first += 1 }
        guard first < text.count else { return nil }
        var bytes = [UInt8](copying: text.extracting(..<first))
        bytes.reserveCapacity(text.count)
        var index = first
        while index < text.count {
            let byte = text[index]
            if byte == ASCII.percent, let escaped = escape(in: text, after: index) {
                bytes.append(escaped)
                index += 3
            } else {
                bytes.append(byte == ASCII.plus && plusIsSpace ? ASCII.space : byte)
                index += 1
            }
        }
        return bytes
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

    private static func escape(in text: Span<UInt8>, after index: Int) -> UInt8? {
        guard index + 2 < text.count, let high = ASCII.hexValue(text[index + 1]),
            let low = ASCII.hexValue(text[index + 2])
        else { return nil }
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
