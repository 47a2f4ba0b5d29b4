import JSON
import TestSupport
import Testing

/// Votes of moderators, and corrections of what was voted (contract: admin 6.5).
@Suite struct ModerationVoteTests {
    private let site: Site
    private let admin: Reader
    private let id: String

    init() throws {
        site = try Site()
        id = try site.reader(.author).posted("Hello")
        admin = try site.known(.admin)
    }

    private func vote(_ direction: String?, by reader: Reader? = nil) throws -> Answer {
        try (reader ?? admin).moderating("POST", "vote/\(id)", ["direction": direction])
    }

    private func adjust(_ amount: JSONValue) throws -> Answer {
        try admin.moderating("POST", "adjust-comment-votes/\(id)", body: ["adjustVoteAmount": amount])
    }

    private func score() throws -> [Int64?] {
        let page = try site.reader().comments()
        return ["votesUp", "votesDown", "votes"].map { page["comments", 0, $0]?.integer }
    }

    @Test func onlyModeratorsVoteHere() throws {
        try site.refusesStrangers("POST", "vote/\(id)", ["direction": "up"])
        try site.refusesStrangers("DELETE", "vote/\(id)/x")
        try site.refusesStrangers("POST", "adjust-comment-votes/\(id)", body: ["adjustVoteAmount": 1])
        let stranger = try Site().known(.admin)
        try site.refuses(404, "not-found") { try vote("up", by: stranger) }
        try site.refuses(404, "not-found") {
            try admin.moderating("POST", "vote/unknown", ["direction": "up"])
        }
        try site.refuses(404, "not-found") {
            try admin.moderating("POST", "adjust-comment-votes/unknown", body: ["adjustVoteAmount": 1])
        }
    }

    @Test func aVoteCountsFlipsAndIsTakenBack() throws {
        for direction in [nil, ""] { try site.refuses(422, "invalid-input") { try vote(direction) } }
        for direction in ["UP", "1"] { try site.refuses(422, "invalid-direction") { try vote(direction) } }
        let up = try site.takes { try vote("up") }
        #expect(up["isVerified"] == true && up["voteId"] != nil)
        try site.refuses(422, "duplicate") { try vote("up") }
        #expect(try admin.comments()["comments", 0, "isVotedUp"] == true)
        let down = try site.takes { try vote("down") }
        #expect(try score() == [0, 1, -1])
        let other = try site.takes { try site.reader(.reader(1)).vote(id) }["voteId"]?.string ?? ""
        try site.refuses(403, "unauthorized") { try admin.moderating("DELETE", "vote/\(id)/\(other)") }
        try site.refuses(404, "not-found") { try admin.moderating("DELETE", "vote/\(id)/unknown") }
        let gone = try site.takes {
            try admin.moderating("DELETE", "vote/\(id)/\(down["voteId"]?.string ?? "")")
        }
        #expect(gone["wasPendingVote"] == false)
        #expect(try score() == [1, 0, 1])
    }

    @Test func votingMayBeSwitchedOffForModeratorsToo() throws {
        let closed = try Site(["disableVoting": true])
        let id = try closed.reader(.author).posted("Hello")
        let boss = try closed.known(.admin)
        try closed.refuses(403, "voting-disabled") {
            try boss.moderating("POST", "vote/\(id)", ["direction": "up"])
        }
    }

    @Test func aCorrectionAddsToOneSide() throws {
        #expect(try site.takes { try adjust(5) }["newCommentVotes"] == 5)
        #expect(try site.takes { try adjust(-7) }["newCommentVotes"] == -2)
        #expect(try score() == [5, 7, -2])
        let before = try site.rows()
        #expect(try site.takes { try adjust(0) }["newCommentVotes"] == -2)
        #expect(try site.rows() == before)
        let log = "comment_log WHERE comment_id = '\(id)' AND event = 'VotesChanged'"
        #expect(try site.count(log + " AND before = '5' AND after = '-2' AND actor = 'admin'") == 1)
        for wrong in [nil, "5", 0.5, 1_000_001, -1_000_001, 1e300] as [JSONValue] {
            try site.refuses(422, "invalid-input") { try adjust(wrong) }
        }
        #expect(try site.takes { try adjust(1_000_000) }["newCommentVotes"] == 999_998)
        try site.refuses(422, "invalid-input") {
            try admin.moderating("POST", "adjust-comment-votes/\(id)", body: [:])
        }
        try site.refuses(400, "malformed-json") { try admin.moderating("POST", "adjust-comment-votes/\(id)") }
    }
}
