import JSON
import TestSupport
import Testing

/// What moderators decide, as people at the page see it (contract: admin 6.3, 6.4, live 2.5).
@Suite struct ModerationScenarioTests {
    private let scene: Scene
    private let ann: Reader
    private let bob: Reader
    private let admin: Reader

    init() throws {
        scene = try Scene()
        ann = try scene.reader(.ann)
        bob = try scene.reader(.bob)
        admin = try scene.reader(.admin)
    }

    // MARK: Hiding and showing

    @Test func whatIsNotApprovedGoesForEverybodyButItsAuthor() throws {
        let id = try ann.posted("Look at this")
        let (annLive, bobLive, adminLive) = (try ann.listen(), try bob.listen(), try admin.listen())
        try admin.decide("set-comment-approval-status/\(id)", ["approved": "false", "broadcastId": "hide-1"])
        for live in [bobLive, adminLive] {
            let events = try live.settled()
            #expect(events.map(\.brief) == ["deleted-comment \(id)"])
            #expect(events.first?.broadcastID == "hide-1")
        }
        let own = try annLive.settled()
        #expect(own.map(\.brief) == ["updated-comment \(id)"])
        #expect(own.first?["comment", "approved"] == false)
        #expect(own.first?.broadcastID != "hide-1")
        #expect(try bob.comment(id) == nil)
        #expect(try ann.comment(id)?["approved"] == false)

        try admin.decide("set-comment-approval-status/\(id)", ["approved": "true", "broadcastId": "show-1"])
        for live in [bobLive, adminLive] { #expect(try live.settled().map(\.brief) == ["new-comment \(id)"]) }
        let shown = try annLive.settled()
        #expect(shown.map(\.brief) == ["updated-comment \(id)"])
        #expect(shown.first?["comment", "approved"] == true)
        #expect(try bob.comment(id) != nil)
    }

    @Test func spamGoesForItsAuthorTooAndComesBack() throws {
        let id = try ann.posted("Buy now")
        let (annLive, bobLive) = (try ann.listen(), try bob.listen())
        try admin.decide("set-comment-spam-status/\(id)", ["spam": "true"])
        for live in [annLive, bobLive] { #expect(try live.settled().map(\.brief) == ["deleted-comment \(id)"]) }
        try admin.decide("set-comment-approval-status/\(id)", ["approved": "true"])
        #expect(try bobLive.settled().isEmpty, "approving spam does not show it")
        #expect(try bob.comment(id) == nil)
        try admin.decide("set-comment-spam-status/\(id)", ["spam": "false", "permNotSpam": "true"])
        for live in [annLive, bobLive] { #expect(try live.settled().map(\.brief) == ["new-comment \(id)"]) }
        #expect(try bob.comment(id) != nil)
    }

    @Test func takingSpamBackShowsWhatWaitedToNobody() throws {
        let guest = try scene.reader(nil)
        let id = try ann.posted("Between us")
        try admin.decide("set-comment-approval-status/\(id)", ["approved": "false"])
        let others = [try guest.listen(), try bob.listen(), try admin.listen()]
        let annLive = try ann.listen()
        let logged = try guest.log(token: nil).count
        try admin.decide("set-comment-spam-status/\(id)", ["spam": "true"])
        #expect(try annLive.settled().map(\.brief) == ["deleted-comment \(id)"])
        let earlier: QueryItems = ["spam": "false", "permNotSpam": "false", "approved": "false", "reviewed": "false"]
        try admin.decide("set-comment-spam-status/\(id)", earlier)
        #expect(try annLive.settled().map(\.brief) == ["new-comment \(id)"])
        for live in others { #expect(try live.settled().map(\.brief) == []) }
        #expect(try guest.log(token: nil).count == logged)
        #expect(try bob.comment(id) == nil)
        #expect(try ann.comment(id)?["approved"] == false)
        let history = try admin.client.request(
            "GET", "/auth/my-account/moderate-comments/logs/\(id)", ["tenantId": admin.tenant, "sso": admin.sso])
        let approvals = history["logs"]?.array?.filter { $0["actionName"] == "Approval Status Changed" }
        #expect(approvals?.count == 1, "\(history.text)")
        #expect(try admin.moderate("set-comment-spam-status/\(id)?spam=false&approved=perhaps").status == 422)
    }

    @Test func repliesGoAndComeWithWhatIsAboveThem() throws {
        let root = try ann.posted("root")
        let reply = try bob.posted("reply", replyingTo: root)
        let deeper = try ann.posted("deeper", replyingTo: reply)
        let live = try scene.reader(.carol).listen()
        try admin.decide("set-comment-approval-status/\(root)", ["approved": "false", "broadcastId": "hide"])
        let gone = try live.settled()
        #expect(gone.map(\.subject) == [deeper, reply, root])
        #expect(gone.allSatisfy { $0.type == "deleted-comment" })
        #expect(gone.filter { $0.broadcastID == "hide" }.map(\.subject) == [root])
        #expect(try scene.reader(.carol).list().isEmpty)
        try admin.decide("set-comment-approval-status/\(root)", ["approved": "true"])
        #expect(try live.settled().map(\.brief) == [root, reply, deeper].map { "new-comment \($0)" })
    }

    @Test func askingTwiceSendsNothing() throws {
        let id = try ann.posted("Once")
        let live = try bob.listen()
        for path in [
            "set-comment-approval-status/\(id)?approved=false", "set-comment-spam-status/\(id)?spam=true",
            "set-comment-review-status/\(id)?reviewed=false", "un-flag-comment/\(id)",
        ] {
            try admin.decide(path)
            _ = try live.settled()
            try admin.decide(path)
            #expect(try live.settled().isEmpty, "\(path)")
        }
    }

    @Test func theMarkOfTheQueueIsNoConcernOfReaders() throws {
        let id = try ann.posted("Seen")
        let live = try bob.listen()
        try admin.decide("set-comment-review-status/\(id)", ["reviewed": "true"])
        #expect(try live.settled().isEmpty)
    }

    // MARK: Flags

    @Test func aModeratorsFlagCountsLikeOthersAndAllAreTakenBackAtOnce() throws {
        let id = try ann.posted("Hm")
        #expect(try bob.flag(id).isSuccess)
        try admin.decide("flag-comment/\(id)")
        try admin.decide("flag-comment/\(id)")
        let live = try bob.listen()
        #expect(try admin.edit(id, "Hm!").status == 200)
        #expect(try live.settled().first?["comment", "flagCount"] == 2)
        try admin.decide("un-flag-comment/\(id)")
        #expect(try bob.comment(id)?["isFlagged"] == true, "who flagged keeps the mark")
        #expect(try admin.edit(id, "Hm?").status == 200)
        #expect(try live.settled().last?["comment", "flagCount"] == 0)
    }

    // MARK: Removing and restoring

    @Test func aRemovedCommentComesBackWithItsRepliesAndVotes() throws {
        let root = try ann.posted("root #tagged")
        let reply = try bob.posted("reply", replyingTo: root)
        _ = try bob.voted(root)
        let live = try bob.listen()
        let removed = try admin.decide("remove-comment/\(root)", ["broadcastId": "gone"])
        #expect(removed["action"] == "hard-removed")
        let gone = try live.settled()
        #expect(gone.map(\.brief) == [reply, root].map { "deleted-comment \($0)" })
        #expect(gone.last?.broadcastID == "gone")
        #expect(try admin.decide("remove-comment/\(root)")["action"] == "already-deleted")
        #expect(try bob.list().isEmpty)

        try admin.decide("restore-deleted-comment/\(root)", ["broadcastId": "back"])
        let back = try live.settled()
        #expect(back.map(\.brief) == [root, reply].map { "new-comment \($0)" })
        #expect(back.first?.broadcastID == "back")
        #expect(try bob.list().map(\.id) == [root, reply])
        #expect(try bob.comment(root)?["votesUp"] == 1)
        #expect(try bob.comment(root)?["isVotedUp"] == true)
        #expect(try bob.comments(["hashTags": "#tagged"])["comments", 0, "_id"]?.string == root)
        #expect(try bob.comments(["searchText": "root"])["comments", 0, "_id"]?.string == root)
        try admin.decide("restore-deleted-comment/\(root)")
        #expect(try live.settled().isEmpty, "what is there stays as it is")
    }

    @Test func aReplyWhoseParentIsGoneComesBackAsARoot() throws {
        let root = try ann.posted("root")
        let reply = try bob.posted("reply", replyingTo: root)
        try admin.decide("remove-comment/\(reply)")
        try admin.decide("remove-comment/\(root)")
        try admin.decide("restore-deleted-comment/\(reply)")
        #expect(try bob.list().map(\.id) == [reply])
        #expect(try bob.comment(reply)?["parentId"] == .null)
    }

    @Test func aLockedCommentIsNotRemoved() throws {
        let id = try ann.posted("Locked")
        #expect(try admin.mark(id, "lock").isSuccess)
        let answer = try admin.moderate("remove-comment/\(id)")
        #expect(answer.status == 401)
        #expect(answer.code == "locked")
        #expect(try bob.comment(id) != nil)
    }

    // MARK: Rights

    @Test func onlyThoseWhoMayModerateDo() throws {
        let id = try ann.posted("Mine")
        let path = "set-comment-approval-status/\(id)?approved=false"
        let nobody = try scene.reader(nil).moderate(path)
        #expect(nobody.status == 401)
        #expect(nobody.code == "not-logged-in")
        let reader = try bob.moderate(path)
        #expect(reader.status == 403)
        #expect(reader.code == "unauthorized")
        let simple = try admin.signedOn(SSO.simple(.admin)).moderate(path)
        #expect(simple.status == 403)
        #expect(simple.code == "unauthorized")
        let other = try scene.server.makeTenant()
        let foreign = try scene.server.reader(.admin, of: other, at: scene.page).moderate(path)
        #expect(foreign.status == 404)
        #expect(foreign.code == "not-found")
        #expect(try bob.comment(id) != nil)
        let missing = try admin.moderate("set-comment-approval-status/\(id)")
        #expect(missing.status == 422)
        #expect(missing.code == "invalid-input")
        #expect(try admin.moderate("set-comment-spam-status/000000000000000000000000?spam=true").status == 404)
    }

    @Test func bothSpellingsOfThePathDoTheSame() throws {
        let id = try ann.posted("Twice")
        let answer = try admin.client.request(
            "POST", "/auth/my-account/moderate-comments/set-comment-approval-status/\(id)",
            ["tenantId": admin.tenant, "sso": admin.sso, "approved": "false"])
        #expect(answer.isSuccess, "\(answer.text)")
        #expect(answer["didResetFlaggedCount"] == false)
        #expect(try bob.comment(id) == nil)
    }
}

extension Reader {
    /// Calls an operation of moderation.
    func moderate(
        _ path: String, _ query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let parts = path.split(separator: "?")
        var items: QueryItems = ["tenantId": tenant, "sso": sso]
        for pair in parts.dropFirst().joined().split(separator: "&") {
            let words = pair.split(separator: "=").map(String.init)
            items = items + [words[0]: words[1]]
        }
        return try client.request(
            "POST", "/auth/my-account/moderate-comments/mod_api/\(parts[0])", items + query,
            sourceLocation: sourceLocation)
    }

    /// As ``moderate(_:_:sourceLocation:)``, and it must be taken.
    @discardableResult
    func decide(
        _ path: String, _ query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let answer = try moderate(path, query, sourceLocation: sourceLocation)
        #expect(answer.isSuccess, "\(answer.status): \(answer.text)", sourceLocation: sourceLocation)
        return answer
    }
}
