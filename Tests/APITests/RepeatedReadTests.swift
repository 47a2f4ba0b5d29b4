import JSON
import TestSupport
import Testing

/// Reads of a page are answered from memory while nothing changes, and nobody may notice.
@Suite struct RepeatedReadTests {
    private static let constant = [
        "comments", "user", "commentCount", "urlIdClean", "urlIdWS", "tenantIdWS", "hasMore",
    ]

    @Test func onlyTheMomentAndTheTokenOfAStrangerDiffer() throws {
        let site = try Site()
        _ = try site.reader(.author).posted("Hello")
        let stranger = try site.reader()
        let answers = try (0..<4).map { _ in try stranger.comments() }
        for answer in answers { for name in Self.constant { #expect(answer[.key(name)] == answers[0][.key(name)]) } }
        #expect(Set(answers.compactMap { $0["userIdWS"]?.string }).count == 4)
        let moments = answers.compactMap { $0["lastGenDate"]?.integer }
        #expect(moments.count == 4 && moments == moments.sorted())
    }

    @Test func everybodyGetsTheirOwn() throws {
        let site = try Site()
        let id = try site.reader(.author).posted("Hello")
        let (one, other) = (try site.reader(.reader(1)), try site.reader(.reader(2)))
        try site.takes { try one.vote(id) }
        for _ in 0..<3 {
            #expect(try one.comments()["comments", 0, "isVotedUp"] == true)
            #expect(try other.comments()["comments", 0, "isVotedUp"] != true)
            #expect(try one.comments()["user", "username"] == "reader-1")
            #expect(try other.comments()["user", "username"] == "reader-2")
            #expect(try site.reader().comments()["user", "authorized"] == false)
            #expect(try one.comments()["userIdWS"] == one.comments()["userIdWS"])
        }
    }

    @Test func everyChangeShowsAtOnceWhoeverMakesIt() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        let stranger = try site.reader()
        func text() throws -> String? { try stranger.comments()["comments", 0, "commentHTML"]?.string }
        for turn in 0..<5 {
            #expect(try stranger.comments()["comments"]?.array?.count == turn + 1)
            _ = try author.posted("More \(turn)")
        }
        #expect(try stranger.comments(["direction": "OF"])["comments", 0, "commentHTML"] == "Hello")
        try site.takes { try author.edit(id, "Changed") }
        #expect(try stranger.comments(["direction": "OF"])["comments", 0, "commentHTML"] == "Changed")
        // Another program.
        try site.execute("UPDATE page SET is_closed = 1 WHERE tenant_id = '\(site.tenant.id)'")
        #expect(try stranger.comments()["isClosed"] == true)
        try site.config([["settings": ["readonly": true]]])
        #expect(try stranger.comments(["includeConfig": "true"])["customConfig", "readonly"] == true)
    }
}
