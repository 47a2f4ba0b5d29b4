@_spi(_Unicode) import Swift

extension String {
    /// The canonical composed form (Unicode NFC), so that the same letters are the same bytes.
    package var composed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: _nfc)
        return String(scalars)
    }

    /// Without white space at both ends.
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// At most `limit` characters, never cut inside one.
    package func cut(to limit: Int) -> String { String(prefix(limit)) }
}

extension Unicode.Scalar {
    /// Characters that change the direction or visibility of the text around them and have no place in a name.
    package var isInvisibleControl: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
