import JSON
import TestSupport
import Testing

/// A page's rules hold wherever something of the page shows (contract: public 21).
@Suite struct PageRuleTests {
    @Test func namesAreShownAsThePageOfAListShowsThem() throws {
        let site = try Site()
        let ann = try site.known(Person("ann", username: "Ann Lee"), at: "masked")
        let bob = try site.known(Person("bob", username: "Bob Ray"), at: "masked")
        let root = try ann.posted("Hello")
        _ = try bob.posted("Hello back", replyingTo: root)
        try site.takes { try bob.vote(root) }
        try site.settle()
        try site.config([["page": "masked", "settings": ["commenterNameFormat": 2]]])
        let guest = try site.reader(at: "masked")
        #expect(try guest.people("offline")["users"]?.array?.names == ["Ann L.", "Bob R."])
        let socket = try bob.arrive()
        #expect(try guest.people("online")["users"]?.array?.names == ["Bob R."])
        try socket.close()
        let notices = try #require(try ann.notices()["notifications"]?.array)
        #expect(notices.count == 2 && notices.allSatisfy { $0["fromUserName"] == "Bob R." })
        let vote = try #require(notices.first { $0["type"] == 2 })
        #expect(vote["fromUserNames"] == ["Bob R."])
        let found = try ann.client.request(
            "GET", "/user-search/\(site.tenant.id)",
            ["urlId": "masked", "usernameStartsWith": "Bob", "sso": ann.sso])
        #expect(found["users", 0, "name"] == "Bob R.")
        #expect(try site.reader(at: "open").people("online")["users"] == [])
    }

    @Test(arguments: [(true, false), (false, true)])
    func presenceIsNotAskedForWhereThePageHasNoLiveRoom(tenant: Bool, page: Bool) throws {
        let site = try Site()
        try site.config([
            ["settings": ["disableLiveCommenting": .bool(tenant)]],
            ["page": "page", "settings": ["disableLiveCommenting": .bool(page)]],
        ])
        let answer = try site.reader().comments()
        #expect((answer["urlIdWS"] == nil) == page)
        #expect(answer["presencePollState"] == (page ? 0 : nil))
    }
}
