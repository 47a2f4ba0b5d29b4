import JSON
import TestSupport
import Testing

/// Reading the feed (contract: live 5.2).
@Suite struct FeedListTests {
    private static func titles(_ answer: Answer) -> [String] {
        answer["feedPosts"]?.array?.compactMap { $0["title"]?.string } ?? []
    }

    private static func site(_ count: Int, _ settings: JSONValue = [:]) throws -> (site: Site, ids: [String]) {
        let site = try Site(settings)
        let author = try site.reader(.author)
        return (site, try (0..<count).map { try author.shared("\($0)") })
    }

    @Test func anEmptyFeedIsAFeed() throws {
        let answer = try Site().reader().feed()
        #expect(answer.isSuccess && answer["feedPosts"] == [] && answer["myReacts"] == [:])
    }

    @Test func tenPostsComeUnlessAskedOtherwise() throws {
        let (site, _) = try Self.site(12)
        let reader = try site.reader()
        #expect(try Self.titles(reader.feed()) == (2..<12).reversed().map(String.init))
        for (limit, count) in [("", 10), ("1", 1), ("12", 12), ("3.0", 3), ("0", 1), ("-4", 1), ("101", 12)] {
            #expect(try Self.titles(reader.feed(["limit": limit])).count == count, "\(limit)")
        }
        for limit in ["x", "1.5", "NaN"] {
            try site.refuses(400, "invalid-input") { try reader.feed(["limit": limit]) }
        }
    }

    @Test func aHundredPostsAreTheMost() throws {
        let (site, _) = try Self.site(101)
        for limit in ["100", "101", "999999"] {
            #expect(try Self.titles(site.reader().feed(["limit": limit])).count == 100)
        }
    }

    @Test func pagesFollowOneAnother() throws {
        let (site, ids) = try Self.site(7)
        let reader = try site.reader()
        #expect(try Self.titles(reader.feed(["limit": "3", "afterId": ids[4]])) == ["3", "2", "1"])
        #expect(try Self.titles(reader.feed(["limit": "3", "afterId": ids[1]])) == ["0"])
        #expect(try Self.titles(reader.feed(["afterId": ids[0]])) == [])
        #expect(try Self.titles(reader.feed(["limit": "3", "afterId": ""])) == ["6", "5", "4"])
    }

    @Test func aCursorOutlivesItsPost() throws {
        let (site, ids) = try Self.site(7)
        try site.takes { try site.reader(.author).unshare(ids[4]) }
        try site.takes { try site.reader(.author).unshare(ids[3]) }
        #expect(try Self.titles(site.reader().feed(["limit": "2", "afterId": ids[4]])) == ["2", "1"])
        // An id of another store has the place of its time.
        let unknown = ids[2].dropLast() + (ids[2].hasSuffix("f") ? "e" : "f")
        #expect(try !Self.titles(site.reader().feed(["afterId": String(unknown)])).isEmpty)
        for id in ["x", "0123", String(repeating: "z", count: 24), ids[0] + "0", "' OR 1=1 --"] {
            try site.refuses(400, "invalid-input") { try site.reader().feed(["afterId": id]) }
        }
    }

    @Test func anyOfTheTagsMatches() throws {
        let site = try Site()
        let author = try site.reader(.author)
        let all = try [["a"], ["b"], ["a", "b"], [], ["c,d"], ["A"], ["a"]].enumerated().map { number, tags in
            try author.shared("\(number)", tags: tags)
        }
        let reader = try site.reader()
        #expect(try Self.titles(reader.feed(["tags": "a"])) == ["6", "2", "0"])
        #expect(try Self.titles(reader.feed(["tags": "a", "tags": "b"])) == ["6", "2", "1", "0"])
        #expect(try Self.titles(reader.feed(["tags": "c,d"])) == ["4"])
        #expect(try Self.titles(reader.feed(["tags": "c"])) == [])
        #expect(try Self.titles(reader.feed(["tags": ""])).count == all.count)
        #expect(
            try Self.titles(reader.feed(["tags": "a", "tags": "b", "limit": "2", "afterId": all[6]])) == ["2", "1"])
        try site.takes { try author.unshare(all[2]) }
        #expect(try Self.titles(reader.feed(["tags": "a", "tags": "b", "afterId": all[2]])) == ["1", "0"])
        var query: QueryItems = [:]
        for number in 0..<50 { query.append("tags", "t\(number)") }
        try site.takes { try reader.feed(query) }
        query.append("tags", "one more")
        try site.refuses(400, "invalid-input") { try reader.feed(query) }
    }

    @Test func theHeadNamesTheLiveRoomAndFollowUpsDoNot() throws {
        let (site, ids) = try Self.site(2)
        let author = try site.reader(.author)
        let head = try author.feed()
        #expect(head["tenantIdWS"]?.string == site.tenant.id)
        #expect(head["urlIdWS"]?.string == "\(site.tenant.id)%3A__feeds__")
        #expect(try head["userIdWS"] == author.comments()["userIdWS"])
        #expect(try head["userIdWS"] == site.reader(.author).feed()["userIdWS"])
        #expect(try head["userIdWS"] != site.reader(.reader(1)).feed()["userIdWS"])
        let stranger = try site.reader().feed()
        #expect(stranger["userIdWS"] != nil && stranger["urlIdWS"] == head["urlIdWS"])
        let more = try author.feed(["afterId": ids[1]])
        #expect(more["urlIdWS"] == nil && more["userIdWS"] == nil && more["tenantIdWS"] == nil)
        let (quiet, _) = try Self.site(1, ["disableLiveCommenting": true])
        #expect(try quiet.reader(.author).feed()["urlIdWS"] == nil)
    }

    @Test func theViewerComesWhenAskedFor() throws {
        let (site, _) = try Self.site(1)
        let author = try site.reader(.author)
        #expect(try author.feed()["user"] == nil && author.feed(["includeUserInfo": "false"])["user"] == nil)
        let user = try author.feed(["includeUserInfo": "true"])["user"]
        #expect(user?["id"]?.string == "\(site.tenant.id):author" && user?["authorized"] == true)
        #expect(try user == author.comments()["user"])
        #expect(try site.reader().feed(["includeUserInfo": "true"])["user"] == .null)
        try site.refuses(400, "invalid-input") { try author.feed(["includeUserInfo": "yes"]) }
        try site.refuses(400, "invalid-input") { try author.feed(["isCrawler": "yes"]) }
    }

    @Test func aCrawlerLeavesNoTrace() throws {
        let (site, _) = try Self.site(1)
        let before = try site.rows()
        let answer = try site.reader(.reader(1)).feed(["isCrawler": "true", "includeUserInfo": "true"])
        #expect(Set(answer.json?.object?.members.map(\.name) ?? []) == ["status", "feedPosts"])
        #expect(Self.titles(answer) == ["0"])
        #expect(try site.rows() == before)
    }

    @Test func ownReactionsComeWithThePage() throws {
        let (site, ids) = try Self.site(3)
        let reader = try site.reader(.reader(1))
        for type in ["l", "h"] { try site.takes { try reader.react(ids[2], type) } }
        try site.takes { try reader.react(ids[0]) }
        try site.takes { try site.reader(.reader(2)).react(ids[1]) }
        let both = try reader.feed()
        #expect(both["myReacts"] == [ids[2]: ["h": true, "l": true], ids[0]: ["l": true]] as JSONValue)
        #expect(both["feedPosts", 0, "reacts"] == ["h": 1, "l": 1] && both["feedPosts", 1, "reacts"] == ["l": 1])
        #expect(try reader.feed(["limit": "1", "afterId": ids[1]])["myReacts"] == [ids[0]: ["l": true]] as JSONValue)
        #expect(try site.reader().feed()["myReacts"] == [:])
    }

    @Test func moreWeightComesFirst() throws {
        let (site, ids) = try Self.site(5)
        try site.weigh(ids[1], 2.5)
        try site.weigh(ids[3], -1)
        let reader = try site.reader()
        let head = try reader.feed(["limit": "2"])
        #expect(Self.titles(head) == ["1", "4"] && head["feedPosts", 0, "weight"] == 2.5)
        #expect(head["feedPosts", 1, "weight"] == nil)
        #expect(try Self.titles(reader.feed(["afterId": ids[1]])) == ["4", "2", "0", "3"])
        try site.takes { try site.reader(.author).unshare(ids[1]) }
        #expect(try Self.titles(reader.feed(["afterId": ids[1]])) == ["4", "2", "0", "3"])
        #expect(try Self.titles(reader.feed(["afterId": ids[0]])) == ["3"])
    }
}
