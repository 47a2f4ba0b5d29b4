import JSON
import TestSupport
import Testing

/// Settings that decide about comments by what they say, or by who says it (contract: public 21.2).
@Suite struct ConfigRuleTests {
    private func texts(_ reader: Reader) throws -> [String] {
        try reader.comments(["direction": "OF"])["comments"]?.array?.compactMap { $0["commentHTML"]?.string } ?? []
    }

    private static func rule(_ actions: JSONValue, _ text: String) -> JSONValue {
        ["actions": actions, "commentContains": .string(text)]
    }

    // MARK: Terms

    private static let terms: JSONValue = ["enabled": true, "textByLocale": ["en_us": "Be kind."]]

    @Test func termsAreAskedOfPeopleOnce() throws {
        let site = try Site(["tos": Self.terms])
        let author = try site.reader(.author)
        #expect(try author.comments()["user", "needsTOS"] == true)
        let refusal = try site.refuses(422, "tos-required") { try author.post("Hello") }
        #expect(refusal["translatedError"] != nil)
        try site.refuses(422, "tos-required") { try author.post("Hello", extras: ["tos": false]) }
        try site.refuses(400, "invalid-input") { try author.post("Hello", extras: ["tos": "yes"]) }
        let created = try site.takes { try author.post("Hello", extras: ["tos": true]) }
        #expect(created["user", "needsTOS"] == nil)
        #expect(try author.comments()["user", "needsTOS"] == nil)
        try site.takes { try author.post("Again") }
        try site.refuses(422, "tos-required") { try site.reader(.reader(1)).post("Hello") }
    }

    @Test func newerTermsAreAskedAgain() throws {
        let site = try Site(["tos": Self.terms])
        let author = try site.reader(.author)
        try site.takes { try author.post("Hello", extras: ["tos": true]) }
        let terms = { (moment: String) -> JSONValue in
            [["settings": ["tos": ["enabled": true, "lastUpdated": .string(moment)]]]]
        }
        try site.config(terms("2020-01-01T00:00:00Z"))
        #expect(try author.comments()["user", "needsTOS"] == nil)
        try site.config(terms("2900-01-01T00:00:00Z"))
        #expect(try author.comments()["user", "needsTOS"] == nil)
        let config = try author.comments(["includeConfig": "true"])["customConfig"]
        #expect(config?["tos", "lastUpdated"] == "2900-01-01T00:00:00.000Z")
        // Later than the acceptance, and not in the future for the server either.
        try site.config(terms(iso(SSO.now)))
        #expect(try author.comments()["user", "needsTOS"] == true)
        try site.refuses(422, "tos-required") { try author.post("More") }
        try site.takes { try author.post("More", extras: ["tos": true]) }
        #expect(try author.comments()["user", "needsTOS"] == nil)
    }

    private func iso(_ milliseconds: Int64) -> String { ISODate.format(milliseconds: milliseconds) }

    @Test func termsAreAskedOfGuestsEveryTimeAndOfNobodyWhereTheyAreOff() throws {
        let site = try Site(["tos": Self.terms, "allowAnon": true])
        let guest = try site.reader()
        #expect(try guest.comments()["user", "needsTOS"] == true)
        try site.refuses(422, "tos-required") { try guest.post("Hello", extras: guestExtras) }
        let extras: JSONValue = ["commenterName": "Guest", "commenterEmail": "guest@example.com", "tos": true]
        let created = try site.takes { try guest.post("Hello", extras: extras) }
        #expect(created["user", "needsTOS"] == true)
        let session: QueryItems = ["sessionId": created["user", "sessionId"]?.string]
        try site.refuses(422, "tos-required") { try guest.post("Again", extras: guestExtras, query: session) }
        let off = try Site(["tos": ["enabled": false, "textByLocale": ["en_us": "Be kind."]]])
        #expect(try off.reader().comments()["user", "needsTOS"] == nil)
        try off.takes { try off.reader(.author).post("Hello") }
    }

    // MARK: Questions

    @Test func aNewThreadMustAnswerTheQuestion() throws {
        let site = try Site(["showQuestion": true, "widgetQuestionId": "q1", "widgetQuestionsRequired": 1])
        let author = try site.reader(.author)
        let wrong: [JSONValue] = [nil, [:], ["q2": 1], ["q1": ""], ["q1": " "]]
        for values in wrong {
            let answer = try site.refuses(400, "invalid-input") {
                try author.post("Hello", extras: ["questionValues": values])
            }
            #expect(answer["translatedError"] != nil)
        }
        try site.refuses(400, "invalid-input") { try author.post("Hello", extras: ["questionValues": ["q1": nil]]) }
        let created = try site.takes { try author.post("Hello", extras: ["questionValues": ["q1": 4]]) }
        let id = try #require(created["comment", "_id"]?.string)
        try site.takes { try author.post("Reply", replyingTo: id) }
        try site.takes { try author.post("Word", extras: ["questionValues": ["q1": "yes"]]) }
        let any = try Site(["showQuestion": true, "widgetQuestionsRequired": 1])
        try any.refuses(400, "invalid-input") { try any.reader(.author).post("Hello") }
        try any.takes { try any.reader(.author).post("Hello", extras: ["questionValues": ["x": 0]]) }
        let optional = try Site(["showQuestion": true, "widgetQuestionId": "q1", "widgetQuestionsRequired": 0])
        try optional.takes { try optional.reader(.author).post("Hello") }
    }

    // MARK: Spam

    @Test func whatARuleCallsSpamIsKeptAndNotShown() throws {
        let site = try Site([
            "spamRules": [Self.rule(["not-spam"], "Casino Royale"), Self.rule(["spam"], "casino")]
        ])
        let author = try site.reader(.author)
        let other = try site.reader(.reader(1))
        let live = try other.live(other.comments())
        let staff = try site.reader(.moderator)
        let moderators = try staff.live(staff.comments())
        let spam = try site.takes { try author.post("Come to the **CASINO**") }
        #expect(spam["comment", "isSpam"] == true)
        let film = try site.takes { try author.post("Casino Royale is a film") }
        #expect(film["comment", "isSpam"] == nil)
        #expect(try texts(other) == ["Casino Royale is a film"])
        #expect(try texts(author) == ["Casino Royale is a film"])
        #expect(try author.comments(["countAll": "true"])["commentCount"] == 1)
        #expect(try live.event("new-comment")["comment", "_id"] == film["comment", "_id"])
        #expect(try moderators.event("new-comment")["comment", "_id"] == spam["comment", "_id"])
        try site.takes { try site.reader(.admin).post("No casino here, please") }
        #expect(try texts(other).count == 2)
        let id = try #require(spam["comment", "_id"]?.string)
        try site.refuses(404, "not-found") { try other.post("Reply", replyingTo: id) }
    }

    @Test func anEditMayBecomeSpamAndLeavesTheScreens() throws {
        let site = try Site(["spamRules": [Self.rule(["spam"], "casino")]])
        let author = try site.reader(.author)
        let other = try site.reader(.reader(1))
        let id = try author.posted("Hello")
        let staffID = try site.reader(.moderator).posted("Hello from us")
        let live = try other.live(other.comments())
        let own = try author.live(author.comments())
        try site.takes { try author.edit(id, "casino") }
        try site.takes { try site.reader(.moderator).edit(staffID, "casino") }
        #expect(try live.event("deleted-comment", "updated-comment")["type"] == "deleted-comment")
        #expect(try live.event("updated-comment")["comment", "_id"] == .string(staffID))
        #expect(try own.event("deleted-comment", "updated-comment")["comment", "_id"] == .string(staffID))
        #expect(try texts(other) == ["casino"])
    }

    @Test func aRuleMayAllowRepetitionsButNotARush() throws {
        let site = try Site(["spamRules": [Self.rule(["ignore-repeat"], "bingo")]], isExempt: false)
        let author = try site.reader(.author)
        _ = try author.posted("Hello")
        try site.refuses(422, "duplicate") { try author.post("Hello") }
        for _ in 0..<4 { try site.takes { try author.post("BINGO!") } }
        try site.refuses(429, "user-rate-limited") { try author.post("BINGO!") }
    }

    @Test func commentsPerMinuteAreCountedByTheRuleOfThePage() throws {
        let site = try Site(isExempt: false)
        try site.config([["page": "slow", "settings": ["maxCommentCreatedCountPUPM": 1]]])
        let author = try site.reader(.author, at: "slow")
        _ = try author.posted("One")
        try site.refuses(429, "user-rate-limited") { try author.post("Two") }
        for number in 0..<4 { _ = try author.on("fast").posted("Fast \(number)") }
        try site.refuses(429, "user-rate-limited") { try author.on("fast").post("Fast 5") }
    }

    // MARK: Groups

    @Test func commentsOfAGroupAreForThoseWhoShareIt() throws {
        let site = try Site(["limitCommentsByGroups": true])
        let member = { (id: String, groups: JSONValue?) in
            try site.reader(Person(id, extras: groups.map { ["groupIds": $0] } ?? [:]))
        }
        let red = try member("red", ["red"])
        let blue = try member("blue", ["blue"])
        let both = try member("both", ["blue", "red"])
        let free = try member("free", nil)
        let empty = try member("empty", [])
        let stranger = try site.reader()
        let staff = try site.reader(.admin)
        let sockets = try [blue, both, stranger, red, staff].map { try $0.live($0.comments()) }
        let id = try red.posted("For red")
        try site.refuses(404, "not-found") { try blue.post("Reply", replyingTo: id) }
        _ = try both.posted("Below red", replyingTo: id)
        _ = try free.posted("For all")
        _ = try empty.posted("From one without groups")
        let all = ["For red", "Below red", "For all", "From one without groups"]
        for reader in [red, both, free, staff] {
            #expect(Set(try texts(reader)) == Set(all))
            #expect(try reader.comments(["countAll": "true"])["commentCount"] == 4)
        }
        for reader in [blue, empty, stranger, try site.reader().signedOn(SSO.simple(Person("simple")))] {
            #expect(try texts(reader) == Array(all.dropFirst(2)))
            #expect(try reader.comments(["countAll": "true"])["commentCount"] == 2)
            #expect(try reader.comments(["asTree": "true"])["comments"]?.array?.count == 2)
        }
        let first = try sockets.map { try $0.event("new-comment")["comment", "commentHTML"]?.string }
        #expect(first == ["For all", "For red", "For all", "For red", "For red"])
        let log = try stranger.client.request(
            "GET", "/event-log/\(site.tenant.id)", ["urlId": "page", "startTime": "0", "userIdWS": "x"])
        #expect(log["events"]?.array?.count == 2)
        try site.config([])
        #expect(Set(try texts(stranger)) == Set(all))
    }

    // MARK: Embeds

    @Test func playersOfKnownAndListedHostsMayBeEmbedded() throws {
        let frame = { (source: String) in
            "See <iframe width=\"100\" src=\"\(source)\" onload=\"x()\">inside</iframe> it"
        }
        let html = { (site: Site, source: String) in
            try site.takes { try site.reader(.author).post(frame(source)) }["comment", "commentHTML"]?.string ?? ""
        }
        let known = "https://www.youtube.com/embed/abc?x=1&y=2"
        let off = try Site(["allowedEmbedDomains": ["player.example.com"]])
        #expect(try html(off, known) == "See  it")
        let site = try Site(["allowEmbeds": true, "allowedEmbedDomains": ["Player.example.com"]])
        let shown = try html(site, known)
        #expect(shown.contains("<iframe src=\"https://www.youtube.com/embed/abc?x=1&amp;y=2\" width=\"100\""))
        #expect(shown.contains("sandbox=") && !shown.contains("onload") && !shown.contains("inside"))
        #expect(try html(site, "https://player.example.com/1").contains("<iframe"))
        #expect(try html(site, "//player.vimeo.com/video/1").contains("src=\"https://player.vimeo.com/video/1\""))
        for source in [
            "http://www.youtube.com/embed/abc", "https://evil.test/", "https://x.player.example.com/1",
            "https://player.example.com.evil.test/", "javascript:alert(1)", "data:text/html,x", "",
        ] {
            #expect(try !html(site, source).contains("<iframe"), "\(source)")
        }
        try site.takes { try site.reader(.author).post("<iframe src=\"\(known)\"></iframe>") }
        try site.refuses(422, "empty-comment") {
            try site.reader(.author).post("<iframe src=\"https://evil.test/\"></iframe>")
        }
        let plain = try site.reader(.author).posted("Hello")
        let edited = try site.takes { try site.reader(.author).edit(plain, frame(known)) }
        #expect(edited["comment", "commentHTML"]?.string?.contains("<iframe") == true)
    }
}
