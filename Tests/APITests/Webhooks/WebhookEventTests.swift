import JSON
import TestSupport
import Testing

/// Which changes are told of, and what is said (contract: admin 8.2, 1.9).
@Suite struct WebhookEventTests {
    let site: Site
    let author: Reader
    let admin: Reader

    init() throws {
        site = try Site(on: .calling())
        author = try site.known(.author)
        admin = try site.known(.admin)
    }

    @Test func withoutAWebhookNothingIsWritten() throws {
        let id = try author.posted("Hello")
        try site.takes { try author.edit(id, "Changed") }
        try site.takes { try author.delete(id) }
        #expect(try site.number("SELECT COUNT(*) FROM webhook_event WHERE tenant_id = ?1") == 0)
    }

    @Test func onlyWhatTheWebhookIsForIsWritten() throws {
        try site.webhook("deleted", "https://example.com/hook")
        try site.execute("UPDATE webhook SET is_enabled = 0 WHERE tenant_id = '\(site.tenant.id)'")
        let id = try author.posted("Hello")
        try site.takes { try author.edit(id, "Changed") }
        #expect(try site.takeEvents() == [])
        try site.takes { try author.delete(id) }
        #expect(try site.takeEvents() == ["deleted Changed"])
    }

    @Test func readersCreateChangeAndDelete() throws {
        try site.collects()
        let id = try author.posted("Hello")
        #expect(try site.takeEvents() == ["created Hello"])
        try site.takes { try author.edit(id, "Changed") }
        #expect(try site.takeEvents() == ["updated Changed"])
        let vote = try site.takes { try admin.vote(id) }
        #expect(try site.pending()[0]["comment", "votesUp"] == 1)
        #expect(try site.takeEvents() == ["updated Changed"])
        let flipped = try site.takes { try admin.vote(id, up: false) }
        #expect(try site.pending()[0]["comment", "votes"] == -1)
        #expect(try site.takeEvents() == ["updated Changed"], "a flip is one change")
        let voteID = try #require((flipped["voteId"] ?? vote["voteId"])?.string)
        try site.takes { try admin.unvote(id, vote: voteID) }
        #expect(try site.takeEvents() == ["updated Changed"])
        for verb in ["pin", "unpin", "lock", "unlock"] {
            try site.takes { try admin.mark(id, verb) }
            #expect(try site.takeEvents() == ["updated Changed"], "\(verb)")
            try site.takes { try admin.mark(id, verb) }
            #expect(try site.takeEvents() == [], "\(verb) again")
        }
        try site.takes { try author.delete(id) }
        #expect(try site.takeEvents() == ["deleted Changed"])
    }

    @Test func refusedRequestsAreNotToldOf() throws {
        try site.collects()
        let id = try author.posted("Hello")
        _ = try site.takeEvents()
        let stranger = try site.known(.reader(1))
        try site.refuses(401, "unauthorized") { try stranger.edit(id, "Mine") }
        try site.refuses(401, "unauthorized") { try stranger.delete(id) }
        #expect(try site.takeEvents() == [])
    }

    @Test func moderatorsChangeRemoveAndRestore() throws {
        try site.collects()
        let id = try author.posted("Hello")
        _ = try author.posted("Reply", replyingTo: id)
        _ = try site.takeEvents()
        let changes: [(String, QueryItems)] = [
            ("set-comment-approval-status", ["approved": "false"]),
            ("set-comment-approval-status", ["approved": "true"]),
            ("set-comment-spam-status", ["spam": "true"]), ("set-comment-spam-status", ["spam": "false"]),
            ("set-comment-review-status", ["reviewed": "false"]),
        ]
        for (path, query) in changes {
            try site.takes { try admin.moderating("POST", "\(path)/\(id)", query) }
            #expect(try site.takeEvents() == ["updated Hello"], "\(path)")
            try site.takes { try admin.moderating("POST", "\(path)/\(id)", query) }
            #expect(try site.takeEvents() == [], "\(path) again")
        }
        try site.takes { try admin.moderating("POST", "remove-comment/\(id)") }
        #expect(try site.takeEvents() == ["deleted Reply", "deleted Hello"])
        try site.takes { try admin.moderating("POST", "restore-deleted-comment/\(id)") }
        #expect(try site.takeEvents() == ["created Hello", "created Reply"])
    }

    @Test func flagsAreNotToldOf() throws {
        try site.collects()
        let id = try author.posted("Hello")
        _ = try site.takeEvents()
        let reader = try site.known(.reader(1))
        try site.takes { try reader.flag(id) }
        try site.takes { try reader.flag(id, false) }
        #expect(try site.takeEvents() == [])
    }

    @Test func aPlaceholderIsADeletionWithTheTextThatWent() throws {
        let site = try Site(["commentThreadDeleteMode": 1], on: .calling())
        try site.collects()
        let author = try site.known(.author)
        let id = try author.posted("Hello")
        try site.takes { try author.post("Reply", replyingTo: id) }
        _ = try site.takeEvents()
        let answer = try site.takes { try author.delete(id) }
        #expect(answer["hardRemoved"] == false)
        #expect(try site.pending()[0]["comment", "userId"]?.string == site.wireID("author"))
        #expect(try site.takeEvents() == ["deleted Hello"])
        let admin = try site.known(.admin)
        try site.takes { try admin.moderating("POST", "restore-deleted-comment/\(id)") }
        #expect(try site.takeEvents() == ["created Hello"])
    }

    @Test func somebodyWhoIsForgottenHasTheirCommentsDeleted() throws {
        try site.collects()
        _ = try author.posted("Hello")
        _ = try author.posted("Hello again")
        _ = try site.takeEvents()
        try site.does("DELETE", "sso-users/author", ["deleteComments": "true", "commentDeleteMode": "1"])
        #expect(try site.takeEvents() == ["deleted Hello again", "deleted Hello"])
    }

    @Test func whatMovesToAnotherPageIsToldOfWithItsReplies() throws {
        try site.collects()
        let id = try author.posted("Hello")
        _ = try author.posted("Reply", replyingTo: id)
        _ = try site.takeEvents()
        try site.does("PATCH", "comments/\(id)", [:], ["urlId": "elsewhere"])
        #expect(try site.pending().allSatisfy { $0["comment", "urlId"] == "elsewhere" })
        #expect(Set(try site.takeEvents()) == ["updated Hello", "updated Reply"])
    }

    @Test func backendsCreateChangeAndDelete() throws {
        try site.collects()
        let id = try site.saved("Hello", ["externalId": "ours-1"])
        #expect(try site.takeEvents() == ["created Hello"])
        try site.does("PATCH", "comments/\(id)", [:], ["comment": "Changed", "approved": false, "isPinned": true])
        #expect(try site.takeEvents() == ["updated Changed"], "one change, one event")
        try site.does("POST", "votes", ["commentId": id, "direction": "up", "anonUserId": "x"])
        #expect(try site.takeEvents() == ["updated Changed"])
        try site.does("PATCH", "comments/\(id)", [:], ["isDeleted": true])
        #expect(try site.takeEvents() == ["deleted Changed"])
        try site.does("PATCH", "comments/\(id)", [:], ["isDeleted": false])
        #expect(try site.takeEvents() == ["created Changed"])
        try site.does("DELETE", "comments/\(id)")
        #expect(try site.takeEvents() == ["deleted Changed"])
        try site.does("DELETE", "comments/\(id)")
        #expect(try site.takeEvents() == [], "it is gone already")
    }

    @Test func everyCommentThatABanRemovesIsToldOf() throws {
        try site.collects()
        let ids = try (1...60).map { try author.posted("Spam \($0)") }
        #expect(try site.takeEvents().count == 60)
        try site.takes { try admin.ban(ids[0], ["banEmail": "true", "deleteAllUsersComments": "true"]) }
        try until { try site.number("SELECT COUNT(*) FROM long_task WHERE tenant_id = ?1") == 0 }
        let events = try site.table("SELECT event, comment_id FROM webhook_event WHERE tenant_id = ?1")
        #expect(events.allSatisfy { $0[0] == "1" } && Set(events.map { $0[1] }) == Set(ids) && events.count == 60)
    }

    @Test func whoeverIsCalledOtherwiseHasAllTheirCommentsToldOf() throws {
        try site.collects()
        for number in 1...60 { _ = try author.posted("Text \(number)") }
        _ = try site.takeEvents()
        try site.does("PATCH", "sso-users/author", ["updateComments": "true"], ["username": "another"])
        try until { try site.number("SELECT COUNT(*) FROM webhook_sweep WHERE tenant_id = ?1") == 0 }
        #expect(try site.number("SELECT COUNT(*) FROM webhook_event WHERE tenant_id = ?1 AND event = 2") == 60)
        #expect(try site.pending()[0]["comment", "commenterName"] == "another")
    }

    @Test func onlyCommentsOfTheDomainAreToldOf() throws {
        let receiver = try WebhookReceiver()
        try site.webhook("created", receiver.url("/ours"), ["domain": "Example.com"])
        try site.webhook("created", receiver.url("/others"), ["domain": "example.org"])
        _ = try author.posted("Hello")
        #expect(try receiver.told(1).map(\.request.target) == ["/ours"])
        try site.isTold()
        #expect(receiver.server.requests.count == 1)
    }

    @Test func otherTenantsAreNotToldOf() throws {
        let other = try Site(on: .calling())
        try other.collects()
        _ = try author.posted("Hello")
        #expect(try other.takeEvents() == [])
    }

    // MARK: Bodies

    private static let always: Set<String> = [
        "id", "urlId", "url", "userId", "commenterEmail", "commenterName", "comment", "commentHTML", "parentId", "date",
        "votes", "votesUp", "votesDown", "verified", "reviewed", "avatarSrc", "isSpam", "aiDeterminedSpam", "hasImages",
        "pageNumber", "pageNumberOF", "pageNumberNF", "approved", "locale", "domain", "moderationGroupIds",
    ]

    @Test func aBodyHasTheCommentAndNothingElse() throws {
        let receiver = try WebhookReceiver()
        try site.webhooks(at: receiver.url())
        let text = "Grüße, \"**you**\" & https://example.com/a/b \u{8}\u{1F600}"
        let id = try author.posted(text)
        let first = try #require(try receiver.told(1).first)
        #expect(Set(first.body.object?.members.map(\.name) ?? []) == Self.always)
        #expect(
            first.body["id"]?.string == id && first.body["urlId"] == "page" && first.body["domain"] == "example.com")
        #expect(first.body["userId"]?.string == site.wireID("author"))
        #expect(first.body["commenterEmail"] == "author@example.com" && first.body["commenterName"] == "author")
        #expect(first.body["parentId"] == .null && first.body["pageNumber"] == .null)
        #expect(first.body["approved"] == true && first.body["votes"] == 0)
        let sent = String(decoding: first.request.body, as: UTF8.self)
        #expect(sent.contains("https://example.com/a/b") && sent.contains("Grüße"), "nothing is escaped needlessly")
        #expect(!sent.contains("\": ") && !sent.contains(".0,"))
        #expect(sent.contains("\\b") || !sent.contains("\\u00"), "as other libraries write it")
        try site.does(
            "PATCH", "comments/\(id)", [:], ["externalId": "ours", "moderationGroupIds": ["a"], "verified": true])
        let second = try receiver.told(2)[1]
        #expect(second.body["externalId"] == "ours" && second.body["moderationGroupIds"] == ["a"])
        try site.takes { try author.delete(id) }
        let third = try receiver.told(3)[2]
        #expect(third.method == "DELETE" && third.body["externalId"] == "ours", "all of it, though it is gone")
    }

    @Test func mentionsStandThereAsTheBackendReadsThem() throws {
        try site.collects()
        try site.known(.reader(5))
        let mention: JSONValue = [
            "id": .string(site.wireID("reader-5")), "tag": "@reader-5", "rawTag": "@reader-5", "type": "sso",
        ]
        try site.takes { try author.post("Hello @reader-5", extras: ["mentions": [mention]]) }
        let mentioned = try site.pending()[0]["comment", "mentions", 0]
        #expect(mentioned?["id"]?.string == site.wireID("reader-5") && mentioned?["type"] == "sso")
    }
}
