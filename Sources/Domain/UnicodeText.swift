@_spi(_Unicode) import Swift

extension String {
    /// The canonical composed form (Unicode NFC), so that the same letters are the same bytes.
    package var composed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: _nfc)
        return String(scalars)
    }

    /// Without white space at both ends. A space stays one, whatever mark follows it.
    package var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// How many characters a reader sees. The longest that is drawn as one, an emoji, has ten code points: a letter with
    /// marks without end counts for more.
    package var visibleCount: Int { reduce(0) { $0 + ($1.unicodeScalars.count + 9) / 10 } }

    /// A text of one line for people: control characters count as spaces, and none is left at the ends; empty when
    /// nothing of it can be seen.
    package var line: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return scalars.contains(where: \.isVisible) ? String(scalars).trimmed : ""
    }

    /// A ``line`` without characters that change the direction or visibility of the text around them.
    package var plainLine: String {
        let line = line.unicodeScalars.filter { !$0.isInvisibleControl }
        return String(String.UnicodeScalarView(line)).trimmed
    }

    /// At most `limit` code points, as a character may be made of any number of marks; never cut inside a character but
    /// the first.
    package func cut(to limit: Int) -> String {
        var left = limit
        let whole = prefix { character in
            left -= character.unicodeScalars.count
            return left >= 0
        }
        return whole.isEmpty ? String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) : String(whole)
    }
}

extension Unicode.Scalar {
    /// Whether a reader sees anything of it.
    package var isVisible: Bool {
        !isInvisibleControl && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }

    /// Characters that change the direction or visibility of the text around them and have no place in a name.
    package var isInvisibleControl: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x115F...0x1160, 0x180E, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB:
            true
        default: false
        }
    }
}
