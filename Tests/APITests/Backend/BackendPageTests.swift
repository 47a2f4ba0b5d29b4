import JSON
import TestSupport
import Testing

/// Pages that a site's backend keeps (contract: admin 5.3).
@Suite struct BackendPageTests {
    private static let new: JSONValue = ["title": "A page", "url": "https://example.com/a", "urlId": "a"]

    private static func with(_ members: JSONValue) -> JSONValue {
        var object = JSONObject()
        for member in (new.object?.members ?? []) + (members.object?.members ?? []) {
            object.append(member.name, member.value)
        }
        return .object(object)
    }

    @Test func aPageIsMadeChangedAndForgotten() throws {
        let site = try Site()
        let page = try #require(try site.does("POST", "pages", [:], Self.new)["page"])
        #expect(page["title"] == "A page" && page["url"] == "https://example.com/a" && page["urlId"] == "a")
        #expect(page["commentCount"] == 0 && page["rootCommentCount"] == 0 && page["isClosed"] == false)
        #expect(page["accessibleByGroupIds"] == nil)
        #expect(try site.does("GET", "pages/by-url-id", ["urlId": "a"])["page"] == page)
        try site.refuses(409, "already-exists", "POST", "pages", [:], Self.new)
        let id = try #require(page["id"]?.string)
        let root = try site.saved("Root", ["urlId": "a"])
        _ = try site.saved("Reply", ["urlId": "a", "parentId": .string(root)])
        let reader = try site.reader(.reader(1), at: "a")
        let live = try reader.live(reader.comments())
        let changed = try site.does(
            "PATCH", "pages/\(id)", [:],
            ["title": "New", "url": "https://example.com/b", "urlId": "b", "accessibleByGroupIds": ["g"]])
        #expect(changed["commentsUpdated"] == 2)
        #expect(changed["page", "commentCount"] == 2 && changed["page", "rootCommentCount"] == 1)
        #expect(changed["page", "accessibleByGroupIds"] == ["g"])
        let comment = try site.stored(root)
        #expect(comment["urlId"] == "b" && comment["url"] == "https://example.com/b" && comment["pageTitle"] == "New")
        #expect(try site.does("PATCH", "pages/\(id)", [:], ["urlId": "a"])["page", "urlId"] == "a")
        let closed = try site.does(
            "PATCH", "pages/\(id)", [:], ["isClosed": true, "accessibleByGroupIds": nil])
        #expect(closed["page", "isClosed"] == true && closed["page", "accessibleByGroupIds"] == nil)
        #expect(closed["commentsUpdated"] == 0)
        #expect(try live.event("thread-state-change")["isClosed"] == true)
        try site.does("DELETE", "pages/\(id)")
        try site.refuses(404, "page-does-not-exist", "DELETE", "pages/\(id)")
        try site.refuses(404, "page-not-found", "GET", "pages/by-url-id", ["urlId": "a"])
        #expect(try site.does("GET", "pages")["pages"] == [])
        #expect(try site.stored(root)["comment"] == "Root")
        _ = try site.saved("Again", ["urlId": "a"])
        #expect(try site.does("GET", "pages")["pages", 0, "commentCount"] == 3)
        #expect(try site.does("GET", "audit-logs", ["order": "DESC"])["auditLogs", 0, "crudType"] == "d")
    }

    @Test func aPageWithoutCommentsGoesForGood() throws {
        let site = try Site()
        let id = try #require(try site.does("POST", "pages", [:], Self.new)["page", "id"]?.string)
        try site.does("DELETE", "pages/\(id)")
        #expect(try site.count("page WHERE tenant_id = '\(site.tenant.id)'") == 0)
        try site.does("POST", "pages", [:], Self.new)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let groups = { (count: Int) in JSONValue.array((0..<count).map { .string("g\($0)") }) }
        let cases: [(String, JSONValue)] = [
            ("empty-request", [:]), ("invalid-title", ["url": "x", "urlId": "a"]),
            ("invalid-title", Self.with(["title": " "])),
            ("missing-url-id", ["title": "A", "url": "x"]), ("missing-url-id", Self.with(["urlId": "undefined"])),
            ("invalid-input", ["title": "A", "urlId": "a"]), ("invalid-input", Self.with(["title": 5])),
            ("extra-params", Self.with(["commentCount": 5])), ("extra-params", Self.with(["isClosed": true])),
            ("accessible-by-group-ids-not-array", Self.with(["accessibleByGroupIds": "g"])),
            ("too-many-group-ids", Self.with(["accessibleByGroupIds": groups(1001)])),
            ("group-id-too-large", Self.with(["accessibleByGroupIds": [.string(String(repeating: "g", count: 51))]])),
            ("invalid-input", Self.with(["accessibleByGroupIds": [5]])),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "pages", [:], body) }
        try site.does(
            "POST", "pages", [:],
            Self.with(["accessibleByGroupIds": groups(1000)]))
        try site.does("POST", "pages", [:], Self.with(["urlId": "b"]))
        let id = try #require(try site.does("GET", "pages/by-url-id", ["urlId": "a"])["page", "id"]?.string)
        try site.refuses(409, "already-exists", "PATCH", "pages/\(id)", [:], ["urlId": "b"])
        try site.refuses(422, "empty-request", "PATCH", "pages/\(id)", [:], [:])
        try site.refuses(422, "extra-params", "PATCH", "pages/\(id)", [:], ["rootCommentCount": 1])
        try site.refuses(422, "invalid-input", "PATCH", "pages/\(id)", [:], ["isClosed": "yes"])
        for unknown in ["0", "x", "999999999"] {
            try site.refuses(404, "page-does-not-exist", "PATCH", "pages/\(unknown)", [:], ["title": "x"])
        }
        try site.refuses(422, "missing-url-id", "GET", "pages/by-url-id")
        let other = try Site()
        try other.refuses(404, "page-does-not-exist", "PATCH", "pages/\(id)", [:], ["title": "x"])
        try other.refuses(404, "page-does-not-exist", "DELETE", "pages/\(id)")
    }

    @Test func groupsCloseAPage() throws {
        let site = try Site()
        let id = try #require(
            try site.does("POST", "pages", [:], Self.with(["accessibleByGroupIds": []]))["page", "id"]?.string)
        let reader = try site.reader(.reader(1), at: "a")
        #expect(try reader.comments().code == "unauthorized-page")
        try site.does("PATCH", "pages/\(id)", [:], ["accessibleByGroupIds": nil])
        #expect(try reader.comments().isSuccess)
    }
}
