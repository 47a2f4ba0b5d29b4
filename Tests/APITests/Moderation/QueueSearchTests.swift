import JSON
import TestSupport
import Testing

/// What moderators are offered while they type, and single comments (contract: admin 6.1).
@Suite struct QueueSearchTests {
    private let site: Site
    private let admin: Reader

    init() throws {
        let pages: [JSONValue] = (0..<12).map { page in
            [
                "urlId": .string("article-\(page)"), "url": .string("https://www.host.test/Article/\(page)"),
                "title": .string(page == 3 ? "Straße <der> Dinge" : "Article \(page)"),
                "comments": [["name": "Guest", "comment": .string("Words \(page)")]],
            ]
        }
        let site = try Site(domains: ["blog.test", "*.wild.test"], pages: pages)
        let names = ["ann", "bob", "Élodie"] + (0..<12).map { "crowd\($0)" }
        try site.seed([
            "people": .array(
                names.map { name in
                    [
                        "tenant": .string(site.tenant.id), "id": .string(name), "username": .string(name),
                        "displayName": .string("Shown \(name)"),
                    ]
                })
        ])
        try site.execute("UPDATE comment SET domain = 'www.host.test' WHERE tenant_id = '\(site.tenant.id)'")
        self.site = site
        admin = try site.reader(.admin)
        // Who signs on for the first time is written down.
        for reader in [admin, try site.reader(.author), admin.signedOn(SSO.simple(.admin))] {
            _ = try reader.comments()
        }
    }

    private func found(_ path: String, _ key: String, _ list: JSONStep, _ name: String = "value") throws -> [String] {
        let answer = try admin.moderation("GET", "search/\(path)", [name: key])
        return try #require(answer.json?.value(at: [list])?.array, "\(answer.text)").compactMap { entry in
            (entry["urlId"] ?? entry["domain"] ?? entry["username"])?.string
        }
    }

    @Test func pagesAreFoundByTitleAndAddressWithTheirCounts() throws {
        #expect(try found("pages", "STRASSE <DER>", "pages").isEmpty)
        #expect(try found("pages", "straße <DER>", "pages") == ["article-3"])
        #expect(try found("pages", "/article/11", "pages") == ["article-11"])
        #expect(try found("pages", "article", "pages").count == 10)
        #expect(try found("pages", "", "pages").isEmpty)
        let id = try #require(
            try site.table("SELECT id FROM comment WHERE tenant_id = ?1 AND source = 'Words 5'").first)
        try site.execute("UPDATE comment SET is_spam = 1 WHERE id = '\(id[0])'")
        let page = try admin.moderation("GET", "search/pages", ["value": "article 5"])["pages", 0]
        #expect(page?["commentCount"] == 1, "hidden ones count, as in the list")
        try site.execute("UPDATE comment SET is_deleted = 1 WHERE id = '\(id[0])'")
        #expect(try admin.moderation("GET", "search/pages", ["value": "article 5"])["pages", 0, "commentCount"] == 0)
    }

    @Test func sitesAreThoseOfTheTenantAndOfItsComments() throws {
        #expect(try found("sites", ".TEST", "sites") == ["blog.test", "www.host.test"])
        #expect(try found("sites", "host", "sites") == ["www.host.test"])
        #expect(try found("sites", "", "sites").isEmpty)
    }

    @Test func usersAreFoundByEitherName() throws {
        #expect(try found("users", "ANN", "users") == ["ann"])
        #expect(try found("users", "shown bo", "users") == ["bob"])
        #expect(try found("users", "éLO", "users") == ["Élodie"])
        #expect(try found("users", "crowd", "users").count == 10)
        #expect(try found("users", "@example.com", "users").isEmpty, "nobody is found by an address")
    }

    @Test func suggestionsHaveBothKinds() throws {
        let some = try admin.moderation("GET", "search/suggest", ["text-search": "o"])
        #expect(some["pages"]?.array?.isEmpty == false || some["users"]?.array?.isEmpty == false)
        #expect(try found("suggest", "article", "pages", "text-search").count == 5)
        #expect(try found("suggest", "crowd", "users", "text-search").count == 5)
        let none = try admin.moderation("GET", "search/suggest")
        #expect(none["pages"] == [])
        #expect(none["users"] == [])
    }

    @Test func theSummaryReadsTheGrammar() throws {
        func count(_ query: QueryItems) throws -> Int64? {
            try admin.moderation("GET", "search/comments/summary", query)["commentCount"]?.integer
        }
        #expect(try count([:]) == 12)
        #expect(try count(["value": "words page:\"article 1\""]) == 3)
        #expect(try count(["value": "exact=\"Words 1\""]) == 1)
        #expect(try count(["value": "words", "filters": "spam"]) == 0)
        #expect(try count(["value": "words", "searchFilters": #"{"urlId":"article-1"}"#]) == 1)
    }

    // MARK: Single ones

    @Test func aCommentIsShownWithItsChildren() throws {
        let ann = try site.reader(.author, at: "article-1")
        let root = try ann.posted("Root")
        let replies = try (0..<3).map { try ann.posted("Reply \($0)", replyingTo: root) }
        try site.hide(replies[1])
        let comment = try admin.moderation("GET", "comment/\(root)")["comment"]
        #expect(comment?["replyCount"] == 3)
        #expect(comment?["urlId"] == "article-1")
        #expect(comment?["pageTitle"] == "Article 1")
        let children = try admin.moderation("GET", "comment-children/\(root)")["comments"]?.array
        #expect(children?.compactMap { $0["_id"]?.string } == replies)
        let byIDs = try admin.moderation(
            "POST", "comments-by-ids",
            body: ["ids": .array([replies[2], "nobody", root, root].map { .string($0) })])
        #expect(byIDs["comments"]?.array?.compactMap { $0["_id"]?.string } == [replies[2], root])
    }

    @Test func anAddressIsThatOfAComment() throws {
        let id = try site.reader(.author).posted("From here")
        let here = try admin.moderation("GET", "api/comments", ["byIPFromComment": id])
        #expect(here["comments"]?.array?.compactMap { $0["_id"]?.string } == [id])
        #expect(try admin.moderation("GET", "count", ["byIPFromComment": id])["count"] == 1)
        let seeded = try site.table("SELECT id FROM comment WHERE tenant_id = ?1 AND address_hash IS NULL")[0][0]
        try site.refuses(422, "invalid-input") {
            try admin.moderation("GET", "api/comments", ["byIPFromComment": seeded])
        }
        try site.refuses(404, "not-found") { try admin.moderation("GET", "count", ["byIPFromComment": "nobody"]) }
    }

    // MARK: Refusals

    private static let reads = [
        "api/comments", "count", "api/ids", "comment/ID", "comment-children/ID", "search/pages", "search/sites",
        "search/users", "search/comments/summary", "search/suggest", "get-comment-text/ID", "logs/ID",
        "api/export/status",
    ]

    @Test(arguments: reads) func onlyModeratorsRead(_ path: String) throws {
        let id = try site.table("SELECT id FROM comment WHERE tenant_id = ?1")[0][0]
        let path = path.replacing("ID", with: id)
        try site.refuses(401, "not-logged-in") { try site.reader().moderation("GET", path) }
        try site.refuses(403, "unauthorized") { try site.reader(.author).moderation("GET", path) }
        try site.refuses(403, "unauthorized") { try admin.signedOn(SSO.simple(.admin)).moderation("GET", path) }
        try site.refuses(401, "malformed-sso") { try admin.signedOn("no JSON").moderation("GET", path) }
        try site.refuses(401, "not-logged-in") { try admin.signedOn("{}").moderation("GET", path) }
        let other = try Site()
        try site.refuses(401, "malformed-sso") {
            try admin.signedOn(other.token(.admin)).moderation("GET", path)
        }
        guard path.contains(id) else { return }
        _ = try other.reader(.admin).comments()
        try other.refuses(404, "not-found") { try other.reader(.admin).moderation("GET", path) }
        try site.refuses(404, "not-found") {
            try admin.moderation("GET", path.replacing(id, with: "000000000000000000000000"))
        }
    }

    @Test(
        arguments: [
            ("api/comments", ["count": "0"]), ("api/comments", ["count": "201"]), ("api/comments", ["count": "many"]),
            ("api/comments", ["page": "1000001"]), ("api/comments", ["page": "-1"]),
            ("api/comments", ["searchFilters": "[]"]),
            ("count", ["searchFilters": "{\"userId\":1}"]), ("api/ids", ["searchFilters": "{"]),
            ("search/comments/summary", ["searchFilters": "1"]), ("api/export/status", [:]),
        ] as [(String, [String: String])])
    func whatCannotBeReadIsRefused(_ path: String, _ query: [String: String]) throws {
        let items = query.reduce(QueryItems()) { $0 + [$1.key: $1.value] }
        try site.refuses(422, "invalid-input") { try admin.moderation("GET", path, items) }
    }

    @Test func textsHaveLimits() throws {
        let long = String(repeating: "a", count: 1000)
        for path in ["api/comments", "count", "api/ids", "search/suggest"] {
            try site.takes { try admin.moderation("GET", path, ["text-search": long]) }
            try site.refuses(422, "invalid-input") { try admin.moderation("GET", path, ["text-search": long + "a"]) }
        }
        for path in ["search/pages", "search/sites", "search/users", "search/comments/summary"] {
            try site.takes { try admin.moderation("GET", path, ["value": long]) }
            try site.refuses(422, "invalid-input") { try admin.moderation("GET", path, ["value": long + "a"]) }
        }
        let words = (0..<32).map { "w\($0)" }.joined(separator: " ")
        try site.takes { try admin.moderation("GET", "count", ["text-search": words]) }
        try site.refuses(422, "invalid-input") { try admin.moderation("GET", "count", ["text-search": words + " w"]) }
        let ids = JSONValue.array((0..<200).map { .string("id\($0)") })
        #expect(try admin.moderation("POST", "comments-by-ids", body: ["ids": ids])["comments"] == [])
        let more = JSONValue.array((0..<201).map { .string("id\($0)") })
        for body in [["ids": more], [:], ["ids": "x"], ["ids": [1]]] as [JSONValue] {
            try site.refuses(422, "invalid-input") { try admin.moderation("POST", "comments-by-ids", body: body) }
        }
        try site.refuses(400, "malformed-json") { try admin.moderation("POST", "comments-by-ids", body: []) }
    }

    @Test func pageZeroIsTheFirstAndPartsDoNotOverlap() throws {
        func ids(_ query: QueryItems) throws -> [String] {
            try #require(try admin.moderation("GET", "api/comments", query)["comments"]?.array).compactMap {
                $0["_id"]?.string
            }
        }
        let all = try ids([:])
        #expect(all.count == 12)
        #expect(try ids(["page": "0", "count": "5"]) == Array(all.prefix(5)))
        let parts = try (1...4).map { try ids(["page": "\($0).0", "count": "5"]) }
        #expect(parts.flatMap { $0 } == all)
        #expect(parts.map(\.count) == [5, 5, 2, 0])
        let plain = try admin.moderation("GET", "api/comments")
        #expect(plain["moderationFilter"] == nil)
        #expect(plain["translations"] == [:])
        let filtered = try admin.moderation(
            "GET", "api/comments",
            ["filters": "needs-review,flagged,unknown", "text-search": "a \"b c\" exact=\"D\" site:x.test"])
        #expect(
            filtered["moderationFilter"] == [
                "reviewed": false, "flagCountGt": 0, "domain": "x.test", "commentTextSearch": ["a", "\"b c\""],
                "exactCommentText": "D",
            ])
    }
}
