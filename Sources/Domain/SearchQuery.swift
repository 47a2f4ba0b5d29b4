/// What somebody looks for: all of it must be in a comment, in any order. A word finds those that begin with it; what
/// stands between quotation marks is looked for as it stands, in whole words.
package struct SearchQuery: Sendable, Hashable {
    /// Longest query, in UTF-8 bytes.
    package static let maximumLength = 1000
    /// Words and phrases of one query at most.
    package static let maximumTerms = 32

    /// One word or phrase.
    struct Term: Sendable, Hashable {
        var words: [String]
        /// The last word may go on.
        var isPrefix: Bool
    }

    let terms: [Term]

    /// Nil when the query is too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var terms: [Term] = []
        var isQuoted = false
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: Self.quotationMarks.contains) {
            let pieces = SearchText.pieces(String(part))
            if isQuoted {
                if let phrase = Self.phrase(pieces) { terms.append(phrase) }
            } else {
                terms += pieces.map(Self.term)
            }
            isQuoted.toggle()
        }
        guard terms.count <= Self.maximumTerms else { return nil }
        self.terms = terms
    }

    /// Nothing that could be found: the query has neither letters, digits nor pictures.
    package var isEmpty: Bool { terms.isEmpty }

    /// The query in the syntax of SQLite's FTS5 (https://sqlite.org/fts5.html, section 3), for one column. Empty only
    /// when the query is.
    package var expression: String {
        terms.map { term in
            // Words have no quotation mark: nothing of them can be read as syntax.
            "\"" + term.words.joined(separator: " ") + "\"" + (term.isPrefix ? " *" : "")
        }
        .joined(separator: " AND ")
    }

    private static let quotationMarks: Set<Character> = ["\"", "“", "”", "„", "«", "»", "＂"]

    private static func term(_ piece: SearchText.Piece) -> Term {
        switch piece {
        // One letter of an alphabet begins far too many words.
        case .word(let word): Term(words: [word], isPrefix: word.unicodeScalars.count > 1)
        case .picture(let picture): Term(words: [picture], isPrefix: false)
        case .dense(let scalars) where scalars.count == 1: Term(words: [String(scalars[0])], isPrefix: true)
        case .dense(let scalars): Term(words: SearchText.pairs(scalars), isPrefix: false)
        }
    }

    private static func phrase(_ pieces: [SearchText.Piece]) -> Term? {
        guard let last = pieces.last else { return nil }
        var end = term(last)
        if case .word = last { end.isPrefix = false }
        end.words = pieces.dropLast().flatMap(SearchText.indexWords) + end.words
        return end
    }
}
