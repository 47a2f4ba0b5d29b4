import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// Bans and badges as people at the page see them (contract: admin 6.6, 6.7, live 2.3).
@Suite struct BanScenarioTests {
    private let folder: Folder
    private let scene: Scene
    private let ann: Reader
    private let bob: Reader
    private let admin: Reader

    init() throws {
        folder = try Folder()
        scene = try Scene(in: folder)
        ann = try scene.reader(.ann)
        bob = try scene.reader(.bob)
        admin = try scene.reader(.admin)
    }

    private func execute(_ sql: String) throws {
        let connection = try Connection(path: folder.path + "/data/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(script: sql)
    }

    private func number(_ sql: String) throws -> Int64 {
        let connection = try Connection(path: folder.path + "/data/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare(sql)
        return try statement.step() ? statement.int64(0) : 0
    }

    @Test func everythingOfABannedPersonGoesLiveLockedOrNot() throws {
        let first = try ann.posted("First")
        let reply = try bob.posted("Reply", replyingTo: first)
        let own = try ann.posted("Own", replyingTo: reply)
        let second = try ann.posted("Second")
        let named = try ann.posted("Named")
        let other = try bob.posted("Other")
        for id in [first, named] { #expect(try admin.mark(id, "lock").isSuccess) }
        let live = try bob.listen()
        try admin.decide(
            "ban-user/from-comment/\(named)",
            ["banEmail": "true", "deleteAllUsersComments": "true", "updateId": "token-1"])
        let events = try live.settled()
        #expect(events.map(\.brief) == [named, second, own, reply, first].map { "deleted-comment \($0)" })
        #expect(!events.contains { $0.broadcastID == "token-1" })
        #expect(Set(events.compactMap(\.broadcastID)).count == events.count)
        #expect(try bob.list().map(\.id) == [other])
        #expect(try ann.post("Again").code == "banned")
        #expect(try live.settled().isEmpty)
        try admin.decide("restore-deleted-comment/\(second)")
        #expect(try live.settled().map(\.brief) == ["new-comment \(second)"])
    }

    @Test func whatAShadowBannedPersonDoesReachesNobody() throws {
        let first = try ann.posted("First")
        let other = try bob.posted("Other")
        try admin.decide("ban-user/from-comment/\(first)", ["banEmail": "true", "isShadowBan": "true"])
        let (annLive, bobLive, adminLive) = (try ann.listen(), try bob.listen(), try admin.listen())
        #expect(try ann.post("Hello").isSuccess)
        #expect(try ann.vote(other).isSuccess)
        for live in [annLive, bobLive, adminLive] { #expect(try live.settled().isEmpty) }
        _ = try bob.posted("Heard")
        #expect(try adminLive.settled().count == 1)
        #expect(try bob.comment(other)?["votesUp"] == 0)
    }

    @Test func aLongSweepEndsThoughTheServerIsKilledInBetween() throws {
        let first = try ann.posted("First")
        let kept = try bob.posted("Kept")
        try execute(
            """
            CREATE TEMP TABLE number AS
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n;
            INSERT INTO comment (
                id, tenant_id, page_id, user_id, author_key, commenter_name, source, html, url, created_at, score)
            SELECT 'ann-' || n.i, c.tenant_id, c.page_id, c.user_id, c.author_key, 'Ann', 'x', 'x', '', c.created_at, 0
            FROM number AS n JOIN comment AS c ON c.id = '\(first)';
            """)
        try admin.decide("ban-user/from-comment/\(first)", ["banEmail": "true", "deleteAllUsersComments": "true"])
        let left = try number("SELECT COUNT(*) FROM comment")
        #expect(left < 5002 && left > 1)
        #expect(try scene.server.kill() == .signal(9))
        #expect(try number("SELECT COUNT(*) FROM long_task") == 1)
        let server = try ParleyProcess(.data(folder.path + "/data"))
        let deadline = Deadline(.seconds(60))
        while try number("SELECT COUNT(*) FROM long_task") > 0 { try #require(deadline.milliseconds > 0) }
        let reader = try server.reader(.bob, of: scene.tenant, at: scene.page)
        #expect(try reader.list().map(\.id) == [kept])
        #expect(try number("SELECT COUNT(*) FROM comment") == 1)
        #expect(try number("SELECT COALESCE(SUM(count), 0) FROM comment_count") == 1)
        #expect(try server.terminate() == .status(0))
    }

    @Test func badgesAreMadeByCommandAndToldToEverybody() throws {
        let badge = { (words: [String]) in
            try Command(
                ParleyProcess.binary(),
                ["badge"] + words + ["--tenant", scene.tenant.id, "--data", folder.path + "/data"],
                in: folder)
        }
        let vague = try badge(["create", "Talker", "--type", "comment-count"])
        #expect(vague.status == 1 && vague.errors.contains("--threshold"))
        let made = try badge(["create", "Helper", "--description", "Helps others", "--background", "#0a7"])
        #expect(made.status == 0, "\(made)")
        let id = made.output.split(separator: " ").last.map(String.init)?.trimmingCharacters(in: .newlines) ?? ""
        let comment = try ann.posted("Hello")
        let live = try bob.listen()
        let query: QueryItems = ["badgeId": id, "commentId": comment, "broadcastId": "badge-1"]
        let call = { (path: String) in
            try admin.client.request(
                "PUT", "/auth/my-account/moderate-comments/\(path)",
                ["tenantId": admin.tenant, "sso": admin.sso] + query)
        }
        #expect(try call("award-badge").isSuccess)
        let given = try live.settled()
        #expect(given.map(\.type) == ["update-badges", "new-badge"])
        #expect(given.first?.broadcastID == "badge-1" && given.last?.broadcastID != "badge-1")
        #expect(given.first?["userId"]?.string == scene.wireID(.ann))
        #expect(
            given.first?["badges", 0, "id"]?.string == id && given.first?["badges", 0, "description"] == "Helps others")
        #expect(given.last?["badge", "userId"]?.string == scene.wireID(.ann))
        #expect(try call("award-badge").isSuccess)
        #expect(try live.settled().isEmpty)
        _ = try ann.posted("With a badge")
        #expect(try live.settled().first?["comment", "badges", 0, "id"]?.string == id)
        #expect(try call("remove-badge").isSuccess)
        let taken = try live.settled()
        #expect(taken.map(\.type) == ["update-badges", "removed-badge"])
        #expect(taken.first?["badges"] == [])
        #expect(try call("award-badge").isSuccess)
        #expect(try badge(["create", "Old", "--type", "veteran", "--threshold", "1000"]).status == 0)
        try execute("DELETE FROM badge WHERE name = 'Old'")
        let list = try badge(["list"])
        #expect(list.output == "\(id)  manual  1  Helper\n")
        #expect(try badge(["disable", id]).status == 0)
        #expect(try call("award-badge").code == "badge-not-found")
        #expect(try bob.comment(comment)?["badges", 0, "id"]?.string == id)
        #expect(try badge(["delete", id]).status == 0)
        #expect(try bob.comment(comment)?["badges"] == nil)
        #expect(try badge(["delete", id]).status == 1)
        for wrong in [
            ["create"], ["create", "X", "--type", "odd"],
            ["create", "X", "--type", "veteran", "--threshold", "1001"],
            ["create", "X", "--type", "veteran", "--threshold", "1000000000"], ["create", "X", "--text", "red;}"],
            ["enable", "x"],
        ] {
            #expect(try badge(wrong).status == 1, "\(wrong)")
        }
    }

    @Test func aModeratorsCorrectionIsToldOnce() throws {
        let id = try ann.posted("Hello")
        let live = try bob.listen()
        let answer = try admin.client.request(
            "POST", "/auth/my-account/moderate-comments/mod_api/adjust-comment-votes/\(id)",
            ["tenantId": admin.tenant, "sso": admin.sso, "broadcastId": "votes-1"], body: ["adjustVoteAmount": 3])
        #expect(answer["newCommentVotes"] == 3)
        let events = try live.settled()
        #expect(events.map(\.brief) == ["updated-comment \(id)"])
        #expect(events.first?.broadcastID == "votes-1" && events.first?["comment", "votes"] == 3)
        try admin.decide("vote/\(id)", ["direction": "up", "broadcastId": "votes-2"])
        let votes = try live.settled()
        #expect(votes.map(\.type) == ["new-vote"] && votes.first?.broadcastID == "votes-2")
    }
}
