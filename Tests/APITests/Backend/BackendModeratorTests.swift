import JSON
import TestSupport
import Testing

/// Whom a tenant lets moderate (contract: admin 5.11, 7).
@Suite struct BackendModeratorTests {
    private let site: Site

    init() throws { site = try Site() }

    private var address: String { "mod-\(site.tenant.id)@example.com" }

    private func body(_ more: [(String, JSONValue)] = []) -> JSONValue {
        var object = JSONObject()
        for (name, value) in [("name", "Mod"), ("email", .string(address))] + more { object.append(name, value) }
        return .object(object)
    }

    private func made(_ more: [(String, JSONValue)] = []) throws -> JSONValue {
        try #require(try site.does("POST", "moderators", [:], body(more))["moderator"])
    }

    private func id(_ moderator: JSONValue) throws -> String { try #require(moderator["_id"]?.string) }

    private func stored(_ id: String) throws -> JSONValue? {
        try site.does("GET", "moderators/\(id)")["moderator"]
    }

    @Test func somebodyIsMadeReadChangedAndRemoved() throws {
        let moderator = try made([("moderationGroupIds", ["g1"])])
        let id = try id(moderator)
        #expect(moderator["acceptedInvite"] == false && moderator["userId"] == .null)
        #expect(moderator["moderationGroupIds"] == ["g1"] && moderator["verificationId"] == .null)
        #expect(moderator["bannedCount"] == 0 && moderator["email"] == .string(address))
        #expect(try stored(id) == moderator)
        #expect(try site.does("GET", "moderators")["moderators"] == [moderator])
        try site.does("PATCH", "moderators/\(id)", [:], ["name": "Other", "moderationGroupIds": []])
        #expect(try stored(id)?["name"] == "Other" && stored(id)?["moderationGroupIds"] == .null)
        try site.does("DELETE", "moderators/\(id)", ["sendEmail": "true"])
        try site.refuses(404, "not-found", "GET", "moderators/\(id)")
        try site.refuses(404, "not-found", "DELETE", "moderators/\(id)")
        try site.refuses(404, "not-found", "PATCH", "moderators/\(id)", [:], ["name": "x"])
        try site.refuses(404, "not-found", "POST", "moderators/\(id)/send-invite", ["fromName": "Ann"])
        let acts = try site.does("GET", "audit-logs")["auditLogs"]?.array ?? []
        #expect(acts.map { $0["crudType"]?.string } == ["c", "u", "d"])
        #expect(acts.allSatisfy { $0["resourceName"] == "Moderator" })
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let groups = { (count: Int) in JSONValue.array((0..<count).map { .string("g\($0)") }) }
        let long = { (count: Int) in JSONValue.string(String(repeating: "x", count: count)) }
        let cases: [(String, JSONValue)] = [
            ("name-required", ["email": "a@example.com"]), ("name-required", body([("name", "")])),
            ("email-required", ["name": "Mod"]), ("email-required", body([("email", "")])),
            ("invalid-email", body([("email", "mod")])), ("invalid-input", body([("name", long(1001))])),
            ("invalid-input", body([("moderationGroupIds", groups(101))])),
            ("invalid-input", body([("moderationGroupIds", [long(51)])])),
            ("invalid-input", body([("moderationGroupIds", "g")])),
            ("unexpected-param", body([("acceptedInvite", true)])), ("unexpected-param", body([("bannedCount", 1)])),
            ("unexpected-param", body([("verificationId", "x")])), ("unexpected-param", body([("createdAt", "x")])),
            ("unexpected-param", body([("tenantId", "other")])), ("empty-request", [:]),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "moderators", [:], body) }
        let id = try id(try made([("moderationGroupIds", groups(100)), ("name", long(1000))]))
        for (code, body) in cases where code != "invalid-email" && !["name-required", "email-required"].contains(code) {
            try site.refuses(422, code, "PATCH", "moderators/\(id)", [:], body)
        }
        try site.refuses(422, "name-required", "PATCH", "moderators/\(id)", [:], ["name": ""])
        try site.refuses(422, "email-required", "PATCH", "moderators/\(id)", [:], ["email": ""])
        try site.refuses(404, "not-found", "PATCH", "moderators/\(id)", [:], ["userId": "nobody"])
        try site.refuses(422, "invalid-skip", "GET", "moderators", ["skip": "x"])
        try site.refuses(422, "invalid-input", "DELETE", "moderators/\(id)", ["sendEmail": "x"])
        try site.refuses(422, "from-name-required", "POST", "moderators/\(id)/send-invite")
        try site.refuses(
            422, "from-name-invalid", "POST", "moderators/\(id)/send-invite",
            ["fromName": String(repeating: "x", count: 101)])
        try Site().refuses(404, "not-found", "GET", "moderators/\(id)")
    }

    @Test func anAddressAndAUserModerateOnce() throws {
        try site.known(.reader(1))
        let first = try made([("userId", "reader-1")])
        #expect(first["acceptedInvite"] == true && first["userId"] == .string(site.wireID(.reader(1))))
        let capitals = body([("email", .string(address.uppercased()))])
        try site.refuses(422, "already-exists", "POST", "moderators", [:], capitals)
        try site.refuses(
            422, "already-exists", "POST", "moderators", [:],
            body([("email", "other@example.com"), ("userId", .string(site.wireID(.reader(1))))]))
        try site.does("PATCH", "moderators/\(id(first))", [:], capitals)
        try Site().does("POST", "moderators", [:], body())
    }

    @Test func aListHasAHundred() throws {
        for number in 1...101 {
            try site.does(
                "POST", "moderators", [:], body([("email", .string("m\(number)@example.com"))]))
        }
        #expect(try site.does("GET", "moderators")["moderators"]?.array?.count == 100)
        #expect(try site.does("GET", "moderators", ["skip": "100"])["moderators", 0, "email"] == "m101@example.com")
        #expect(try site.does("GET", "moderators", ["skip": "101"])["moderators"] == [])
    }

    // MARK: Rights

    @Test func aUserIdLetsInAtOnceAndUntilTheRowGoes() throws {
        let reader = try site.known(.reader(1))
        let hidden = try site.known(.author).posted("Hidden")
        try site.hide(hidden)
        try site.refuses(403, "unauthorized") { try reader.moderating("GET", "comment/\(hidden)") }
        let id = try id(try made([("userId", "reader-1")]))
        try site.takes { try reader.moderating("POST", "set-comment-approval-status/\(hidden)", ["approved": "true"]) }
        #expect(try stored(id)?["approvedCount"] == 1)
        let live = try reader.live(reader.comments())
        try site.does("DELETE", "moderators/\(id)")
        try site.refuses(403, "unauthorized") { try reader.moderating("GET", "comment/\(hidden)") }
        _ = try live.nextClose()
    }

    @Test func anAddressCountsOnceTheInvitationWent() throws {
        let signed = try site.known(Person("sam", email: address.uppercased()))
        let simple = try site.reader().signedOn(SSO.simple(Person("tim", email: address)))
        _ = try simple.comments()
        let id = try id(try made())
        try site.refuses(403, "unauthorized") { try signed.moderating("GET", "count") }
        for _ in 0..<2 { try site.does("POST", "moderators/\(id)/send-invite", ["fromName": "Ann"]) }
        let invited = try #require(try stored(id))
        #expect(invited["acceptedInvite"] == true)
        let account = try #require(invited["userId"]?.string)
        let user = try site.does("GET", "tenant-users/\(account)")["tenantUser"]
        #expect(user?["email"] == .string(address) && user?["moderatorIds"] == [.string(id)])
        #expect(user?["isCommentModeratorAdmin"] == nil)
        try site.takes { try signed.moderating("GET", "count") }
        try site.refuses(403, "unauthorized") { try simple.moderating("GET", "count") }
        // A plus sign makes another address.
        let plus = try site.known(Person("plus", email: "mod-\(site.tenant.id)+x@example.com"))
        try site.refuses(403, "unauthorized") { try plus.moderating("GET", "count") }
        let elsewhere = try Site()
        let other = try elsewhere.does("POST", "moderators", [:], body())["moderator", "_id"]?.string ?? ""
        try elsewhere.refuses(403, "unauthorized", "POST", "moderators/\(other)/send-invite", ["fromName": "Ann"])
        try site.does("DELETE", "moderators/\(id)")
        try site.refuses(403, "unauthorized") { try signed.moderating("GET", "count") }
    }

    @Test func anotherAddressHasToBeInvitedAgain() throws {
        let id = try id(try made())
        try site.execute("UPDATE moderator SET has_accepted = 1 WHERE id = '\(id)'")
        try site.does("PATCH", "moderators/\(id)", [:], ["name": "Still"])
        #expect(try stored(id)?["acceptedInvite"] == true)
        try site.does("PATCH", "moderators/\(id)", [:], ["email": "new@example.com"])
        #expect(try stored(id)?["acceptedInvite"] == false)
    }

    /// Without the row they would moderate more than with it.
    @Test func whoWasModeratorByFlagToLosesThatToo() throws {
        let token = site.token(.moderator)
        let reader = try site.reader().signedOn(token)
        _ = try reader.comments()
        let id = try id(try made([("userId", "moderator"), ("moderationGroupIds", ["g"])]))
        try site.takes { try reader.moderating("GET", "count") }
        try site.does("DELETE", "moderators/\(id)")
        try site.refuses(403, "unauthorized") { try reader.moderating("GET", "count") }
        try until { try reader.signedOn(site.token(.moderator)).moderating("GET", "count").isSuccess }
    }

    @Test func whoIsBoundIsNobodySpecialOnThePage() throws {
        let other = try site.known(.author).posted("Other")
        let reader = try site.known(.moderator)
        try site.does("POST", "moderators", [:], body([("userId", "moderator"), ("moderationGroupIds", ["g"])]))
        #expect(try !reader.delete(other).isSuccess)
        #expect(try site.stored(other)["comment"] == "Other")
    }
}
