import JSON
import TestSupport
import Testing

extension ThreadScenarioTests {
    /// A comment's votes as everybody sees them, and the viewer's own mark.
    private func expectVotes(
        _ comment: String, up: Int64, down: Int64, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for reader in [ann, bob] {
            let found = try #require(try reader.comment(comment), sourceLocation: sourceLocation)
            #expect(found["votesUp"] == .integer(up), sourceLocation: sourceLocation)
            #expect(found["votesDown"] == .integer(down), sourceLocation: sourceLocation)
            #expect(found["votes"] == .integer(up - down), sourceLocation: sourceLocation)
        }
    }

    private func brief(_ event: JSONValue) -> String {
        "\(event.type) \(event["vote", "direction"]?.integer ?? 0) \(event["vote", "userId"]?.string ?? "-")"
    }

    @Test func votesGoUpAndDownAndAwayWithExactCountsAndEvents() throws {
        let live = try ann.listen()
        let id = try ann.posted("Vote on me")
        let other = try ann.posted("Not on me")
        _ = try live.settled()
        let bobID = scene.wireID(.bob)

        let vote = try bob.voted(id, broadcastID: "v1")
        try expectVotes(id, up: 1, down: 0)
        let up = try live.settled()
        #expect(up.map(brief) == ["new-vote 1 \(bobID)"])
        #expect(up.first?.broadcastID == "v1")
        #expect(up.first?["vote", "_id"]?.string == vote)
        #expect(up.first?["vote", "createdAt"]?.integer != nil)
        #expect(up.first?["vote", "urlId"]?.string == ann.page)
        #expect(try bob.comment(id)?["isVotedUp"] == true)
        #expect(try bob.comment(id)?["myVoteId"]?.string == vote)
        #expect(try ann.comment(id)?["isVotedUp"] ?? false == false)

        let again = try bob.vote(id)
        #expect(again.code == "already-voted")
        #expect(again.status == 422)
        try expectVotes(id, up: 1, down: 0)
        #expect(try live.settled().isEmpty)

        let flipped = try bob.voted(id, up: false, broadcastID: "v2")
        try expectVotes(id, up: 0, down: 1)
        let flip = try live.settled()
        #expect(flip.map(brief) == ["deleted-vote 1 \(bobID)", "new-vote -1 \(bobID)"])
        #expect(flip.last?.broadcastID == "v2")
        #expect(flip.last?["vote", "_id"]?.string == flipped)
        #expect(try bob.comment(id)?["isVotedDown"] == true)
        #expect(try bob.comment(id)?["isVotedUp"] ?? false == false)

        #expect(try ann.unvote(id, vote: flipped).status == 401)
        #expect(try bob.unvote(id, vote: flipped, query: ["broadcastId": "v3"]).isSuccess)
        try expectVotes(id, up: 0, down: 0)
        let gone = try live.settled()
        #expect(gone.map(brief) == ["deleted-vote -1 \(bobID)"])
        #expect(gone.first?.broadcastID == "v3")
        #expect(try bob.unvote(id, vote: flipped).status == 404)
        #expect(try bob.comment(id)?["myVoteId"] ?? .null == .null)
        #expect(try live.settled().isEmpty)

        // One's own comment too, and each voter for themselves.
        _ = try ann.voted(id)
        _ = try bob.voted(id)
        _ = try admin.voted(id, up: false)
        try expectVotes(id, up: 2, down: 1)
        #expect(try live.settled().count == 3)
        try expectVotes(other, up: 0, down: 0)
    }

    @Test func aStrangerMayNotVote() throws {
        let id = try ann.posted("Vote on me")
        let answer = try scene.reader(nil).vote(id)
        #expect(answer.status == 401)
        #expect(answer["translatedError"]?.string?.isEmpty == false)
        try expectVotes(id, up: 0, down: 0)
    }

    @Test func oneVoteOutranksAFewSecondsInTheMostRelevantOrder() throws {
        let older = try ann.posted("older")
        let newer = try ann.posted("newer")
        #expect(try bob.order("MR") == [newer, older])
        let vote = try bob.voted(older)
        #expect(try bob.order("MR") == [older, newer])
        #expect(try bob.order("NF") == [newer, older])
        #expect(try bob.order("OF") == [older, newer])
        #expect(try bob.unvote(older, vote: vote).isSuccess)
        #expect(try bob.order("MR") == [newer, older])
        _ = try bob.voted(newer, up: false)
        #expect(try bob.order("MR") == [older, newer])
    }

    @Test func votesOfManyAtOnceAllCount() throws {
        let id = try ann.posted("Vote on me")
        let live = try ann.listen()
        let scene = scene
        try Crowd.run(6) { thread in
            for number in 0..<5 {
                let voter = try scene.reader(.reader(thread * 5 + number))
                let vote = try voter.voted(id)
                if number == 0 { _ = try voter.voted(id, up: false) }
                if number == 1 { #expect(try voter.unvote(id, vote: vote).isSuccess) }
            }
        }
        try expectVotes(id, up: 18, down: 6)
        let sum = try live.settled().reduce(into: [Int64: Int64]()) { sum, event in
            let change: Int64 = event.type == "new-vote" ? 1 : -1
            sum[event["vote", "direction"]?.integer ?? 0, default: 0] += change
        }
        #expect(sum == [1: 18, -1: 6])
    }
}
