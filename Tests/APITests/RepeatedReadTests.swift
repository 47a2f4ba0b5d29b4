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

    @Test func whatIsWrittenOnAnotherPageShowsWhereItCanBeSeen() throws {
        let site = try Site()
        let stranger = try site.reader()
        func first(_ name: String) throws -> String? { try stranger.comments()["comments", 0, .key(name)]?.string }
        _ = try site.reader(.author).posted("Hello")
        #expect(try first("commenterName") == "author")
        // Nothing but the other page changes.
        let other = try site.reader(.reader(1), at: "other")
        let id = try other.posted("Elsewhere")
        try site.takes { try other.vote(id) }
        #expect(try stranger.comments()["comments"]?.array?.count == 1)
        #expect(try first("commenterName") == "author")
        // The author has another name from there on.
        var renamed = Person.author
        renamed.username = "renamed"
        _ = try site.reader(renamed, at: "other").posted("With another name")
        #expect(try first("commenterName") == "renamed")
    }

    @Test func somebodyWhoBecomesKnownGivesEarlierCommentsTheirName() throws {
        let site = try Site()
        _ = try site.reader(.reader(5)).posted("From before")
        try site.execute("DELETE FROM person WHERE tenant_id = '\(site.tenant.id)'")
        let stranger = try site.reader()
        for _ in 0..<3 { #expect(try stranger.comments()["comments", 0, "commenterName"] == "reader-5") }
        var back = Person.reader(5)
        back.username = "back again"
        _ = try site.reader(back, at: "other").posted("Known again")
        #expect(try stranger.comments()["comments", 0, "commenterName"] == "back again")
    }

    @Test func everyTableWithoutRowIDsIsThoughtOf() throws {
        let site = try Site()
        let tables = try site.table(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr = 1 AND ?1 <> '' ORDER BY name")
        #expect(
            tables.map { $0[0] } == [
                "account_address", "badge_check", "comment_count", "comment_search_config", "comment_search_idx",
                "comment_view", "spam_feature",
            ])
    }
}
