import Bytes

/// URLs that stand in the text without markup.
enum BareURL {
    private static let sentenceEnds = ByteSet(".,;:!?'*")

    /// The end of the http or https URL that starts at `start`, without the punctuation that ends a sentence around it.
    /// Nil when none starts there.
    static func end(in bytes: [UInt8], at start: Int) -> Int? {
        guard bytes[start] | 0x20 == UInt8(ascii: "h"), start == 0 || !isWordByte(bytes[start - 1]),
            let scheme = LinkTarget.webScheme(bytes[start...])
        else { return nil }
        var index = start + scheme
        var open = 0
        scan: while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0...ASCII.space, ASCII.delete, ASCII.quote, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
                UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\"), UInt8(ascii: "|"):
                break scan
            case UInt8(ascii: "("): open += 1
            case UInt8(ascii: ")"):
                if open == 0 { break scan }
                open -= 1
            case 0x80...:
                let scalar = Scalars.at(index, in: bytes)
                if endsURL(scalar) { break scan }
                index += Scalars.width(byte) - 1
            default: break
            }
            index += 1
        }
        index = min(index, bytes.count)
        while index > start + scheme, sentenceEnds.contains(bytes[index - 1]) { index -= 1 }
        return index > start + scheme ? index : nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.underscore
    }

    /// White space, quotes and the punctuation of East Asian text, which is set without spaces.
    private static func endsURL(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0, 0xAB, 0xBB, 0x2000...0x200B, 0x2018...0x201F, 0x2026, 0x202F, 0x205F, 0x3000...0x303F,
            0xFF01...0xFF0F, 0xFF1A...0xFF1F:
            true
        default: false
        }
    }
}

/// Single scalars of valid UTF-8.
enum Scalars {
    static func width(_ lead: UInt8) -> Int {
        lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    }

    /// The scalar whose first byte is at `index`; U+FFFD when the text ends inside it.
    static func at(_ index: Int, in bytes: [UInt8]) -> Unicode.Scalar {
        let lead = bytes[index]
        let width = width(lead)
        guard width > 1, index + width <= bytes.count else { return Unicode.Scalar(lead < 0x80 ? lead : 0x3F) }
        var value = UInt32(lead) & (0xFF >> UInt32(width + 1))
        for offset in 1..<width { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    /// The scalar that ends just before `index`; nil at the start.
    static func before(_ index: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        guard index > 0 else { return nil }
        var start = index - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return at(start, in: bytes)
    }

    /// Letters and marks of any script, digits and `_`.
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            return ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.underscore
        }
        if scalar.properties.isAlphabetic { return true }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }
}
