import Bytes

/// What makes two page ids one page (contract: public 1.8). Applying it twice changes nothing.
package enum PageIdentity {
    /// Longest page id, in UTF-8 bytes.
    package static let maximumLength = 2048

    /// The canonical page id, or nil when this cannot name a page: empty, blank, or a script's `null` or `undefined`.
    package static func canonical(_ urlID: String) -> String? {
        let composed = urlID.composed.trimmed
        guard !composed.isEmpty, composed != "null", composed != "undefined",
            composed.utf8.count <= maximumLength
        else { return nil }
        return isWebAddress(composed) ? canonicalAddress(composed) : composed
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// Query without tracking keys and in one order, fragment kept, percent-encoding in one form; case and slashes stay.
    private static func canonicalAddress(_ address: String) -> String {
        let (beforeFragment, fragment) = split(address, at: "#")
        let (path, query) = split(beforeFragment, at: "?")
        var result = normalisedEncoding(path)
        if let query {
            let kept = query.split(separator: "&", omittingEmptySubsequences: true)
                .filter { !isTracking($0.prefix { $0 != "=" }) }
                .map { normalisedEncoding(String($0)) }
                .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            if !kept.isEmpty { result += "?" + kept.joined(separator: "&") }
        }
        if let fragment { result += "#" + normalisedEncoding(fragment) }
        return result.composed
    }

    private static func split(_ text: String, at separator: Character) -> (String, String?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    private static func isTracking(_ key: Substring) -> Bool {
        let key = key.lowercased()
        return key.hasPrefix("utm_") || trackingKeys.contains(key)
    }

    private static let trackingKeys: Set<String> = [
        "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "ttclid", "yclid", "igshid",
        "igsh", "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "mkt_tok", "vero_id", "oly_anon_id", "oly_enc_id",
        "wickedid", "li_fat_id", "epik", "s_cid", "ref_src",
    ]

    /// Letters beyond ASCII unescaped, all other escapes in capitals: `%d7%91`, `%D7%91` and `ב` become one text.
    private static func normalisedEncoding(_ text: String) -> String {
        guard text.utf8.contains(0x25) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard let byte = escaped(bytes, at: index) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let run = escapedRun(bytes, from: index)
            let isLetter = byte >= 0x80
            if isLetter, let decoded = String(validating: run.bytes, as: UTF8.self) {
                result.append(contentsOf: decoded.utf8)
            } else {
                for byte in run.bytes {
                    result.append(0x25)
                    result.append(contentsOf: Hex.encode([byte]).uppercased().utf8)
                }
            }
            index = run.end
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// One ASCII escape, or as many escapes as follow each other beyond ASCII.
    private static func escapedRun(_ bytes: [UInt8], from start: Int) -> (bytes: [UInt8], end: Int) {
        var run: [UInt8] = []
        var index = start
        while let byte = escaped(bytes, at: index) {
            if byte < 0x80 {
                if run.isEmpty { return ([byte], index + 3) }
                break
            }
            run.append(byte)
            index += 3
        }
        return (run, index)
    }

    private static func escaped(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, bytes[index] == 0x25 else { return nil }
        return Hex.decode(String(decoding: bytes[index + 1...index + 2], as: UTF8.self))?.first
    }
}
