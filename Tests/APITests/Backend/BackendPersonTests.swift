import JSON
import TestSupport
import Testing

/// People whom a site's backend keeps (contract: admin 5.2, 5.5).
@Suite struct BackendPersonTests {
    private static let ann: JSONValue = ["id": "ann", "username": "Ann", "email": "Ann@example.com"]

    private static func with(_ members: JSONValue) -> JSONValue {
        var object = JSONObject()
        for member in (ann.object?.members ?? []) + (members.object?.members ?? []) {
            object.append(member.name, member.value)
        }
        return .object(object)
    }

    @Test func somebodyIsMadeReadAndChanged() throws {
        let site = try Site()
        let made = try #require(
            try site.does(
                "POST", "sso-users", [:],
                Self.with([
                    "websiteUrl": "https://ann.example.com", "signUpDate": 1_500_000_000_000, "loginCount": 7,
                    "createdFromUrlId": "page", "avatarSrc": "https://example.com/a.png", "displayName": "Ann A.",
                    "displayLabel": "VIP", "optedInNotifications": true, "isCommentModeratorAdmin": true,
                    "groupIds": ["g"], "isProfileDMDisabled": true, "hasBlockedUsers": true,
                ]))["user"])
        #expect(made["id"] == "ann" && made["email"] == "Ann@example.com" && made["signUpDate"] == 1_500_000_000_000)
        #expect(made["loginCount"] == 7 && made["createdFromUrlId"] == "page" && made["displayName"] == "Ann A.")
        #expect(made["groupIds"] == ["g"] && made["isCommentModeratorAdmin"] == true && made["isAdminAdmin"] == false)
        #expect(made["hasBlockedUsers"] == false)
        #expect(try site.does("GET", "sso-users/by-id/ann")["user"] == made)
        #expect(try site.does("GET", "sso-users/by-email/ann@EXAMPLE.com")["user"] == made)
        #expect(try site.does("GET", "sso-users")["users"] == [made])
        try site.refuses(422, "user-exists", "POST", "sso-users", [:], Self.ann)
        let patched = try site.does(
            "PATCH", "sso-users/ann", [:], ["displayName": "", "groupIds": nil, "id": "other"])["user"]
        #expect(patched?["displayName"] == "" && patched?["groupIds"] == nil && patched?["id"] == "ann")
        #expect(patched?["displayLabel"] == "VIP")
        let put = try site.does("PUT", "sso-users/ann", [:], Self.with(["username": "Anna"]))["user"]
        #expect(put?["username"] == "Anna" && put?["displayLabel"] == "" && put?["loginCount"] == 0)
        #expect(put?["isCommentModeratorAdmin"] == false)
        #expect(try site.does("PUT", "sso-users/new", [:], Self.ann)["user", "id"] == "new")
        #expect(try site.does("PUT", "sso-users", [:], Self.with(["id": "third"]))["user", "id"] == "third")
        let removed = try site.does("DELETE", "sso-users/ann")["user"]
        #expect(removed == put)
        for method in ["PATCH", "DELETE"] {
            try site.refuses(404, "user-does-not-exist", method, "sso-users/ann", [:], ["username": "x"])
        }
        try site.refuses(404, "user-does-not-exist", "GET", "sso-users/by-id/ann")
        try site.refuses(404, "user-does-not-exist", "GET", "sso-users/by-email/nobody@example.com")
        let acts = try site.does("GET", "audit-logs")["auditLogs"]?.array ?? []
        #expect(acts.map { $0["crudType"]?.string } == ["c", "u", "u", "c", "c", "d"])
        #expect(acts.allSatisfy { $0["resourceName"] == "SSOUser" && $0["from"] == "api" })
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let long = { (count: Int) in JSONValue.string(String(repeating: "x", count: count)) }
        let groups = { (count: Int) in JSONValue.array((0..<count).map { .string("g\($0)") }) }
        let cases: [(String, JSONValue)] = [
            ("empty-request", [:]), ("missing-id", ["username": "Ann", "email": "a@example.com"]),
            ("missing-id", Self.with(["id": " "])), ("invalid-input", Self.with(["id": long(1001)])),
            ("invalid-email", ["id": "ann", "username": "Ann"]), ("invalid-email", Self.with(["email": "x"])),
            ("invalid-input", ["id": "ann", "email": "a@example.com"]),
            ("invalid-input", Self.with(["username": long(1001)])),
            ("invalid-input", Self.with(["username": "a@example.com"])),
            ("invalid-input", Self.with(["displayName": long(501)])),
            ("invalid-input", Self.with(["displayLabel": long(101)])),
            ("invalid-input", Self.with(["websiteUrl": "javascript:alert(1)"])),
            ("invalid-input", Self.with(["groupIds": groups(101)])),
            ("invalid-input", Self.with(["groupIds": [long(51)]])), ("invalid-input", Self.with(["groupIds": "g"])),
            ("invalid-input", Self.with(["isAdminAdmin": "yes"])), ("invalid-input", Self.with(["loginCount": -1])),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "sso-users", [:], body) }
        try site.does(
            "POST", "sso-users", [:],
            Self.with(["displayName": long(500), "displayLabel": long(100), "groupIds": groups(100)]))
        try site.refuses(422, "empty-request", "PATCH", "sso-users/ann", [:], [:])
        try site.refuses(422, "invalid-input", "PUT", "sso-users/ann", [:], ["email": "a@example.com"])
        try site.refuses(422, "invalid-skip", "GET", "sso-users", ["skip": "-1"])
        try site.refuses(
            422, "invalid-input", "DELETE", "sso-users/ann", ["deleteComments": "true", "commentDeleteMode": "2"])
        try Site().refuses(404, "user-does-not-exist", "GET", "sso-users/by-id/ann")
    }

    @Test func aListHasAHundred() throws {
        let people = try Site()
        for number in 1...101 {
            try people.does(
                "POST", "sso-users", [:],
                [
                    "id": .string("p\(number)"), "username": "P", "email": "p@example.com",
                    "signUpDate": .integer(Int64(number)),
                ])
        }
        let first = try people.does("GET", "sso-users")["users"]?.array
        #expect(first?.count == 100 && first?.first?["id"] == "p1")
        #expect(try people.does("GET", "sso-users", ["skip": "100"])["users", 0, "id"] == "p101")
        #expect(try people.does("GET", "sso-users", ["skip": "101"])["users"] == [])
    }

    @Test func theNextSignOnCountsAgain() throws {
        let site = try Site()
        let reader = try site.known(.author)
        try site.does("PATCH", "sso-users/author", [:], ["username": "Renamed", "isAdminAdmin": true])
        #expect(try site.does("GET", "sso-users/by-id/author")["user", "username"] == "Renamed")
        #expect(try reader.comments()["user", "username"] == "author")
        #expect(try site.does("GET", "sso-users/by-id/author")["user", "isAdminAdmin"] == true)
    }

    @Test func aRightThatWasTakenAwayComesWithNewSignOnOnly() throws {
        let site = try Site()
        let old = site.token(.admin)
        let reader = try site.reader().signedOn(old)
        _ = try reader.comments()
        try site.takes { try reader.moderating("GET", "count") }
        let live = try reader.live(reader.comments())
        try site.does("PATCH", "sso-users/admin", [:], ["isAdminAdmin": false])
        for _ in 0..<2 {
            try site.refuses(403, "unauthorized") { try reader.moderating("GET", "count") }
            _ = try reader.comments()
        }
        _ = try live.nextClose()
        #expect(try site.does("GET", "sso-users/by-id/admin")["user", "isAdminAdmin"] == false)
        // Nor by way of what nobody signed.
        _ = try reader.signedOn(SSO.simple(Person("admin"))).comments()
        try site.refuses(403, "unauthorized") { try reader.moderating("GET", "count") }
        try until { try reader.signedOn(site.token(.admin)).moderating("GET", "count").isSuccess }
    }

    @Test func whoWasDeletedComesBackWithoutRights() throws {
        let site = try Site()
        let old = site.token(.admin)
        let reader = try site.reader().signedOn(old)
        _ = try reader.comments()
        try site.takes { try reader.moderating("GET", "count") }
        try site.does("DELETE", "sso-users/admin")
        try site.refuses(404, "user-does-not-exist", "GET", "sso-users/by-id/admin")
        #expect(try !reader.moderating("GET", "count").isSuccess)
        _ = try reader.comments()
        let user = try site.does("GET", "sso-users/by-id/admin")["user"]
        #expect(user?["isAdminAdmin"] == false && user?["groupIds"] == [])
        try site.does("DELETE", "sso-users/admin")
        try site.does(
            "POST", "sso-users", [:], ["id": "admin", "username": "admin", "email": "admin@example.com"])
        #expect(try !reader.moderating("GET", "count").isSuccess)
        try until { try reader.signedOn(site.token(.admin)).moderating("GET", "count").isSuccess }
    }

    @Test func ownersAreAdministratorsUntilTheyAreNot() throws {
        let site = try Site()
        let made = try site.does("POST", "sso-users", [:], Self.with(["isAccountOwner": true]))["user"]
        #expect(made?["isAccountOwner"] == true && made?["isAdminAdmin"] == true)
        let changed = try site.does("PATCH", "sso-users/ann", [:], ["isAccountOwner": false])["user"]
        #expect(changed?["isAccountOwner"] == false && changed?["isAdminAdmin"] == false)
    }

    @Test func commentsStayOrGoWithTheirAuthor() throws {
        let site = try Site()
        try site.does("POST", "sso-users", [:], Self.ann)
        let id = try site.saved("Kept", ["userId": "ann"])
        try site.does("DELETE", "sso-users/ann")
        #expect(try site.stored(id)["commenterName"] == "Ann")
        try site.does("POST", "sso-users", [:], Self.ann)
        let reply = try site.saved("Reply", ["parentId": .string(id)])
        try site.does("DELETE", "sso-users/ann", ["deleteComments": "true", "commentDeleteMode": "1"])
        let placeholder = try site.stored(id)
        #expect(placeholder["isDeleted"] == true && placeholder["isDeletedUser"] == true)
        #expect(placeholder["comment"] == "" && placeholder["userId"] == .null)
        #expect(try site.stored(reply)["comment"] == "Reply")
        try site.does("POST", "sso-users", [:], Self.ann)
        let root = try site.saved("Root", ["userId": "ann"])
        _ = try site.saved("Below", ["parentId": .string(root), "userId": "ann"])
        try site.does("PATCH", "comments/\(root)", [:], ["isLocked": true])
        let reader = try site.reader(.reader(1))
        let live = try reader.live(reader.comments())
        try site.does("DELETE", "sso-users/ann", ["deleteComments": "true"])
        #expect(try live.event("deleted-comment")["comment", "comment"] == "Below")
        #expect(try live.event("deleted-comment")["comment", "comment"] == "Root")
        try site.refuses(404, "not-found", "GET", "comments/\(root)")
    }

    // MARK: Users

    @Test func commentersAreUsers() throws {
        let site = try Site()
        try site.known(.author)
        let simple = try site.reader().signedOn(SSO.simple(.reader(1)))
        let id = try simple.introduced()
        let user = try #require(try site.does("GET", "users/\(id)")["user"])
        #expect(user["_id"]?.string == id && user["username"] == "reader-1" && user["loginId"] == "")
        try site.refuses(404, "not-found", "GET", "users/\(site.wireID("author"))")
        try site.refuses(404, "not-found", "GET", "users/nobody")
        let other = try Site()
        try other.refuses(403, "unauthorized", "GET", "users/\(site.wireID("author"))")
    }
}
