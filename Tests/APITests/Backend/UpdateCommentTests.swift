import JSON
import TestSupport
import Testing

/// Comments that a site's backend changes (contract: admin 5.1, PATCH).
@Suite struct UpdateCommentTests {
    @Test func everyMemberIsChangedAndReadBack() throws {
        let site = try Site()
        let id = try site.saved("Hello")
        let change: JSONValue = [
            "urlIdRaw": "raw", "url": "https://other.example.com/x", "pageTitle": "New title",
            "commenterName": "Renamed", "commenterLink": "https://link.example.com", "comment": "New **text**",
            "date": 1_500_000_000_000, "localDateString": "then", "localDateHours": 3, "votesUp": 5, "votesDown": 2,
            "expireAt": "2030-01-02T03:04:05.678Z", "verified": true, "verifiedDate": "2020-01-02T03:04:05.678Z",
            "notificationSentForParent": true, "notificationSentForParentTenant": false, "reviewed": true,
            "externalId": "e1", "externalParentId": "e0", "avatarSrc": "https://example.com/b.png", "isSpam": false,
            "isByAdmin": true, "isByModerator": true, "isPinned": true, "flagCount": 2, "displayLabel": "VIP",
            "meta": ["k": "v"], "moderationGroupIds": ["m"], "feedbackIds": ["f"], "isDeletedUser": false,
        ]
        try site.does("PATCH", "comments/\(id)", [:], change)
        let comment = try site.stored(id)
        for (name, value) in change.object?.members ?? [] { #expect(comment[.key(name)] == value, "\(name)") }
        #expect(comment["votes"] == 3)
        #expect(comment["commentHTML"]?.string?.contains("<b>text</b>") == true)
        #expect(comment["domain"] == "other.example.com")
        try site.does("PATCH", "comments/\(id)", [:], ["isLocked": true])
        #expect(try site.stored(id)["isLocked"] == true)
    }

    @Test func nullClearsWhatMayBeWithoutAValue() throws {
        let site = try Site()
        let id = try site.saved(
            "Hello", ["meta": ["a": 1], "commenterLink": "https://l.example.com", "localDateHours": 3, "votes": 4])
        let nullable = [
            "pageTitle", "userId", "commenterEmail", "commenterLink", "parentId", "date", "localDateString",
            "localDateHours", "votes", "expireAt", "verifiedDate", "externalParentId", "avatarSrc", "isPinned",
            "flagCount", "displayLabel", "meta", "isLocked",
        ]
        for name in nullable { try site.does("PATCH", "comments/\(id)", [:], .object(Self.object(name, .null))) }
        let comment = try site.stored(id)
        for name in ["commenterLink", "localDateHours", "meta", "expireAt"] { #expect(comment[.key(name)] == .null) }
        #expect(comment["votes"] == 0 && comment["isLocked"] == false)
        for name in [
            "urlId", "url", "commenterName", "comment", "commentHTML", "verified", "reviewed", "externalId", "isSpam",
            "approved", "isDeleted", "isByAdmin", "moderationGroupIds", "feedbackIds",
        ] {
            try site.refuses(
                422, "invalid-input", "PATCH", "comments/\(id)", [:], .object(Self.object(name, .null)))
        }
    }

    private static func object(_ name: String, _ value: JSONValue) -> JSONObject {
        var object = JSONObject()
        object.append(name, value)
        return object
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let id = try site.saved("Hello")
        let child = try site.saved("Child", ["parentId": .string(id)])
        let elsewhere = try site.saved("Elsewhere", ["urlId": "other"])
        let cases: [(String, JSONValue)] = [
            ("invalid-input", [:]), ("invalid-input", ["approved": "yes"]), ("invalid-input", ["date": "x"]),
            ("invalid-input", ["votesUp": -1]), ("invalid-input", ["expireAt": 5]), ("invalid-input", ["meta": []]),
            ("invalid-input", ["parentId": .string(child)]), ("invalid-input", ["parentId": .string(id)]),
            ("invalid-input", ["parentId": .string(elsewhere)]), ("invalid-input", ["parentId": "unknown"]),
            ("invalid-user", ["userId": "nobody"]), ("invalid-user", ["commenterEmail": "nobody@example.com"]),
            ("invalid-email", ["commenterEmail": "x"]), ("invalid-name", ["commenterName": ""]),
            ("empty-comment", ["comment": ""]), ("missing-url-id", ["urlId": "null"]),
            ("comment-too-big", ["comment": .string(String(repeating: "x", count: 2001))]),
        ]
        for (code, body) in cases { try site.refuses(422, code, "PATCH", "comments/\(id)", [:], body) }
        try site.refuses(404, "not-found", "PATCH", "comments/unknown", [:], ["approved": true])
        let foreign = try Site().saved("Foreign")
        try site.refuses(404, "not-found", "PATCH", "comments/\(foreign)", [:], ["approved": true])
        try site.refuses(422, "invalid-input", "PATCH", "comments/\(id)", [:])
    }

    @Test func aLockedCommentCanOnlyBeUnlocked() throws {
        let site = try Site()
        let id = try site.saved("Hello")
        try site.does("PATCH", "comments/\(id)", [:], ["isLocked": true])
        try site.refuses(401, "locked", "PATCH", "comments/\(id)", [:], ["approved": false])
        try site.refuses(401, "locked", "PATCH", "comments/\(id)", [:], ["isLocked": false, "approved": false])
        try site.does("PATCH", "comments/\(id)", [:], ["isLocked": false])
        try site.does("PATCH", "comments/\(id)", [:], ["approved": false])
    }

    @Test func somebodyElseMayNotChangeIt() throws {
        let site = try Site()
        for person in [Person.author, .reader(1), .moderator] { try site.known(person) }
        let id = try site.saved("Hello", ["userId": "author"])
        let body: JSONValue = ["comment": "Changed"]
        try site.does("PATCH", "comments/\(id)", ["contextUserId": "author"], body)
        try site.does("PATCH", "comments/\(id)", ["contextUserId": "moderator"], body)
        try site.refuses(403, "unauthorized", "PATCH", "comments/\(id)", ["contextUserId": "reader-1"], body)
        try site.refuses(422, "invalid-user", "PATCH", "comments/\(id)", ["contextUserId": "nobody"], body)
    }

    @Test func aNewAuthorTakesItOver() throws {
        let site = try Site()
        try site.known(.author)
        let id = try site.saved("Hello")
        try site.does("PATCH", "comments/\(id)", [:], ["commenterEmail": "author@example.com"])
        #expect(try site.stored(id)["userId"]?.string == site.wireID("author"))
        #expect(try site.stored(id)["commenterName"] == "author")
        try site.does("PATCH", "comments/\(id)", [:], ["userId": nil])
        #expect(try site.stored(id)["userId"] == .null)
    }

    @Test func aCommentMovesWithItsReplies() throws {
        let site = try Site()
        let reader = try site.reader(.reader(1))
        let other = reader.on("other")
        let (live, otherLive) = (try reader.live(reader.comments()), try other.live(other.comments()))
        let root = try site.saved("Root words")
        let reply = try site.saved("Reply", ["parentId": .string(root)])
        try site.does("PATCH", "comments/\(root)", ["isLive": "true"], ["urlId": "other"])
        #expect(try live.event("deleted-comment")["comment", "_id"]?.string == reply)
        #expect(try live.event("deleted-comment")["comment", "_id"]?.string == root)
        #expect(try otherLive.event("new-comment")["comment", "_id"]?.string == root)
        #expect(try otherLive.event("new-comment")["comment", "_id"]?.string == reply)
        #expect(try reader.comments()["comments"] == [])
        #expect(try other.comments()["comments"]?.array?.count == 2)
        #expect(try other.comments(["searchText": "words"])["comments", 0, "_id"]?.string == root)
        #expect(try site.stored(root)["urlId"] == "other")
        try site.does("PATCH", "comments/\(reply)", [:], ["urlId": "page"])
        #expect(try site.stored(reply)["parentId"] == .null)
    }

    @Test func aCommentMovesWithThousandRepliesButNotWithMore() throws {
        let site = try Site()
        let root = try site.saved("Root")
        try site.copy(root, times: 1000, under: root)
        _ = try site.saved("One more", ["parentId": .string(root)])
        try site.refuses(422, "invalid-input", "PATCH", "comments/\(root)", [:], ["urlId": "other"])
        try site.execute("DELETE FROM comment WHERE id = '\(root)-1000'")
        try site.does("PATCH", "comments/\(root)", [:], ["urlId": "other"])
        let moved = """
            SELECT COUNT(*) FROM comment AS c JOIN page AS p ON p.id = c.page_id
            WHERE c.tenant_id = ?1 AND p.url_id = 'other'
            """
        #expect(try site.number(moved) == 1001)
    }

    @Test func readersLoseAndGetWhatIsHiddenAndShown() throws {
        let site = try Site()
        let id = try site.saved("Hello")
        let reader = try site.reader(.reader(1))
        let live = try reader.live(reader.comments())
        try site.does("PATCH", "comments/\(id)", [:], ["reviewed": true])
        try site.does("PATCH", "comments/\(id)", ["isLive": "true"], ["approved": false])
        #expect(try live.event("deleted-comment")["comment", "_id"]?.string == id)
        try site.does("PATCH", "comments/\(id)", ["isLive": "true"], ["approved": true, "comment": "Better"])
        #expect(try live.event("new-comment")["comment", "comment"] == "Better")
        try site.does("PATCH", "comments/\(id)", ["isLive": "true"], ["comment": "Best"])
        #expect(try live.event("updated-comment")["comment", "comment"] == "Best")
    }

    @Test func anApprovalEndsWhatFlagsDid() throws {
        let site = try Site()
        let id = try site.saved("Hello")
        try site.execute(
            "UPDATE comment SET is_approved = 0, is_hidden_by_flags = 1, flag_count = 3 WHERE id = '\(id)'")
        try site.does("PATCH", "comments/\(id)", [:], ["approved": true])
        #expect(try site.stored(id)["flagCount"] == 0)
        try site.does("PATCH", "comments/\(id)", [:], ["isSpam": true, "approved": false])
        try site.does("PATCH", "comments/\(id)", [:], ["isSpam": false])
        #expect(try site.stored(id)["approved"] == false)
    }

    @Test func givenHTMLIsShownWithoutWhatIsNotSafe() throws {
        let site = try Site()
        let id = try site.saved("Hello")
        try site.does(
            "PATCH", "comments/\(id)", [:],
            ["comment": "Text", "commentHTML": "<b>Bold</b><script>alert(1)</script><img src=x onerror=alert(1)>"])
        let html = try #require(try site.stored(id)["commentHTML"]?.string)
        #expect(html.contains("<b>Bold</b>"))
        #expect(!html.contains("<script") && !html.contains("onerror=alert(1)>"))
        #expect(try site.stored(id)["comment"] == "Text")
    }

    @Test func aPlaceholderComesAndGoes() throws {
        let site = try Site()
        try site.known(.author)
        let id = try site.saved("Hello", ["userId": "author"])
        try site.does("PATCH", "comments/\(id)", [:], ["isDeleted": true])
        #expect(try site.stored(id)["comment"] == "" && site.stored(id)["isDeleted"] == true)
        try site.does("PATCH", "comments/\(id)", [:], ["isDeleted": false])
        #expect(try site.stored(id)["comment"] == "Hello" && site.stored(id)["isDeleted"] == false)
    }
}
