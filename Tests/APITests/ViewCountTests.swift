import JSON
import TestSupport
import Testing

/// Views of comments (contract: live 2.3 `cvc`, public 4.3).
@Suite struct ViewCountTests {
    private static let on: JSONValue = ["enableViewCounts": true, "defaultSortDirection": "OF"]

    private static func views(_ reader: Reader, _ place: JSONStep = 0) throws -> JSONValue? {
        try reader.comments(["isCrawler": "true"])["comments", place, "viewCount"]
    }

    @Test func everybodyCountsOnceAndPagesHearOfIt() throws {
        let site = try Site(Self.on)
        let author = try site.reader(.author)
        let first = try author.posted("First")
        let second = try author.posted("Second")
        let socket = try author.live(author.comments(["isCrawler": "true"]))
        #expect(try Self.views(author) == 0)
        // A person, a guest, and an address, each of them twice.
        let guest = try site.takes { try site.reader().on("other").post("Hi", extras: guestExtras) }
        let session = try #require(guest["user", "sessionId"]?.string)
        for _ in 1...2 {
            _ = try site.reader(.reader(1)).comments()
            _ = try site.reader().comments(["sessionId": session])
            _ = try site.reader().comments()
        }
        var totals: [String: Int64] = [:]
        while totals[first] != 3 || totals[second] != 3 {
            let event = try socket.event("cvc")
            #expect(event.object?.members.map(\.name) == ["type", "timestamp", "broadcastId", "changes"])
            for (id, total) in event["changes"]?.object?.members ?? [] { totals[id] = total.integer }
        }
        #expect(totals.count == 2)
        #expect(try Self.views(author) == 3 && Self.views(author, 1) == 3)
        // Those who came before do not count again, a newcomer does.
        _ = try site.reader(.reader(1)).comments()
        _ = try site.reader(.reader(2)).comments()
        #expect(try socket.event("cvc")["changes", .key(first)] == 4)
        #expect(try site.count("event_log WHERE tenant_id = '\(site.tenant.id)' AND data LIKE '%cvc%'") == 0)
    }

    @Test func onlyWhatWasSentWasSeen() throws {
        let site = try Site(Self.on)
        let author = try site.reader(.author)
        let first = try author.posted("First")
        _ = try author.posted("Second")
        let socket = try author.live(author.comments(["isCrawler": "true"]))
        _ = try site.reader(.reader(1)).comments(["skip": "0", "limit": "1"])
        let changes = try socket.event("cvc")["changes"]?.object
        #expect(changes?.members.map(\.name) == [first])
    }

    @Test func crawlersAndSitesWithoutCountsCountNothing() throws {
        let plain = try Site()
        let counting = try Site(Self.on)
        _ = try plain.reader(.author).posted("Plain")
        _ = try counting.reader(.author).posted("Counted")
        _ = try plain.reader(.reader(1)).comments()
        _ = try counting.reader(.reader(1)).comments(["isCrawler": "true"])
        try counting.refuses(400, "invalid-input") { try counting.reader().comments(["isCrawler": "maybe"]) }
        #expect(try plain.reader().comments()["comments", 0, "viewCount"] == nil)
        // A view that does count comes after those that do not.
        let socket = try counting.reader(.author).live(counting.reader(.author).comments(["isCrawler": "true"]))
        _ = try counting.reader(.reader(2)).comments()
        #expect(try socket.event("cvc")["changes"]?.object?.members.first?.value == 1)
        #expect(try plain.count("comment WHERE tenant_id = '\(plain.tenant.id)' AND view_count > 0") == 0)
    }

    @Test func hiddenCommentsAreNotToldToThePage() throws {
        let site = try Site(Self.on)
        let author = try site.reader(.author)
        let hidden = try author.posted("Pending")
        let shown = try author.posted("Shown")
        try site.execute("UPDATE comment SET is_approved = 0 WHERE id = '\(hidden)'")
        let socket = try author.live(author.comments(["isCrawler": "true"]))
        _ = try site.reader(.moderator).comments()
        #expect(try socket.event("cvc")["changes"]?.object?.members.map(\.name) == [shown])
        #expect(try Self.views(author) == 1)
    }

    @Test func viewsPastTheirTwoYearsAreClearedAway() throws {
        let site = try Site(Self.on)
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        let seq = "(SELECT seq FROM comment WHERE id = '\(id)')"
        let socket = try author.live(author.comments(["isCrawler": "true"]))
        _ = try site.reader(.reader(1)).comments()
        #expect(try socket.event("cvc")["changes", .key(id)] == 1)
        try site.execute("UPDATE comment_view SET seen_at = seen_at - 63072000000 WHERE comment_seq = \(seq)")
        try until { try site.count("comment_view WHERE comment_seq = \(seq)") == 0 }
        #expect(try Self.views(author) == 1)
    }

    @Test func aCommentRemembersItsNewestViewers() throws {
        let site = try Site(Self.on)
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        let seq = "(SELECT seq FROM comment WHERE id = '\(id)')"
        try site.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20999)
            INSERT INTO comment_view (comment_seq, viewer, seen_at)
            SELECT \(seq), i, (SELECT created_at FROM comment WHERE id = '\(id)') - 30000 + i FROM n;
            UPDATE comment SET view_count = 20999 WHERE id = '\(id)';
            """)
        let socket = try author.live(author.comments(["isCrawler": "true"]))
        _ = try site.reader(.reader(1)).comments()
        #expect(try socket.event("cvc")["changes", .key(id)] == 21_000)
        #expect(try site.count("comment_view WHERE comment_seq = \(seq)") == 20_000)
        #expect(try site.count("comment_view WHERE comment_seq = \(seq) AND viewer BETWEEN 1 AND 1000") == 0)
    }

    @Test func viewsOfDeletedCommentsAreClearedAway() throws {
        let site = try Site(Self.on)
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        let socket = try author.live(author.comments(["isCrawler": "true"]))
        _ = try site.reader(.reader(1)).comments()
        _ = try socket.event("cvc")
        let views = "comment_view WHERE comment_seq NOT IN (SELECT seq FROM comment)"
        try site.takes { try author.delete(id) }
        try until { try site.count(views) == 0 }
        // A view that was noted before is none of a comment any more.
        _ = try author.posted("Next")
    }

    @Test func aStopCountsWhatWasNoted() throws {
        let server = try SeededServer.own()
        let site = try Site(Self.on, on: server)
        _ = try site.reader(.author).posted("Hello")
        for number in 1...3 { _ = try site.reader(.reader(number)).comments() }
        try server.process.terminate()
        #expect(try site.count("comment_view") == 3 && site.count("comment WHERE view_count = 3") == 1)
    }
}
