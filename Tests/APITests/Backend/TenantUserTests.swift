import JSON
import TestSupport
import Testing

/// Those who run a tenant, for its backend (contract: admin 5.8).
@Suite struct TenantUserTests {
    private static func ann(_ site: Site, _ more: JSONValue = [:]) -> JSONValue {
        Self.merged(["username": "Ann", "email": .string("ann-\(site.tenant.id)@example.com")], more)
    }

    private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
        var object = JSONObject()
        for member in (first.object?.members ?? []) + (second.object?.members ?? []) {
            object.append(member.name, member.value)
        }
        return .object(object)
    }

    @discardableResult
    private func made(_ site: Site, _ more: JSONValue = [:]) throws -> String {
        try #require(try site.does("POST", "tenant-users", [:], Self.ann(site, more))["tenantUser", "_id"]?.string)
    }

    @Test func somebodyIsMadeReadChangedAndReplaced() throws {
        let site = try Site()
        let answer = try site.does(
            "POST", "tenant-users", [:],
            Self.ann(
                site,
                [
                    "displayName": "Ann A.", "websiteUrl": "https://ann.example.com", "locale": "de_de",
                    "signUpDate": 1_500_000_000_000, "loginCount": 7, "isAdminAdmin": true, "isAPIAdmin": true,
                    "avatarSrc": "https://example.com/a.png", "displayLabel": "VIP", "digestEmailFrequency": -1,
                    "optedInNotifications": true, "moderatorIds": ["x"], "verified": false, "unknown": 1,
                ]))
        let user = try #require(answer["tenantUser"])
        let id = try #require(user["_id"]?.string)
        #expect(user["displayName"] == "Ann A." && user["signUpDate"] == 1_500_000_000_000 && user["loginCount"] == 7)
        #expect(user["isAdminAdmin"] == true && user["isAPIAdmin"] == true && user["isAccountOwner"] == nil)
        #expect(user["digestEmailFrequency"] == -1 && user["verified"] == false && user["moderatorIds"] == nil)
        #expect(user["loginId"] == "" && user["loginIdDate"] == 0 && user["passwordHash"] == nil)
        #expect(try site.does("GET", "tenant-users/\(id)")["tenantUser"] == user)
        #expect(try site.does("GET", "users/\(id)")["user"] == user)
        #expect(try site.does("GET", "tenant-users")["tenantUsers"] == [user])
        try site.does(
            "PATCH", "tenant-users/\(id)", [:], ["displayName": "", "isAdminAdmin": false, "tenantId": "other"])
        let patched = try site.does("GET", "tenant-users/\(id)")["tenantUser"]
        #expect(patched?["displayName"] == nil && patched?["isAdminAdmin"] == nil && patched?["isAPIAdmin"] == true)
        #expect(patched?["locale"] == "de_de" && patched?["tenantId"] == .string(site.tenant.id))
        try site.does("PUT", "tenant-users/\(id)", [:], Self.ann(site, ["username": "Anna", "lastLoginDate": 5]))
        let put = try site.does("GET", "tenant-users/\(id)")["tenantUser"]
        #expect(put?["username"] == "Anna" && put?["isAPIAdmin"] == nil && put?["locale"] == nil)
        #expect(put?["loginCount"] == 0 && put?["lastLoginDate"] == "1970-01-01T00:00:00.005Z")
        try site.does("DELETE", "tenant-users/\(id)")
        try site.refuses(404, "not-found", "GET", "tenant-users/\(id)")
        for method in ["PATCH", "PUT"] {
            try site.refuses(404, "user-does-not-exist", method, "tenant-users/\(id)", [:], Self.ann(site))
        }
        try site.refuses(404, "not-found", "DELETE", "tenant-users/\(id)")
        try site.refuses(404, "not-found", "POST", "tenant-users/\(id)/send-login-link")
        let acts = try site.does("GET", "audit-logs")["auditLogs"]?.array ?? []
        #expect(acts.map { $0["crudType"]?.string } == ["c", "u", "u", "d"])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let long = { (count: Int) in JSONValue.string(String(repeating: "x", count: count)) }
        let cases: [(String, JSONValue)] = [
            ("username-required", ["email": "a@example.com"]), ("username-required", Self.ann(site, ["username": " "])),
            ("email-required", ["username": "Ann"]), ("email-required", Self.ann(site, ["email": ""])),
            ("invalid-email", Self.ann(site, ["email": "ann"])), ("invalid-input", Self.ann(site, ["username": 1])),
            ("invalid-input", Self.ann(site, ["username": long(1001)])),
            ("invalid-input", Self.ann(site, ["isAccountOwner": "yes"])),
            ("unsupported-locale", Self.ann(site, ["locale": "xx_xx"])),
            ("sign-up-date-in-future", Self.ann(site, ["signUpDate": 4_000_000_000_000])),
            ("invalid-input", Self.ann(site, ["displayName": long(501)])),
            ("invalid-input", Self.ann(site, ["displayLabel": long(101)])),
            ("invalid-input", Self.ann(site, ["websiteUrl": "javascript:alert(1)"])),
            ("invalid-input", Self.ann(site, ["digestEmailFrequency": 3])),
            ("invalid-input", Self.ann(site, ["moderatorIds": "x"])),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "tenant-users", [:], body) }
        let id = try made(site, ["username": long(1000), "displayName": long(500), "displayLabel": long(100)])
        for (code, body) in cases.dropFirst(3) {
            try site.refuses(422, code, "PUT", "tenant-users/\(id)", [:], body)
        }
        try site.refuses(422, "invalid-skip", "GET", "tenant-users", ["skip": "-1"])
        try site.refuses(422, "invalid-input", "PATCH", "tenant-users/\(id)", ["updateComments": "x"], [:])
        try site.refuses(422, "invalid-input", "DELETE", "tenant-users/\(id)", ["commentDeleteMode": "2"])
    }

    @Test func namesAndAddressesAreTakenOnce() throws {
        let site = try Site()
        let id = try made(site)
        let address = "ANN-\(site.tenant.id)@example.com"
        let other: JSONValue = ["username": "Other", "email": .string(address)]
        try site.refuses(422, "email-taken", "POST", "tenant-users", [:], other)
        try site.refuses(422, "username-taken", "POST", "tenant-users", [:], ["username": "ann", "email": "x@y.zz"])
        let elsewhere = try Site()
        try elsewhere.refuses(422, "email-taken", "POST", "tenant-users", [:], other)
        // Their own ones are free for them.
        try site.does("PATCH", "tenant-users/\(id)", [:], ["username": "ANN", "email": .string(address)])
        #expect(try elsewhere.does("GET", "tenant-users")["tenantUsers"] == [])
        for (method, path) in [("GET", ""), ("DELETE", ""), ("POST", "/send-login-link")] {
            try elsewhere.refuses(404, "not-found", method, "tenant-users/\(id)\(path)")
        }
        try elsewhere.refuses(404, "user-does-not-exist", "PATCH", "tenant-users/\(id)", [:], ["username": "x"])
    }

    @Test func aTenantKeepsAnOwner() throws {
        let site = try Site()
        let id = try made(site, ["isAccountOwner": true])
        try site.refuses(403, "unauthorized", "DELETE", "tenant-users/\(id)")
        try site.refuses(403, "unauthorized", "PATCH", "tenant-users/\(id)", [:], ["isAccountOwner": false])
        try site.refuses(403, "unauthorized", "PUT", "tenant-users/\(id)", [:], Self.ann(site))
        let second = try made(
            site, ["username": "Bob", "email": .string("bob-\(site.tenant.id)@example.com"), "isAccountOwner": true])
        try site.does("PATCH", "tenant-users/\(id)", [:], ["isAccountOwner": false])
        try site.refuses(403, "unauthorized", "DELETE", "tenant-users/\(second)")
        try site.does("DELETE", "tenant-users/\(id)")
    }

    @Test func aListHasAHundred() throws {
        let site = try Site()
        for number in 1...101 {
            try made(
                site,
                [
                    "username": .string("P\(number)"), "signUpDate": .integer(Int64(number)),
                    "email": .string("p\(number)-\(site.tenant.id)@example.com"),
                ])
        }
        let first = try site.does("GET", "tenant-users")["tenantUsers"]?.array
        #expect(first?.count == 100 && first?.first?["username"] == "P1")
        #expect(try site.does("GET", "tenant-users", ["skip": "100"])["tenantUsers", 0, "username"] == "P101")
        #expect(try site.does("GET", "tenant-users", ["skip": "101"])["tenantUsers"] == [])
    }

    @Test func commentsAreRenamedOrGo() throws {
        let site = try Site()
        let id = try made(site)
        let comment = try site.saved("Kept", ["userId": .string(id)])
        let before = try site.stored(comment)
        try site.does("PATCH", "tenant-users/\(id)", [:], ["username": "Anna"])
        #expect(try site.stored(comment) == before)
        try site.does("PATCH", "tenant-users/\(id)", ["updateComments": "true"], ["displayName": "Anna B."])
        #expect(try site.stored(comment)["commenterName"] == "Anna B.")
        let reply = try site.saved("Reply", ["parentId": .string(comment)])
        try site.does("DELETE", "tenant-users/\(id)", ["deleteComments": "true", "commentDeleteMode": "1"])
        #expect(try site.stored(comment)["isDeletedUser"] == true)
        #expect(try site.stored(reply)["comment"] == "Reply")
        let again = try made(site)
        let root = try site.saved("Root", ["userId": .string(again)])
        try site.does("DELETE", "tenant-users/\(again)", ["deleteComments": "true"])
        try site.refuses(404, "not-found", "GET", "comments/\(root)")
    }

    /// The rights of an address follow those of its user.
    @Test func aRoleCountsUntilItIsTakenAway() throws {
        let site = try Site()
        let person = Person("ann", email: "ann-\(site.tenant.id)@example.com")
        let reader = try site.known(person)
        try site.refuses(403, "unauthorized") { try reader.moderating("GET", "count") }
        let id = try made(site, ["isCommentModeratorAdmin": true])
        try site.takes { try reader.moderating("GET", "count") }
        try site.does("PATCH", "tenant-users/\(id)", [:], ["isCommentModeratorAdmin": false])
        try site.refuses(403, "unauthorized") { try reader.moderating("GET", "count") }
    }

    @Test func aLinkWaitsForWhoeverSendsIt() throws {
        let site = try Site(domains: ["example.com"])
        let id = try made(site)
        try site.refuses(
            422, "invalid-input", "POST", "tenant-users/\(id)/send-login-link", ["redirectURL": "https://evil.org/"])
        try site.refuses(
            422, "invalid-input", "POST", "tenant-users/\(id)/send-login-link", ["redirectURL": "javascript:x"])
        for _ in 0..<2 {
            try site.does(
                "POST", "tenant-users/\(id)/send-login-link", ["redirectURL": "https://www.example.com/in"])
        }
        let letter = try site.table("SELECT account_id, redirect_url FROM login_letter WHERE tenant_id = ?1")
        #expect(letter == [[id, "https://www.example.com/in"]])
        // There is no link before somebody gets it.
        #expect(try site.count("account_login_link WHERE account_id = '\(id)'") == 0)
    }
}
