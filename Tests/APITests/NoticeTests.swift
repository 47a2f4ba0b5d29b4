import JSON
import TestSupport
import Testing

/// Who is told of what (contract: public 13.5).
@Suite struct NoticeTests {
    private static func people(_ settings: JSONValue = [:]) throws -> (
        site: Site, ann: Reader, bob: Reader, cat: Reader
    ) {
        let site = try Site(settings)
        return (site, try site.known(Person("ann")), try site.known(Person("bob")), try site.known(Person("cat")))
    }

    @Test func anAnswerIsToldToWhomItAnswers() throws {
        let (site, ann, bob, _) = try Self.people()
        let root = try ann.posted("Hello")
        let reply = try bob.posted("Hello **you**", replyingTo: root)
        try site.settle()
        let list = try ann.notices(["includeContext": "true"])
        let notice = try #require(list["notifications", 0]?.object)
        #expect(
            Set(notice.members.map(\.name)) == [
                "_id", "type", "createdAt", "sent", "viewed", "optedOut", "relatedObjectId", "relatedObjectType", "url",
                "urlId", "pageTitle", "fromUserName", "fromUserId", "fromUserAvatarSrc", "fromCommentId", "contextHTML",
            ])
        #expect(notice["type"] == 0)
        #expect(notice["relatedObjectType"] == 0)
        #expect(notice["relatedObjectId"] == .string(root))
        #expect(notice["fromCommentId"] == .string(reply))
        #expect(notice["fromUserName"] == "bob")
        #expect(notice["fromUserId"] == .string("\(site.tenant.id):bob"))
        #expect(notice["fromUserAvatarSrc"] == .null)
        #expect(notice["urlId"] == "page")
        #expect(notice["url"] == "https://example.com/page")
        #expect(notice["pageTitle"] == .null)
        #expect(
            notice["contextHTML"] == "Hello <strong>you</strong>"
                || notice["contextHTML"]?.string?.contains("you") == true)
        #expect(notice["createdAt"]?.string?.count == "2026-01-02T03:04:05.678Z".count)
        #expect(list["hasMore"] == false && list["isSubscribed"] == false)
        #expect(try ann.notices()["notifications", 0, "contextHTML"] == nil)
        #expect(try bob.bell() == 0)
    }

    @Test func aLongCommentIsShownByItsBeginning() throws {
        let (site, ann, bob, _) = try Self.people()
        let root = try ann.posted("Hello")
        _ = try bob.posted("**" + String(repeating: "word ", count: 300) + "end**", replyingTo: root)
        try site.settle()
        let context = try #require(
            try ann.notices(["includeContext": "true"])["notifications", 0, "contextHTML"]?.string)
        #expect(context.count < 400 && context.contains("word") && !context.contains("end"))
    }

    @Test(arguments: [(300, false), (301, true)])
    func aCommentOfThreeHundredCharactersIsShownWhole(_ length: Int, isCut: Bool) throws {
        let (site, ann, bob, _) = try Self.people()
        let root = try ann.posted("Hello")
        let text = String(repeating: "ü", count: length)
        _ = try bob.posted(text, replyingTo: root)
        try site.settle()
        let context = try ann.notices(["includeContext": "true"])["notifications", 0, "contextHTML"]?.string
        #expect(context == (isCut ? text.dropLast() + "…" : text))
    }

    @Test func nobodyIsToldOfTheirOwn() throws {
        let (site, ann, _, _) = try Self.people()
        try site.takes { try ann.subscribe() }
        let root = try ann.posted("Hello @ann")
        _ = try ann.posted("And again", replyingTo: root)
        try site.takes { try ann.vote(root) }
        try site.settle()
        #expect(try ann.told().isEmpty)
        #expect(try ann.bell() == 0)
    }

    @Test func othersOfTheThreadAreToldByTheirNearestComment() throws {
        let (site, ann, bob, cat) = try Self.people()
        let root = try ann.posted("Root")
        let first = try bob.posted("First", replyingTo: root)
        let second = try cat.posted("Second", replyingTo: first)
        try site.settle()
        // Bob is answered, Ann is tied by her root.
        #expect(try bob.told() == ["0 \(first)"])
        #expect(try ann.told() == ["1 \(root)", "0 \(root)"])
        let third = try ann.posted("Third", replyingTo: second)
        _ = try ann.posted("Aside", replyingTo: root)
        try site.settle()
        let heard = try cat.told()
        #expect(heard == ["1 \(second)", "0 \(second)"])
        #expect(try bob.told() == ["1 \(first)", "1 \(first)", "0 \(first)"])
        // Ann has two comments above this one: the nearer counts.
        let fourth = try cat.posted("Fourth", replyingTo: third)
        _ = try bob.posted("Fifth", replyingTo: fourth)
        try site.settle()
        #expect(try ann.told().prefix(2) == ["1 \(third)", "0 \(third)"])
        #expect(try cat.told().first == "0 \(fourth)")
    }

    @Test func whoeverIsNamedIsToldOnce() throws {
        let (site, ann, bob, cat) = try Self.people()
        try site.takes { try ann.subscribe() }
        let root = try bob.posted("Hello @ann and @cat and @ann again")
        try site.settle()
        #expect(try ann.told() == ["7 \(root)"])
        #expect(try cat.told() == ["7 \(root)"])
        let own = try ann.posted("My own", replyingTo: root)
        let reply = try bob.posted("Yes, @ann", replyingTo: own)
        try site.settle()
        #expect(try ann.told() == ["7 \(reply)", "7 \(root)"])
        // Only whoever is named anew hears of an edit.
        try site.takes { try bob.edit(reply, "Yes, @ann and @cat") }
        try site.settle()
        #expect(try ann.told().count == 2)
        #expect(try cat.told().first == "7 \(reply)")
        try site.takes { try bob.edit(reply, "Nobody") }
        try site.settle()
        #expect(try cat.told() == ["7 \(root)"])
        #expect(try ann.told() == ["0 \(own)", "7 \(root)"])
    }

    @Test func subscribersHearOfNewThreadsOnly() throws {
        let (site, ann, bob, cat) = try Self.people()
        let before = try bob.posted("Before")
        try site.takes { try ann.subscribe() }
        try site.takes { try cat.on("other").subscribe() }
        let root = try bob.posted("After")
        _ = try bob.posted("An answer", replyingTo: root)
        _ = try bob.posted("Another", replyingTo: before)
        try site.settle()
        #expect(try ann.told() == ["3 \(root)"])
        #expect(try cat.told().isEmpty)
        try site.takes { try ann.subscribe(false) }
        _ = try bob.posted("Unheard")
        try site.settle()
        #expect(try ann.told() == ["3 \(root)"])
    }

    @Test func whoeverBlockedTheAuthorHearsNothing() throws {
        let (site, ann, bob, cat) = try Self.people()
        try site.takes { try ann.subscribe() }
        let root = try ann.posted("Hello")
        let reply = try bob.posted("Hello @ann", replyingTo: root)
        _ = try cat.posted("And me", replyingTo: root)
        try site.takes { try bob.vote(root) }
        try site.settle()
        #expect(try ann.bell() == 3)
        // What was told already goes too.
        try site.takes { try ann.block(reply) }
        #expect(try ann.told() == ["0 \(root)"])
        #expect(try ann.bell() == 1)
        _ = try bob.posted("Again @ann", replyingTo: root)
        _ = try bob.posted("A thread for @ann")
        let own = try ann.posted("Vote on this")
        try site.takes { try bob.vote(own) }
        try site.settle()
        #expect(try ann.told() == ["0 \(root)"])
        try site.takes { try cat.vote(own) }
        let votes = try ann.notices()["notifications", 0]
        #expect(votes?["count"] == 1 && votes?["fromUserNames"] == ["cat"])
    }

    @Test func whoeverMayNotReadThePageHearsNothing() throws {
        let site = try Site(pages: [["urlId": "page", "url": "https://example.com", "groupIds": ["staff"]]])
        let member = Person("ann").with(["groupIds": ["staff"]])
        let ann = try site.known(member)
        let bob = try site.reader(Person("bob").with(["groupIds": ["staff"]]))
        let outsider = try site.known(Person("eve").with(["groupIds": ["other"]]), at: "open")
        let admin = try site.known(.admin)
        try site.takes { try ann.subscribe() }
        let root = try bob.posted("Hello @eve and @admin")
        try site.settle()
        #expect(try ann.told() == ["3 \(root)"])
        #expect(try admin.told() == ["7 \(root)"])
        #expect(try outsider.told().isEmpty)
        // Somebody who lost access does not see what there was, until it is regained.
        let former = try site.reader(Person("ann").with(["groupIds": ["other"]]))
        #expect(try former.told().isEmpty && former.bell() == 0)
        _ = try bob.posted("And on")
        try site.settle()
        #expect(try former.told().isEmpty)
        let again = try site.reader(member)
        #expect(try again.told() == ["3 \(root)"])
        #expect(try again.bell() == 1)
    }

    @Test func whoeverIsNoLongerNamedWasNotTold() throws {
        let (site, ann, bob, cat) = try Self.people()
        let root = try ann.posted("Root")
        let reply = try bob.posted("Hello @ann and @cat", replyingTo: root)
        try site.settle()
        #expect(try ann.told() == ["7 \(reply)"])
        #expect(try cat.bell() == 1)
        try site.takes { try bob.edit(reply, "Hello nobody") }
        try site.settle()
        #expect(try cat.told().isEmpty && cat.bell() == 0)
        #expect(try ann.told() == ["0 \(root)"])
        #expect(try ann.bell() == 1)
        try site.takes { try bob.edit(reply, "Hello @cat") }
        try site.settle()
        #expect(try cat.told() == ["7 \(reply)"])
    }

    @Test func aDeletedPostTakesTheNoticesOfItsThreadAlong() throws {
        let (site, ann, bob, _) = try Self.people()
        let post = try ann.shared("A post")
        let thread = "post:\(post)"
        _ = try bob.on(thread).posted("Hello @ann")
        try site.settle()
        #expect(try ann.bell() == 1)
        try site.takes { try ann.unshare(post) }
        #expect(try ann.told().isEmpty && ann.bell() == 0)
    }

    @Test func whoeverSaidNoHearsNothing() throws {
        let site = try Site()
        let quiet = try site.known(Person("ann").with(["optedInNotifications": false]))
        let half = try site.known(Person("bob").with(["optedInSubscriptionNotifications": false]))
        let cat = try site.reader(Person("cat"))
        try site.takes { try quiet.subscribe() }
        try site.takes { try half.subscribe() }
        let root = try quiet.posted("Hello")
        try site.settle()
        #expect(try half.told().isEmpty)
        _ = try cat.posted("An answer to @ann", replyingTo: root)
        try site.takes { try cat.vote(root) }
        let thread = try cat.posted("A thread for @bob")
        try site.settle()
        #expect(try quiet.told() == ["3 \(thread)"])
        #expect(try half.told() == ["7 \(thread)"])
    }

    @Test func optingOutOfACommentEndsItsNotices() throws {
        let (site, ann, bob, cat) = try Self.people()
        let root = try ann.posted("Root")
        let reply = try bob.posted("Reply", replyingTo: root)
        try site.settle()
        let id = try #require(try ann.notices()["notifications", 0, "_id"]?.string)
        let opt = { (word: String) in
            let answer = try ann.notice("/\(id)/mark-opted/\(word)", ["commentId": reply])
            return [answer["matchedCount"], answer["modifiedCount"]]
        }
        #expect(try opt("out") == [1, 1])
        #expect(try opt("out") == [1, 0])
        #expect(try ann.notices()["notifications", 0, "optedOut"] == true)
        _ = try cat.posted("To the root", replyingTo: root)
        _ = try cat.posted("To the reply", replyingTo: reply)
        try site.takes { try cat.vote(root) }
        try site.settle()
        #expect(try ann.told() == ["0 \(root)"])
        // Being named is something else.
        let named = try cat.posted("But @ann", replyingTo: root)
        try site.settle()
        #expect(try ann.told().first == "7 \(named)")
        #expect(try opt("in") == [1, 1])
        #expect(try opt("in") == [1, 0])
        #expect(try ann.notices()["notifications", 1, "optedOut"] == false)
        _ = try cat.posted("Once more", replyingTo: root)
        try site.settle()
        #expect(try ann.told().first == "0 \(root)")
    }

    @Test func whatIsDeletedIsNotTold() throws {
        let (site, ann, bob, cat) = try Self.people()
        let root = try ann.posted("Root")
        let reply = try bob.posted("Reply @cat", replyingTo: root)
        try site.takes { try cat.vote(root) }
        try site.settle()
        #expect(try ann.bell() == 2 && cat.bell() == 1)
        try site.takes { try bob.delete(reply) }
        #expect(try ann.bell() == 1 && cat.bell() == 0)
        #expect(try cat.told().isEmpty)
        try site.takes { try ann.delete(root) }
        #expect(try ann.bell() == 0)
        #expect(try ann.told().isEmpty)
        try site.settle()
        #expect(try site.number("SELECT COUNT(*) FROM notice WHERE tenant_id = ?1") == 0)
    }

    @Test func aPlaceholderIsNotTold() throws {
        let (site, ann, bob, cat) = try Self.people(["commentThreadDeleteMode": 1])
        let root = try ann.posted("Root")
        let reply = try bob.posted("Reply", replyingTo: root)
        _ = try cat.posted("Below", replyingTo: reply)
        try site.settle()
        #expect(try ann.told() == ["1 \(root)", "0 \(root)"])
        try site.takes { try bob.delete(reply) }
        try site.settle()
        #expect(try ann.told() == ["1 \(root)"])
        #expect(try site.number("SELECT COUNT(*) FROM notice WHERE tenant_id = ?1 AND kind = 0") == 1)
    }

    @Test func guestsHearOfAnswersToo() throws {
        let (site, ann, _, _) = try Self.people()
        let guest = try site.reader()
        let post = try site.takes { try guest.post("From a guest", extras: guestExtras) }
        let session: QueryItems = ["sessionId": post["user", "sessionId"]?.string]
        let root = try #require(post["comment", "_id"]?.string)
        _ = try ann.posted("Hello guest", replyingTo: root)
        try site.settle()
        #expect(try guest.bell(session) == 1)
        let list = try guest.notices(session)
        #expect(list["notifications", 0, "fromUserName"] == "ann")
        #expect(try guest.comments(session + ["includeNotificationCount": "true"])["notificationCount"] == 1)
        let id = list["notifications", 0, "_id"]?.string ?? ""
        #expect(try guest.notice("/\(id)/mark/read", session)["modifiedCount"] == 1)
        #expect(try guest.bell(session) == 0)
        #expect(try guest.bell(["sessionId": post["user", "sessionId"]?.string]) == 0)
        try site.refuses(401, "not-logged-in") { try guest.notices(["sessionId": "unknown"]) }
    }
}
