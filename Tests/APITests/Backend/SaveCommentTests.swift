import JSON
import TestSupport
import Testing

/// Comments that a site's backend writes (contract: admin 4, 5.1).
@Suite struct SaveCommentTests {
    @Test func whatIsGivenIsKept() throws {
        let site = try Site()
        let answer = try site.does(
            "POST", "comments", [:],
            Site.comment(
                "Hello **you** #tagged",
                [
                    "approved": true, "verified": true, "reviewed": true, "date": 1_600_000_000_123, "votes": 3,
                    "commenterLink": "https://ann.example.com", "avatarSrc": "https://example.com/a.png",
                    "pageTitle": "A page", "domain": "Example.com", "localDateString": "2020-09-13T12:26:40",
                    "localDateHours": 12, "productId": 0, "rating": 4.5, "feedbackIds": ["a"],
                    "meta": ["wpUserId": "7", "other": 1], "moderationGroupIds": ["g"], "ip": "192.0.2.7",
                    "isPinned": true, "notificationSentForParent": true,
                ]))
        #expect(answer["user"] == .null)
        let comment = try #require(answer["comment"])
        #expect(comment["comment"] == "Hello **you** #tagged")
        #expect(comment["approved"] == true && comment["verified"] == true && comment["reviewed"] == true)
        #expect(comment["date"] == 1_600_000_000_123)
        #expect(comment["votes"] == 3 && comment["votesUp"] == 3 && comment["votesDown"] == 0)
        #expect(comment["commenterName"] == "Somebody" && comment["userId"] == .null)
        #expect(comment["commenterLink"] == "https://ann.example.com")
        #expect(comment["avatarSrc"] == "https://example.com/a.png")
        #expect(comment["pageTitle"] == "A page" && comment["domain"] == "example.com")
        #expect(comment["localDateHours"] == 12 && comment["fromProductId"] == 0)
        #expect(comment["meta", "other"] == 1 && comment["meta", "wpUserId"] == "7")
        #expect(comment["moderationGroupIds", 0] == "g" && comment["isPinned"] == true)
        #expect(comment["notificationSentForParent"] == true)
        #expect(comment["hashTags", 0, "tag"] == "#tagged")
        #expect(comment["ip"] == nil)
        let id = try #require(comment["id"]?.string)
        #expect(try site.stored(id) == comment)
        #expect(try site.reader().comments()["comments", 0, "_id"]?.string == id)
        #expect(try site.does("GET", "pages")["pages", 0, "title"] == "A page")
    }

    @Test func whatIsNotSaidIsHiddenAndNow() throws {
        let site = try Site()
        let before = SSO.now
        let comment = try site.does("POST", "comments", [:], Site.comment("Hello"))["comment"]
        #expect(comment?["approved"] == false && comment?["verified"] == false && comment?["reviewed"] == false)
        #expect(comment?["votes"] == 0 && comment?["isSpam"] == false && comment?["aiDeterminedSpam"] == false)
        #expect(try #require(comment?["date"]?.integer) >= before - 1000)
        #expect(try site.reader().comments()["comments"] == [])
        #expect(try site.does("GET", "comments", ["urlId": "page"])["comments"] == [])
    }

    @Test func theAuthorIsWhoeverIsNamed() throws {
        let site = try Site()
        try site.known(.author)
        let byID = try site.does(
            "POST", "comments", [:], Site.comment("By id", ["userId": "author", "commenterName": "Other"]))
        #expect(byID["comment", "userId"]?.string == site.wireID("author"))
        #expect(byID["comment", "commenterName"] == "author" && byID["comment", "verified"] == true)
        #expect(byID["user", "id"]?.string == site.wireID("author"))
        let byWireID = try site.does(
            "POST", "comments", [:], Site.comment("By wire id", ["userId": .string(site.wireID("author"))]))
        #expect(byWireID["comment", "userId"]?.string == site.wireID("author"))
        let byMail = try site.does(
            "POST", "comments", [:], Site.comment("By mail", ["commenterEmail": "author@example.com"]))
        #expect(byMail["comment", "userId"]?.string == site.wireID("author"))
        let new = try site.does("POST", "comments", [:], Site.comment("New", ["commenterEmail": "new@example.com"]))
        let again = try site.does("POST", "comments", [:], Site.comment("New", ["commenterEmail": "new@example.com"]))
        #expect(new["comment", "anonUserId"]?.string?.hasPrefix("anon:") == true)
        #expect(new["comment", "anonUserId"] == again["comment", "anonUserId"])
        #expect(new["user", "isAnonSession"] == true && new["user", "sessionId"] == .null)
        try site.known(.admin)
        let admin = try site.does("POST", "comments", [:], Site.comment("Admin", ["userId": "admin"]))
        #expect(admin["comment", "isByAdmin"] == true)
    }

    @Test func whatDoesNotFitLeavesNothing() throws {
        let site = try Site()
        try site.known(.author)
        let cases: [(Int, String, JSONValue)] = [
            (422, "missing-url-id", ["urlId": ""]), (422, "missing-url-id", ["urlId": "null"]),
            (422, "empty-comment", ["comment": ""]), (422, "empty-comment", ["comment": nil]),
            (422, "comment-too-big", ["comment": .string(String(repeating: "x", count: 2001))]),
            (422, "invalid-name", ["commenterName": ""]), (422, "invalid-name", ["commenterName": nil]),
            (422, "invalid-name", ["commenterName": "author"]),
            (422, "invalid-name-is-email", ["commenterName": "a@example.com"]),
            (422, "invalid-email", ["commenterEmail": "nobody"]), (422, "invalid-user", ["userId": "nobody"]),
            (422, "invalid-date", ["date": "today"]), (422, "invalid-date", ["date": -1]),
            (422, "invalid-date", ["date": 253_402_300_800_000]),
            (422, "mentions-readonly", ["mentions": "x"]), (422, "mentions-readonly", ["mentions": [["id": "x"]]]),
            (422, "hash-tags-readonly", ["hashTags": ["x"]]), (422, "hash-tags-readonly", ["hashTags": [["tag": "x"]]]),
            (422, "invalid-input", ["approved": "yes"]), (422, "invalid-input", ["votesUp": -1]),
            (422, "invalid-input", ["meta": ["wpUserId": 7]]), (422, "invalid-input", ["meta": "x"]),
            (404, "not-found", ["parentId": "unknown"]),
        ]
        for (status, code, members) in cases {
            try site.refuses(status, code, "POST", "comments", [:], Site.comment("Hello", members))
        }
        try site.refuses(422, "invalid-input", "POST", "comments", ["isLive": "maybe"], Site.comment("Hello"))
        #expect(try site.saved(String(repeating: "x", count: 2000)).count == 24)
        #expect(
            try site.saved("Latest", ["date": 253_402_300_799_999, "commenterName": "Other"]).count == 24)
    }

    @Test func aReplyNeedsAParentOfThePage() throws {
        let site = try Site()
        let root = try site.saved("Root")
        let reply = try site.saved("Reply", ["parentId": .string(root)])
        #expect(try site.stored(reply)["parentId"]?.string == root)
        try site.refuses(
            404, "not-found", "POST", "comments", [:],
            Site.comment("Elsewhere", ["parentId": .string(root), "urlId": "other"]))
        let foreign = try Site().saved("Foreign")
        try site.refuses(404, "not-found", "POST", "comments", [:], Site.comment("x", ["parentId": .string(foreign)]))
        try site.does("PATCH", "comments/\(root)", [:], ["isLocked": true])
        for parent in [root, reply] {
            try site.refuses(401, "locked", "POST", "comments", [:], Site.comment("x", ["parentId": .string(parent)]))
        }
    }

    @Test func readersHearOnlyWhenAsked() throws {
        let site = try Site()
        let reader = try site.reader(.reader(1))
        let live = try reader.live(reader.comments())
        _ = try site.saved("Quiet")
        let loud = try site.saved("Loud", query: ["isLive": "true"])
        #expect(try live.event("new-comment")["comment", "_id"]?.string == loud)
    }

    @Test func noticesAreMadeOnlyWhenAsked() throws {
        let site = try Site()
        let author = try site.known(.author)
        let root = try author.posted("Root")
        _ = try site.saved("Quiet", ["parentId": .string(root)])
        try site.settle()
        #expect(try author.bell() == 0)
        _ = try site.saved("Loud", ["parentId": .string(root)], query: ["populateNotifications": "true"])
        try site.settle()
        #expect(try author.bell() == 1)
    }

    @Test func spamIsToldByTheSitesRulesWhenAsked() throws {
        let site = try Site(["spamRules": [["actions": ["spam"], "commentContains": "buy"]]])
        let trusted = try site.does("POST", "comments", [:], Site.comment("buy", ["approved": true]))["comment"]
        #expect(trusted?["isSpam"] == false && trusted?["approved"] == true)
        let checked = try site.does(
            "POST", "comments", ["doSpamCheck": "true"], Site.comment("buy", ["approved": true]))["comment"]
        #expect(checked?["isSpam"] == true && checked?["aiDeterminedSpam"] == true && checked?["approved"] == false)
    }

    @Test func onePersonMayNotWriteTooFast() throws {
        let site = try Site(isExempt: false)
        for number in 1...5 { _ = try site.saved("Comment \(number)", ["ip": "192.0.2.1"]) }
        try site.refuses(429, "user-rate-limited", "POST", "comments", [:], Site.comment("6", ["ip": "192.0.2.1"]))
        _ = try site.saved("Another", ["ip": "192.0.2.2"])
    }

    @Test func aBulkAnswersInOrderAndKeepsWhatFits() throws {
        let site = try Site()
        #expect(try site.api("POST", "comments/bulk", [:], []).text == "[]")
        let root = try site.saved("Root")
        let answer = try site.api(
            "POST", "comments/bulk", [:],
            [
                Site.comment("One", ["approved": true]), Site.comment(""), "x",
                Site.comment("Two", ["approved": true, "parentId": .string(root)]),
                Site.comment("Three", ["parentId": "unknown"]),
                Site.comment("Four", ["approved": true, "commenterEmail": "four@example.com"]),
                Site.comment("Five", ["approved": true, "commenterEmail": "four@example.com"]),
            ])
        #expect(answer.status == 200)
        let items = try #require(answer.json?.array)
        let statuses = items.map { $0["status"]?.string }
        #expect(statuses == ["success", "failed", "failed", "success", "failed", "success", "success"])
        let codes = items.map { $0["code"]?.string }
        #expect(codes == [nil, "empty-comment", "invalid-input", nil, "not-found", nil, nil])
        #expect(items[5]["comment", "anonUserId"] == items[6]["comment", "anonUserId"])
        #expect(try site.count("comment WHERE tenant_id = '\(site.tenant.id)'") == 5)
        #expect(try site.count("guest WHERE tenant_id = '\(site.tenant.id)'") == 1)
    }

    @Test func aBulkWritesEachPageWithWhatIsSaidLastAndEveryTag() throws {
        let site = try Site()
        let comments = (0..<45).map { number -> JSONValue in
            let facts: JSONValue = [
                "approved": true, "urlId": .string("page-\(number % 2)"),
                "pageTitle": number < 40 ? "First" : .string("Title \(number)"),
            ]
            return Site.comment("Number \(number) #odd\(number % 2) #all #ALL", facts)
        }
        let versions = "SELECT version FROM page WHERE tenant_id = ?1 ORDER BY url_id"
        _ = try site.saved("Before", ["urlId": "page-0"])
        let before = try #require(Int64(try site.table(versions)[0][0]))
        #expect(try site.api("POST", "comments/bulk", [:], .array(comments)).json?.array?.count == 45)
        #expect(
            try site.table("SELECT url_id, title FROM page WHERE tenant_id = ?1 ORDER BY url_id")
                == [["page-0", "Title 44"], ["page-1", "Title 43"]])
        #expect(try #require(Int64(try site.table(versions)[0][0])) > before, "lists of it are not as they were")
        let ofSite = "tenant_id = '\(site.tenant.id)'"
        for (tag, expected) in [("odd0", 23), ("odd1", 22), ("all", 45)] as [(String, Int64)] {
            let tagged =
                "comment_hash_tag WHERE tag = '\(tag)' AND comment_seq IN (SELECT seq FROM comment WHERE \(ofSite))"
            #expect(try site.count(tagged) == expected)
            #expect(try site.count("hash_tag WHERE \(ofSite) AND tag_key = '\(tag)'") == 1)
        }
    }

    @Test func aBulkHasAThousandAtMost() throws {
        let site = try Site()
        let comments = (1...1001).map { Site.comment("Comment \($0)", ["approved": true]) }
        try site.refuses(422, "invalid-input", "POST", "comments/bulk", [:], .array(comments))
        let answer = try site.api("POST", "comments/bulk", [:], .array(Array(comments.prefix(1000))))
        #expect(answer.json?.array?.count == 1000)
        #expect(try site.does("GET", "pages")["pages", 0, "commentCount"] == 1000)
        try site.refuses(400, "malformed-json", "POST", "comments/bulk", [:], ["comment": "x"])
    }

    @Test func aClosedPageTakesWhatTheKeyWrites() throws {
        let site = try Site(pages: [["urlId": "page", "isClosed": true]])
        #expect(try site.saved("Hello").count == 24)
    }
}
