import JSON
import TestSupport
import Testing

/// Votes that a site's backend reads and casts (contract: admin 5.4).
@Suite struct BackendVoteTests {
    @Test func votesAreCastFlippedAndTakenBack() throws {
        let site = try Site()
        try site.known(.reader(1))
        let reader = try site.reader(.reader(2))
        let id = try site.saved("Hello")
        let live = try reader.live(reader.comments())
        let query: QueryItems = ["commentId": id, "direction": "up", "userId": "reader-1"]
        let up = try site.does("POST", "votes", query)
        #expect(up["isVerified"] == true)
        #expect(try live.event("new-vote")["vote", "direction"] == 1)
        #expect(try site.stored(id)["votesUp"] == 1)
        try site.refuses(422, "duplicate", "POST", "votes", query)
        let down = try site.does("POST", "votes", ["commentId": id, "direction": "down", "userId": "reader-1"])
        #expect(down["voteId"] == up["voteId"])
        #expect(try site.stored(id)["votes"] == -1)
        _ = try site.does("POST", "votes", ["commentId": id, "direction": "up", "anonUserId": "x"])
        let votes = try site.does("GET", "votes", ["urlId": "page"])
        let authorized = try #require(votes["appliedAuthorizedVotes"]?.array)
        #expect(authorized.map { $0["direction"]?.string } == ["-1", "1"])
        #expect(authorized.map { $0["userId"]?.string } == [site.wireID("reader-1"), "anon:x"])
        #expect(votes["appliedAnonymousVotes"] == [] && votes["pendingVotes"] == [])
        let own = try site.does("GET", "votes/for-user", ["urlId": "page", "anonUserId": "anon:x"])
        #expect(own["appliedAuthorizedVotes"]?.array?.count == 1)
        let vote = try #require(down["voteId"]?.string)
        try site.does("DELETE", "votes/\(vote)")
        #expect(try site.stored(id)["votes"] == 1)
        try site.refuses(404, "not-found", "DELETE", "votes/\(vote)")
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        try site.known(.reader(1))
        let id = try site.saved("Hello")
        let foreign = try Site()
        let other = try foreign.saved("Foreign")
        let cases: [(String, QueryItems)] = [
            ("missing-user-id", ["commentId": id, "direction": "up"]),
            ("missing-anon-user-id", ["commentId": id, "direction": "up", "anonUserId": ""]),
            ("invalid-user-id", ["commentId": id, "direction": "up", "userId": "nobody"]),
            ("invalid-direction", ["commentId": id, "direction": "1", "userId": "reader-1"]),
            ("invalid-direction", ["commentId": id, "userId": "reader-1"]),
            ("invalid-comment-id", ["direction": "up", "userId": "reader-1"]),
            ("invalid-comment-id", ["commentId": "unknown", "direction": "up", "userId": "reader-1"]),
            ("invalid-comment-id", ["commentId": other, "direction": "up", "userId": "reader-1"]),
        ]
        for (code, query) in cases { try site.refuses(422, code, "POST", "votes", query) }
        try site.refuses(422, "missing-url-id", "GET", "votes")
        try site.refuses(422, "missing-url-id", "GET", "votes/for-user", ["userId": "reader-1"])
        try site.refuses(422, "invalid-user-id", "GET", "votes/for-user", ["urlId": "page"])
        try site.refuses(422, "invalid-user-id", "GET", "votes/for-user", ["urlId": "page", "userId": "nobody"])
        try site.known(.reader(1))
        let vote = try site.does("POST", "votes", ["commentId": id, "direction": "up", "userId": "reader-1"])
        try foreign.refuses(404, "not-found", "DELETE", "votes/\(vote["voteId"]?.string ?? "")")
    }

    @Test func aPageWithoutVotesTakesNone() throws {
        let site = try Site(["disableVoting": true])
        let id = try site.saved("Hello")
        try site.refuses(
            403, "voting-disabled", "POST", "votes", ["commentId": id, "direction": "up", "anonUserId": "x"])
    }

    @Test func guestsVotesAreAnonymous() throws {
        let site = try Site(["allowAnonVotes": true])
        let id = try site.saved("Hello")
        let guest = try site.reader()
        try site.takes { try guest.vote(id) }
        let votes = try site.does("GET", "votes", ["urlId": "page"])
        #expect(votes["appliedAnonymousVotes"]?.array?.count == 1 && votes["appliedAuthorizedVotes"] == [])
    }
}
