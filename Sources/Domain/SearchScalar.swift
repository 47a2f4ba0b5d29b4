/// What one character is to a search.
enum SearchScalar {
    case letter
    /// Of a script without spaces between words.
    case dense
    /// Belongs to the letter before it.
    case mark
    case picture
    /// Ends a word.
    case other

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A: self = .letter
        case 0..<0x80: self = .other
        default:
            if Self.isDense(scalar) {
                self = .dense
                return
            }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber, .privateUse:
                self = .letter
            case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
            case .otherSymbol, .currencySymbol: self = .picture
            default: self = .other
            }
        }
    }

    private static func isDense(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Thai and Lao, Myanmar, Hangul letters, Khmer
        case 0x0E01...0x0E3A, 0x0E40...0x0E4E, 0x0E81...0x0ECE, 0x1000...0x103F, 0x1100...0x11FF, 0x1780...0x17D3,
            // 々 〇, Hiragana, Katakana without its middle dot, Bopomofo, Hangul letters, Katakana extensions
            0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x312F, 0x3131...0x318E,
            0x31A0...0x31BF, 0x31F0...0x31FF,
            // Hangul syllables, Katakana of half width
            0xAC00...0xD7A3, 0xFF66...0xFF9F:
            true
        default: scalar.value >= 0x3400 && scalar.properties.isIdeographic
        }
    }

    /// Marks that people leave out when they search, and characters that cannot be seen. Marks of other scripts are part
    /// of the word: without them it is another one.
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Latin, Greek and Cyrillic; Hebrew points; Arabic vowel signs and tatweel
        case 0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,
            0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E8, 0x06EA...0x06ED,
            0x08D3...0x08E1, 0x08E3...0x08FF, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
            // Soft hyphen, joiners and directions, selectors of a picture's form and of its skin
            0x00AD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0x1F3FB...0x1F3FF:
            true
        default: false
        }
    }

    /// The plain form of letters that carry their difference without a mark.
    static func plain(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0xFF10...0xFF19, 0xFF41...0xFF5A: ascii(scalar.value - 0xFEE0)
        case 0x0660...0x0669: ascii(scalar.value - 0x0660 + 0x30)
        case 0x06F0...0x06F9: ascii(scalar.value - 0x06F0 + 0x30)
        default: table[scalar]
        }
    }

    private static func ascii(_ value: UInt32) -> String? { Unicode.Scalar(value).map { String($0) } }

    private static let table: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "þ": "th",
        "ς": "σ", "ґ": "г",
        // Arabic: alef maqsura, teh marbuta, Farsi yeh, keheh, alef wasla
        "\u{649}": "\u{64A}", "\u{629}": "\u{647}", "\u{6CC}": "\u{64A}", "\u{6A9}": "\u{643}", "\u{671}": "\u{627}",
    ]
}
