import JSON
import TestSupport
import Testing

/// A tenant's feed as several clients see it (contract: live 5).
@Suite struct FeedScenarioTests {
    let scene: Scene
    let ann: Reader
    let bob: Reader

    init() throws {
        scene = try Scene(page: "feed-page")
        ann = try scene.reader(.ann)
        bob = try scene.reader(.bob)
    }

    private static func ids(_ answer: Answer) -> [String] { answer["feedPosts"]?.array?.compactMap(\.id) ?? [] }

    private static func keys(_ value: JSONValue?) -> Set<String> { Set(value?.object?.members.map(\.name) ?? []) }

    /// Reads the feed page by page until one is not full, as clients do.
    private static func walk(
        _ reader: Reader, by limit: Int, between: (Int) throws -> Void = { _ in }
    ) throws -> [[String]] {
        var pages: [[String]] = []
        while true {
            let page = ids(try reader.feed(["limit": "\(limit)", "afterId": pages.last?.last]))
            pages.append(page)
            if page.count < limit { return pages }
            try between(pages.count)
        }
    }

    @Test func sevenPostsComeInPagesOfThreeToTwoClientsAtOnce() throws {
        let posts = try (0..<7).map { try ann.shared("Post \($0)") }
        let scene = scene
        let walks = Gathered<[[String]]>()
        try Crowd.run(2) { client in walks.add(try Self.walk(scene.reader(client == 0 ? .bob : .carol), by: 3)) }
        for pages in walks.all {
            #expect(pages.map(\.count) == [3, 3, 1])
            #expect(pages.flatMap(\.self) == posts.reversed())
        }
    }

    @Test func pagesStayTrueWhilePostsComeAndGo() throws {
        let posts = try (0..<7).map { try ann.shared("Post \($0)") }
        let pages = try Self.walk(bob, by: 3) { page in
            _ = try ann.shared("New \(page)")
            // The very post that the next page starts after, and one that is still to come.
            if page == 1 {
                #expect(try ann.unshare(posts[4]).isSuccess)
                #expect(try ann.unshare(posts[2]).isSuccess)
            }
        }
        #expect(pages == [[posts[6], posts[5], posts[4]], [posts[3], posts[1], posts[0]], []])
        let head = Self.ids(try bob.feed(["limit": "3"]))
        #expect(head.count == 3 && head.last == posts[6])
    }

    @Test func theNextPageIsTheSameForEveryoneWhoAsksAtOnce() throws {
        let posts = try (0..<7).map { try ann.shared("Post \($0)") }
        let scene = scene
        let answers = Gathered<[String]>()
        try Crowd.run(4) { _ in
            answers.add(Self.ids(try scene.reader(.bob).feed(["limit": "3", "afterId": posts[4]])))
        }
        #expect(answers.all.allSatisfy { $0 == [posts[3], posts[2], posts[1]] })
    }

    @Test func twoDevicesOfOnePersonHearTheSame() throws {
        let phone = try scene.reader(.bob)
        let (one, two) = (try bob.live(bob.feed()), try phone.live(phone.feed()))
        let post = try ann.shared("Hello", query: ["broadcastId": "b-1"])
        #expect(try phone.react(post, query: ["broadcastId": "b-2"]).isSuccess)
        let heard = try one.settled()
        #expect(heard.map(\.type) == ["new-feed-post", "fr"])
        #expect(heard.compactMap(\.broadcastID) == ["b-1", "b-2"])
        #expect(try two.settled() == heard)
        let own: JSONValue = [post: ["l": true]]
        #expect(try bob.feed()["myReacts"] == own && phone.feed()["myReacts"] == own)
        #expect(try bob.react(post).isSuccess && phone.react(post, undo: true).isSuccess)
        #expect(try bob.react(post, undo: true).isSuccess)
        #expect(try two.settled().map(\.type) == ["dfr"])
        #expect(try bob.stats([post])["stats", .key(post), "reacts"] == [:])
    }

    @Test func everyEventHasItsKeysAndNoOthers() throws {
        let live = try bob.live(bob.feed())
        let body: JSONValue = ["title": "50% off", "contentHTML": "a%41", "tags": ["50%"], "meta": ["%": "%"]]
        let made = try ann.share(body, query: ["broadcastId": "B1"])
        let id = try #require(made["feedPost"]?.id)
        #expect(try ann.react(id, "h", query: ["broadcastId": "B2"]).isSuccess)
        #expect(try ann.reshare(id, ["title": "51% off"], query: ["broadcastId": "B3"]).isSuccess)
        #expect(try ann.react(id, "h", undo: true).isSuccess)
        #expect(try ann.unshare(id, query: ["broadcastId": "B5"]).isSuccess)
        let events = try live.settled()
        #expect(events.map(\.type) == ["new-feed-post", "fr", "updated-feed-post", "dfr", "deleted-feed-post"])
        try #require(events.count == 5)
        #expect(events.map(\.broadcastID)[..<3] == ["B1", "B2", "B3"] && events[4].broadcastID == "B5")
        // Nobody sent one, and no client may take it for its own.
        #expect(events[3].broadcastID?.isEmpty == false)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.stamp + 2 <= $1.stamp })
        let envelope: Set<String> = ["type", "timestamp", "broadcastId"]
        #expect(Self.keys(events[0]) == envelope.union(["feedPost"]))
        let post: Set<String> = [
            "_id", "tenantId", "createdAt", "title", "contentHTML", "fromUserId", "fromUserDisplayName",
            "fromUserAvatar", "tags", "meta", "reacts", "commentCount",
        ]
        #expect(Self.keys(events[0]["feedPost"]) == post && Self.keys(events[2]["feedPost"]) == post)
        #expect(events[0]["feedPost", "meta"] == ["%": "%"] && events[0]["feedPost", "tags"] == ["50%"])
        #expect(events[2]["feedPost", "title"] == "51% off" && events[2]["feedPost", "reacts"] == ["h": 1])
        let date = try #require(events[0]["feedPost", "createdAt"]?.string)
        #expect(date.utf8.count == 20 && made["feedPost", "createdAt"]?.string?.hasPrefix(date.dropLast()) == true)
        for (event, total) in [(events[1], 1), (events[3], 0)] {
            #expect(Self.keys(event) == envelope.union(["feedPostReact"]))
            let react: JSONValue = [
                "tenantId": .string(scene.tenant.id), "postId": .string(id), "reactType": "h",
                "count": .integer(Int64(total)),
            ]
            #expect(event["feedPostReact"] == react)
        }
        #expect(Self.keys(events[4]) == envelope.union(["postId", "feedPost"]) && events[4]["postId"]?.string == id)
        #expect(Self.keys(events[4]["feedPost"]) == ["_id", "tenantId", "createdAt"])
    }

    @Test func framesHaveNoBarePercentSigns() throws {
        let live = try bob.live(bob.feed())
        let body: JSONValue = [
            "title": "1%", "contentHTML": "2%", "tags": ["3%"], "meta": ["4%": "5%"],
            "links": [["url": "https://example.com/%41"]],
        ]
        #expect(try ann.share(body).isSuccess)
        var frame = ""
        while !frame.contains("new-feed-post") { frame = try live.nextText() }
        #expect(!frame.contains("%") && frame.contains("https://example.com/\\u002541"))
    }

    @Test func onlyTheFeedOfTheTenantHearsIt() throws {
        let other = try scene.server.makeTenant()
        let stranger = try scene.server.reader(.bob, of: other, at: "page")
        let elsewhere = try stranger.live(stranger.feed())
        let page = try bob.listen()
        let post = try ann.shared("Hello")
        _ = try ann.react(post)
        #expect(try elsewhere.settled().isEmpty && page.settled().isEmpty)
        // A comment on a post is news of its own page only.
        let feed = try bob.live(bob.feed())
        _ = try ann.on("post:\(post)").posted("A comment")
        #expect(try feed.settled().isEmpty)
        #expect(try bob.stats([post])["stats", .key(post), "commentCount"] == 1)
    }

    @Test func theHeadHoldsWhatWasJustAnnounced() throws {
        let live = try bob.live(bob.feed())
        for number in 0..<5 {
            let post = try ann.shared("Post \(number)")
            let event = try live.event("new-feed-post")
            #expect(event["feedPost"]?.id == post)
            #expect(Self.ids(try bob.feed()).first == post)
        }
    }

    @Test func theLogOfAPageTellsAFeedClientWhatItMissedBeforeItsSocketOpened() throws {
        let head = try bob.feed()
        let token = head["userIdWS"]?.string
        let early = try ann.shared("Between head and socket")
        #expect(try bob.log(token: token).isEmpty)
        let live = try bob.live(head)
        let comment = try ann.posted("On the page")
        let late = try ann.shared("Pushed")
        let log = try bob.log(token: token)
        #expect(log.map(\.type) == ["new-feed-post", "new-comment"])
        #expect(log.first?["feedPost"]?.id == early && log.last?.subject == comment)
        #expect(try live.settled().map { $0["feedPost"]?.id } == [late])
        #expect(try bob.log(token: token, from: log[0].stamp).map(\.type) == ["new-comment"])
        // Nobody else's log of that page has posts in it; the feed's own log has them all.
        #expect(try ann.log(token: nil).map(\.type) == ["new-comment"])
        #expect(try ann.on("__feeds__").log(token: nil).count == 2)
        try live.close()
        #expect(try bob.log(token: token).map(\.type) == ["new-comment"])
    }

    @Test func reactionsOfManyAtOnceAddUp() throws {
        let post = try ann.shared("Popular")
        let live = try bob.live(bob.feed())
        let scene = scene
        try Crowd.run(8) { number in
            let reader = try scene.reader(.reader(number))
            for type in ["l", "h"] { #expect(try reader.react(post, type).isSuccess) }
            #expect(try reader.react(post, "l").isSuccess)
            if number < 3 { #expect(try reader.react(post, "l", undo: true).isSuccess) }
        }
        #expect(try bob.feed()["feedPosts", 0, "reacts"] == ["h": 8, "l": 5])
        let events = try live.settled()
        #expect(events.filter { $0.type == "fr" }.count == 16 && events.filter { $0.type == "dfr" }.count == 3)
        let last = events.last { $0["feedPostReact", "reactType"] == "l" }
        #expect(last?["feedPostReact", "count"] == 5)
    }
}
