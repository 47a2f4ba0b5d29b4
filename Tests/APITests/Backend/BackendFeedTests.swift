import JSON
import TestSupport
import Testing

/// Posts of the feed that a site's backend makes (contract: admin 5.16), and what it did (5.21).
@Suite struct BackendFeedTests {
    @Test func postsAreMadeListedAndChanged() throws {
        let site = try Site()
        try site.known(.author)
        let reader = try site.reader(.reader(1))
        let live = try reader.live(reader.feed())
        let body: JSONValue = [
            "title": "News", "contentHTML": "<b>Hello</b>", "tags": ["a"], "meta": ["k": "v"], "fromUserId": "author",
            "links": [["url": "https://example.com", "title": "There"]],
        ]
        let post = try #require(
            try site.does("POST", "feed-posts", ["isLive": "true", "broadcastId": "b1"], body)["feedPost"])
        #expect(post["title"] == "News" && post["fromUserId"]?.string == site.wireID("author"))
        let event = try live.event("new-feed-post")
        #expect(event["feedPost", "_id"] == post["_id"] && event["broadcastId"] == "b1")
        let own = try #require(try site.does("POST", "feed-posts", [:], ["title": "Own"])["feedPost"])
        #expect(own["fromUserId"] == nil)
        let ids = { (query: QueryItems) in
            (try site.does("GET", "feed-posts", query)["feedPosts"]?.array ?? []).map { $0["_id"] }
        }
        #expect(try ids([:]) == [own["_id"], post["_id"]])
        #expect(try ids(["tags": "a"]) == [post["_id"]])
        #expect(try ids(["limit": "1"]) == [own["_id"]])
        #expect(try ids(["afterId": own["_id"]?.string]) == [post["_id"]])
        let id = try #require(post["_id"]?.string)
        try site.does(
            "PATCH", "feed-posts/\(id)", [:],
            ["_id": "x", "tenantId": "y", "createdAt": "2020-01-01T00:00:00.000Z", "title": "Newer", "weight": 2.5])
        #expect(try live.event("updated-feed-post")["feedPost", "title"] == "Newer")
        let changed = try site.does("GET", "feed-posts")["feedPosts", 0]
        #expect(changed?["title"] == "Newer" && changed?["weight"] == 2.5 && changed?["_id"]?.string == id)
        #expect(changed?["createdAt"] == post["createdAt"])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site(isExempt: false)
        try site.refuses(422, "missing-content", "POST", "feed-posts", [:], [:])
        try site.refuses(422, "invalid-input", "POST", "feed-posts", [:], ["title": 5])
        try site.refuses(422, "invalid-input", "POST", "feed-posts", ["isLive": "maybe"], ["title": "x"])
        try site.does("POST", "feed-posts", [:], ["title": "Same"])
        try site.refuses(422, "duplicate", "POST", "feed-posts", [:], ["title": "Same"])
        try site.does("POST", "feed-posts", ["skipDupCheck": "true"], ["title": "Same"])
        try site.refuses(404, "not-found", "PATCH", "feed-posts/unknown", [:], ["title": "x"])
        for limit in ["0", "101"] { try site.refuses(422, "invalid-limit", "GET", "feed-posts", ["limit": limit]) }
        try site.does("GET", "feed-posts", ["limit": "100"])
        try site.refuses(422, "invalid-input", "GET", "feed-posts", ["afterId": "x"])
    }

    @Test func theLogIsReadInOrder() throws {
        let site = try Site()
        for tag in ["a", "b", "c"] { try site.does("POST", "hash-tags", [:], ["tag": .string(tag)]) }
        let logs = { (query: QueryItems) in try site.does("GET", "audit-logs", query)["auditLogs"]?.array ?? [] }
        let tags = { (entries: [JSONValue]) in entries.map { $0["objectDetails", "id"]?.string } }
        #expect(try tags(logs([:])) == ["#a", "#b", "#c"])
        #expect(try tags(logs(["order": "DESC", "limit": "2"])) == ["#c", "#b"])
        #expect(try tags(logs(["skip": "2"])) == ["#c"])
        #expect(try logs(["after": "\(SSO.now + 60_000)"]).isEmpty && logs(["before": "1"]).isEmpty)
        #expect(try logs([:]).allSatisfy { $0["url"] == "/api/v1/hash-tags" })
        for (code, query) in [
            ("invalid-limit", ["limit": "1001"]), ("invalid-limit", ["limit": "0"]), ("invalid-skip", ["skip": "-1"]),
            ("invalid-input", ["order": "up"]), ("invalid-input", ["after": "x"]),
        ] as [(String, QueryItems)] {
            try site.refuses(422, code, "GET", "audit-logs", query)
        }
        #expect(try Site().does("GET", "audit-logs")["auditLogs"] == [])
    }
}
