import JSON
import TestSupport
import Testing

/// People to mention (contract: public 12).
@Suite struct UserSearchTests {
    private static func search(
        _ site: Site, _ prefix: String?, _ query: QueryItems = [:], of reader: Reader? = nil
    ) throws -> Answer {
        let reader = try reader ?? site.reader()
        let basics: QueryItems = ["urlId": reader.page, "usernameStartsWith": prefix, "sso": reader.sso]
        return try reader.client.request("GET", "/user-search/\(site.tenant.id)", basics + query)
    }

    private static func names(
        _ site: Site, _ prefix: String?, _ query: QueryItems = [:], of reader: Reader? = nil
    ) throws -> [String] {
        let answer = try site.takes { try search(site, prefix, query, of: reader) }
        return try #require(answer["users"]?.array).compactMap { $0["name"]?.string }
    }

    private static func sections(
        _ site: Site, _ prefix: String?, _ word: String, of reader: Reader? = nil
    ) throws -> [[String]] {
        let answer = try site.takes { try search(site, prefix, ["searchSection": word], of: reader) }
        return try #require(answer["sections"]?.array).map { section in
            [section["section"]?.string ?? ""] + (section["users"]?.array ?? []).compactMap { $0["name"]?.string }
        }
    }

    /// Makes people known.
    private static func meet(_ site: Site, _ people: Person...) throws {
        for person in people { _ = try site.reader(person, at: "elsewhere").comments() }
    }

    @Test func aFoundPersonHasAClosedSetOfMembers() throws {
        let site = try Site()
        let shown: JSONValue = ["displayName": "Tester One", "avatar": "https://example.com/a.png"]
        try Self.meet(site, .named("login", id: "1", extras: shown), .named("Tester Two", id: "2"))
        let answer = try site.takes { try Self.search(site, "Tester") }
        let expected: JSONValue = [
            [
                "id": .string("\(site.tenant.id):1"), "name": "login", "displayName": "Tester One",
                "avatarSrc": "https://example.com/a.png", "type": "sso",
            ],
            ["id": .string("\(site.tenant.id):2"), "name": "Tester Two", "avatarSrc": nil, "type": "sso"],
        ]
        #expect(answer["users"] == expected)
    }

    @Test func theBestMatchesComeFirst() throws {
        let site = try Site()
        try Self.meet(
            site, .named("teS other case"), .named("tesa login", extras: ["displayName": "Somebody"]),
            .named("zz", extras: ["displayName": "tesb shown"]), .named("tesc"), .named("Nobody"))
        #expect(try Self.names(site, "tes") == ["zz", "tesc", "tesa login", "teS other case"])
        #expect(try Self.names(site, "TES") == ["teS other case", "zz", "tesc", "tesa login"])
        #expect(try Self.names(site, "es") == [])
        #expect(try Self.names(site, "%") == [] && Self.names(site, "_es") == [])
    }

    @Test func namesOfAllAlphabetsAreFoundWithoutRegardToCase() throws {
        let site = try Site()
        try Self.meet(site, .named("Émile"), .named("Ömer"), .named("Ольга"), .named("אבי"))
        #expect(try Self.names(site, "émi") == ["Émile"])
        #expect(try Self.names(site, "e\u{301}mi") == ["Émile"], "however the letter is composed")
        #expect(try Self.names(site, "ÖM") == ["Ömer"])
        #expect(try Self.names(site, "ольг") == ["Ольга"])
        #expect(try Self.names(site, "אב") == ["אבי"])
    }

    @Test func withoutANameTheLatestCommentersOfThePageAreThere() throws {
        let site = try Site()
        for name in ["first", "second", "third"] { _ = try site.reader(.named(name)).posted("Hello from \(name)") }
        try Self.meet(site, .named("elsewhere"))
        #expect(try Self.names(site, nil) == ["third", "second", "first"])
        #expect(try Self.names(site, "") == ["third", "second", "first"])
        #expect(try Self.names(site, "", of: site.reader(at: "empty page")) == [])
    }

    @Test func peopleOfThePageComeBeforeOthersThatMatchAsWell() throws {
        let site = try Site()
        try Self.meet(site, .named("Tester A"))
        _ = try site.reader(.named("Tester Z")).posted("Hello")
        #expect(try Self.names(site, "Tester") == ["Tester Z", "Tester A"])
    }

    @Test func sectionsHoldWhatTheirNamesSay() throws {
        let site = try Site()
        let staff: JSONValue = ["isModerator": true]
        let owner = Person("owner", username: "Tess Owner", email: "owner@fctest.com")
        try Self.meet(site, .named("Tess Mod", extras: staff), owner, .named("Tess Site"), .named("Other"))
        _ = try site.reader(.named("Tess Page")).posted("Hello")
        #expect(
            try Self.sections(site, "Tess", "fast") == [
                ["moderators", "Tess Mod", "Tess Owner"], ["onThisPage", "Tess Page"],
            ])
        #expect(
            try Self.sections(site, "Tess", "site")
                == [["onThisSite", "Tess Mod", "Tess Owner", "Tess Page", "Tess Site"]])
        #expect(try Self.search(site, "Tess", ["searchSection": "fast"])["users"] == nil)
        try site.refuses(400, "invalid-input") { try Self.search(site, "Tess", ["searchSection": "slow"]) }
    }

    @Test func aSectionHasTenPeopleInOneOrder() throws {
        let site = try Site()
        let tenant = JSONValue.string(site.tenant.id)
        let numbers = (10...40).shuffled().map { "Tester \($0)" }
        try site.seed([
            "people": .array(
                numbers.map { ["tenant": tenant, "id": .string($0), "username": .string($0)] })
        ])
        let expected = (10..<20).map { "Tester \($0)" }
        #expect(try Self.names(site, "tester") == expected)
        #expect(try Self.sections(site, "Tester", "site") == [["onThisSite"] + expected])
        #expect(try Self.names(site, "Tester 3").count == 10)
        #expect(try Self.names(site, "Tester 40") == ["Tester 40"])
    }

    // MARK: Who is left out

    @Test func theSearcherAndWhoeverTheyBlockedAreLeftOut() throws {
        let site = try Site()
        let searcher = try site.reader(.named("Tester Me"))
        _ = try searcher.comments()
        let id = try site.reader(.named("Tester Foe")).posted("Hello")
        _ = try site.reader(.named("Tester Friend")).posted("Hello you")
        try site.takes { try searcher.block(id) }
        #expect(try Self.names(site, "Tester", of: searcher) == ["Tester Friend"])
        #expect(try Self.names(site, "", of: searcher) == ["Tester Friend"])
        #expect(try Self.sections(site, "Tester", "site", of: searcher) == [["onThisSite", "Tester Friend"]])
        #expect(try Self.names(site, "Tester").count == 3)
    }

    @Test func tenMatchesThatAreLeftOutDoNotHideTheEleventh() throws {
        let site = try Site()
        let searcher = try site.reader(Person.named("Me", extras: ["groupIds": ["mine"]]))
        _ = try searcher.comments()
        let tenant = JSONValue.string(site.tenant.id)
        try site.seed([
            "people": .array(
                (10...99).map { number in
                    [
                        "tenant": tenant, "id": .string("\(number)"), "username": .string("Tester \(number)"),
                        "groupIds": [number == 99 ? "mine" : "theirs"],
                    ]
                })
        ])
        #expect(try Self.names(site, "Tester", of: searcher) == ["Tester 99"])
    }

    @Test func groupsMustMeet() throws {
        let site = try Site()
        let groups = { (names: JSONValue) -> JSONValue in ["groupIds": names] }
        try Self.meet(
            site, .named("Tester A", extras: groups(["a"])), .named("Tester AB", extras: groups(["a", "b"])),
            .named("Tester Free"), .named("Tester None", extras: groups([])))
        let search = { (own: JSONValue, asked: QueryItems) in
            let reader = try site.reader(Person.named("Me", extras: groups(own)))
            return try Self.names(site, "Tester", asked, of: reader)
        }
        #expect(try search(["a"], [:]) == ["Tester A", "Tester AB", "Tester Free"])
        #expect(try search(["b"], [:]) == ["Tester AB", "Tester Free"])
        #expect(try search([], [:]) == ["Tester Free"])
        #expect(try search(nil, [:]).count == 4)
        #expect(try search(nil, ["mentionGroupIds": "b"]) == ["Tester AB", "Tester Free"])
        #expect(try search(["a"], ["mentionGroupIds": "b", "mentionGroupIds": "c"]) == ["Tester AB", "Tester Free"])
        #expect(try search(nil, ["mentionGroupIds": "a,b"]).count == 3)
    }

    @Test func privateProfilesAreNotFound() throws {
        let site = try Site()
        try Self.meet(
            site, .hidden("Tester Hidden"), .named("Tester Open", extras: ["isProfileActivityPrivate": false]))
        _ = try site.reader(.hidden("Tester Writer")).posted("Hello")
        #expect(try Self.names(site, "Tester") == ["Tester Open"])
        #expect(try Self.sections(site, "Tester", "fast") == [["moderators"], ["onThisPage"]])
    }

    @Test func namesAreShownAsTheTenantShowsThem() throws {
        let site = try Site(["commenterNameFormat": 2])
        try Self.meet(site, .named("Tester Adams", extras: ["displayName": "Ada Adams"]))
        let user = try site.takes { try Self.search(site, "Tester") }["users", 0]
        #expect(user?["name"] == "Tester A." && user?["displayName"] == "Ada A.")
        let nameless = try Site(["commenterNameFormat": 4])
        try Self.meet(nameless, .named("Tester Adams"))
        #expect(try Self.names(nameless, "Tester") == [])
        let off = try Site(["mentionAutoCompleteMode": 2])
        try Self.meet(off, .named("Tester Adams"))
        #expect(try Self.names(off, "Tester") == [] && Self.sections(off, "Tester", "fast") == [])
    }

    @Test func whatIsNotShownFindsNobody() throws {
        let site = try Site(["commenterNameFormat": 2])
        try Self.meet(
            site, .named("Tester van Adams", extras: ["displayName": "Ada Lovelace"]), .named("Tester Berg"),
            .named("Cher"))
        _ = try site.reader(.named("Tester Writer")).posted("Hello")
        for hidden in ["Tester van Ad", "tester van adams", "Ada Lo", "Tester Be", "Tester Wr", "Tester W.r"] {
            #expect(try Self.names(site, hidden) == [], "\(hidden)")
            for section in ["fast", "site"] {
                #expect(try Self.sections(site, hidden, section).allSatisfy { $0.count == 1 }, "\(hidden)")
            }
        }
        for shown in ["Tester van a", "tester van A.", "Ada L", "ada l."] {
            #expect(try Self.names(site, shown) == ["Tester van A."], "\(shown)")
        }
        #expect(try Self.names(site, "Tester W.") == ["Tester W."] && Self.names(site, "cher") == ["Cher"])
        #expect(try Self.names(site, "Tester") == ["Tester W.", "Tester B.", "Tester van A."])
        let initials = try Site(["commenterNameFormat": 3])
        try Self.meet(initials, .named("Tester Adams"), .named("Tom Berg"))
        #expect(try Self.names(initials, "Te") == [] && Self.names(initials, "Tester Adams") == [])
        #expect(try Self.names(initials, "t") == ["T. A.", "T. B."] && Self.names(initials, "t. b") == ["T. B."])
        let capitals = try Site(["commenterNameFormat": 1])
        try Self.meet(capitals, .named("tester adams"), .named("Tester Berg"))
        #expect(try Self.names(capitals, "Tester") == ["Tester Adams", "Tester Berg"])
    }

    @Test func equallyGoodMatchesAreInTheOrderOfTheAlphabet() throws {
        let site = try Site()
        try Self.meet(site, .named("Tester Zoe"), .named("Tester Émile"), .named("Tester Emil"), .named("Tester Frank"))
        #expect(try Self.names(site, "Tester") == ["Tester Emil", "Tester Émile", "Tester Frank", "Tester Zoe"])
    }

    // MARK: Access

    @Test func aSearchNeedsATenantAndAPageThatMayBeRead() throws {
        let site = try Site(pages: [["urlId": "closed", "groupIds": ["staff"]]])
        let client = try site.client()
        let path = "/user-search/\(site.tenant.id)"
        for page in [nil, "", "null"] {
            try site.refuses(422, "missing-url-id") { try client.request("GET", path, ["urlId": page]) }
        }
        try site.refuses(403, "unauthorized-page") { try client.request("GET", path, ["urlId": "closed"]) }
        try site.refuses(404, "invalid-tenant") {
            try client.request("GET", "/user-search/nobody-here", ["urlId": "page"])
        }
        try Self.meet(try Site(), .named("Tester Elsewhere"))
        #expect(try Self.names(site, "Tester") == [])
    }
}
