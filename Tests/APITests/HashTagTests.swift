import JSON
import TestSupport
import Testing

/// Hash tags (contract: public 7.6).
@Suite struct HashTagTests {
    private static func found(_ tags: String, _ reader: Reader) throws -> [String] {
        (try reader.comments(["hashTags": tags])["comments"]?.array ?? []).compactMap { $0["_id"]?.string }
    }

    /// What the site's backend gets of a comment's tags.
    private static func tags(_ site: Site, _ id: String) throws -> [JSONValue] {
        let client = try site.client()
        client.apiKey = site.tenant.apiKey
        let answer = try client.request("GET", "/api/v1/comments", ["tenantId": site.tenant.id, "urlId": "page"])
        let comment = answer["comments"]?.array?.first { $0["id"]?.string == id }
        return comment?["hashTags"]?.array ?? []
    }

    @Test func tagsOfTheTextAreMadeAndFound() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let id = try author.posted("About #Swift, #über-alles and #日本 but not a#b")
        _ = try author.posted("Again #SWIFT")
        for tag in ["swift", "#Swift", "über-alles", "日本"] { #expect(try Self.found(tag, author).contains(id)) }
        #expect(try Self.found("swift", author).count == 2 && Self.found("b", author).isEmpty)
        #expect(try Self.found("swift,日本", author) == [id])
        let tags = try Self.tags(site, id)
        #expect(tags.compactMap { $0["tag"]?.string } == ["#Swift", "#über-alles", "#日本"])
        #expect(tags.allSatisfy { $0["url"] == .null && $0["id"]?.string?.isEmpty == false })
        #expect(try site.count("hash_tag WHERE tenant_id = '\(site.tenant.id)'") == 3)
    }

    @Test func withoutMakingThemOnlyKnownAndListedTagsCount() throws {
        let site = try Site(["disableAutoHashTagCreation": true])
        try site.execute(
            """
            INSERT INTO hash_tag (id, tenant_id, tag, tag_key, created_at)
            VALUES ('\(site.tenant.id)-1', '\(site.tenant.id)', '#known', 'known', 1)
            """)
        let author = try site.reader(.author)
        let answer = try site.takes {
            try author.post(
                "#known #unknown", extras: ["hashTags": [["id": "x", "tag": "#listed", "url": nil]]])
        }
        let id = try #require(answer["comment", "_id"]?.string)
        #expect(answer["comment", "commentHTML"] == "#known #unknown")
        #expect(try Self.found("known", author) == [id] && Self.found("listed", author) == [id])
        #expect(try Self.found("unknown", author).isEmpty)
        #expect(try site.count("hash_tag WHERE tenant_id = '\(site.tenant.id)'") == 1)
    }

    @Test func aTagWithAnAddressIsALink() throws {
        let site = try Site(["restrictedLinkDomains": ["example.org"]])
        for (key, url) in [("news", "https://example.com/news?a=1&b"), ("bad", "javascript:alert(1)")] {
            try site.execute(
                """
                INSERT INTO hash_tag (id, tenant_id, tag, tag_key, url, created_at)
                VALUES ('\(site.tenant.id)-\(key)', '\(site.tenant.id)', '#\(key)', '\(key)', '\(url)', 1)
                """)
        }
        let author = try site.reader(.author)
        let id = try author.posted("See #News and `#news` and #bad, #newsletter")
        let link = #"<a href="https://example.com/news?a=1&amp;b" rel="nofollow noopener" target="_blank">#News</a>"#
        let html = "See \(link) and <code>#news</code> and #bad, #newsletter"
        #expect(try author.comments()["comments", 0, "commentHTML"]?.string == html)
        // The address that a client names is not the tenant's.
        let other = try site.takes {
            try author.post(
                "#mine", extras: ["hashTags": [["id": "x", "tag": "#mine", "url": "https://evil.example/"]]])
        }
        #expect(other["comment", "commentHTML"] == "#mine")
        #expect(try Self.tags(site, id).first?["url"] == "https://example.com/news?a=1&b")
    }

    @Test func anEditKeepsRetainedTags() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let answer = try site.takes {
            try author.post(
                "#text",
                extras: [
                    "hashTags": [
                        ["id": "1", "tag": "#kept", "url": nil, "retain": true],
                        ["id": "2", "tag": "#lost", "url": nil],
                    ]
                ])
        }
        let id = try #require(answer["comment", "_id"]?.string)
        for tag in ["text", "kept", "lost"] { #expect(try Self.found(tag, author) == [id]) }
        try site.takes { try author.edit(id, "now #other") }
        for (tag, isThere) in [("text", false), ("kept", true), ("lost", false), ("other", true)] {
            #expect(try Self.found(tag, author) == (isThere ? [id] : []))
        }
        let tags = try Self.tags(site, id)
        #expect(tags.map { $0["tag"]?.string } == ["#other", "#kept"] && tags.last?["retain"] == true)
        try site.takes { try author.delete(id) }
        #expect(
            try site.count("comment_hash_tag AS t JOIN comment AS c ON c.seq = t.comment_seq AND c.id = '\(id)'") == 0)
    }

    @Test func badListsAreRefused() throws {
        let site = try Site()
        let author = try site.reader(.author)
        _ = try author.comments()
        let bad: [JSONValue] = [
            ["hashTags": "x"], ["hashTags": ["x"]], ["hashTags": [["tag": 1]]],
            ["hashTags": [["tag": "#a", "retain": "yes"]]],
        ]
        for extras in bad { try site.refuses(400, "invalid-input") { try author.post("Hello", extras: extras) } }
        try site.takes { try author.post("Hello", extras: ["hashTags": [["tag": "#"], ["id": "x"], ["tag": nil]]]) }
    }

    @Test func aReadNamesAtMostFiftyTags() throws {
        let site = try Site()
        let tags = { (count: Int) in (1...count).map { "t\($0)" }.joined(separator: ",") }
        try site.takes { try site.reader().comments(["hashTags": tags(50)]) }
        try site.refuses(400, "invalid-input") { try site.reader().comments(["hashTags": tags(51)]) }
    }

    @Test func mentionsReachTheSitesBackend() throws {
        let site = try Site()
        _ = try site.reader(.reader(1)).comments()
        let id = try site.reader(.author).posted("Hello @reader-1 there")
        let client = try site.client()
        client.apiKey = site.tenant.apiKey
        let answer = try client.request("GET", "/api/v1/comments", ["tenantId": site.tenant.id, "urlId": "page"])
        #expect(answer["comments", 0, "id"]?.string == id)
        #expect(answer["comments", 0, "mentions", 0, "tag"] == "@reader-1")
        #expect(answer["comments", 0, "mentions", 0, "id"]?.string == "\(site.tenant.id):reader-1")
    }
}
