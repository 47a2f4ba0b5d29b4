import Domain
import Testing

/// How words are found without the index.
@Suite struct WordMatcherTests {
    private static func finds(_ query: String, in text: String) throws -> Bool {
        matches(try matcher(query), SearchText.indexed(text))
    }

    private static func matcher(_ query: String) throws -> WordMatcher {
        let parsed = try #require(SearchQuery(query))
        return try #require(WordMatcher(parsed))
    }

    private static func matches(_ matcher: WordMatcher, _ words: String) -> Bool {
        let bytes = Array(words.utf8)
        return matcher.matches(bytes.span)
    }

    @Test(arguments: [
        ("cafe", "A cat in the Café"), ("caf", "A cat in the Café"), ("cat ca", "A cat in the Café"),
        ("\"the cafe\"", "A cat in the Café"), ("\"a cat in the cafe\"", "A cat in the Café"), ("a", "a"),
        ("Москв", "Москва"), ("東", "私は東京都庁にいる"), ("東京都庁", "私は東京都庁にいる"), ("울특", "서울특별시에서"), ("👍", "Well done 👍🏽"),
        ("2026", "in ٢٠٢٦"), ("\"b b c\"", "a b b b c"),
    ])
    func wordsAndPhrasesAreFound(_ query: String, _ text: String) throws {
        #expect(try Self.finds(query, in: text))
    }

    @Test(arguments: [
        ("afe", "A cat in the Café"), ("c", "A cat in the Café"), ("cat dog", "A cat in the Café"),
        ("\"cat the\"", "A cat in the Café"), ("\"the caf\"", "A cat in the Café"), ("cats", "A cat"), ("都東", "東京都"),
        ("cat", ""), ("\"a cat in the cafe now\"", "A cat in the Café"),
    ])
    func othersAreNot(_ query: String, _ text: String) throws {
        #expect(try !Self.finds(query, in: text))
    }

    @Test func letterCaseAndSignsOfTheIndexedTextAreReadAsTheIndexReadsThem() throws {
        let matcher = try Self.matcher("\"one two\" thr")
        #expect(Self.matches(matcher, "ONE-Two;THREE"))
        #expect(!Self.matches(matcher, "ONE-Twos;THREE"))
    }

    @Test func nothingIsFoundByNoWords() throws {
        let query = try #require(SearchQuery("?! \"\""))
        #expect(WordMatcher(query) == nil)
    }
}
