import Bytes

/// What makes two page ids one page (contract: public 1.8). Applying it twice changes nothing.
package enum PageIdentity {
    /// Longest canonical page id, in UTF-8 bytes.
    package static let maximumLength = 2048

    /// The canonical page id, or nil when this cannot name a page: nothing visible, a control character, too long, or a
    /// script's `null` or `undefined`.
    package static func canonical(_ urlID: String) -> String? {
        // An escaped byte takes three.
        guard urlID.utf8.count <= 3 * maximumLength else { return nil }
        let text = urlID.composed.trimmed
        guard text != "null", text != "undefined",
            text.unicodeScalars.contains(where: { !$0.properties.isWhitespace && !$0.isInvisibleControl })
        else { return nil }
        let page = WebAddress.hasWebScheme(text) ? canonicalAddress(text) : text
        guard !page.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
        return page.utf8.count <= maximumLength ? page : nil
    }

    /// Query without tracking keys and in one order, fragment kept, percent-encoding in one form; case and slashes stay.
    private static func canonicalAddress(_ address: String) -> String {
        let (beforeFragment, fragment) = split(address, at: "#")
        let (path, query) = split(beforeFragment, at: "?")
        var result = normalised(path)
        if let query {
            // A tracking key may be escaped as well, and a letter may sort elsewhere than its escape.
            let kept = query.unicodeScalars.split(separator: "&").map { normalised(String($0)) }
                .filter { !isTracking($0) }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            if !kept.isEmpty { result += "?" + kept.joined(separator: "&") }
        }
        if let fragment { result += "#" + normalised(fragment) }
        return result
    }

    /// By scalars: a mark after a separator does not hide it.
    private static func split(_ text: String, at separator: Unicode.Scalar) -> (String, String?) {
        let scalars = text.unicodeScalars
        guard let index = scalars.firstIndex(of: separator) else { return (text, nil) }
        return (String(scalars[..<index]), String(scalars[scalars.index(after: index)...]))
    }

    private static func isTracking(_ parameter: String) -> Bool {
        let key = String(parameter.unicodeScalars.prefix { $0 != "=" }).lowercased()
        return key.hasPrefix("utm_") || trackingKeys.contains(key)
    }

    private static let trackingKeys: Set<String> = [
        "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "ttclid", "yclid", "igshid",
        "igsh", "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "mkt_tok", "vero_id", "oly_anon_id", "oly_enc_id",
        "wickedid", "li_fat_id", "epik", "s_cid", "ref_src",
    ]

    /// Letters beyond ASCII unescaped and composed, white space escaped, all other escapes in capitals: `%d7%91`,
    /// `%D7%91` and `ב` become one text.
    private static func normalised(_ text: String) -> String {
        let bytes = withSpaceEscaped(text)
        guard bytes.contains(ASCII.percent) else { return text.composed }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard let byte = escaped(bytes, at: index) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if let letter = escapedLetter(bytes, at: index, first: byte) {
                result += letter
                index += 3 * letter.count
            } else {
                appendEscape(of: byte, to: &result)
                index += 3
            }
        }
        return String(decoding: result, as: UTF8.self).composed
    }

    /// White space is never taken for the end of an address if it is escaped.
    private static func withSpaceEscaped(_ text: String) -> [UInt8] {
        guard text.unicodeScalars.contains(where: \.properties.isWhitespace) else { return Array(text.utf8) }
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            for byte in UTF8.encode(scalar) ?? .init() {
                if scalar.properties.isWhitespace { appendEscape(of: byte, to: &result) } else { result.append(byte) }
            }
        }
        return result
    }

    private static func appendEscape(of byte: UInt8, to result: inout [UInt8]) {
        result.append(ASCII.percent)
        result.append(contentsOf: Hex.encode([byte]).uppercased().utf8)
    }

    /// The UTF-8 of one escaped character beyond ASCII; nil when the escapes are none, or of white space.
    private static func escapedLetter(_ bytes: [UInt8], at start: Int, first: UInt8) -> [UInt8]? {
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard length > 0 else { return nil }
        let letter = (0..<length).compactMap { escaped(bytes, at: start + 3 * $0) }
        guard letter.count == length, let text = String(validating: letter, as: UTF8.self),
            !text.unicodeScalars.contains(where: \.properties.isWhitespace)
        else { return nil }
        return letter
    }

    private static func escaped(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, bytes[index] == ASCII.percent, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }
}
