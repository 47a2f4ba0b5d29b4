import Domain
import Testing

/// What moderators type and choose (contract: admin 6.1).
@Suite struct ModerationFilterTests {
    @Test func wordsAndPhrasesArePiecesOfTheirOwn() throws {
        let search = try #require(ModerationSearch("hello  \"big world\" \tx"))
        #expect(search.terms == ["hello", "\"big world\"", "x"])
        #expect(search.phrases == ["big world"])
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
