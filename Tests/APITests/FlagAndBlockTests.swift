import JSON
import TestSupport
import Testing

/// Flags, blocks, pins and locks (contract: public 10, 11).
@Suite struct FlagAndBlockTests {
    private static func site(_ settings: JSONValue = [:]) throws -> (site: Site, id: String) {
        let site = try Site(settings)
        return (site, try site.reader(.author).posted("Hello"))
    }

    // MARK: Flags

    @Test func aFlagNeedsSomebody() throws {
        let (site, id) = try Self.site()
        try site.refuses(401, "not-logged-in") { try site.reader().flag(id) }
        let (open, openID) = try Self.site(["allowAnonFlag": true])
        try open.takes { try open.reader().flag(openID) }
        let after = try open.rows()
        try open.takes { try open.reader().flag(openID) }
        #expect(try open.rows() == after)
        try open.takes { try open.reader().flag(openID, false) }
    }

    @Test func aFlagIsTheViewersOwn() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.reader(1))
        try site.takes { try reader.flag(id) }
        let after = try site.rows()
        try site.takes { try reader.flag(id) }
        #expect(try site.rows() == after)
        #expect(try reader.comments()["comments", 0, "isFlagged"] == true)
        #expect(try site.reader(.author).comments()["comments", 0, "isFlagged"] == false)
        try site.takes { try reader.flag(id, false) }
        #expect(try reader.comments()["comments", 0, "isFlagged"] == false)
    }

    @Test func theFlagMustBeTrueOrFalse() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.author)
        for word in [nil, "", "maybe", "2"] {
            try site.refuses(400, "invalid-input") {
                try reader.client.request(
                    "POST", "/flag-comment/\(id)", ["tenantId": site.tenant.id, "isFlagged": word, "sso": reader.sso])
            }
        }
        for tenant in [nil, "unknown"] {
            try site.refuses(404, "invalid-tenant") {
                try reader.client.request(
                    "POST", "/flag-comment/\(id)", ["tenantId": tenant, "isFlagged": "true", "sso": reader.sso])
            }
        }
    }

    // MARK: Blocks

    @Test func aBlockNeedsSomebodyWhoCanBeBlocked() throws {
        let (site, id) = try Self.site()
        try site.refuses(401, "not-logged-in") { try site.reader().block(id) }
        try site.refuses(403, "comment-cannot-be-blocked") { try site.reader(.author).block(id) }
        let (closed, closedID) = try Self.site(["disableBlocking": true])
        _ = try closed.reader(.reader(1)).comments()
        try closed.refuses(403, "comment-cannot-be-blocked") { try closed.reader(.reader(1)).block(closedID) }
    }

    @Test func nobodyBlocksAPlaceholder() throws {
        let (site, id) = try Self.site(["commentThreadDeleteMode": 1])
        _ = try site.reader(.reader(1)).posted("Reply", replyingTo: id)
        try site.takes { try site.reader(.author).delete(id) }
        try site.refuses(403, "comment-cannot-be-blocked") { try site.reader(.reader(1)).block(id) }
    }

    @Test func aBlockHoldsForAllOfTheTenantAndForOneViewer() throws {
        let (site, id) = try Self.site()
        let other = try site.reader(.author, at: "other").posted("Elsewhere")
        let guest = try site.takes { try site.reader().post("Guest", extras: guestExtras) }
        let guestID = guest["comment", "_id"]?.string ?? ""
        let viewer = try site.reader(.reader(1))
        let first = try site.takes { try viewer.block(id, known: [other, guestID, "unknown"]) }
        #expect(
            first["commentStatuses"]
                == .object(Self.statuses([id: true, other: true, guestID: false, "unknown": false])))
        let second = try site.takes { try viewer.block(guestID, known: [id]) }
        #expect(second["commentStatuses", .key(id)] == true && second["commentStatuses", .key(guestID)] == true)
        let page = try viewer.on("other").comments()
        #expect(page["comments", 0, "isBlocked"] == true && page["comments", 0, "commentHTML"] == "Elsewhere")
        #expect(page["user", "hasBlockedUsers"] == true)
        #expect(try site.reader(.reader(2), at: "other").comments()["comments", 0, "isBlocked"] == false)
        let undone = try site.takes { try viewer.block(id, false, known: [guestID]) }
        #expect(undone["commentStatuses", .key(id)] == false && undone["commentStatuses", .key(guestID)] == true)
        let after = try site.rows()
        try site.takes { try viewer.block(id, false) }
        #expect(try site.rows() == after)
    }

    /// Members in the order of their names.
    private static func statuses(_ flags: [String: Bool]) -> JSONObject {
        var object = JSONObject()
        for (id, flag) in flags.sorted(by: { $0.key < $1.key }) { object.append(id, .bool(flag)) }
        return object
    }

    @Test func theBodyOfABlockIsOptionalButNotAnything() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.reader(1))
        _ = try reader.comments()
        let path = "/block-from-comment/\(id)"
        let query: QueryItems = ["tenantId": site.tenant.id, "sso": reader.sso]
        for body: JSONValue in [["commentIds": "x"], ["commentIds": [1]]] {
            try site.refuses(400, "invalid-input") { try reader.client.request("POST", path, query, body: body) }
            try site.refuses(400, "invalid-input") { try reader.client.request("DELETE", path, query, body: body) }
        }
        try site.refuses(400, "malformed-json") { try reader.client.request("POST", path, query, body: []) }
        try site.takes { try reader.client.request("POST", path, query, body: ["commentIds": nil]) }
        try site.takes { try reader.client.request("DELETE", path, query) }
    }

    @Test func oneCallTakesAThousandIDs() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.reader(1))
        _ = try reader.comments()
        let ids = { (count: Int) in (1...count).map { "id\($0)" } }
        try site.refuses(400, "invalid-input") { try reader.block(id, known: ids(1001)) }
        let answer = try site.takes { try reader.block(id, known: ids(1000)) }
        #expect(answer["commentStatuses"]?.object?.members.count == 1001)
        let check = { (ids: [String]) in
            try reader.client.request(
                "GET", "/check-blocked-comments",
                ["tenantId": site.tenant.id, "commentIds": ids.joined(separator: ","), "sso": reader.sso])
        }
        #expect(try site.takes { try check(ids(999) + [id]) }["commentStatuses", .key(id)] == true)
        try site.refuses(400, "invalid-input") { try check(ids(1001)) }
        try site.refuses(400, "invalid-input") { try check([]) }
    }

    @Test func whatIsUnknownIsNotBlocked() throws {
        let (site, id) = try Self.site()
        let answer = try site.client().request(
            "GET", "/check-blocked-comments", ["tenantId": site.tenant.id, "commentIds": "undefined,\(id)"])
        #expect(answer["commentStatuses", "undefined"] == false && answer["commentStatuses", .key(id)] == false)
    }

    // MARK: Pins and locks

    @Test(arguments: ["pin", "unpin", "lock", "unlock"])
    func onlyStaffMarksComments(_ verb: String) throws {
        let (site, id) = try Self.site()
        try site.refuses(401, "unauthorized") { try site.reader(.author).mark(id, verb) }
        try site.refuses(401, "not-logged-in") { try site.reader().mark(id, verb) }
        try site.takes { try site.reader(.moderator).mark(id, verb) }
        let after = try site.rows()
        try site.takes { try site.reader(.moderator).mark(id, verb) }
        #expect(try site.rows() == after)
    }
}
