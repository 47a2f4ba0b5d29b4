import JSON
import TestSupport
import Testing

/// Votes (contract: public 9).
@Suite struct VoteTests {
    private static func site(_ settings: JSONValue = [:]) throws -> (site: Site, id: String) {
        let site = try Site(settings)
        return (site, try site.reader(.author).posted("Hello"))
    }

    private static func score(_ site: Site) throws -> [JSONValue?] {
        let page = try site.reader().comments()
        return [page["comments", 0, "votesUp"], page["comments", 0, "votesDown"], page["comments", 0, "votes"]]
    }

    private static func guestVote(_ reader: Reader, _ id: String, email: JSONValue, query: QueryItems = [:]) throws
        -> Answer
    {
        try reader.client.request(
            "POST", "/comments/\(reader.tenant)/\(id)/vote", ["urlId": reader.page, "broadcastId": "b"] + query,
            body: ["voteDir": "up", "commenterName": "Guest", "commenterEmail": email, "url": nil])
    }

    @Test(
        arguments: [
            [:], ["voteDir": nil], ["voteDir": 1], ["voteDir": "sideways"], ["voteDir": "UP"],
            ["voteDir": "up", "commenterEmail": 5],
        ] as [JSONValue])
    func aVoteNeedsADirection(_ body: JSONValue) throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.author)
        try site.refuses(400, "invalid-input") {
            try reader.client.request(
                "POST", "/comments/\(site.tenant.id)/\(id)/vote",
                ["urlId": "page", "broadcastId": "b", "sso": reader.sso], body: body)
        }
    }

    @Test func aVoteNeedsABodyAndAPage() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.author)
        let path = "/comments/\(site.tenant.id)/\(id)/vote"
        try site.refuses(400, "malformed-json") {
            try reader.client.request("POST", path, ["urlId": "page", "sso": reader.sso])
        }
        try site.refuses(422, "missing-url-id") {
            try reader.client.request("POST", path, ["sso": reader.sso], body: ["voteDir": "up"])
        }
    }

    @Test func votesCountUpFlipAndGo() throws {
        let (site, id) = try Self.site()
        let (one, two) = (try site.reader(.reader(1)), try site.reader(.author))
        let up = try site.takes { try one.vote(id) }
        #expect(up["isVerified"] == true && up["editKey"] == nil)
        try site.takes { try two.vote(id) }
        #expect(try Self.score(site) == [2, 0, 2])
        try site.refuses(422, "already-voted") { try one.vote(id) }
        let down = try site.takes { try one.vote(id, up: false) }
        #expect(try Self.score(site) == [1, 1, 0])
        try site.takes { try one.unvote(id, vote: down["voteId"]?.string ?? "") }
        #expect(try Self.score(site) == [1, 0, 1])
        try site.refuses(404, "not-found") { try one.unvote(id, vote: down["voteId"]?.string ?? "") }
        #expect(try Self.score(site) == [1, 0, 1])
    }

    @Test func votingMayBeSwitchedOff() throws {
        let (site, id) = try Self.site(["disableVoting": true])
        try site.refuses(403, "voting-disabled") { try site.reader(.author).vote(id) }
        let (hearts, heartID) = try Self.site(["voteStyle": 1])
        try hearts.refuses(403, "voting-disabled") { try hearts.reader(.author).vote(heartID, up: false) }
        try hearts.takes { try hearts.reader(.author).vote(heartID) }
    }

    @Test func aGuestsVoteWaitsForConfirmation() throws {
        let (site, id) = try Self.site()
        let guest = try site.reader()
        try site.refuses(401, "not-logged-in") { try Self.guestVote(guest, id, email: nil) }
        try site.refuses(401, "not-logged-in") { try Self.guestVote(guest, id, email: "") }
        try site.refuses(422, "invalid-email") { try Self.guestVote(guest, id, email: "nonsense") }
        let vote = try Self.guestVote(guest, id, email: "guest@example.com")
        #expect(vote.status == 200 && vote["status"] == "pending-verification")
        #expect(vote["isVerified"] == false && vote["editKey"] != nil && vote["user", "sessionId"] != nil)
        #expect(try Self.score(site) == [0, 0, 0])
        let session: QueryItems = ["sessionId": vote["user", "sessionId"]?.string]
        try site.refuses(422, "already-voted") {
            try Self.guestVote(guest, id, email: nil, query: session)
        }
        let gone = try site.takes {
            try guest.unvote(
                id, vote: vote["voteId"]?.string ?? "", query: ["editKey": vote["editKey"]?.string])
        }
        #expect(gone["wasPendingVote"] == true)
    }

    @Test(arguments: ["allowAnonVotes", "allowAnon"])
    func guestsVotesCountAtOnceWhereThatIsSet(_ setting: String) throws {
        let (site, id) = try Self.site([setting: true] as JSONValue)
        let guest = try site.reader()
        let vote = try site.takes { try guest.vote(id) }
        #expect(vote["isVerified"] == false && vote["editKey"] != nil)
        #expect(try Self.score(site) == [1, 0, 1])
        let session: QueryItems = ["sessionId": vote["user", "sessionId"]?.string]
        try site.refuses(422, "already-voted") { try guest.vote(id, query: session) }
        try site.takes { try guest.unvote(id, vote: vote["voteId"]?.string ?? "", query: session) }
        #expect(try Self.score(site) == [0, 0, 0])
    }

    @Test func onlyTheVoterTakesAVoteBack() throws {
        let (site, id) = try Self.site()
        let other = try site.reader(.author).posted("Other")
        let vote = try site.takes { try site.reader(.reader(1)).vote(id) }["voteId"]?.string ?? ""
        _ = try site.reader(.reader(2)).comments()
        try site.refuses(401, "unauthorized") { try site.reader(.reader(2)).unvote(id, vote: vote) }
        try site.refuses(401, "not-logged-in") { try site.reader().unvote(id, vote: vote) }
        try site.refuses(401, "unauthorized") { try site.reader().unvote(id, vote: vote, query: ["editKey": "wrong"]) }
        try site.refuses(404, "not-found") { try site.reader(.reader(1)).unvote(other, vote: vote) }
        try site.refuses(404, "not-found") { try site.reader(.reader(1)).unvote(id, vote: "unknown") }
        try site.takes { try site.reader(.reader(1)).unvote(id, vote: vote) }
    }

    @Test func theKeyOfTheSameGuestsCommentTakesAVoteBack() throws {
        let site = try Site(["allowAnonVotes": true])
        let guest = try site.reader()
        let comment = try site.takes { try guest.post("Hello", extras: guestExtras) }
        let id = comment["comment", "_id"]?.string ?? ""
        let vote = try site.takes { try guest.vote(id, query: ["sessionId": comment["user", "sessionId"]?.string]) }
        let stranger = try site.takes { try guest.vote(id) }
        let key: QueryItems = ["editKey": comment["comment", "editKey"]?.string]
        try site.refuses(401, "unauthorized") {
            try guest.unvote(id, vote: stranger["voteId"]?.string ?? "", query: key)
        }
        try site.takes { try guest.unvote(id, vote: vote["voteId"]?.string ?? "", query: key) }
    }

    @Test func namesOfVotersAreForStaffUnlessSet() throws {
        let (site, id) = try Self.site()
        try site.takes { try site.reader(.reader(1)).vote(id) }
        let names = { (reader: Reader, dir: String?) in
            try reader.client.request(
                "GET", "/comments/\(reader.tenant)/\(id)/votes", ["dir": dir, "sso": reader.sso])
        }
        _ = try site.reader(.admin).comments()
        try site.refuses(401, "not-logged-in") { try names(site.reader(), "1") }
        try site.refuses(401, "unauthorized") { try names(site.reader(.author), "1") }
        for dir in [nil, "2", "up", "0.5"] {
            try site.refuses(400, "invalid-input") { try names(site.reader(.admin), dir) }
        }
        #expect(try names(site.reader(.admin), "1")["voteUserNames"] == ["reader-1"])
        #expect(try names(site.reader(.admin), "0")["voteUserNames"] == [])
        #expect(try names(site.reader(.admin), "-1")["hasMore"] == false)
        let (open, openID) = try Self.site(["enableVoteList": true, "commenterNameFormat": 4])
        try open.takes { try open.reader(.reader(1)).vote(openID) }
        let answer = try open.client().request("GET", "/comments/\(open.tenant.id)/\(openID)/votes", ["dir": "1"])
        #expect(answer["voteUserNames"] == ["Anonymous"])
    }
}
