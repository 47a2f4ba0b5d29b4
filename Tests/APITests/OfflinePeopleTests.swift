import JSON
import TestSupport
import Testing

/// Who wrote on a page and is gone (contract: public 14.3).
@Suite struct OfflinePeopleTests {
    private static func names(_ site: Site, at page: String = "page") throws -> [String]? {
        try site.takes { try site.reader(at: page).people("offline") }["users"]?.array?.names
    }

    @Test func whoeverWroteAndIsNotThereIsListedOnce() throws {
        let site = try Site()
        for name in ["zed", "Ann", "Émile"] { _ = try site.reader(.named(name)).posted("Hello from \(name)") }
        _ = try site.reader(.named("Ann")).posted("Hello again")
        _ = try site.reader(.named("elsewhere"), at: "other").posted("Hello")
        _ = try site.reader(.named("silent")).comments()
        try site.takes { try site.reader().post("A guest", extras: guestExtras) }
        let answer = try site.takes { try site.reader().people("offline") }
        #expect(answer["users"]?.array?.names == ["Ann", "Émile", "zed"])
        #expect(answer["nextAfterName"]?.isNull == true && answer["nextAfterUserId"]?.isNull == true)
        #expect(answer["totalCount"] == nil && answer["anonCount"] == nil)
        let socket = try site.reader(.named("zed")).arrive()
        let elsewhere = try site.reader(.named("Ann"), at: "other").arrive()
        #expect(try Self.names(site) == ["Ann", "Émile"], "whoever is there is in the other list")
        #expect(try site.reader().people("online")["users"]?.array?.names == ["zed"])
        try socket.close()
        try eventually { try Self.names(site) == ["Ann", "Émile", "zed"] }
        try elsewhere.close()
    }

    @Test func aPageWhereNothingWasWrittenHasNobody() throws {
        let site = try Site()
        #expect(try Self.names(site) == [])
    }

    @Test func whoTookTheLastCommentBackIsGone() throws {
        let site = try Site(["commentThreadDeleteMode": 1])
        let first = try site.reader(.author).posted("First")
        let second = try site.reader(.author).posted("Second")
        _ = try site.reader(.reader(1)).posted("Reply", replyingTo: second)
        try site.takes { try site.reader(.author).delete(first) }
        #expect(try Self.names(site)?.count == 2)
        try site.takes { try site.reader(.author).delete(second) }
        #expect(try Self.names(site)?.count == 1, "a placeholder is nobody's")
    }

    @Test func aNewNameAndAHiddenProfileShowAtOnce() throws {
        let site = try Site()
        for name in ["Ann", "Bob"] { _ = try site.reader(.named(name)).posted("Hello from \(name)") }
        #expect(try Self.names(site) == ["Ann", "Bob"])
        try site.takes { try site.reader(Person("Ann", username: "Zoe")).comments() }
        #expect(try Self.names(site) == ["Bob", "Zoe"])
        try site.takes { try site.reader(.hidden("Bob")).comments() }
        let users = try site.reader().people("offline")["users"]?.array
        #expect(users?.names == ["Zoe", ""])
        #expect(users?.last == ["id": .string("\(site.tenant.id):Bob"), "displayName": "", "isPrivate": true])
    }

    @Test func fiftyPeopleAreAPageAndEqualNamesDoNotHideAnybody() throws {
        let site = try Site()
        let tenant = JSONValue.string(site.tenant.id)
        let ids = (1...130).map { "p\($0)" }
        try site.seed([
            "people": .array(
                ids.map { ["tenant": tenant, "id": .string($0), "username": $0.hasSuffix("0") ? "same" : "Same"] }),
            "pages": [
                [
                    "tenant": tenant, "urlId": "page",
                    "comments": .array(ids.map { ["author": .string($0), "comment": "Hello"] }),
                ]
            ],
        ])
        let pages = try site.reader().allPeople("offline")
        #expect(pages.map(\.count) == [50, 50, 30])
        #expect(pages.flatMap(\.ids) == ids.map { "\(site.tenant.id):\($0)" }.sorted())
        // Those who are there leave no gaps in a page.
        let sockets = try ids.prefix(30).map { id in
            try site.reader(Person(id, username: "Same")).arrive()
        }
        let rest = try site.reader().allPeople("offline")
        #expect(rest.map(\.count) == [50, 50])
        #expect(Set(rest.flatMap(\.ids)) == Set(ids.dropFirst(30).map { "\(site.tenant.id):\($0)" }))
        for socket in sockets { try socket.close() }
    }
}

/// Names and pictures for ids (contract: public 14.4).
@Suite struct UsersInfoTests {
    private static func info(_ site: Site, _ ids: [String], of reader: Reader? = nil) throws -> Answer {
        let reader = try reader ?? site.reader()
        return try reader.client.request(
            "GET", "/pages/\(site.tenant.id)/users/info", ["ids": ids.joined(separator: ","), "sso": reader.sso])
    }

    @Test func peopleComeInTheOrderOfTheIDsAndNobodyIsMadeUp() throws {
        let (site, other) = (try Site(), try Site())
        let picture: JSONValue = ["avatar": "https://example.com/b.png", "displayName": "Bob B."]
        for person in [Person.named("Ann"), .named("Bob", extras: picture), .hidden("Carol")] {
            _ = try site.reader(person).comments()
        }
        _ = try other.reader(.named("Dan")).comments()
        let id = { (name: String) -> String in "\(site.tenant.id):\(name)" }
        let wanted = [
            id("Bob"), "anon:x", id("Carol"), "\(other.tenant.id):Dan", id("nobody"), id("Ann"), id("Bob"), "undefined",
        ]
        let answer = try site.takes { try Self.info(site, wanted) }
        let expected: JSONValue = [
            ["id": .string(id("Bob")), "displayName": "Bob B.", "avatarSrc": "https://example.com/b.png"],
            ["id": .string(id("Carol")), "displayName": "", "isPrivate": true],
            ["id": .string(id("Ann")), "displayName": "Ann"],
        ]
        #expect(answer["users"] == expected)
        #expect(try site.takes { try Self.info(site, ["nobody"]) }["users"] == [])
    }

    @Test func oneCallTakesTwoHundredIDs() throws {
        let site = try Site()
        _ = try site.reader(.author).comments()
        let ids = { (count: Int) in (1..<count).map { "id\($0)" } + ["\(site.tenant.id):author"] }
        #expect(try site.takes { try Self.info(site, ids(200)) }["users"]?.array?.count == 1)
        try site.refuses(422, "invalid-input") { try Self.info(site, ids(201)) }
        try site.refuses(422, "invalid-input") { try Self.info(site, []) }
        try site.refuses(404, "invalid-tenant") {
            try site.client().request("GET", "/pages/nobody-here/users/info", ["ids": "x"])
        }
    }

    @Test func aTenantThatRequiresSignOnShowsNobodyToStrangers() throws {
        let site = try Site(["requireSSO": true])
        _ = try site.reader(.author).comments()
        try site.refuses(403, "unauthorized-page") { try Self.info(site, ["\(site.tenant.id):author"]) }
        let answer = try site.takes {
            try Self.info(site, ["\(site.tenant.id):author"], of: site.reader(.author))
        }
        #expect(answer["users"]?.array?.count == 1)
    }
}
