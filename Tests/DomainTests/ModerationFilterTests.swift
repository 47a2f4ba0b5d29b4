import Domain
import Testing

/// What moderators type and choose (contract: admin 6.1).
@Suite struct ModerationFilterTests {
    @Test func wordsAndPhrasesArePiecesOfTheirOwn() throws {
        let search = try #require(ModerationSearch("hello  \"big world\" \tx"))
        #expect(search.terms == ["hello", "\"big world\"", "x"])
        #expect(search.pieces == ["big world"])
    }

    @Test func whatStandsBehindAColonNarrows() throws {
        let search = try #require(
            ModerationSearch("page:\"My Title\" site:Example.com domain:b.test USER:\"Ann B\" user:bob rest http://x"))
        #expect(search.pages == ["My Title"])
        #expect(search.domains == ["example.com", "b.test"])
        #expect(search.users == ["Ann B", "bob"])
        #expect(search.terms == ["rest", "http://x"])
    }

    @Test func anExactTextKeepsItsCaseAndSpaces() throws {
        let search = try #require(ModerationSearch("exact=\"Buy  Now\""))
        #expect(search.exact == "Buy  Now")
        #expect(search.terms.isEmpty)
    }

    @Test func aMarkThatNothingClosesEndsWithTheText() throws {
        #expect(try #require(ModerationSearch("a \"b c")).terms == ["a", "\"b c\""])
        #expect(try #require(ModerationSearch("\"\"  ")).terms.isEmpty)
    }

    @Test func aTextMayHaveAThousandBytes() {
        #expect(ModerationSearch(String(repeating: "a", count: 1000)) != nil)
        #expect(ModerationSearch(String(repeating: "a", count: 1001)) == nil)
    }

    @Test(arguments: [
        ("needs-review", [0, 1, 2, 3, 8]), ("reviewed,approved", [5, 7, 13]), ("spam", [2, 3, 6]),
        ("flagged,not-spam", [8, 9, 12]), ("locked", [16, 17, 31]), ("", [0, 31]), ("nonsense", [0, 31]),
    ])
    func wordsNameStates(_ words: String, _ states: [Int]) throws {
        let filter = try #require(ModerationFilter(words: words, narrowed: nil))
        for state in states { #expect(filter.includes(state: state), "\(state)") }
    }

    @Test(arguments: [
        ("needs-review", 4), ("needs-approval", 1), ("spam", 1), ("not-spam", 2), ("flagged", 7), ("locked", 15),
        ("spam,not-spam", 2), ("spam,not-spam", 0), ("approved,needs-approval", 1),
    ])
    func otherStatesAreLeftOut(_ words: String, _ state: Int) throws {
        #expect(!(try #require(ModerationFilter(words: words, narrowed: nil))).includes(state: state))
    }

    @Test func anObjectNarrows() throws {
        let filter = try #require(
            ModerationFilter(words: "", narrowed: #"{"userId":"t:ann","urlId":"p","domain":"X.test","other":null}"#))
        #expect(filter.userID == "t:ann")
        #expect(filter.urlID == "p")
        #expect(filter.domain == "x.test")
        #expect(!filter.isOfStatesOnly)
        for text in ["[]", "{", "1", #"{"userId":1}"#] { #expect(ModerationFilter(words: "", narrowed: text) == nil) }
    }
}

/// The grammar of the search field, case by case (contract: admin 6.1).
@Suite struct ModerationSearchTests {
    @Test(
        arguments: [
            ("a\"b c\"d", ["a", "\"b c\"", "d"]), ("\"a\"\"b\"", ["\"a\"", "\"b\""]), ("\"\" x", ["x"]),
            ("page: x", ["page:", "x"]), ("http://a.b x:y", ["http://a.b", "x:y"]), ("\u{3000}ü\u{2003}Ö", ["ü", "Ö"]),
            ("exact=plain", ["exact=plain"]), ("", []), ("\"", []),
        ] as [(String, [String])])
    func termsAre(_ text: String, _ terms: [String]) throws {
        #expect(try #require(ModerationSearch(text)).terms == terms)
    }

    @Test func emptyValuesNarrowNothing() throws {
        #expect(try #require(ModerationSearch("page:\"\" exact=\"\" user:\"\"")) == ModerationSearch())
    }

    @Test func valuesMayHoldColonsAndSpaces() throws {
        let search = try #require(ModerationSearch("page:https://a.test/x?y=1 user:\"A: B\" EXACT=\"Q: 'x'\" rest"))
        #expect(search.pages == ["https://a.test/x?y=1"])
        #expect(search.users == ["A: B"])
        #expect(search.exact == "Q: 'x'")
        #expect(search.terms == ["rest"])
    }

    @Test func piecesAreWhatTheIndexDoesNotTell() throws {
        #expect(
            try #require(ModerationSearch("word \"A Phrase\" !!! \"--\" \"Ärger hier\"")).pieces == [
                "a phrase", "!!!", "--",
            ])
        #expect(try #require(ModerationSearch("!!!")).words?.isEmpty == true)
    }

    @Test func thirtyTwoWordsAreTheMost() {
        func words(_ count: Int) -> String { (0..<count).map { "w\($0)" }.joined(separator: " ") }
        #expect(ModerationSearch(words(32)) != nil)
        #expect(ModerationSearch(words(33)) == nil)
    }
}
