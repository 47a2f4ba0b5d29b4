import JSON
import TestSupport
import Testing

/// Changes that concern more comments than one unit of the writer takes: a part comes with the answer, the rest after it.
@Suite struct LongWorkTests {
    private let site: Site
    private let author: Reader
    private let admin: Reader

    init() throws {
        site = try Site()
        author = try site.known(.author)
        admin = try site.known(.admin)
    }

    private func subjects(_ live: WebSocketClient, _ type: String, _ count: Int) throws -> [String] {
        try (0..<count).map { _ in
            try #require(live.event(type)["comment", "_id"]?.string)
        }
    }

    private func root(_ replies: Int) throws -> String {
        let root = try author.posted("Root")
        let reply = try author.posted("Reply", replyingTo: root)
        if replies > 1 { try site.copy(reply, times: replies - 1) }
        return root
    }

    private func listed() throws -> Int { try site.reader().comments(["limit": "500"])["comments"]?.array?.count ?? -1 }

    // MARK: Hiding

    @Test(arguments: [100, 101])
    func readersHearOfEachReplyOfAHiddenRootTheDeepestFirst(_ replies: Int) throws {
        let root = try root(replies)
        let reader = try site.known(.reader(1))
        let live = try reader.live(reader.comments())
        try site.takes {
            try admin.moderating(
                "POST", "set-comment-approval-status/\(root)", ["approved": "false", "broadcastId": "hide"])
        }
        #expect(try listed() == 0, "hidden with the answer")
        let gone = try subjects(live, "deleted-comment", replies)
        #expect(Set(gone).count == replies && !gone.contains(root))
        let last = try live.event("deleted-comment")
        #expect(last["comment", "_id"]?.string == root && last["broadcastId"] == "hide")
        try site.finish()
        try site.takes {
            try admin.moderating(
                "POST", "set-comment-approval-status/\(root)", ["approved": "true", "broadcastId": "show"])
        }
        let first = try live.event("new-comment")
        #expect(first["comment", "_id"]?.string == root && first["broadcastId"] == "show")
        #expect(try subjects(live, "new-comment", replies) == gone.reversed())
    }

    @Test func whatIsHiddenInBetweenStaysUnheard() throws {
        let root = try root(150)
        let hidden = try author.posted("Hidden", replyingTo: root)
        let below = try author.posted("Below", replyingTo: hidden)
        try site.hide(hidden)
        let reader = try site.known(.reader(1))
        let live = try reader.live(reader.comments())
        try site.takes { try admin.moderating("POST", "set-comment-spam-status/\(root)", ["spam": "true"]) }
        let gone = try subjects(live, "deleted-comment", 151)
        #expect(gone.last == root)
        #expect(!gone.contains(hidden) && !gone.contains(below))
    }

    @Test func hidingAndShowingAtOnceEndsShown() throws {
        let root = try root(250)
        let reader = try site.known(.reader(1))
        let live = try reader.live(reader.comments())
        for approved in ["false", "true", "false", "true"] {
            try site.takes {
                try admin.moderating("POST", "set-comment-approval-status/\(root)", ["approved": approved])
            }
        }
        try site.finish()
        _ = try reader.posted("The end")
        var there = true
        while case let event = try live.event("new-comment", "deleted-comment"),
            event["comment", "comment"] != "The end"
        {
            if event["comment", "_id"]?.string == root { there = event["type"] == "new-comment" }
        }
        #expect(there)
    }

    // MARK: Removing

    @Test(arguments: [100, 101, 260])
    func aRootGoesAndComesBackWithAllItsReplies(_ replies: Int) throws {
        let root = try root(replies)
        let kept = try author.posted("Kept")
        _ = try site.known(.reader(2)).vote(root)
        let reader = try site.known(.reader(1))
        let live = try reader.live(reader.comments())
        let removed = try site.takes {
            try admin.moderating("POST", "remove-comment/\(root)", ["broadcastId": "gone"])
        }
        #expect(removed["action"] == "hard-removed")
        #expect(try listed() == 1)
        #expect(try site.reader(.reader(1)).vote(root).status == 404)
        let gone = try subjects(live, "deleted-comment", replies)
        #expect(Set(gone).count == replies)
        let last = try live.event("deleted-comment")
        #expect(last["comment", "_id"]?.string == root && last["broadcastId"] == "gone")
        try site.finish()
        #expect(try site.comments() == 1)
        #expect(try site.kept() == 1)
        let back = try site.takes { try admin.moderating("POST", "restore-deleted-comment/\(root)") }
        #expect(back.isSuccess)
        #expect(try subjects(live, "new-comment", replies + 1).first == root)
        try site.finish()
        #expect(try site.comments() == Int64(replies) + 2)
        #expect(try site.kept() == Int64(replies) + 2)
        #expect(try site.comments("id = '\(root)' AND votes_up = 1") == 1)
        #expect(try site.number("SELECT COUNT(*) FROM trash WHERE tenant_id = ?1") == 0)
        #expect(try site.comments("id = '\(kept)'") == 1)
    }

    // MARK: People

    @Test func somebodyWhoIsDeletedLeavesNeitherTextsNorLogsNorTrash() throws {
        let id = site.wireID(.author)
        let first = try author.posted("Secret words")
        try site.copy(first, times: 60)
        let removed = try author.posted("Removed before")
        try site.takes { try admin.moderating("POST", "set-comment-text/\(first)", body: ["comment": "Other words"]) }
        try site.takes { try admin.moderating("POST", "remove-comment/\(removed)") }
        try site.takes { try admin.moderating("POST", "set-comment-approval-status/\(first)", ["approved": "false"]) }
        #expect(try site.number("SELECT COUNT(*) FROM comment_log WHERE tenant_id = ?1") > 0)
        let other = try site.known(.reader(1))
        let kept = try other.posted("Somebody else's", replyingTo: "\(first)-1")
        try site.does("DELETE", "sso-users/author", ["deleteComments": "true"])
        #expect(try admin.moderating("POST", "restore-deleted-comment/\(removed)").status == 404)
        try site.finish()
        #expect(try site.comments() == 0)
        #expect(try site.number("SELECT COUNT(*) FROM comment_log WHERE tenant_id = ?1") == 0)
        #expect(try site.table("SELECT id FROM trash WHERE tenant_id = ?1") == [[kept]])
        #expect(try site.count("trash_comment WHERE author_key = '\(id)'") == 0)
        for gone in [first, "\(first)-7"] {
            try site.refuses(404, "not-found") { try admin.moderating("POST", "restore-deleted-comment/\(gone)") }
        }
        try site.takes { try admin.moderating("POST", "restore-deleted-comment/\(kept)") }
        #expect(try listed() == 1)
    }

    @Test func placeholdersOfSomebodyDeletedHoldNothing() throws {
        let first = try author.posted("Secret words")
        try site.copy(first, times: 60)
        try site.takes { try admin.moderating("POST", "set-comment-text/\(first)", body: ["comment": "Other words"]) }
        try site.does("DELETE", "sso-users/author", ["deleteComments": "true", "commentDeleteMode": "1"])
        try site.finish()
        #expect(try site.comments("is_deleted = 1 AND is_deleted_user = 1 AND source = ''") == 61)
        #expect(try site.number("SELECT COUNT(*) FROM comment_log WHERE tenant_id = ?1") == 0)
        try site.refuses(404, "not-found") { try admin.moderating("POST", "restore-deleted-comment/\(first)") }
    }

    @Test(arguments: [200, 201])
    func commentsOfSomebodyRenamedAllGetTheName(_ count: Int) throws {
        let first = try author.posted("First")
        try site.copy(first, times: count - 1)
        try site.does("PATCH", "sso-users/author", ["updateComments": "true"], ["displayName": "Anew"])
        #expect(try site.reader().comments()["comments", 0, "commenterName"] == "Anew")
        try site.finish()
        #expect(try site.comments("commenter_name = 'Anew'") == Int64(count))
    }

    // MARK: Pages

    @Test(arguments: [200, 201])
    func commentsOfAPageAllGetItsNewAddress(_ count: Int) throws {
        let first = try author.posted("First")
        try site.copy(first, times: count - 1)
        let id = try #require(try site.does("GET", "pages/by-url-id", ["urlId": "page"])["page", "id"]?.string)
        let changed = try site.does("PATCH", "pages/\(id)", [:], ["url": "https://example.org/new"])
        #expect(changed["commentsUpdated"] == .integer(Int64(count)))
        #expect(changed["page", "commentCount"] == .integer(Int64(count)))
        try site.finish()
        #expect(try site.comments("url = 'https://example.org/new' AND domain = 'example.org'") == Int64(count))
    }

    @Test func theLastAddressOfAPageIsTheOneThatStays() throws {
        let first = try author.posted("First")
        try site.copy(first, times: 600)
        let id = try #require(try site.does("GET", "pages/by-url-id", ["urlId": "page"])["page", "id"]?.string)
        try site.does("PATCH", "pages/\(id)", [:], ["url": "https://example.org/one"])
        try site.does("PATCH", "pages/\(id)", [:], ["url": "https://example.org/two"])
        try site.finish()
        #expect(try site.comments("url = 'https://example.org/two'") == 601)
    }

    @Test func aNewTitleLeavesTheRowsOfCommentsAlone() throws {
        let first = try author.posted("First")
        let id = try #require(try site.does("GET", "pages/by-url-id", ["urlId": "page"])["page", "id"]?.string)
        let before = try site.table("SELECT * FROM comment WHERE tenant_id = ?1")
        let changed = try site.does("PATCH", "pages/\(id)", [:], ["title": "New"])
        #expect(changed["commentsUpdated"] == 1)
        #expect(try site.table("SELECT * FROM comment WHERE tenant_id = ?1") == before)
        #expect(try site.stored(first)["pageTitle"] == "New")
    }

    // MARK: Webhooks

    @Test(arguments: [198, 199, 500])
    func aRemovedWebhookIsGoneAtOnceAndWhatItWasToBeToldAfterwards(_ count: Int) throws {
        let site = try Site(on: .calling())
        let author = try site.known(.author)
        try site.collects()
        _ = try author.posted("First")
        let id = try #require(
            try site.table("SELECT id FROM webhook WHERE tenant_id = ?1 AND event = 0").first?.first)
        try site.execute(
            """
            INSERT INTO webhook_event (
                id, tenant_id, webhook_id, event, comment_id, domain, body, next_attempt_at, created_at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            SELECT e.id || '-' || i, e.tenant_id, e.webhook_id, 0, 'c' || i, e.domain, e.body, e.next_attempt_at,
                   e.created_at
            FROM n JOIN webhook_event AS e ON e.tenant_id = '\(site.tenant.id)';
            """)
        #expect(try site.does("GET", "pending-webhook-events/count")["count"] == .integer(Int64(count) + 1))
        try site.does("DELETE", "webhooks/\(id)")
        #expect(try site.does("GET", "pending-webhook-events/count")["count"] == 0)
        #expect(try site.pending().isEmpty)
        #expect(try site.does("GET", "webhooks")["webhooks"]?.array?.count == 2)
        #expect(try site.api("DELETE", "webhooks/\(id)", [:]).status == 404)
        _ = try author.posted("Second")
        #expect(try site.pending().isEmpty)
        try site.finish()
        #expect(try site.number("SELECT COUNT(*) FROM webhook_event WHERE tenant_id = ?1") == 0)
        #expect(try site.number("SELECT COUNT(*) FROM webhook WHERE tenant_id = ?1") == 2)
    }

    // MARK: Order

    @Test func oneThatFailsHoldsUpNobody() throws {
        try site.execute(
            """
            INSERT INTO long_task (tenant_id, kind, subject, place, detail)
            VALUES ('\(site.tenant.id)', 'ban-sweep', '', 9, '{"key": 5}')
            """)
        defer { try? site.execute("DELETE FROM long_task WHERE tenant_id = '\(site.tenant.id)'") }
        let root = try root(150)
        let reader = try site.known(.reader(1))
        let live = try reader.live(reader.comments())
        try site.takes {
            try admin.moderating("POST", "set-comment-approval-status/\(root)", ["approved": "false"])
        }
        #expect(try subjects(live, "deleted-comment", 151).last == root)
        _ = try reader.posted("Told", replyingTo: author.posted("Question"))
        try site.settle()
        #expect(try author.bell() == 1)
        #expect(try site.number("SELECT MAX(failures) FROM long_task WHERE tenant_id = ?1") > 0)
    }

    @Test func aBulkIsSavedInItsOrder() throws {
        let body = JSONValue.array((0..<120).map { Site.comment("Number \($0)", $0 == 70 ? ["urlId": ""] : [:]) })
        let answer = try site.api("POST", "comments/bulk", [:], body)
        let items = try #require(answer.json?.array)
        #expect(items.count == 120)
        #expect(items[70]["code"] == "missing-url-id")
        for (number, item) in items.enumerated() where number != 70 {
            #expect(item["comment", "comment"]?.string == "Number \(number)")
        }
        #expect(try site.comments() == 119)
    }
}
