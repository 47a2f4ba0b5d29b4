/// What a moderator typed into the search field (contract: admin 6.1): words, phrases between quotation marks, and
/// `exact="…"`, `page:"…"`, `site:…`, `domain:…`, `user:"…"`. All of it must hold.
package struct ModerationSearch: Sendable, Equatable {
    /// Longest text, in UTF-8 bytes.
    package static let maximumLength = 1000

    /// Words must begin words of the comment; what stands between quotation marks must stand there so.
    package var terms: [String] = []
    /// The whole comment, letter for letter.
    package var exact: String?
    /// Part of a title, or a whole address.
    package var pages: [String] = []
    /// Hosts.
    package var domains: [String] = []
    /// Parts of names.
    package var users: [String] = []

    /// Nothing is looked for.
    package init() {}

    /// Nil when the text is too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        for token in Self.tokens(text) { add(token) }
    }

    /// Phrases without their quotation marks.
    package var phrases: [String] {
        terms.compactMap { $0.hasPrefix("\"") ? String($0.dropFirst().dropLast()) : nil }
    }

    private mutating func add(_ token: String) {
        let parts = token.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2 {
            let value = Self.unquoted(parts[1])
            switch parts[0].lowercased() {
            case "page": return pages.append(value)
            case "site", "domain": return domains.append(value.lowercased())
            case "user": return users.append(value)
            default: break
            }
        }
        if token.lowercased().hasPrefix("exact=\"") {
            exact = Self.unquoted(String(token.dropFirst("exact=".count)))
        } else if token != "\"\"" {
            terms.append(token)
        }
    }

    private static func unquoted(_ text: String) -> String {
        guard text.hasPrefix("\"") else { return text }
        let rest = text.dropFirst()
        return String(rest.hasSuffix("\"") ? rest.dropLast() : rest)
    }

    /// Pieces between spaces, except that what stands between quotation marks holds together. A mark that nothing
    /// closes ends with the text.
    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var token = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                token.append(character)
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                if !token.isEmpty { tokens.append(token) }
                token = ""
            } else {
                token.append(character)
            }
        }
        if isQuoted { token.append("\"") }
        if !token.isEmpty { tokens.append(token) }
        return tokens
    }
}
