import JSON
import TestSupport
import Testing

/// Who is on a page now (contract: public 14.2, live 4.4).
@Suite struct OnlinePeopleTests {
    @Test func peopleAreListedByNameAndTheOthersCounted() throws {
        let site = try Site()
        let zed = Person.named("zed", extras: ["avatar": "https://example.com/z.png", "displayName": ""])
        let ann = Person.named("login", id: "ann", extras: ["displayName": "Ann"])
        let sockets = try [zed, ann, .named("Émile")].map { try site.reader($0).arrive() }
        let anonymous = try site.reader().arrive()
        let stranger = try site.reader().strangerArrives()
        let answer = try site.takes { try site.reader().people("online") }
        let id = { (name: String) -> JSONValue in .string("\(site.tenant.id):\(name)") }
        let expected: JSONValue = [
            ["id": id("ann"), "displayName": "Ann"],
            ["id": id("Émile"), "displayName": "Émile"],
            ["id": id("zed"), "displayName": "zed", "avatarSrc": "https://example.com/z.png"],
        ]
        #expect(answer["users"] == expected)
        #expect(answer["totalCount"] == 5 && answer["anonCount"] == 2)
        #expect(answer["nextAfterName"]?.isNull == true && answer["nextAfterUserId"]?.isNull == true)
        try anonymous.close()
        try stranger.close()
        try sockets[0].close()
        try eventually { try site.reader().people("online")["totalCount"] == 2 }
        let later = try site.takes { try site.reader().people("online") }
        #expect(later["users"]?.array?.names == ["Ann", "Émile"])
        #expect(later["totalCount"] == 2 && later["anonCount"] == 0)
    }

    @Test func twoSocketsAreOnePersonUntilBothAreClosed() throws {
        let site = try Site()
        let (first, second) = (try site.reader(.author).arrive(), try site.reader(.author).arrive())
        let count = { try site.reader().people("online")["totalCount"] }
        #expect(try count() == 1)
        try first.close()
        #expect(try count() == 1)
        try second.close()
        try eventually { try count() == 0 }
        let again = try site.reader(.author).arrive()
        #expect(try count() == 1, "at once, without the wait of the announcements")
        try again.close()
    }

    @Test func aGuestWithANameIsCountedAndNotNamed() throws {
        let site = try Site()
        let guest = try site.takes { try site.reader().post("Hello", extras: guestExtras) }
        let session = try #require(guest["user", "sessionId"]?.string)
        let reader = try site.reader()
        let read = try reader.comments(["sessionId": session])
        let socket = try reader.live(read)
        let answer = try site.takes { try reader.people("online") }
        #expect(answer["users"] == [] && answer["totalCount"] == 1 && answer["anonCount"] == 1)
        try socket.close()
    }

    @Test func otherPagesAndTenantsHaveTheirOwnPeople() throws {
        let (site, other) = (try Site(), try Site())
        let socket = try site.reader(.author).arrive()
        #expect(try site.reader(at: "elsewhere").people("online")["totalCount"] == 0)
        #expect(try other.reader().people("online")["totalCount"] == 0)
        // The page's id is cleaned as in a read of comments.
        let spelled = try site.reader(.reader(1), at: "https://example.com/a?utm_source=x").arrive()
        #expect(try site.reader(at: "https://example.com/a").people("online")["totalCount"] == 1)
        try socket.close()
        try spelled.close()
    }

    @Test func fiftyPeopleAreAPageAndEqualNamesDoNotHideAnybody() throws {
        let site = try Site()
        let people = (1...50).map { Person.named("Same", id: "p\($0)") }
        var sockets = try people.map { try site.reader($0).arrive() }
        let full = try site.takes { try site.reader().people("online") }
        #expect(full["users"]?.array?.count == 50 && full["nextAfterName"]?.isNull == true)
        sockets.append(try site.reader(.named("same", id: "p51")).arrive())
        sockets.append(try site.reader(.named("Aaron", id: "p0")).arrive())
        let pages = try site.reader().allPeople("online")
        #expect(pages.map(\.count) == [50, 2])
        #expect(pages.first?.names.first == "Aaron")
        let expected = (people.map(\.id) + ["p0", "p51"]).map { "\(site.tenant.id):\($0)" }
        #expect(pages.flatMap(\.ids).sorted() == expected.sorted())
        for socket in sockets { try socket.close() }
    }

    @Test func aCursorIsExclusiveAndNeedsNobodyOfThatName() throws {
        let site = try Site()
        let sockets = try ["ann", "Bob", "carol"].map { try site.reader(.named($0)).arrive() }
        let after = { (name: String, id: String) in
            try site.takes { try site.reader().people("online", after: (name, id)) }["users"]?.array?.names
        }
        #expect(try after("Bob", "\(site.tenant.id):Bob") == ["carol"])
        #expect(try after("BOB", "\(site.tenant.id):Bob") == ["carol"])
        #expect(try after("Bob", "0") == ["Bob", "carol"])
        #expect(try after("b", "zzz") == ["Bob", "carol"])
        #expect(try after("zzz", "x") == [])
        for socket in sockets { try socket.close() }
    }

    @Test func accentsStandBesideTheirLetterAndCursorsKeepToThat() throws {
        let site = try Site()
        let names = ["Zoë", "Emil", "Émile", "Emily", "zed", "Ádám", "bob"]
        let sockets = try names.map { try site.reader(.named($0)).arrive() }
        let ordered = ["Ádám", "bob", "Emil", "Émile", "Emily", "zed", "Zoë"]
        #expect(try site.reader().people("online")["users"]?.array?.names == ordered)
        for (index, name) in ordered.enumerated() {
            let cursor = (name, "\(site.tenant.id):\(name)")
            let rest = try site.reader().people("online", after: cursor)["users"]?.array?.names
            #expect(rest == Array(ordered[(index + 1)...]))
        }
        for socket in sockets { try socket.close() }
    }

    // MARK: Privacy

    @Test func privateProfilesAreLastAndWithoutNameOrPicture() throws {
        let site = try Site()
        let avatar: JSONValue = ["avatar": "https://example.com/a.png", "isProfileActivityPrivate": true]
        let people = [Person.named("Aaron", extras: avatar), .hidden("Abel"), .named("Zoe")]
        let sockets = try people.map { try site.reader($0).arrive() }
        let answer = try site.takes { try site.reader().people("online") }
        let users = try #require(answer["users"]?.array)
        #expect(users.names == ["Zoe", "", ""] && users[0]["isPrivate"] == nil)
        for user in users.dropFirst() {
            #expect(user["isPrivate"] == true && user["avatarSrc"] == nil)
            #expect(user.object?.members.map(\.name).sorted() == ["displayName", "id", "isPrivate"])
        }
        #expect(answer["totalCount"] == 3 && answer["anonCount"] == 0)
        // Said otherwise, or nothing at all, is not private.
        try site.takes {
            try site.reader(Person.named("Aaron", extras: ["isProfileActivityPrivate": false])).comments()
        }
        #expect(try site.reader().people("online")["users"]?.array?.names == ["Aaron", "Zoe", ""])
        for socket in sockets { try socket.close() }
    }

    @Test func aCursorInsideThePrivateProfilesSaysNoName() throws {
        let site = try Site()
        let sockets = try (1...52).map { try site.reader(.hidden("Secret \($0)")).arrive() }
        let first = try site.takes { try site.reader().people("online") }
        let name = try #require(first["nextAfterName"]?.string)
        #expect(!name.isEmpty && !name.contains("Secret"))
        let pages = try site.reader().allPeople("online")
        #expect(pages.map(\.count) == [50, 2])
        #expect(Set(pages.flatMap(\.ids)).count == 52)
        for socket in sockets { try socket.close() }
    }

    @Test func namesAreShownAsTheTenantShowsThem() throws {
        let site = try Site(["commenterNameFormat": 2])
        let sockets = try ["Zoe Adams", "Adam Zweig"].map { try site.reader(.named($0)).arrive() }
        #expect(try site.reader().people("online")["users"]?.array?.names == ["Adam Z.", "Zoe A."])
        for socket in sockets { try socket.close() }
    }

    // MARK: Access

    @Test(arguments: ["online", "offline"])
    func aListNeedsATenantAPageAndAWholeCursor(_ list: String) throws {
        let site = try Site()
        let client = try site.client()
        let path = "/pages/\(site.tenant.id)/users/\(list)"
        try site.refuses(404, "invalid-tenant") {
            try client.request("GET", "/pages/nobody-here/users/\(list)", ["urlId": "page"])
        }
        for page in [nil, "", "null", "undefined", "%20"] {
            try site.refuses(422, "missing-url-id") {
                try client.request("GET", path, page == "%20" ? ["urlId": " "] : ["urlId": page])
            }
        }
        for half: QueryItems in [["afterName": "Ann"], ["afterUserId": "x"], ["afterName": "", "afterUserId": "x"]] {
            try site.refuses(422, "invalid-input") { try client.request("GET", path, ["urlId": "page"] + half) }
        }
        let blank: QueryItems = ["urlId": "page", "afterName": "", "afterUserId": ""]
        let answer = try site.takes { try client.request("GET", path, blank) }
        #expect(answer["users"] == [])
    }

    @Test(arguments: ["online", "offline"])
    func aListIsForThoseWhoMayReadThePage(_ list: String) throws {
        let site = try Site(pages: [["urlId": "page", "groupIds": ["staff"]]])
        let member = Person.named("member", extras: ["groupIds": ["staff"]])
        let visitor = Person.named("visitor", extras: ["groupIds": ["others"]])
        for person in [member, visitor] { _ = try site.reader(person).comments() }
        try site.refuses(403, "unauthorized-page") { try site.reader().people(list) }
        try site.refuses(403, "unauthorized-page") { try site.reader(visitor).people(list) }
        try site.takes { try site.reader(member).people(list) }
        let closed = try Site(["requireSSO": true])
        try closed.refuses(403, "unauthorized-page") { try closed.reader().people(list) }
        _ = try closed.reader(.author).comments()
        try closed.takes { try closed.reader(.author).people(list) }
        #expect(try closed.reader().signedOn("{").people(list).code == "malformed-sso")
    }

    @Test func firstSightMakesAPersonHereToo() throws {
        let site = try Site()
        try site.takes { try site.reader(.author).people("online") }
        #expect(try site.rows().count { $0.hasPrefix("person|") } == 1)
    }
}

extension Reader {
    /// Comes with a token that nobody made.
    fileprivate func strangerArrives() throws -> WebSocketClient {
        try WebSocketClient(port: client.port, ["urlId": page, "userIdWS": "unknown", "tenantIdWS": tenant])
    }
}
