/// Finds a query in words as the index keeps them, exactly as the index does (SQLite's FTS5, tokenizer `ascii`): for
/// comments that are read one after the other, where looking words up among all comments would take longer.
package struct WordMatcher: Sendable {
    private struct Term: Sendable {
        let words: [[UInt8]]
        let isPrefix: Bool
    }

    private let terms: [Term]

    /// Nil when the query has no words, or something that only the index knows how to read.
    package init?(_ query: SearchQuery) {
        guard !query.isEmpty else { return nil }
        var terms: [Term] = []
        for term in query.terms {
            let text = Array(term.words.joined(separator: " ").utf8)
            let words = Self.tokens(of: text.span).map { text[$0].map(Self.folded) }
            guard !words.isEmpty else { return nil }
            terms.append(Term(words: words, isPrefix: term.isPrefix))
        }
        self.terms = terms
    }

    /// Whether all of the query stands in the words of a comment.
    /// - Parameter words: as `SearchText.indexed` makes them, in UTF-8.
    package func matches(_ words: Span<UInt8>) -> Bool {
        let tokens = Self.tokens(of: words)
        for term in terms {
            guard Self.stands(term, in: words, tokens) else { return false }
        }
        return true
    }

    private static func stands(_ term: Term, in text: Span<UInt8>, _ tokens: [Range<Int>]) -> Bool {
        let last = term.words.count - 1
        guard tokens.count > last else { return false }
        for start in 0..<(tokens.count - last) {
            var place = 0
            while place <= last,
                isSame(term.words[place], text, tokens[start + place], mayGoOn: term.isPrefix && place == last)
            {
                place += 1
            }
            if place > last { return true }
        }
        return false
    }

    private static func isSame(_ word: [UInt8], _ text: Span<UInt8>, _ token: Range<Int>, mayGoOn: Bool) -> Bool {
        guard mayGoOn ? token.count >= word.count : token.count == word.count else { return false }
        for place in word.indices where folded(text[token.lowerBound + place]) != word[place] { return false }
        return true
    }

    // MARK: The tokenizer

    /// Runs of letters and digits; whatever is not ASCII is taken for a letter.
    private static func tokens(of text: Span<UInt8>) -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var start: Int?
        for place in text.indices {
            if isOfWords(text[place]) {
                if start == nil { start = place }
            } else if let begun = start {
                tokens.append(begun..<place)
                start = nil
            }
        }
        if let start { tokens.append(start..<text.count) }
        return tokens
    }

    private static func isOfWords(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: false
        }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
