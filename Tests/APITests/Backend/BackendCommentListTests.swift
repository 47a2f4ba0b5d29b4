import JSON
import TestSupport
import Testing

/// Comments for a site's backend, by key (contract: admin 1.1, 5.1).
@Suite struct BackendCommentListTests {
    private static func list(
        _ site: Site, _ query: QueryItems = [:], headers: [(String, String)]? = nil
    ) throws -> Answer {
        try site.client().request(
            "GET", "/api/v1/comments", ["tenantId": site.tenant.id, "urlId": "page"] + query,
            headers: headers ?? [("x-api-key", site.tenant.apiKey)])
    }

    private static func delete(_ site: Site, _ id: String, _ query: QueryItems = [:]) throws -> Answer {
        try site.client().request(
            "DELETE", "/api/v1/comments/\(id)", ["tenantId": site.tenant.id] + query,
            headers: [("x-api-key", site.tenant.apiKey)])
    }

    private static func ids(_ answer: Answer) -> [String] {
        (answer["comments"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    @Test func whatStandsBelowSomethingHiddenIsInNoList() throws {
        let site = try Site()
        let author = try site.known(.author)
        let root = try author.posted("Root")
        let reply = try author.posted("Reply", replyingTo: root)
        let below = try author.posted("Below", replyingTo: reply)
        let other = try author.posted("Other")
        let wide = {
            Self.ids(
                try site.client().request(
                    "GET", "/api/v1/comments", ["tenantId": site.tenant.id, "userId": "author", "direction": "OF"],
                    headers: [("x-api-key", site.tenant.apiKey)]))
        }
        #expect(try wide() == [root, reply, below, other])
        for hidden: JSONValue in [["approved": false], ["isSpam": true]] {
            try site.does("PATCH", "comments/\(root)", [:], hidden)
            #expect(try wide() == [other])
            #expect(try Self.ids(Self.list(site, ["direction": "OF"])) == [other], "as on its page")
            try site.does("PATCH", "comments/\(root)", [:], ["approved": true, "isSpam": false])
        }
        try site.does("PATCH", "comments/\(reply)", [:], ["approved": false])
        #expect(try wide() == [root, other])
    }

    @Test func theKeyIsCheckedInOrder() throws {
        let site = try Site()
        let other = try Site()
        let call = { (query: QueryItems, headers: [(String, String)]) in
            try site.client().request("GET", "/api/v1/comments", query, headers: headers)
        }
        let (id, key) = (site.tenant.id, site.tenant.apiKey)
        for query: QueryItems in [[:], ["tenantId": ""]] {
            try site.refuses(422, "missing-tenant-id") { try call(query, [("x-api-key", key)]) }
        }
        try site.refuses(404, "invalid-tenant-id") { try call(["tenantId": "unknown"], [("x-api-key", key)]) }
        try site.refuses(401, "missing-api-key") { try call(["tenantId": id, "urlId": "page"], []) }
        try site.refuses(401, "missing-api-key") { try call(["tenantId": id, "API_KEY": ""], [("x-api-key", "")]) }
        for wrong in ["wrong", key.lowercased(), key + "x", String(key.dropLast()), other.tenant.apiKey] {
            try site.refuses(401, "invalid-api-key") { try call(["tenantId": id], [("x-api-key", wrong)]) }
        }
        try site.refuses(401, "invalid-api-key") {
            try call(["tenantId": id, "urlId": "page", "API_KEY": key], [("x-api-key", "wrong")])
        }
        try site.takes { try call(["tenantId": id, "urlId": "page", "API_KEY": key], []) }
        try site.takes { try call(["urlId": "page"], [("X-TENANT-ID", id), ("X-API-KEY", key)]) }
        try site.refuses(401, "missing-api-key") {
            try site.client().request("DELETE", "/api/v1/comments/x", ["tenantId": id])
        }
    }

    @Test func theLatestComesFirst() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let first = try author.posted("First")
        let second = try author.posted("Second")
        let reply = try author.posted("Reply", replyingTo: first)
        #expect(Self.ids(try Self.list(site, ["limit": "1"])) == [second])
        #expect(Set(Self.ids(try Self.list(site))) == [first, second, reply])
        #expect(Self.ids(try Self.list(site, ["parentId": "null"])) == [second, first])
        #expect(Self.ids(try Self.list(site, ["parentId": first])) == [reply])
        #expect(Self.ids(try Self.list(site, ["direction": "OF"])) == [first, reply, second])
        #expect(Self.ids(try Self.list(site, ["skip": "2", "direction": "OF"])) == [second])
        #expect(Self.ids(try Self.list(site, ["skip": "3"])) == [])
        let comment = try Self.list(site, ["limit": "1"])["comments", 0]
        #expect(comment?["comment"] == "Second" && comment?["commenterEmail"] == "author@example.com")
    }

    @Test func numbersAndWordsAreChecked() throws {
        let site = try Site()
        for word in ["-1", "x", "1.5"] {
            try site.refuses(422, "invalid-skip") { try Self.list(site, ["skip": word]) }
            try site.refuses(422, "invalid-limit") { try Self.list(site, ["limit": word]) }
        }
        for word in ["0", "1001"] { try site.refuses(422, "invalid-limit") { try Self.list(site, ["limit": word]) } }
        for word in ["1", "1000", "30.0"] { try site.takes { try Self.list(site, ["limit": word]) } }
        try site.refuses(422, "invalid-input") { try Self.list(site, ["asTree": "maybe"]) }
        try site.refuses(422, "missing-url-id") {
            try site.client().request(
                "GET", "/api/v1/comments", ["tenantId": site.tenant.id], headers: [("x-api-key", site.tenant.apiKey)])
        }
    }

    @Test func aPageStandsWithoutSkipAndLimit() throws {
        let comments = JSONValue.array((1...35).map { ["name": "G", "comment": .string("Comment \($0)")] })
        let site = try Site(["pageSize": 20], pages: [["urlId": "page", "comments": comments]])
        for query: QueryItems in [
            ["page": "0", "limit": "1"], ["page": "0", "skip": "1"], ["page": "-2"], ["page": "x"], ["page": "0.5"],
        ] {
            try site.refuses(422, "invalid-pagination-request") { try Self.list(site, query) }
        }
        #expect(Self.ids(try Self.list(site, ["page": "0"])).count == 20)
        #expect(Self.ids(try Self.list(site, ["page": "1.0"])).count == 15)
        #expect(Self.ids(try Self.list(site, ["page": "2"])) == [])
        #expect(Self.ids(try Self.list(site, ["page": "-1"])).count == 35)
        #expect(Self.ids(try Self.list(site)).count == 35)
        #expect(Self.ids(try Self.list(site, ["skip": "1"])).count == 30)
    }

    @Test func deletingIsQuietUnlessAskedOtherwise() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let live = try author.live(author.comments())
        let quiet = try author.posted("Quiet")
        let loud = try author.posted("Loud")
        let reply = try author.posted("Reply", replyingTo: loud)
        #expect(try site.takes { try Self.delete(site, quiet) }["action"] == "hard-removed")
        #expect(try site.takes { try Self.delete(site, loud, ["isLive": "true"]) }["action"] == "hard-removed")
        #expect(try live.event("deleted-comment")["comment", "_id"]?.string == reply)
        #expect(try live.event("deleted-comment")["comment", "_id"]?.string == loud)
        #expect(try author.comments()["comments"] == [])
    }

    @Test func whatCannotBeDeletedStays() throws {
        let site = try Site()
        let foreign = try Site().reader(.author).posted("Foreign")
        let id = try site.reader(.author).posted("Hello")
        try site.refuses(404, "not-found") { try Self.delete(site, "unknown") }
        try site.refuses(404, "not-found") { try Self.delete(site, foreign) }
        try site.refuses(422, "invalid-input") { try Self.delete(site, id, ["isLive": "maybe"]) }
        try site.takes { try site.reader(.admin).mark(id, "lock") }
        try site.refuses(401, "locked") { try Self.delete(site, id) }
    }

    @Test(arguments: [(1, "anonymized"), (2, "hard-removed"), (3, "hard-removed")] as [(Int64, String)])
    func noModeBindsTheKey(_ mode: Int64, _ action: String) throws {
        let site = try Site(["commentThreadDeleteMode": .integer(mode)])
        let root = try site.reader(.author).posted("Root")
        _ = try site.reader(.reader(1)).posted("Reply", replyingTo: root)
        #expect(try site.takes { try Self.delete(site, root) }["action"]?.string == action)
        if mode == 1 {
            #expect(try site.takes { try Self.delete(site, root) }["action"] == "already-deleted")
        }
    }
}
