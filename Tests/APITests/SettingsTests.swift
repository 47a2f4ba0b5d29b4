import JSON
import TestSupport
import Testing

/// Widget settings that the server itself obeys (contract: public 21).
@Suite struct SettingsTests {
    private static func page(_ comments: JSONValue) -> JSONValue { ["urlId": "page", "comments": comments] }

    private static func first(_ reader: Reader) throws -> String {
        try #require(try reader.comments()["comments", 0, "_id"]?.string)
    }

    @Test func aReadOnlyTenantTakesNothing() throws {
        let site = try Site(["readonly": true], pages: [Self.page([["name": "Guest", "comment": "Old"]])])
        let author = try site.reader(.author)
        let admin = try site.reader(.admin)
        for reader in [author, admin] {
            let id = try Self.first(reader)
            let answer = try site.refuses(401, "locked") { try reader.post("New") }
            #expect(answer["translatedError"] != nil)
            try site.refuses(401, "locked") { try reader.edit(id, "New") }
            try site.refuses(401, "locked") { try reader.delete(id) }
            try site.refuses(401, "locked") { try reader.vote(id) }
            try site.refuses(401, "locked") { try reader.flag(id) }
            try site.refuses(401, "locked") { try reader.block(id) }
            try site.refuses(401, "locked") { try reader.block(id, false) }
        }
        for verb in ["pin", "unpin", "lock", "unlock"] {
            try site.refuses(401, "locked") { try admin.mark(try Self.first(admin), verb) }
        }
    }

    @Test func requiredSignOnKeepsStrangersOut() throws {
        let site = try Site(["requireSSO": true], pages: [Self.page([["name": "Guest", "comment": "Old"]])])
        let id = try Self.first(try site.reader(.author))
        let stranger = try site.reader()
        for token in [nil, "{}"] {
            let stranger = stranger.signedOn(token)
            try site.refuses(403, "unauthorized-page") { try stranger.comments() }
            try site.refuses(401, "login-required") { try stranger.post("Hello", extras: guestExtras) }
            try site.refuses(401, "login-required") { try stranger.vote(id) }
            try site.refuses(401, "login-required") { try stranger.flag(id) }
        }
        try site.takes { try stranger.signedOn(SSO.simple(Person("simple"))).comments() }
        try site.takes { try stranger.signedOn(SSO.simple(Person("simple"))).post("Hello") }
        try site.takes { try site.reader(.author).post("Hello") }
    }

    @Test func theSecureLevelRefusesSimpleSignOn() throws {
        let site = try Site(["requireSSO": true, "ssoSecLvl": 1])
        let simple = try site.reader().signedOn(SSO.simple(Person("simple")))
        #expect(try simple.comments().code == "unauthorized-page")
        try site.refuses(401, "login-required") { try simple.post("Hello") }
        try site.takes { try site.reader(.author).post("Hello") }
        try site.takes { try site.reader(.author).comments() }
    }

    @Test func aPageMayBelongToGroups() throws {
        let site = try Site(pages: [
            ["urlId": "a", "groupIds": ["a"], "comments": [["name": "Guest", "comment": "Secret"]]],
            ["urlId": "none", "groupIds": [], "comments": [["name": "Guest", "comment": "Secret"]]],
        ])
        let member = { (id: String, extras: JSONValue) in try site.reader(Person(id, extras: extras), at: "a") }
        let admin = try member("admin", ["isAdmin": true, "groupIds": []])
        let id = try Self.first(admin)
        try site.takes { try member("in", ["groupIds": ["b", "a"]]).comments() }
        try site.takes { try member("free", [:]).comments() }
        try site.takes { try admin.on("none").comments() }
        let outsiders = [
            try member("out", ["groupIds": ["b"]]), try member("empty", ["groupIds": []]), try site.reader(at: "a"),
            try site.reader(at: "a").signedOn(SSO.simple(Person("simple"))),
            try member("in", ["groupIds": ["a"]]).on("none"), try member("free", [:]).on("none"),
        ]
        for outsider in outsiders {
            _ = try outsider.comments()
            try site.refuses(403, "unauthorized-page") { try outsider.comments() }
            try site.refuses(403, "unauthorized-page") { try outsider.post("Hello", extras: guestExtras) }
            let log = try outsider.client.request(
                "GET", "/event-log/\(site.tenant.id)", ["urlId": outsider.page, "startTime": "0", "userIdWS": "x"])
            #expect(log.code == "unauthorized-page")
        }
        for outsider in outsiders.prefix(2) {
            try site.refuses(403, "unauthorized-page") { try outsider.vote(id) }
            try site.refuses(403, "unauthorized-page") { try outsider.flag(id) }
            try site.refuses(403, "unauthorized-page") { try outsider.text(id) }
        }
    }

    @Test func newRootsMayBeSwitchedOff() throws {
        let site = try Site(["noNewRootComments": true], pages: [Self.page([["name": "Guest", "comment": "Old"]])])
        let author = try site.reader(.author)
        let id = try Self.first(author)
        try site.refuses(403, "not-allowed") { try author.post("Root") }
        try site.takes { try author.post("Reply", replyingTo: id) }
        try site.takes { try site.reader(.admin).post("Root") }
    }

    @Test func linksMayPointToListedHostsOnly() throws {
        let site = try Site(["restrictedLinkDomains": ["Example.com"]])
        let author = try site.reader(.author)
        let id = try author.posted("See https://example.com/a and https://docs.example.com/b")
        for text in [
            "https://evil.test/", "[x](https://evil.test)", "<a href=\"https://evil.test\">x</a>",
            "https://example.com.evil.test/", "https://notexample.com/", "https://example.com@evil.test/",
        ] {
            let answer = try site.refuses(422, "restricted-link") { try author.post(text) }
            #expect(answer["translatedError"]?.string?.contains("test") == true || text.contains("notexample"))
            try site.refuses(422, "restricted-link") { try author.edit(id, text) }
        }
        try site.takes { try author.post("`https://evil.test/`") }
    }

    @Test func namesAreShownInTheTenantsFormat() throws {
        let formats: [(Int64, String)] = [
            (0, "reader van One"), (1, "Reader Van One"), (2, "reader van O."), (3, "R. V. O."), (4, "Anonymous"),
        ]
        for (format, shown) in formats {
            let site = try Site(["commenterNameFormat": .integer(format)])
            let reader = try site.reader(Person("1", username: "reader van One"))
            let live = try site.reader().live(site.reader().comments())
            let created = try site.takes { try reader.post("Hello") }
            #expect(created["comment", "commenterName"]?.string == shown)
            #expect(created["user", "username"] == "reader van One")
            #expect(try site.reader().comments()["comments", 0, "commenterName"]?.string == shown)
            #expect(try live.event("new-comment")["comment", "commenterName"]?.string == shown)
        }
    }

    @Test func namelessGuestsGetTheTenantsName() throws {
        let nameless: JSONValue = ["commenterName": ""]
        let site = try Site(["allowAnon": true])
        #expect(try site.reader().post("Hello", extras: nameless)["comment", "commenterName"] == "Anonymous")
        let named = try Site(["allowAnon": true, "defaultUsername": "Somebody"])
        let answer = try named.takes { try named.reader().post("Hello", extras: nameless) }
        #expect(answer["comment", "commenterName"] == "Somebody")
        let noEmail = try Site(["disableEmailInputs": true])
        try noEmail.takes { try noEmail.reader().post("Hello", extras: ["commenterName": "Guest"]) }
        try noEmail.refuses(422, "invalid-name") { try noEmail.reader().post("Hello", extras: nameless) }
    }

    @Test func aPageHasAsManyCommentsAsIsSet() throws {
        let comments = JSONValue.array((1...215).map { ["name": "Guest", "comment": .string("Comment \($0)")] })
        for size in [9, 201] as [Int64] {
            #expect(throws: StartFault.self) { try Site(["pageSize": .integer(size)]) }
        }
        for (size, shown) in [(10, 10), (11, 11), (200, 200)] as [(Int64, Int)] {
            let site = try Site(["pageSize": .integer(size)], pages: [Self.page(comments)])
            let reader = try site.reader()
            #expect(try reader.comments()["comments"]?.array?.count == shown)
            #expect(try reader.comments(["customConfigStr": "{\"pageSize\":12}"])["comments"]?.array?.count == 12)
            #expect(try reader.comments(["customConfigStr": "nonsense"])["comments"]?.array?.count == shown)
        }
    }

    @Test func configurationFromTheClientChangesNothingOfSubstance() throws {
        let site = try Site(pages: [Self.page([["name": "Guest", "comment": "Old"]])])
        let config = #"{"allowAnon":true,"readonly":false,"maxCommentCharacterLength":9999,"disableVoting":true}"#
        try site.refuses(422, "invalid-email") {
            try site.reader().post("Hello", query: ["customConfigStr": config])
        }
        let read = try site.takes { try site.reader().comments(["customConfigStr": config, "includeConfig": "true"]) }
        #expect(read["customConfig"] == [:])
    }

    @Test func theConfigurationIsWhatWasSet() throws {
        let site = try Site(["defaultSortDirection": "OF", "pageSize": 11])
        let read = try site.takes { try site.reader().comments(["includeConfig": "true"]) }
        #expect(read["customConfig"] == ["defaultSortDirection": "OF", "pageSize": 11])
        #expect(try site.reader().comments()["customConfig"] == nil)
    }

    @Test func authorsMayBeKeptFromEditingAndDeleting() throws {
        let site = try Site(["disableCommenterCommentEdit": true, "disableCommenterCommentDelete": true])
        let author = try site.reader(.author)
        let id = try author.posted("Hello")
        _ = try site.reader(.moderator).comments()
        try site.refuses(401, "unauthorized") { try author.edit(id, "New") }
        try site.refuses(401, "unauthorized") { try author.delete(id) }
        let guest = try site.takes { try site.reader().post("Guest", extras: guestExtras) }
        let key: QueryItems = ["editKey": guest["comment", "editKey"]?.string]
        let guestID = guest["comment", "_id"]?.string ?? ""
        try site.refuses(401, "unauthorized") { try site.reader().edit(guestID, "New", query: key) }
        try site.refuses(401, "unauthorized") { try site.reader().delete(guestID, query: key) }
        try site.takes { try site.reader(.moderator).edit(id, "New") }
        try site.takes { try site.reader(.moderator).delete(id) }
    }

    @Test func withoutLiveCommentingThereAreNoRooms() throws {
        let site = try Site(["disableLiveCommenting": true])
        let page = try site.takes { try site.reader().comments() }
        #expect(page["urlIdWS"] == nil && page["tenantIdWS"] == nil && page["userIdWS"] == nil)
    }

    @Test func searchIsOffUnlessSet() throws {
        let comments: JSONValue = [["name": "Guest", "comment": "apples"], ["name": "Guest", "comment": "pears"]]
        let plain = try Site(pages: [Self.page(comments)])
        #expect(try plain.reader().comments(["searchText": "APPLE"])["comments"]?.array?.count == 2)
        let site = try Site(["enableSearch": true], pages: [Self.page(comments)])
        #expect(try site.reader().comments(["searchText": "APPLE"])["comments"]?.array?.count == 1)
        #expect(try site.reader().comments(["searchText": "' OR ''='"])["comments"]?.array?.count == 0)
    }
}
