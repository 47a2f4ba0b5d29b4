import JSON
import TestSupport
import Testing

/// All votes on a comment are one notice (contract: public 13.5).
@Suite struct VoteNoticeTests {
    private static func names(_ reader: Reader) throws -> [JSONValue?] {
        let notice = try reader.notices()["notifications", 0]
        return [notice?["type"], notice?["count"], notice?["fromUserNames"]]
    }

    @Test func votesAreToldTogetherAndTheLatestComesFirst() throws {
        let site = try Site()
        let ann = try site.reader(Person("ann"))
        let (bob, cat) = (try site.reader(Person("bob")), try site.reader(Person("cat")))
        let root = try ann.posted("Root")
        let first = try site.takes { try bob.vote(root) }["voteId"]?.string ?? ""
        let id = try ann.notices()["notifications", 0, "_id"]
        #expect(try Self.names(ann) == [2, 1, ["bob"]])
        #expect(try ann.bell() == 1)
        let second = try site.takes { try cat.vote(root) }["voteId"]?.string ?? ""
        #expect(try Self.names(ann) == [2, 2, ["cat", "bob"]])
        #expect(try ann.bell() == 1)
        let notice = try #require(try ann.notices()["notifications", 0])
        // It begins with another time, so that a list that goes on after it goes on where it was.
        #expect(notice["_id"] != id && notice["_id"]?.string?.suffix(12) == id?.string?.suffix(12))
        #expect(notice["relatedObjectId"] == .string(root))
        #expect(notice["fromCommentId"] == nil)
        #expect(notice["fromUserName"] == "cat")
        #expect(notice["fromUserIds"] == [.string("\(site.tenant.id):cat"), .string("\(site.tenant.id):bob")])
        #expect(notice["relatedIds"] == [.string(second), .string(first)])
        // What was seen becomes new with the next vote.
        #expect(try ann.notice("/reset").isSuccess)
        #expect(try ann.bell() == 0)
        try site.takes { try site.reader(Person("dan")).vote(root) }
        #expect(try ann.bell() == 1)
        #expect(try ann.notices()["notifications", 0, "viewed"] == "")
        // Taking back lowers, and the last one takes the notice along.
        try site.takes { try cat.unvote(root, vote: second) }
        #expect(try Self.names(ann) == [2, 2, ["dan", "bob"]])
        try site.takes { try site.reader(Person("dan")).vote(root, up: false) }
        #expect(try Self.names(ann) == [2, 1, ["bob"]])
        try site.takes { try bob.unvote(root, vote: first) }
        #expect(try ann.told().isEmpty)
        #expect(try ann.bell() == 0)
    }

    @Test func aListGoesOnAfterANoticeThatMovedMeanwhile() throws {
        let site = try Site()
        let ann = try site.reader(Person("ann"))
        let (bob, cat) = (try site.reader(Person("bob")), try site.reader(Person("cat")))
        let roots = try (1...5).map { try ann.posted("\($0)") }
        for root in roots { try site.takes { try bob.vote(root) } }
        let page = { (after: String?) in
            try ann.notices(["pageSize": "2", "afterId": after])["notifications"]?.array ?? []
        }
        let first = try page(nil)
        let last = try #require(first.last?["_id"]?.string)
        #expect(first.map { $0["relatedObjectId"] } == [.string(roots[4]), .string(roots[3])])
        try site.takes { try cat.vote(roots[3]) }
        try site.takes { try cat.vote(roots[1]) }
        #expect(try page(last).map { $0["relatedObjectId"] } == [.string(roots[2]), .string(roots[0])])
        // Who still has the old list marks what it shows.
        #expect(try ann.bell() == 5)
        #expect(try ann.notice("/\(last)/mark/read")["modifiedCount"] == 1)
        #expect(try ann.bell() == 4)
        #expect(try bob.notice("/\(last)/mark/read")["matchedCount"] == 0)
        #expect(try ann.notices()["notifications", 1, "viewed"] == "true")
    }

    @Test func aVoteDownIsNotTold() throws {
        let site = try Site()
        let ann = try site.reader(Person("ann"))
        let root = try ann.posted("Root")
        let bob = try site.reader(Person("bob"))
        let vote = try site.takes { try bob.vote(root, up: false) }["voteId"]?.string ?? ""
        #expect(try ann.told().isEmpty)
        try site.takes { try bob.unvote(root, vote: vote) }
        try site.takes { try bob.vote(root, up: false) }
        try site.takes { try bob.vote(root) }
        #expect(try Self.names(ann) == [2, 1, ["bob"]])
    }

    @Test func privateProfilesAreCountedAndNotNamed() throws {
        let site = try Site(["allowAnonVotes": true])
        let ann = try site.reader(Person("ann"))
        let root = try ann.posted("Root")
        try site.takes { try site.reader(Person("bob")).vote(root) }
        try site.takes { try site.reader(Person("pia").with(["isProfileActivityPrivate": true])).vote(root) }
        #expect(try Self.names(ann) == [2, 2, ["bob"]])
        #expect(try ann.notices()["notifications", 0, "fromUserName"] == "bob")
        try site.takes { try site.reader().vote(root) }
        #expect(try Self.names(ann) == [2, 3, ["Anonymous", "bob"]])
        #expect(try ann.notices()["notifications", 0, "fromUserId"] == .null)
    }

    @Test func aVoteThatDoesNotCountYetIsNotTold() throws {
        let site = try Site()
        let ann = try site.reader(Person("ann"))
        let root = try ann.posted("Root")
        let guest = try site.reader()
        let vote = try guest.client.request(
            "POST", "/comments/\(site.tenant.id)/\(root)/vote", ["urlId": "page", "broadcastId": "b"],
            body: ["voteDir": "up", "commenterName": "Guest", "commenterEmail": "g@example.com", "url": nil])
        #expect(vote["status"] == "pending-verification")
        #expect(try ann.told().isEmpty)
    }
}
