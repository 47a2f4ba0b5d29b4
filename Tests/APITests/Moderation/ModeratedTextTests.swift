import JSON
import TestSupport
import Testing

/// What moderators read and change of a text, and the log of a comment (contract: admin 6.2).
@Suite struct ModeratedTextTests {
    private let site: Site
    private let admin: Reader
    private let author: Reader

    init() throws {
        site = try Site(["maxCommentCharacterLength": 20])
        admin = try site.reader(.admin)
        author = try site.reader(.author)
        // Who signs on for the first time is written down.
        _ = try admin.comments()
        try site.execute(
            """
            INSERT INTO moderator (id, tenant_id, name, user_id, created_at)
            VALUES ('\(site.tenant.id)-m', '\(site.tenant.id)', 'M', '\(site.tenant.id):admin', 1)
            """)
    }

    private func set(_ id: String, _ text: String, _ query: QueryItems = [:]) throws -> Answer {
        try admin.moderation("POST", "set-comment-text/\(id)", query, body: ["comment": .string(text)])
    }

    private func logs(_ id: String) throws -> [JSONValue] {
        try #require(try admin.moderation("GET", "logs/\(id)")["logs"]?.array)
    }

    @Test func aTextIsReplacedForEverybody() throws {
        let id = try author.posted("First")
        let live = try author.live(author.comments())
        #expect(try admin.moderation("GET", "get-comment-text/\(id)")["comment"] == "First")
        let answer = try site.takes { try set(id, "**Second** <b>", ["broadcastId": "b-1"]) }
        #expect(answer["newCommentTextHTML"]?.string?.contains("<b>Second</b>") == true, "\(answer.text)")
        let event = try live.nextJSON()
        #expect(event["type"] == "updated-comment")
        #expect(event["broadcastId"] == "b-1")
        #expect(event["comment", "commentHTML"] == answer["newCommentTextHTML"])
        #expect(try author.text(id)["commentText"] == "**Second** <b>")
        #expect(try admin.moderation("GET", "count", ["text-search": "second"])["count"] == 1)
        #expect(try admin.moderation("GET", "count", ["text-search": "first"])["count"] == 0)
        let entry = try #require(try logs(id).last)
        #expect(entry["actionName"] == "Text Changed")
        #expect(entry["username"] == "admin")
        #expect(
            entry["messageHTML"] == "The text was changed from <b>First</b> to <b>**Second** &lt;b&gt;</b>.")
        #expect(try site.number("SELECT edited_count FROM moderator WHERE tenant_id = ?1") == 1)
    }

    @Test func theSameTextChangesNothing() throws {
        let id = try author.posted("Same")
        let before = try site.rows()
        let answer = try site.takes { try set(id, "Same") }
        #expect(
            answer["newCommentTextHTML"] == (try admin.moderation("GET", "comment/\(id)"))["comment", "commentHTML"])
        #expect(try site.rows() == before)
        #expect(try site.number("SELECT edited_count FROM moderator WHERE tenant_id = ?1") == 0)
    }

    @Test func whatAuthorsMayNotWriteModeratorsMayNotEither() throws {
        let id = try author.posted("Text")
        try site.takes { try set(id, String(repeating: "x", count: 20)) }
        let long = try site.refuses(422, "comment-too-big") { try set(id, String(repeating: "x", count: 21)) }
        #expect(long["maxCharacterLength"] == 20)
        try site.refuses(422, "empty-comment") { try set(id, " \n ") }
        for body in [[:], ["comment": nil], ["comment": 1]] as [JSONValue] {
            try site.refuses(422, "invalid-input") {
                try admin.moderation("POST", "set-comment-text/\(id)", body: body)
            }
        }
        try site.refuses(400, "malformed-json") { try admin.moderation("POST", "set-comment-text/\(id)", body: []) }
        try site.refuses(400, "malformed-json") { try admin.moderation("POST", "set-comment-text/\(id)") }
        let token = String(repeating: "b", count: 129)
        try site.refuses(422, "invalid-input") { try set(id, "Other", ["broadcastId": token]) }
        try site.refuses(404, "not-found") { try set("000000000000000000000000", "Other") }
    }

    @Test func aLockedCommentKeepsItsText() throws {
        let id = try author.posted("Locked")
        try site.takes { try admin.mark(id, "lock") }
        try site.refuses(401, "locked") { try set(id, "Other") }
    }

    @Test func onlyModeratorsChangeTexts() throws {
        let id = try author.posted("Mine")
        let path = "set-comment-text/\(id)"
        let body: JSONValue = ["comment": "Theirs"]
        try site.refuses(401, "not-logged-in") { try site.reader().moderation("POST", path, body: body) }
        try site.refuses(403, "unauthorized") { try author.moderation("POST", path, body: body) }
        try site.refuses(403, "unauthorized") { try author.moderation("POST", path, body: [:]) }
        try site.refuses(403, "unauthorized") {
            try admin.signedOn(SSO.simple(.admin)).moderation("POST", path, body: body)
        }
        let other = try Site()
        try site.refuses(404, "not-found") { try other.reader(.admin).moderation("POST", path, body: body) }
        try site.takes { try site.reader(.moderator).moderation("POST", path, body: body) }
    }

    @Test func whatIsHiddenStaysHidden() throws {
        let id = try author.posted("Hidden")
        try site.takes {
            try admin.moderation("POST", "set-comment-spam-status/\(id)", ["spam": "true"])
        }
        try site.takes { try set(id, "Still hidden") }
        #expect(try author.comments()["comments"] == [])
        #expect(try admin.moderation("GET", "comment/\(id)")["comment", "isSpam"] == true)
    }

    @Test func theLogTellsWhatHappenedInOrder() throws {
        let id = try author.posted("Text")
        try site.takes { try author.flag(id) }
        try site.takes { try admin.moderation("POST", "set-comment-approval-status/\(id)", ["approved": "false"]) }
        try site.takes { try admin.moderation("POST", "set-comment-spam-status/\(id)", ["spam": "true"]) }
        try site.takes { try admin.moderation("POST", "un-flag-comment/\(id)") }
        let entries = try logs(id)
        #expect(
            entries.compactMap { $0["actionName"]?.string } == [
                "Flagged", "Approval Status Changed", "Review Status Changed", "Spam Status Changed", "Flag Removed",
            ])
        #expect(
            entries[1]["messageHTML"] == "The comment was <b>approved</b> and is now <b>not approved</b>.")
        let dates = entries.compactMap { $0["date"]?.string }
        #expect(dates == dates.sorted())
        try site.execute(
            """
            INSERT INTO comment_log (tenant_id, comment_id, happened_at, event, before, after)
            VALUES ('\(site.tenant.id)', '\(id)', 1, 'TrustFactorChanged', '1', '<2>')
            """)
        let last = try #require(try logs(id).last)
        #expect(last["actionName"] == "Trust Factor Changed")
        #expect(last["messageHTML"] == "Trust Factor Changed: <b>1</b> became <b>&lt;2&gt;</b>.")
        #expect(last["username"] == nil)
    }
}
