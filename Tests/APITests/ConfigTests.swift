import JSON
import TestSupport
import Testing

/// Settings of some pages, and what the server does because of them (contract: public 21).
@Suite struct ConfigTests {
    private static func page(_ id: String, _ comments: JSONValue = [["name": "Guest", "comment": "Old"]]) -> JSONValue {
        ["urlId": .string(id), "comments": comments]
    }

    private static func first(_ reader: Reader) throws -> String {
        try #require(try reader.comments()["comments", 0, "_id"]?.string)
    }

    private func config(_ reader: Reader) throws -> JSONValue? {
        try reader.comments(["includeConfig": "true"])["customConfig"]
    }

    @Test func aRuleHoldsOnItsPagesAndNowhereElse() throws {
        let site = try Site(["pageSize": 11, "locale": "de"])
        try site.config([
            ["settings": ["pageSize": 11, "locale": "de"]],
            ["page": "*/blog/*", "settings": ["pageSize": 50, "locale": nil]],
            ["page": "a/blog/b", "settings": ["allowAnon": true]],
        ])
        #expect(try config(site.reader(at: "page")) == ["locale": "de", "pageSize": 11])
        #expect(try config(site.reader(at: "x/blog/y")) == ["pageSize": 50])
        #expect(try config(site.reader(at: "a/blog/b")) == ["allowAnon": true, "pageSize": 50])
        try site.config([])
        #expect(try config(site.reader(at: "a/blog/b")) == [:])
    }

    @Test func aDomainIsThatOfTheAddressElseThatOfTheBrowser() throws {
        let site = try Site()
        try site.config([["domain": "blog.example.com", "settings": ["pageSize": 50]]])
        let reader = try site.reader(at: "https://blog.example.com/1")
        #expect(try config(reader) == ["pageSize": 50])
        #expect(try config(site.reader(at: "https://other.example.com/1")) == [:])
        let read = { (page: String, origin: String) in
            try reader.client.request(
                "GET", "/comments/\(site.tenant.id)", ["urlId": page, "includeConfig": "true"],
                headers: [("origin", origin)])["customConfig"]
        }
        #expect(try read("short-id", "https://blog.example.com:8443") == ["pageSize": 50])
        #expect(try read("short-id", "https://example.com") == [:])
        #expect(try read("https://other.example.com/1", "https://blog.example.com") == [:])
        #expect(try config(site.reader(at: "short-id")) == [:])
    }

    @Test func theCommentDecidesWhichPageIsMeantWhateverTheRequestSays() throws {
        let site = try Site(pages: [Self.page("archive/1"), Self.page("open")])
        try site.config([["page": "archive/*", "settings": ["readonly": true]]])
        let author = try site.reader(.author, at: "archive/1")
        let id = try Self.first(author)
        try site.refuses(401, "locked") { try author.post("New") }
        // On a connection that names another page.
        let elsewhere = author.on("open")
        try site.takes { try elsewhere.post("New") }
        try site.refuses(401, "locked") { try elsewhere.vote(id) }
        try site.refuses(401, "locked") { try elsewhere.edit(id, "New") }
        try site.refuses(401, "locked") { try elsewhere.delete(id) }
        try site.refuses(401, "locked") { try elsewhere.flag(id) }
        try site.refuses(401, "locked") { try elsewhere.block(id) }
        try site.refuses(401, "locked") { try site.reader(.admin, at: "open").mark(id, "pin") }
    }

    @Test func eachRuleOfAPageIsObeyed() throws {
        let site = try Site(pages: [Self.page("p/1"), Self.page("q")])
        let author = try site.reader(.author, at: "p/1")
        let other = try site.reader(.reader(1), at: "p/1")
        let open = author.on("q")
        let id = try Self.first(author)
        let openID = try Self.first(open)
        let own = try author.posted("Mine")
        let openOwn = try open.posted("Mine")
        let on = { (settings: JSONValue) in try site.config([["page": "p/*", "settings": settings]]) }

        try on(["disableVoting": true])
        try site.refuses(403, "voting-disabled") { try other.on("q").vote(id) }
        try site.takes { try other.on("p/1").vote(openID) }
        try on(["voteStyle": 1])
        try site.refuses(403, "voting-disabled") { try author.vote(id, up: false) }
        try site.takes { try author.vote(id) }
        try site.takes { try author.vote(openID, up: false) }
        try on(["enableVoteList": true])
        let votes = { (comment: String) in
            try other.client.request(
                "GET", "/comments/\(site.tenant.id)/\(comment)/votes", ["dir": "1", "sso": other.sso])
        }
        #expect(try votes(id)["voteUserNames"] == ["author"])
        #expect(try votes(openID).code == "unauthorized")
        try on(["disableBlocking": true])
        try site.refuses(403, "comment-cannot-be-blocked") { try other.block(own) }
        try site.takes { try other.block(openOwn) }
        try on(["allowAnonFlag": true])
        try site.takes { try site.reader().flag(id) }
        try site.refuses(401, "not-logged-in") { try site.reader().flag(openID) }
        try on(["disableCommenterCommentEdit": true, "disableCommenterCommentDelete": true])
        try site.refuses(401, "unauthorized") { try open.edit(own, "New") }
        try site.refuses(401, "unauthorized") { try open.delete(own) }
        try site.takes { try author.edit(openOwn, "New") }
        try on(["commentThreadDeleteMode": 2])
        _ = try author.posted("Reply", replyingTo: own)
        try site.refuses(403, "not-allowed") { try author.delete(own) }
        try on(["requireSSO": true])
        try site.refuses(403, "unauthorized-page") { try site.reader(at: "p/1").comments() }
        try site.takes { try site.reader(at: "q").comments() }
        let log = try site.reader().client.request(
            "GET", "/event-log/\(site.tenant.id)", ["urlId": "p/1", "startTime": "0", "userIdWS": "x"])
        #expect(log.code == "unauthorized-page")
        let all = try site.reader().client.request(
            "GET", "/event-log/global/\(site.tenant.id)", ["startTime": "0", "userIdWS": "x"])
        #expect(Set(all["events"]?.array?.compactMap { $0["urlId"]?.string } ?? []) == ["q"])
    }

    @Test func theTextOfAPageFollowsItsRules() throws {
        let site = try Site()
        try site.config([
            [
                "page": "p/*",
                "settings": [
                    "maxCommentCharacterLength": 10, "restrictedLinkDomains": ["example.com"], "noImageUploads": true,
                    "enableSpoilers": true, "commentHTMLRenderingMode": 1,
                ],
            ]
        ])
        let author = try site.reader(.author, at: "p/1")
        let open = author.on("q")
        try site.takes { try author.post("1234567890") }
        let tooBig = try site.refuses(422, "comment-too-big") { try author.post("12345678901") }
        #expect(tooBig["maxCharacterLength"] == 10)
        let id = try author.posted("Hello")
        try site.refuses(422, "comment-too-big") { try open.edit(id, "12345678901") }
        try site.takes { try author.edit(try open.posted("Hello, hello"), "12345678901") }
        let spoiler = try site.takes { try author.post("||x|| y") }
        #expect(spoiler["comment", "commentHTML"]?.string?.contains("spoiler") == true)
        #expect(try open.post("||x|| z")["comment", "commentHTML"]?.string?.contains("spoiler") == false)
        let image = "a <img src=\"https://example.com/a.png\">"
        #expect(try author.post(image)["comment", "commentHTML"] == "a")
        #expect(try open.post(image)["comment", "hasImages"] == true)
    }

    @Test func refusedReadersGetTheConfigurationTheyAskedFor() throws {
        let site = try Site(["requireSSO": true, "locale": "de"])
        let refusal = try site.refuses(403, "unauthorized-page") {
            try site.reader().comments(["includeConfig": "true"])
        }
        #expect(refusal["customConfig"] == ["locale": "de", "requireSSO": true])
        #expect(try site.reader().comments()["customConfig"] == nil)
    }

    @Test func theOwnersAddressMakesNoAdministratorWhereThatIsOff() throws {
        let owner = Person("owner", email: "Owner@example.com")
        let site = try Site(isExempt: false)
        #expect(try site.reader(owner).comments()["isSiteAdmin"] == true)
        let off = try Site(["disableAutoAdminMigration": true], isExempt: false)
        #expect(try off.reader(owner).comments()["isSiteAdmin"] == false)
        #expect(try off.reader(.admin).comments()["isSiteAdmin"] == true)
    }

    @Test func mentionsAreOffInModeTwo() throws {
        for (mode, found) in [(0, 1), (2, 0)] {
            let site = try Site(["mentionAutoCompleteMode": .integer(Int64(mode))])
            _ = try site.reader(.author).posted("Hello")
            let reader = try site.reader(.reader(1))
            let answer = try reader.client.request(
                "GET", "/user-search/\(site.tenant.id)",
                ["urlId": "page", "usernameStartsWith": "aut", "sso": reader.sso])
            #expect(answer["users"]?.array?.count == found)
        }
    }

    @Test func aPageCacheDoesNotOutliveASetting() throws {
        let site = try Site(pages: [Self.page("page", [["name": "Guest van One", "comment": "Old"]])])
        let name = { try site.reader().comments()["comments", 0, "commenterName"]?.string }
        for _ in 0..<4 { #expect(try name() == "Guest van One") }
        try site.config([["page": "page", "settings": ["commenterNameFormat": 4]]])
        for _ in 0..<4 { #expect(try name() == "Anonymous") }
        try site.config([["settings": ["commenterNameFormat": 2]]])
        for _ in 0..<4 { #expect(try name() == "Guest van O.") }
    }

    @Test func pagesAreListedByTheirOwnRule() throws {
        let site = try Site(pages: [Self.page("chat/1"), Self.page("chat/2"), Self.page("other")])
        let listed = { (reader: Reader) in
            let answer = try reader.client.request("GET", "/pages/\(site.tenant.id)", ["sortBy": "title"])
            return answer["pages"]?.array?.compactMap { $0["urlId"]?.string }
        }
        #expect(try listed(site.reader()) == [])
        try site.config([
            ["page": "chat/*", "settings": ["enableFChat": true]],
            ["page": "chat/2", "settings": ["enableFChat": nil]],
        ])
        #expect(try listed(site.reader()) == ["chat/1"])
    }

    @Test func theCommentsOfSomebodyFollowTheRulesOfTheirPages() throws {
        let site = try Site()
        let author = try site.reader(Person("author", username: "Ann Lee", extras: ["groupIds": ["red"]]), at: "p")
        _ = try author.posted("On p")
        _ = try author.on("q").posted("On q")
        _ = try author.on("r").posted("On r")
        _ = try author.on("s").posted("On s")
        try site.config([
            ["page": "p", "settings": ["requireSSO": true]], ["page": "q", "settings": ["commenterNameFormat": 3]],
            ["page": "r", "settings": ["limitCommentsByGroups": true]],
        ])
        let query: QueryItems = ["userId": "\(site.tenant.id):author", "direction": "OF"]
        let answer = try site.client().request("GET", "/comments-for-user", query)
        #expect(answer["comments"]?.array?.compactMap { $0["commentHTML"]?.string } == ["On q", "On s"])
        #expect(answer["comments"]?.array?.compactMap { $0["commenterName"]?.string } == ["A. L.", "Ann Lee"])
    }

    @Test func aTenantMadeAnewHasNothingOfTheFormerSettings() throws {
        let server = try SeededServer.shared()
        let made = try server.process.makeTenant()
        let site = try Site(on: server)
        try ParleyProcess.config([["page": "p", "settings": ["pageSize": 50]]], of: made.id, in: server.folder)
        let reader = try server.process.reader(nil, of: made, at: "p")
        #expect(try config(reader) == ["pageSize": 50])
        try site.seed(["tenants": [["id": .string(made.id), "settings": ["pageSize": 20]]]])
        #expect(try config(reader) == ["pageSize": 50])
        #expect(try config(reader.on("q")) == ["pageSize": 20])
    }
}
