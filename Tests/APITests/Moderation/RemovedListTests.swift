import JSON
import TestSupport
import Testing

/// The page's list of what was removed and can be brought back.
@Suite struct RemovedListTests {
    private let site: Site
    private let author: Reader
    private let admin: Reader

    init() throws {
        site = try Site()
        author = try site.known(.author)
        admin = try site.known(.admin)
    }

    private func removed(_ query: QueryItems = [:], by reader: Reader? = nil) throws -> Answer {
        try site.takes { try (reader ?? admin).moderating("GET", "removed-comments", query) }
    }

    private func ids(_ answer: Answer) throws -> [String] {
        try #require(answer["comments"]?.array).compactMap { $0["_id"]?.string }
    }

    private func remove(_ id: String) throws {
        try site.takes { try admin.moderating("POST", "remove-comment/\(id)") }
    }

    private func restore(_ id: String) throws {
        try site.takes { try admin.moderating("POST", "restore-deleted-comment/\(id)") }
    }

    @Test func onlyModeratorsReadIt() throws {
        try site.refusesStrangers("GET", "removed-comments")
        let short = try admin.client.request(
            "GET", "/auth/my-account/moderate-comments/removed-comments",
            ["tenantId": site.tenant.id, "sso": admin.sso])
        #expect(short.isSuccess && short["nextAfter"] == .null)
    }

    @Test func whatWasRemovedIsListedUntilItIsBack() throws {
        let kept = try author.posted("Kept")
        let first = try author.posted("First *words*")
        let second = try author.posted("Second")
        #expect(try ids(removed()) == [])
        try remove(first)
        #expect(try author.delete(second).isSuccess, "what authors delete can be brought back, too")
        let list = try removed()
        #expect(try ids(list) == [second, first])
        let entry = try #require(list["comments", 1])
        #expect(entry["commenterName"] == "author" && entry["isDeleted"] == true && entry["approved"] == true)
        #expect(entry["commentHTML"]?.string?.contains("words") == true && entry["urlId"] == "page")
        #expect(entry["removedReplyCount"] == 0)
        let removedAt = try #require((entry["removedAt"]?.string).flatMap(ISODate.parse))
        let keptUntil = try #require((entry["keptUntil"]?.string).flatMap(ISODate.parse))
        let month: Int64 = 30 * 24 * 3_600_000
        #expect(keptUntil - removedAt == month)
        try restore(first)
        #expect(try ids(removed()) == [second])
        try restore(second)
        #expect(try ids(removed()) == [])
        #expect(
            try Set(author.comments()["comments"]?.array?.compactMap { $0["_id"]?.string } ?? [])
                == [kept, first, second])
    }

    @Test func repliesComeBackWithTheirCommentAndAreNotListedBesideIt() throws {
        let root = try author.posted("Root")
        let reply = try author.posted("Reply", replyingTo: root)
        _ = try author.posted("Below", replyingTo: reply)
        try remove(root)
        let list = try removed()
        #expect(try ids(list) == [root])
        #expect(list["comments", 0, "removedReplyCount"] == 2)
        try restore(root)
        #expect(try ids(removed()) == [])
        try remove(reply)
        try remove(root)
        #expect(try ids(removed()) == [root, reply], "each was removed by itself")
    }

    @Test func aPlaceholderIsListedWithItsText() throws {
        let anonymising = try Site(["commentThreadDeleteMode": 1])
        let author = try anonymising.known(.author)
        let admin = try anonymising.known(.admin)
        let id = try author.posted("Former words")
        _ = try author.posted("Reply", replyingTo: id)
        #expect(try admin.moderating("POST", "remove-comment/\(id)")["action"] == "anonymized")
        let list = try anonymising.takes { try admin.moderating("GET", "removed-comments") }
        #expect(list["comments", 0, "_id"]?.string == id)
        #expect(list["comments", 0, "commentHTML"]?.string?.contains("Former words") == true)
        try anonymising.takes { try admin.moderating("POST", "restore-deleted-comment/\(id)") }
        #expect(try admin.moderating("GET", "removed-comments")["comments"] == [])
    }

    @Test func partsFollowEachOtherWhateverIsRestoredMeanwhile() throws {
        let removedIDs = try (1...5).map { try author.posted("Number \($0)") }
        for id in removedIDs { try remove(id) }
        let first = try removed(["count": "2"])
        #expect(try ids(first) == [removedIDs[4], removedIDs[3]])
        let after = try #require(first["nextAfter"]?.string)
        try restore(removedIDs[3])
        let second = try removed(["count": "2", "after": after])
        #expect(try ids(second) == [removedIDs[2], removedIDs[1]])
        let last = try removed(["count": "2", "after": try #require(second["nextAfter"]?.string)])
        #expect(try ids(last) == [removedIDs[0]])
        #expect(last["nextAfter"] == .null)
    }

    @Test(
        arguments: [
            ["count": "0"], ["count": "201"], ["count": "x"], ["count": "-1"], ["after": "x"], ["after": "1"],
            ["after": "1.x"], ["after": "-1.2"], ["after": "."],
        ] as [QueryItems])
    func whatAPartNeedsIsChecked(_ query: QueryItems) throws {
        try site.refuses(422, "invalid-input") { try admin.moderating("GET", "removed-comments", query) }
    }

    @Test func aPartHasTwoHundredAtMost() throws {
        #expect(try removed(["count": "200"]).isSuccess)
    }

    @Test func whatCannotBeBroughtBackIsNotListed() throws {
        let old = try author.posted("Old")
        let lost = try author.posted("Lost")
        try remove(old)
        try remove(lost)
        let month: Int64 = 30 * 24 * 3_600_000
        try site.execute("UPDATE trash SET removed_at = \(SSO.now - month - 1000) WHERE id = '\(old)'")
        try site.execute("UPDATE trash SET url_id = NULL WHERE id = '\(lost)'")
        #expect(try ids(removed()) == [])
        let other = try Site()
        let stranger = try other.known(.admin)
        #expect(try stranger.moderating("GET", "removed-comments")["comments"] == [])
    }

    @Test func whoeverIsBoundToGroupsSeesTheirOwnOnly() throws {
        let (own, foreign) = (try author.posted("Own"), try author.posted("Foreign"))
        let reply = try author.posted("Own reply", replyingTo: foreign)
        try site.group([own, reply], #"["g1"]"#)
        try site.group([foreign], #"["g2"]"#)
        let moderator = try site.known(.moderator)
        try site.bind(.moderator, to: #"["g1"]"#)
        try remove(own)
        try remove(foreign)
        #expect(try ids(removed()) == [foreign, own])
        #expect(try ids(removed(by: moderator)) == [reply, own], "the reply went with what they may not see")
        try site.takes { try moderator.moderating("POST", "restore-deleted-comment/\(reply)") }
        #expect(try ids(removed(by: moderator)) == [own])
    }

    @Test func whetherAThreadIsClosedIsTold() throws {
        let state = { try site.takes { try admin.moderating("GET", "thread-state", ["urlId": "page"]) }["isClosed"] }
        #expect(try state() == false, "a page that is not there yet is open")
        _ = try author.posted("First")
        try site.takes { try admin.moderating("PUT", "close-thread", ["urlId": "page"]) }
        #expect(try state() == true)
        try site.takes { try admin.moderating("PUT", "reopen-thread", ["urlId": "page"]) }
        #expect(try state() == false)
        try site.refusesStrangers("GET", "thread-state", ["urlId": "page"])
        try site.refuses(422, "missing-url-id") { try admin.moderating("GET", "thread-state") }
    }
}
