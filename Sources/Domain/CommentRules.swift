/// What a comment's source must satisfy, whoever wrote it.
package enum CommentRules {
    /// The text by which a repetition is recognised: letters, digits and symbols in lower case; where there is none of
    /// them, the text without its spaces.
    package static func fingerprint(_ plainText: String) -> String {
        let lower = plainText.composed.lowercased()
        let core = lower.filter { $0.isLetter || $0.isNumber || $0.isSymbol }
        return core.isEmpty ? lower.filter { !$0.isWhitespace } : core
    }
}
