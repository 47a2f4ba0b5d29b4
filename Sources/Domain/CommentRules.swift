import Bytes

/// What a comment's source must satisfy, whoever wrote it.
package enum CommentRules {
    /// The text by which a repetition is recognised: letters, digits and symbols in lower case; where there is none of
    /// them, the text without its spaces.
    package static func fingerprint(_ plainText: String) -> String {
        if let core = asciiCore(plainText) { return core }
        let lower = plainText.composed.lowercased()
        let core = lower.filter { $0.isLetter || $0.isNumber || $0.isSymbol }
        return core.isEmpty ? lower.filter { !$0.isWhitespace } : core
    }

    /// The same of a text in ASCII; nil of others, and where nothing is left.
    private static func asciiCore(_ text: String) -> String? {
        var core: [UInt8] = []
        core.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            guard byte < 0x80 else { return nil }
            if ASCII.isLetterOrDigit(byte) {
                core.append(ASCII.lowercased(byte))
            } else if asciiSymbols.contains(byte) {
                core.append(byte)
            }
        }
        return core.isEmpty ? nil : String(decoding: core, as: UTF8.self)
    }

    private static let asciiSymbols = Array("$+<=>^`|~".utf8)
}
