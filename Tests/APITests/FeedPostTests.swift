import JSON
import TestSupport
import Testing

/// Making, changing and deleting posts of the feed (contract: live 5).
@Suite struct FeedPostTests {
    private static let medium: JSONValue = [
        "title": "Lake", "linkUrl": "https://example.com/lake",
        "sizes": [["w": 400, "h": 300, "src": "https://example.com/lake.png"]],
    ]
    private static let link: JSONValue = [
        "text": "Read", "title": "Lake", "description": "About it", "url": "https://example.com/lake?a=%41",
    ]

    private static func picture(_ width: JSONValue, _ height: JSONValue, _ source: String) -> JSONValue {
        ["title": "T", "media": [["sizes": [["w": width, "h": height, "src": .string(source)]]]]]
    }

    private static func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    private static func titled(_ name: String, _ value: JSONValue) -> JSONValue {
        var body = JSONObject()
        body.append("title", "T")
        body.append(name, value)
        return .object(body)
    }

    @Test func aPostHasAllThatWasSaid() throws {
        let site = try Site()
        let author = try site.reader(Person.author.with(["avatar": "https://example.com/a.png"]))
        let answer = try site.takes {
            try author.share([
                "title": " A title ", "contentHTML": "<b>Hello</b> 100%", "media": [Self.medium],
                "links": [Self.link], "tags": ["news", "news", " a,b "], "meta": ["k": "v"], "fromUserId": "x",
                "fromUserDisplayName": "Somebody else", "weight": 5, "unknown": 1,
            ])
        }
        let post = try #require(answer["feedPost"])
        #expect(
            Set(post.object?.members.map(\.name) ?? []) == [
                "_id", "tenantId", "createdAt", "title", "contentHTML", "fromUserId", "fromUserDisplayName",
                "fromUserAvatar", "tags", "meta", "media", "links", "reacts", "commentCount",
            ])
        #expect(post["tenantId"]?.string == site.tenant.id && post["title"] == "A title")
        #expect(post["contentHTML"] == "<b>Hello</b> 100%")
        #expect(post["fromUserId"]?.string == "\(site.tenant.id):author" && post["fromUserDisplayName"] == "author")
        #expect(post["fromUserAvatar"] == "https://example.com/a.png")
        #expect(post["tags"] == ["news", "a,b"] && post["meta"] == ["k": "v"])
        #expect(post["media"] == [Self.medium] && post["links"] == [Self.link])
        #expect(post["reacts"] == [:] && post["commentCount"] == 0)
        #expect(try site.reader().feed()["feedPosts"] == [post])
        #expect(try author.feed(["includeUserInfo": "true"])["user", "id"] == post["fromUserId"])
    }

    @Test(
        arguments: [
            ["title": "T"], ["contentHTML": "x"], ["contentHTML": "<img src='https://example.com/a.png'>"],
            ["media": [medium]], ["links": [link]], ["links": [["text": "Do it"]]],
        ] as [JSONValue])
    func anyContentIsEnough(_ body: JSONValue) throws {
        let site = try Site()
        try site.takes { try site.reader(.author).share(body) }
        #expect(try site.reader().feed()["feedPosts"]?.array?.count == 1)
    }

    @Test(
        arguments: [
            [:], ["title": ""], ["title": "  ", "contentHTML": nil], ["contentHTML": "<p> </p>\u{200B}"],
            ["contentHTML": "<script>alert(1)</script>"], ["media": [], "links": []],
            ["tags": ["a"], "meta": ["a": "b"]],
        ] as [JSONValue])
    func aPostWithoutContentIsRefused(_ body: JSONValue) throws {
        let site = try Site()
        _ = try site.reader(.author).comments()
        let answer = try site.refuses(422, "missing-content") { try site.reader(.author).share(body) }
        #expect(answer["translatedError"] != nil)
    }

    @Test func contentCannotRunAnything() throws {
        let site = try Site()
        let source =
            "<p>one</p><p>two<script>x</script></p><a href=\"javascript:x\" onclick=\"x\">go</a>"
            + "<img src=x onerror=alert(1)><i>3 < 4</i>"
        let answer = try site.takes {
            try site.reader(.author).share(["contentHTML": .string(source), "title": "<b>5 > 4</b>"])
        }
        #expect(answer["feedPost", "contentHTML"] == "one<br />two<br />go<i>3 &lt; 4</i>")
        // A title is text for clients, as names are.
        #expect(answer["feedPost", "title"] == "<b>5 > 4</b>")
    }

    @Test(
        arguments: [
            ["title": 5], ["title": "T", "contentHTML": ["x"]], ["title": "T", "tags": "a"],
            ["title": "T", "tags": [1]],
            ["title": "T", "tags": [""]], ["title": "T", "meta": ["a": 1]], ["title": "T", "meta": ["a": nil]],
            ["title": "T", "meta": ["": "a"]], ["title": "T", "meta": "a"], ["title": "T", "media": [:]],
            ["title": "T", "media": ["x"]], ["title": "T", "media": [["title": "x"]]],
            ["title": "T", "media": [["sizes": []]]], ["title": "T", "links": [[:]]],
            ["title": "T", "links": [["url": "javascript:alert(1)"]]],
            ["title": "T", "links": [["url": "//example.com"]]],
            ["title": "T", "links": [["url": "https://example.com/\"onclick=\"x"]]],
            [
                "title": "T",
                "media": [["linkUrl": "data:text/html,x", "sizes": [["w": 1, "h": 1, "src": "https://a.b/c"]]]],
            ],
            picture(1.5, 1, "https://a.b/c"), picture("1", 1, "https://a.b/c"), picture(0, 1, "https://a.b/c"),
            picture(1, -1, "https://a.b/c"), picture(1, 100_001, "https://a.b/c"), picture(1, 1, "javascript:x"),
            picture(1, 1, ""), picture(nil, 1, "https://a.b/c"), ["title": "T", "fromUserId": 7],
        ] as [JSONValue])
    func aMalformedPartIsRefused(_ body: JSONValue) throws {
        let site = try Site()
        let author = try site.reader(.author)
        let post = try author.shared("First")
        try site.refuses(400, "invalid-input") { try author.share(body) }
        if body["fromUserId"] == nil { try site.refuses(400, "invalid-input") { try author.reshare(post, body) } }
    }

    @Test func titlesHaveNoControlCharacters() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let answer = try site.takes {
            try author.share(["title": "\u{0}One\u{8}line\n", "links": [["text": "a\u{1B}b", "url": "https://a.b/"]]])
        }
        #expect(answer["feedPost", "title"] == "One line" && answer["feedPost", "links", 0, "text"] == "a b")
        for title in ["\u{0}", "\u{7F}\u{9B} \n", "\u{200B}\u{FE0F}"] as [JSONValue] {
            try site.refuses(422, "missing-content") { try author.share(["title": title]) }
        }
        try site.refuses(400, "invalid-input") { try author.share(["title": "T", "tags": ["\u{1}"]]) }
    }

    @Test func everyLimitHoldsAtItsNumberAndNotPastIt() throws {
        let site = try Site()
        let author = try site.reader(.author)
        _ = try author.feed()
        func many(_ count: Int, _ item: JSONValue) -> JSONValue { .array(Array(repeating: item, count: count)) }
        func tags(_ count: Int) -> JSONValue { .array((0..<count).map { .string("t\($0)") }) }
        func meta(_ count: Int) -> JSONValue {
            var meta = JSONObject()
            for number in 0..<count { meta.append("k\(number)", "v") }
            return .object(meta)
        }
        let size: JSONValue = ["w": 1, "h": 100_000, "src": "https://a.b/c"]
        let long = String(repeating: "k", count: 101)
        let bodies: [(JSONValue, JSONValue)] = [
            (["title": Self.text(500)], ["title": Self.text(501)]),
            (Self.titled("media", many(50, ["sizes": [size]])), Self.titled("media", many(51, ["sizes": [size]]))),
            (
                Self.titled("media", [["sizes": many(10, size)]]), Self.titled("media", [["sizes": many(11, size)]])
            ),
            (Self.titled("links", many(50, ["text": "x"])), Self.titled("links", many(51, ["text": "x"]))),
            (
                Self.titled("links", [["description": Self.text(2000)]]),
                Self.titled("links", [["description": Self.text(2001)]])
            ),
            (Self.titled("links", [["text": Self.text(500)]]), Self.titled("links", [["text": Self.text(501)]])),
            (Self.titled("tags", tags(50)), Self.titled("tags", tags(51))),
            (Self.titled("tags", [Self.text(100)]), Self.titled("tags", [Self.text(101)])),
            (Self.titled("meta", meta(50)), Self.titled("meta", meta(51))),
            (
                Self.titled("meta", [String(long.dropLast()): Self.text(2000)]),
                Self.titled("meta", [String(long.dropLast()): Self.text(2001)])
            ),
            (Self.titled("meta", [String(long.dropLast()): "x"]), Self.titled("meta", [long: "x"])),
        ]
        for (taken, refused) in bodies {
            try site.takes { try author.share(taken) }
            try site.refuses(400, "invalid-input") { try author.share(refused) }
        }
        try site.takes { try author.share(["contentHTML": Self.text(10_000)]) }
        let answer = try site.refuses(422, "comment-too-big") {
            try author.share(["contentHTML": Self.text(10_001)])
        }
        #expect(answer["maxCharacterLength"] == 10_000)
        let hidden = "<b title=\"" + String(repeating: "x", count: 65_536 - 25) + "\">shown</b>"
        #expect(hidden.utf8.count == 65_536 - 4)
        try site.takes { try author.share(["contentHTML": .string(hidden + "1234")]) }
        try site.refuses(422, "comment-too-big") { try author.share(["contentHTML": .string(hidden + "12345")]) }
    }

    @Test func aPostIsAtMost96KiBInAllAlsoAfterAChange() throws {
        let site = try Site()
        let author = try site.reader(.author)
        var meta = JSONObject()
        for number in 10..<58 { meta.append("k\(number)", Self.text(2000)) }
        // 48 entries of 2000 characters with their quotes, colons and commas, and the braces.
        let size = 48 * (2000 + 2 + 1 + 5 + 1) - 1 + 2
        let room = 96 * 1024 - size
        #expect(room > 500 && room < 2500)
        let content = { (count: Int) -> JSONValue in ["contentHTML": Self.text(count), "meta": .object(meta)] }
        let post = try site.takes { try author.share(content(room)) }["feedPost", "_id"]?.string ?? ""
        try site.refuses(400, "invalid-input") { try author.share(content(room + 1)) }
        try site.refuses(400, "invalid-input") { try author.reshare(post, ["title": "x"]) }
        try site.takes { try author.reshare(post, ["title": "x", "meta": [:]]) }
    }

    @Test func linksGoWhereTheTenantAllows() throws {
        let site = try Site(["restrictedLinkDomains": ["example.com"]])
        let author = try site.reader(.author)
        _ = try author.feed()
        try site.takes {
            try author.share(["title": "T", "links": [["url": "https://www.example.com/x"]]])
        }
        for body in [
            ["links": [["url": "https://example.org"]]], ["contentHTML": "https://example.org/x"],
            [
                "media": [
                    ["linkUrl": "https://example.org", "sizes": [["w": 1, "h": 1, "src": "https://cdn.test/x"]]]
                ]
            ],
        ] as [JSONValue] {
            try site.refuses(422, "restricted-link") { try author.share(body) }
        }
    }

    @Test func aChangeReplacesWhatItNames() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let made = try site.takes {
            try author.share(["title": "One", "contentHTML": "text", "tags": ["a", "b"], "meta": ["k": "v"]])
        }
        let id = made["feedPost", "_id"]?.string ?? ""
        try site.takes { try site.reader(.reader(1)).react(id) }
        let titled = try site.takes { try author.reshare(id, ["title": "Two", "contentHTML": nil]) }
        #expect(titled["feedPost", "title"] == "Two" && titled["feedPost", "contentHTML"] == "text")
        #expect(titled["feedPost", "tags"] == ["a", "b"] && titled["feedPost", "reacts"] == ["l": 1])
        #expect(titled["feedPost", "createdAt"] == made["feedPost", "createdAt"])
        let cleared = try site.takes { try author.reshare(id, ["title": "", "tags": ["c"], "meta": [:]]) }
        #expect(cleared["feedPost", "title"] == nil && cleared["feedPost", "meta"] == nil)
        #expect(try site.reader().feed()["feedPosts", 0] == cleared["feedPost"])
        #expect(try site.reader().feed(["tags": "a"])["feedPosts"] == [])
        #expect(try site.reader().feed(["tags": "c"])["feedPosts"]?.array?.count == 1)
        try site.refuses(422, "missing-content") { try author.reshare(id, ["contentHTML": ""]) }
        try site.takes { try author.reshare(id, [:]) }
    }

    @Test func onlyTheAuthorAndStaffChangeAndDelete() throws {
        let site = try Site()
        let post = try site.reader(.author).shared("Mine")
        for person in [Person.admin, .moderator, .reader(1)] { _ = try site.reader(person).feed() }
        try site.refuses(401, "unauthorized") { try site.reader(.reader(1)).reshare(post, ["title": "x"]) }
        try site.refuses(401, "unauthorized") { try site.reader(.reader(1)).unshare(post) }
        try site.refuses(401, "not-logged-in") { try site.reader().reshare(post, ["title": "x"]) }
        try site.refuses(401, "not-logged-in") { try site.reader().unshare(post) }
        let changed = try site.takes { try site.reader(.moderator).reshare(post, ["title": "Ours"]) }
        #expect(changed["feedPost", "fromUserDisplayName"] == "author")
        try site.takes { try site.reader(.admin).unshare(post) }
        for person in [Person.author, .admin] {
            try site.refuses(404, "not-found") { try site.reader(person).unshare(post) }
            try site.refuses(404, "not-found") { try site.reader(person).reshare(post, ["title": "x"]) }
            try site.refuses(404, "not-found") { try site.reader(person).react(post) }
        }
        try site.takes { try site.reader(.author).unshare(site.reader(.author).shared("Again")) }
        #expect(try site.reader().feed()["feedPosts"] == [])
    }

    @Test func nobodyReachesThePostsOfAnotherTenant() throws {
        let site = try Site()
        let other = try Site()
        let post = try site.reader(.author).shared("Mine")
        let stranger = try other.reader(.admin)
        _ = try stranger.feed()
        let before = try site.rows()
        try other.refuses(404, "not-found") { try stranger.reshare(post, ["title": "x"]) }
        try other.refuses(404, "not-found") { try stranger.unshare(post) }
        try other.refuses(404, "not-found") { try stranger.react(post) }
        #expect(try stranger.stats([post])["stats"] == [:])
        #expect(try stranger.ownReacts([post])["reacts"] == [:])
        #expect(try stranger.feed(["afterId": post])["feedPosts"] == [])
        #expect(try site.rows() == before)
        let nowhere = Reader(try site.client(), tenant: "nowhere", page: "page")
        for answer in [
            try nowhere.feed(), try nowhere.share(["title": "x"]), try nowhere.unshare(post), try nowhere.react(post),
            try nowhere.stats([post]), try nowhere.ownReacts([post]), try nowhere.reshare(post, [:]),
        ] { #expect(answer.status == 404 && answer.code == "invalid-tenant") }
    }

    @Test func somebodyWithoutIdentityOrWithABrokenOneMayNotWrite() throws {
        let site = try Site()
        let post = try site.reader(.author).shared("Mine")
        try site.refuses(401, "not-logged-in") { try site.reader().share(["title": "x"]) }
        try site.refuses(401, "not-logged-in") { try site.reader().react(post) }
        let broken = try site.reader().signedOn("nonsense")
        for call in [
            { try broken.feed() }, { try broken.share(["title": "x"]) }, { try broken.unshare(post) },
            { try broken.react(post) }, { try broken.stats([post]) }, { try broken.ownReacts([post]) },
        ] as [() throws -> Answer] { try site.refuses(401, "malformed-sso", call) }
        try site.refuses(400, "malformed-json") {
            try site.client().request(
                "POST", "/feed-posts/\(site.tenant.id)", ["sso": broken.signedOn(site.token(.author)).sso],
                body: ["x"])
        }
    }

    @Test func aGuestWithASessionMayPost() throws {
        let site = try Site()
        let comment = try site.takes { try site.reader().post("Hello", extras: guestExtras) }
        let session: QueryItems = ["sessionId": comment["user", "sessionId"]?.string]
        let guest = try site.reader()
        let made = try site.takes { try guest.share(["title": "From a guest"], query: session) }
        #expect(made["feedPost", "fromUserId"] == comment["user", "id"])
        #expect(made["feedPost", "fromUserDisplayName"] == "Guest")
        let id = made["feedPost", "_id"]?.string ?? ""
        try site.takes { try guest.react(id, query: session) }
        #expect(try guest.feed(session)["myReacts"] == [id: ["l": true]] as JSONValue)
        try site.takes { try guest.unshare(id, query: session) }
    }

    @Test func aTenantMayLockItsFeed() throws {
        let readOnly = try Site(["readonly": true])
        try readOnly.refuses(401, "locked") { try readOnly.reader(.author).share(["title": "x"]) }
        let closed = try Site(["requireSSO": true])
        let post = try closed.reader(.author).shared("Mine")
        try closed.refuses(403, "unauthorized-page") { try closed.reader().feed() }
        try closed.refuses(403, "unauthorized-page") { try closed.reader(.author).feed(["isCrawler": "true"]) }
        try closed.refuses(403, "unauthorized-page") { try closed.reader().stats([post]) }
        try closed.refuses(403, "unauthorized-page") { try closed.reader().ownReacts([post]) }
        try closed.refuses(401, "login-required") { try closed.reader().react(post) }
        try closed.takes { try closed.reader(.author).feed() }
    }

    @Test func anAdministratorMayPostForOthers() throws {
        let site = try Site()
        _ = try site.reader(Person("ann", username: "Ann")).feed()
        let admin = try site.reader(.admin)
        func post(_ extras: JSONValue) throws -> JSONValue? {
            var body = JSONObject()
            body.append("title", "For others")
            for (name, value) in extras.object?.members ?? [] { body.append(name, value) }
            return try site.takes { try admin.share(.object(body)) }["feedPost"]
        }
        let ann = try post(["fromUserId": "ann"])
        #expect(ann?["fromUserId"]?.string == "\(site.tenant.id):ann" && ann?["fromUserDisplayName"] == "Ann")
        let wire = try post(["fromUserId": .string("\(site.tenant.id):ann"), "fromUserDisplayName": "The team"])
        #expect(wire?["fromUserId"] == ann?["fromUserId"] && wire?["fromUserDisplayName"] == "The team")
        let own = try post(["fromUserDisplayName": "News"])
        #expect(own?["fromUserId"]?.string == "\(site.tenant.id):admin" && own?["fromUserDisplayName"] == "News")
        try site.takes { try site.reader(Person("ann", username: "Ann")).unshare(ann?["_id"]?.string ?? "") }
    }

    @Test func namesFollowTheirOwnersAndTheTenantsFormat() throws {
        let site = try Site(["commenterNameFormat": 2])
        _ = try site.reader(Person("ann", username: "Ann Lee")).shared("Mine")
        #expect(try site.reader().feed()["feedPosts", 0, "fromUserDisplayName"] == "Ann L.")
        _ = try site.reader(Person("ann", username: "Eva Lee")).feed()
        #expect(try site.reader().feed()["feedPosts", 0, "fromUserDisplayName"] == "Eva L.")
    }

    @Test func anEqualPostWithinTenSecondsIsRefused() throws {
        let site = try Site(["maxCommentCreatedCountPUPM": 100], isExempt: false)
        let author = try site.reader(.author)
        let body: JSONValue = ["title": "T", "contentHTML": "x", "tags": ["a"]]
        let post = try site.takes { try author.share(body) }["feedPost", "_id"]?.string ?? ""
        try site.refuses(422, "duplicate") { try author.share(body) }
        try site.refuses(422, "duplicate") { try author.share(["title": "T", "contentHTML": "x", "tags": ["b"]]) }
        try site.takes { try author.share(["title": "U", "contentHTML": "x"]) }
        try site.takes { try site.reader(.reader(1)).share(body) }
        try site.takes { try author.unshare(post) }
        try site.takes { try author.share(body) }
        let exempt = try Site()
        for _ in 1...7 { try exempt.takes { try exempt.reader(.author).share(body) } }
    }

    @Test func aPersonPostsFiveTimesAMinute() throws {
        let site = try Site(isExempt: false)
        let author = try site.reader(.author)
        for number in 1...5 { _ = try author.shared("\(number)") }
        let answer = try site.refuses(429, "rate-limited") { try author.share(["title": "6"]) }
        #expect(answer.header("retry-after") != nil && answer["translatedError"] != nil)
        _ = try site.reader(.reader(1)).shared("Somebody else")
        // Comments are counted by themselves.
        _ = try author.posted("A comment")
    }
}
