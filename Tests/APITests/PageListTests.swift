import JSON
import TestSupport
import Testing

/// The pages of a tenant (contract: public 14.1).
@Suite struct PageListTests {
    private static func list(_ site: Site, _ query: QueryItems = [:], of reader: Reader? = nil) throws -> Answer {
        let reader = try reader ?? site.reader()
        return try reader.client.request("GET", "/pages/\(site.tenant.id)", query + ["sso": reader.sso])
    }

    private static func ids(_ site: Site, _ query: QueryItems = [:], of reader: Reader? = nil) throws -> [String]? {
        try site.takes { try list(site, query, of: reader) }["pages"]?.array?.compactMap { $0["urlId"]?.string }
    }

    /// All pages, as a client reads them.
    private static func all(_ site: Site, _ query: QueryItems) throws -> [[String]] {
        var lists: [[String]] = []
        var cursor: String?
        repeat {
            let answer = try site.takes { try list(site, query + ["cursor": cursor]) }
            lists.append(answer["pages"]?.array?.compactMap { $0["urlId"]?.string } ?? [])
            cursor = answer["nextCursor"]?.string
        } while cursor != nil && lists.count < 100
        return lists
    }

    private static func site(_ pages: [JSONValue]) throws -> Site { try Site(["enableFChat": true], pages: pages) }

    private static func page(_ id: String, title: String? = nil, comments: Int = 0) -> JSONValue {
        var page: JSONValue = [
            "urlId": .string(id),
            "comments": .array((0..<comments).map { ["name": "Guest", "comment": .string("\($0)")] }),
        ]
        if let title, var object = page.object {
            object.append("title", .string(title))
            page = .object(object)
        }
        return page
    }

    @Test func aPageIsListedWithWhatIsKnownOfIt() throws {
        let site = try Site(["enableFChat": true])
        let id = try site.reader(.author).posted("Hello")
        _ = try site.reader(.reader(1)).posted("Reply", replyingTo: id)
        try site.takes { try site.reader(.author, at: "titled").post("Hello", extras: ["pageTitle": "A title"]) }
        let answer = try site.takes { try Self.list(site) }
        let pages = try #require(answer["pages"]?.array)
        #expect(pages.map { $0["urlId"] } == ["titled", "page"])
        #expect(pages[0]["title"] == "A title" && pages[0]["commentCount"] == 1)
        #expect(pages[1]["title"] == "page" && pages[1]["commentCount"] == 2, "replies count")
        #expect(pages[1]["url"] == "https://example.com/page")
        #expect((pages[0]["updatedAt"]?.integer ?? 0) > (pages[1]["updatedAt"]?.integer ?? 0))
        #expect(answer["nextCursor"]?.isNull == true)
        #expect(
            pages[0].object?.members.map(\.name).sorted() == ["commentCount", "title", "updatedAt", "url", "urlId"])
    }

    @Test func aTenantWithoutChatListsNothing() throws {
        let site = try Site(pages: [Self.page("page", comments: 1)])
        #expect(try Self.ids(site) == [])
        let off = try Site(["enableFChat": false], pages: [Self.page("page", comments: 1)])
        #expect(try Self.ids(off) == [])
    }

    @Test(arguments: ["updatedAt", "commentCount", "title"])
    func aListGoesOnWhereItsCursorSays(_ order: String) throws {
        let site = try Self.site((1...7).map { Self.page("p\($0)", title: $0 < 5 ? "Same" : "Other", comments: 1) })
        let whole = try #require(try Self.ids(site, ["sortBy": order]))
        #expect(whole.count == 7)
        for limit in [1, 3, 7, 200] {
            let lists = try Self.all(site, ["sortBy": order, "limit": "\(limit)"])
            #expect(lists.flatMap(\.self) == whole)
            #expect(lists.dropLast().allSatisfy { $0.count == limit } && lists.last?.isEmpty == false)
        }
    }

    @Test func ordersDiffer() throws {
        let site = try Self.site([
            Self.page("a", title: "beta", comments: 2), Self.page("b", title: "Alpha", comments: 1),
            Self.page("c", title: "émile", comments: 3), Self.page("d", title: "Gamma"),
        ])
        _ = try site.reader(.author, at: "b").posted("Newest")
        #expect(try Self.ids(site)?.first == "b")
        #expect(try Self.ids(site, ["sortBy": "title"]) == ["b", "a", "c", "d"])
        #expect(try Self.ids(site, ["sortBy": "commentCount"]) == ["c", "b", "a", "d"])
        #expect(try Self.ids(site, ["sortBy": "commentCount", "hasComments": "true"]) == ["c", "b", "a"])
        #expect(try Self.ids(site, ["sortBy": "title", "hasComments": "true"]) == ["b", "a", "c"])
        #expect(try Self.ids(site, ["hasComments": "1"])?.count == 3)
        #expect(try Self.ids(site, ["hasComments": "false"])?.count == 4)
        #expect(try Self.ids(site, ["q": "ÉM"]) == ["c"])
        #expect(try Self.ids(site, ["q": "ALP"]) == ["b"])
        #expect(try Self.ids(site, ["q": "lpha"]) == [] && Self.ids(site, ["q": "%"]) == [])
    }

    @Test func theCountIsThatOfTheThread() throws {
        let site = try Site(["enableFChat": true, "commentThreadDeleteMode": 1])
        let root = try site.reader(.author).posted("Root")
        let reply = try site.reader(.reader(1)).posted("Reply", replyingTo: root)
        let count = { try Self.list(site)["pages", 0, "commentCount"] }
        #expect(try count() == 2)
        try site.takes { try site.reader(.author).delete(root) }
        #expect(try count() == 1, "a placeholder does not count")
        #expect(try site.reader().comments(["countAll": "true"])["commentCount"] == 1)
        try site.takes { try site.reader(.reader(1)).delete(reply) }
        #expect(try count() == 0)
        #expect(try Self.ids(site, ["hasComments": "true"]) == [])
    }

    @Test func onlyPagesThatTheVisitorMayEnterAreListed() throws {
        let site = try Site(
            ["enableFChat": true],
            pages: [
                ["urlId": "open"], ["urlId": "staff", "groupIds": ["staff"]], ["urlId": "nobody", "groupIds": []],
            ])
        let member = try site.reader(Person.named("member", extras: ["groupIds": ["staff"]]))
        #expect(try Self.ids(site) == ["open"])
        #expect(try Self.ids(site, of: member)?.sorted() == ["open", "staff"])
        #expect(try Self.ids(site, ["limit": "1", "sortBy": "title"], of: member) == ["open"])
        #expect(try Self.ids(site, of: site.reader(.admin))?.count == 3)
        let closed = try Site(["enableFChat": true, "requireSSO": true], pages: [["urlId": "page"]])
        #expect(try Self.ids(closed) == [], "no error")
        #expect(try Self.ids(closed, of: closed.reader(.author)) == ["page"])
    }

    @Test func parametersAreChecked() throws {
        let site = try Self.site([Self.page("a"), Self.page("b")])
        for limit in ["0", "201", "-1", "x"] {
            try site.refuses(422, "invalid-limit") { try Self.list(site, ["limit": limit]) }
        }
        for limit in ["1", "200"] { try site.takes { try Self.list(site, ["limit": limit]) } }
        try site.refuses(400, "invalid-input") { try Self.list(site, ["sortBy": "age"]) }
        try site.refuses(400, "invalid-input") { try Self.list(site, ["hasComments": "some"]) }
        let cursor = try #require(try Self.list(site, ["limit": "1"])["nextCursor"]?.string)
        for (text, order) in [("x", "updatedAt"), (cursor, "title"), (cursor + "x", "updatedAt"), ("W10", "title")] {
            try site.refuses(400, "invalid-input") { try Self.list(site, ["cursor": text, "sortBy": order]) }
        }
        try site.refuses(404, "invalid-tenant") { try site.client().request("GET", "/pages/nobody-here") }
    }
}
