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

    /// Nil when the text is too long, or has more than 32 words.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        for token in Self.tokens(text) { add(token) }
        guard terms.isEmpty || words != nil else { return nil }
    }

    /// The words as the index has them, without what is none.
    package var words: SearchQuery? { SearchQuery(terms.joined(separator: " ")) }

    /// What must stand in the text as it is, in lower case: phrases, and what has neither letters nor digits. Letters
    /// beyond ASCII, whose case the database does not know, are left to the index.
    package var pieces: [String] {
        terms.compactMap { term in
            let isPhrase = term.hasPrefix("\"")
            let text = isPhrase ? String(term.dropFirst().dropLast()) : term
            let hasWords = SearchQuery(text).map { !$0.isEmpty } ?? false
            guard !hasWords || (isPhrase && text.utf8.allSatisfy { $0 < 0x80 }) else { return nil }
            return text.lowercased()
        }
    }

    private mutating func add(_ token: String) {
        let parts = token.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2, let key = Key(rawValue: parts[0].lowercased()) {
            let value = Self.unquoted(parts[1])
            guard !value.isEmpty else { return }
            switch key {
            case .page: pages.append(value)
            case .site, .domain: domains.append(value.lowercased())
            case .user: users.append(value)
            }
        } else if token.lowercased().hasPrefix(Self.exactly + "\"") {
            let value = Self.unquoted(String(token.dropFirst(Self.exactly.count)))
            if !value.isEmpty { exact = value }
        } else if !Self.unquoted(token).isEmpty {
            terms.append(token)
        }
    }

    private enum Key: String {
        case page, site, domain, user
    }

    private static let exactly = "exact="

    private static func unquoted(_ text: String) -> String {
        guard text.hasPrefix("\"") else { return text }
        let rest = text.dropFirst()
        return String(rest.hasSuffix("\"") ? rest.dropLast() : rest)
    }

    /// Pieces between spaces, except that what stands between quotation marks holds together, with the word before it
    /// that says what it is. A mark that nothing closes ends with the text.
    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var token = ""
        var isQuoted = false
        func end() {
            if !token.isEmpty { tokens.append(token) }
            token = ""
        }
        for character in text {
            if character == "\"" {
                if !isQuoted, !token.hasSuffix(":"), token.lowercased() != exactly { end() }
                token.append(character)
                if isQuoted { end() }
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                end()
            } else {
                token.append(character)
            }
        }
        if isQuoted { token.append("\"") }
        end()
        return tokens
    }
}
