import Bytes
@_spi(_Unicode) import Swift

/// How text is cut into words for searching (contract: public 5.1). The index and the query are cut alike, so that
/// nothing depends on what the database knows of Unicode, and nothing of a query can be read as its syntax.
///
/// Letters are folded: case, accents, vowel points, forms of Arabic letters and digits. Scripts that write no spaces
/// between words (Chinese, Japanese, Korean, Thai and others) are cut into pairs of characters, each beginning one, so
/// that one character finds as well as three. Pictures such as emoji are words of their own.
package enum SearchText {
    /// Longer words are cut, for the index and for the query.
    static let longestWord = 40

    /// A piece of text that is looked for as a whole.
    enum Piece: Equatable {
        /// Letters and digits between spaces.
        case word(String)
        /// Characters of a script without spaces.
        case dense([Unicode.Scalar])
        case picture(String)
    }

    /// The words of a text as the index keeps them: separated by spaces, without any ASCII but letters and digits.
    package static func indexed(_ text: String) -> String {
        indexedASCII(text) ?? pieces(text).flatMap(indexWords).joined(separator: " ")
    }

    /// The same of a text in ASCII; nil of others.
    private static func indexedASCII(_ text: String) -> String? {
        var words: [UInt8] = []
        words.reserveCapacity(text.utf8.count)
        var length = 0
        for byte in text.utf8 {
            guard byte < 0x80 else { return nil }
            guard ASCII.isLetterOrDigit(byte) else {
                length = 0
                continue
            }
            if length == 0, !words.isEmpty { words.append(UInt8(ascii: " ")) }
            if length < longestWord { words.append(ASCII.lowercased(byte)) }
            length += 1
        }
        return String(decoding: words, as: UTF8.self)
    }

    static func indexWords(_ piece: Piece) -> [String] {
        switch piece {
        case .word(let word): [word]
        case .picture(let picture): [picture]
        case .dense(let scalars): pairs(scalars) + [String(scalars[scalars.count - 1])]
        }
    }

    /// Each character with the one after it.
    static func pairs(_ scalars: [Unicode.Scalar]) -> [String] {
        zip(scalars, scalars.dropFirst()).map { String(String.UnicodeScalarView([$0, $1])) }
    }

    /// The pieces of a text in order.
    static func pieces(_ text: String) -> [Piece] {
        var pieces: [Piece] = []
        var run: [Unicode.Scalar] = []
        var isDense = false
        func end() {
            guard !run.isEmpty else { return }
            pieces.append(isDense ? .dense(run) : .word(word(run)))
            run = []
        }
        for scalar in folded(text) {
            let kind = SearchScalar(scalar)
            switch kind {
            case .letter, .dense:
                let dense = kind == .dense
                if dense != isDense { end() }
                isDense = dense
                run.append(scalar)
            case .mark: if !run.isEmpty { run.append(scalar) }
            case .picture:
                end()
                pieces.append(.picture(String(scalar)))
            case .other: end()
            }
        }
        end()
        return pieces
    }

    private static func word(_ run: [Unicode.Scalar]) -> String {
        let stem = ArabicArticle.dropped(from: run[...])
        return String(String.UnicodeScalarView(stem.prefix(longestWord)))
    }

    // MARK: Folding

    /// Lower case, without marks that searchers leave out, with one form for each letter.
    static func folded(_ text: String) -> [Unicode.Scalar] {
        let lower = text.lowercased()
        if lower.utf8.allSatisfy({ $0 < 0x80 }) { return Array(lower.unicodeScalars) }
        var kept = String.UnicodeScalarView()
        for scalar in lower._nfd where !SearchScalar.isDropped(scalar) {
            if let plain = SearchScalar.plain(scalar) {
                kept.append(contentsOf: plain.unicodeScalars)
            } else {
                kept.append(scalar)
            }
        }
        // Composed again, for Korean syllables and Japanese sound marks.
        return Array(String(kept)._nfc)
    }
}

/// Arabic writes its article, and some prepositions before it, in one with the word.
private enum ArabicArticle {
    private static let alef: Unicode.Scalar = "\u{627}"
    private static let lam: Unicode.Scalar = "\u{644}"
    private static let joined: [Unicode.Scalar] = ["\u{648}", "\u{641}", "\u{628}", "\u{643}"]

    /// The word without its article, where at least three letters are left.
    static func dropped(from word: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var rest = word
        if let first = rest.first, joined.contains(first) { rest = rest.dropFirst() }
        guard rest.count >= 5, rest.starts(with: [alef, lam]) else { return word }
        return rest.dropFirst(2)
    }
}
