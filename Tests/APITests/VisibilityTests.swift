import JSON
import TestSupport
import Testing

/// Comments that somebody cannot see are not there for them (contract: public 4.4).
@Suite struct VisibilityTests {
    /// A page with a root, its reply, and a reply to that.
    private static func site(
        _ settings: JSONValue = [:]
    ) throws -> (site: Site, root: String, reply: String, below: String) {
        let site = try Site(settings)
        let author = try site.reader(.author)
        let root = try author.posted("Root")
        let reply = try author.posted("Reply", replyingTo: root)
        return (site, root, reply, try site.reader(.reader(9)).posted("Below", replyingTo: reply))
    }

    @Test(arguments: ["is_approved = 0", "is_spam = 1"])
    func aStrangerCannotTouchWhatIsHidden(_ state: String) throws {
        let (site, _, reply, below) = try Self.site(["enableVoteList": true])
        try site.execute("UPDATE comment SET \(state) WHERE id = '\(reply)'")
        let stranger = try site.reader(.reader(1))
        _ = try stranger.comments()
        // What stands under something hidden is hidden with it.
        for id in [reply, below] {
            try site.refuses(404, "not-found") { try stranger.vote(id) }
            try site.refuses(404, "not-found") { try stranger.flag(id) }
            try site.refuses(404, "not-found") { try stranger.block(id) }
            try site.refuses(404, "not-found") { try stranger.post("Hello", replyingTo: id) }
            try site.refuses(404, "not-found") {
                try stranger.client.request(
                    "GET", "/comments/\(site.tenant.id)/\(id)/votes", ["dir": "1", "sso": stranger.sso])
            }
        }
    }

    @Test func authorsAndModeratorsReachWhatIsPending() throws {
        let (site, _, reply, below) = try Self.site()
        try site.execute("UPDATE comment SET is_approved = 0 WHERE id = '\(reply)'")
        for person in [Person.author, .moderator] {
            let reader = try site.reader(person)
            try site.takes { try reader.vote(reply) }
            try site.takes { try reader.flag(reply) }
            try site.takes { try reader.vote(below) }
        }
        // Its own author does not see a reply to something of somebody else that is hidden.
        try site.refuses(404, "not-found") { try site.reader(.reader(9)).vote(below) }
        try site.execute("UPDATE comment SET is_spam = 1 WHERE id = '\(reply)'")
        try site.refuses(404, "not-found") { try site.reader(.author).vote(reply) }
        try site.refuses(404, "not-found") { try site.reader(.moderator).flag(reply) }
    }

    @Test func voteAndBlockCanBeTakenBackFromWhatWasHiddenSince() throws {
        let (site, _, reply, _) = try Self.site()
        let reader = try site.reader(.reader(1))
        let vote = try #require(try site.takes { try reader.vote(reply) }["voteId"]?.string)
        try site.takes { try reader.block(reply) }
        try site.execute("UPDATE comment SET is_approved = 0 WHERE id = '\(reply)'")
        try site.takes { try reader.unvote(reply, vote: vote) }
        try site.takes { try reader.block(reply, false) }
    }

    @Test func nobodyFlagsAPlaceholder() throws {
        let (site, root, _, _) = try Self.site(["commentThreadDeleteMode": 1])
        try site.takes { try site.reader(.author).delete(root) }
        _ = try site.reader(.reader(1)).comments()
        try site.refuses(404, "not-found") { try site.reader(.reader(1)).flag(root) }
    }

    @Test func hiddenRepliesDoNotCountAsReplies() throws {
        for mode in [1, 2, 3] as [Int64] {
            let site = try Site(["commentThreadDeleteMode": .integer(mode)])
            let author = try site.reader(.author)
            let root = try author.posted("Root")
            let reply = try site.reader(.reader(1)).posted("Pending", replyingTo: root)
            try site.execute("UPDATE comment SET is_approved = 0 WHERE id = '\(reply)'")
            let answer = try site.takes { try author.delete(root) }
            #expect(answer["hardRemoved"] == true)
            #expect(try author.comments()["comments"] == [])
        }
    }

    // MARK: What is kept of a comment

    @Test func answersToQuestionsAreEchoedAndBounded() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let ids = { (count: Int, length: Int) in
            JSONValue.array((0..<count).map { _ in .string(String(repeating: "x", count: length)) })
        }
        let extras: JSONValue = [
            "rating": 4.5, "feedbackIds": ["a", "50%"], "questionValues": ["mood": "good", "stars": 5],
        ]
        let socket = try author.live(author.comments())
        let answer = try site.takes { try author.post("Fine", extras: extras) }
        #expect(answer["comment", "rating"] == 4.5 && answer["comment", "feedbackIds"] == ["a", "50%"])
        let event = try socket.event("new-comment")
        #expect(event["comment", "feedbackIds"] == ["a", "50%"] && event["comment", "rating"] == 4.5)
        let kept = try #require(try site.rows().first { $0.hasPrefix("comment|") })
        #expect(kept.contains(#"{"mood":"good","stars":5}"#))
        try site.takes { try author.post("1", extras: ["feedbackIds": ids(100, 1000), "questionValues": [:]]) }
        let refused: [JSONValue] = [
            ["feedbackIds": ids(101, 1)], ["feedbackIds": ids(1, 1001)], ["questionValues": "x"],
            ["questionValues": [1]], ["questionValues": ["a": true]], ["questionValues": ["a": ["b": 1]]],
            ["questionValues": ["a": .string(String(repeating: "x", count: 1001))]],
        ]
        for extras in refused {
            try site.refuses(400, "invalid-input") { try author.post("No", extras: extras) }
        }
    }

    @Test func anAddressThatWouldRunIsLeftOut() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let socket = try author.live(author.comments())
        for bad in ["javascript:alert(1)", " \u{1}JaVa\tScript:alert(1)", "data:text/html,x", "vbscript:x"] {
            _ = try author.client.request(
                "POST", "/comments/\(site.tenant.id)",
                ["urlId": "page", "broadcastId": "b", "sso": author.sso],
                body: ["comment": .string(bad), "commenterName": "x", "url": .string(bad), "urlId": "page"])
            #expect(try socket.event("new-comment")["comment", "url"] == "")
        }
        #expect(try !site.rows().contains { $0.hasPrefix("page|") && $0.lowercased().contains("script") })
        _ = try author.posted("Fine")
        #expect(try socket.event("new-comment")["comment", "url"] == "https://example.com/page")
    }

    @Test(arguments: ["a\u{0}b", "a\u{1B}b", "a\nb", "\u{85}a\u{9F}b", "https://example.com/a\u{0}"])
    func controlCharactersNameNoPage(_ page: String) throws {
        let site = try Site()
        let reader = try site.reader(.author, at: page)
        try site.refuses(422, "missing-url-id") { try reader.comments() }
        _ = try site.reader(.author).comments()
        try site.refuses(422, "missing-url-id") { try reader.post("Hello") }
    }
}
