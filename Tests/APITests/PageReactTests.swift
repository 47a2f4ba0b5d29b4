import JSON
import TestSupport
import Testing

/// Likes of pages and reactions to them (contract: public 15).
@Suite struct PageReactTests {
    let site: Site

    init() throws { site = try Site() }

    // MARK: Likes

    @Test func aPageThatNobodyKnowsHasNoLikes() throws {
        let answer = try site.takes { try site.reader().likes() }
        #expect(answer["likeCount"] == 0 && answer["didLike"] == false && answer["commentCount"] == 0)
        #expect(answer["urlIdWS"]?.string == "\(site.tenant.id)%3Apage")
        #expect(try site.rows().isEmpty)
    }

    @Test func likesCountOnceAPersonAndGoAgain() throws {
        let (one, two) = (try site.reader(.reader(1)), try site.reader(.reader(2)))
        #expect(try site.takes { try one.like() }.code == nil)
        #expect(try site.takes { try one.like() }.code == "already-liked")
        #expect(try site.takes { try two.like() }.code == nil)
        #expect(try one.likes()["likeCount"] == 2 && one.likes()["didLike"] == true)
        #expect(try site.takes { try one.unlike() }.code == nil)
        #expect(try site.takes { try one.unlike() }.code == "not-liked")
        #expect(try one.likes()["likeCount"] == 1 && one.likes()["didLike"] == false)
        #expect(try two.likes()["didLike"] == true)
        #expect(try site.reader(.reader(2), at: "other").likes()["likeCount"] == 0)
    }

    @Test func takingBackALikeFromAPageThatNobodyKnowsMakesNoPage() throws {
        #expect(try site.takes { try site.reader().unlike() }.code == "not-liked")
        #expect(try site.takes { try site.reader().unreact("love") }.code == "no-react")
        #expect(try site.rows().isEmpty)
    }

    @Test func likesTellHowManyCommentsStandAtTheTop() throws {
        let author = try site.reader(.author)
        let first = try author.posted("First")
        _ = try author.posted("Reply", replyingTo: first)
        _ = try author.posted("Second")
        let answer = try site.reader().likes()
        #expect(answer["commentCount"] == 2)
        #expect(try site.reader().comments()["commentCount"] == answer["commentCount"])
    }

    // MARK: Reactions

    @Test func reactionsCountPerIdAndPerson() throws {
        let (one, two) = (try site.reader(.reader(1)), try site.reader(.reader(2)))
        let nothing = try site.takes { try one.reacts() }
        #expect(nothing["counts"] == nil && nothing["reactedIds"] == nil)
        #expect(try site.takes { try one.reactToPage("love") }.code == nil)
        #expect(try site.takes { try one.reactToPage("love") }.code == "already-reacted")
        try site.takes { try one.reactToPage("👍🏽") }
        try site.takes { try two.reactToPage("love") }
        let seen = try site.takes { try one.reacts() }
        #expect(seen["counts"] == ["love": 2, "👍🏽": 1] && seen["reactedIds"] == ["love", "👍🏽"])
        #expect(try two.reacts()["reactedIds"] == ["love"])
        let stranger = try site.reader().reacts()
        #expect(stranger["counts"] == seen["counts"] && stranger["reactedIds"] == nil)
        #expect(try site.takes { try one.unreact("love") }.code == nil)
        #expect(try site.takes { try one.unreact("love") }.code == "no-react")
        try site.takes { try one.unreact("👍🏽") }
        let left = try one.reacts()
        #expect(left["counts"] == ["love": 1] && left["reactedIds"] == nil)
    }

    @Test func likesAndReactionsAreApart() throws {
        let reader = try site.reader(.reader(1))
        try site.takes { try reader.like() }
        #expect(try reader.reacts()["counts"] == nil)
        try site.takes { try reader.reactToPage("like") }
        #expect(try reader.likes()["likeCount"] == 1)
        try site.takes { try reader.unlike() }
        #expect(try reader.reacts()["counts"] == ["like": 1])
    }

    @Test(arguments: [
        String(repeating: "x", count: 36), String(repeating: "👍", count: 36), "a b/%&\"\\", "👩‍👧", "❤️", "⃣",
        "x" + String(repeating: "\u{301}", count: 71) + "x",
    ])
    func anIdOf36CharactersIsTaken(_ id: String) throws {
        let reader = try site.reader(.reader(1))
        try site.takes { try reader.reactToPage(id) }
        #expect(try reader.reacts()["reactedIds"] == [.string(id)])
        #expect(try reader.names(id)["userNames"] == ["reader-1"])
        try site.takes { try reader.unreact(id) }
    }

    @Test(arguments: [
        String(repeating: "x", count: 37), String(repeating: "👍", count: 37),
        "x" + String(repeating: "\u{301}", count: 72),
    ])
    func aLongerIdIsRefused(_ id: String) throws {
        let reader = try site.reader()
        for call in [{ try reader.reactToPage(id) }, { try reader.unreact(id) }, { try reader.names(id) }]
            as [() throws -> Answer]
        {
            try site.refuses(422, "react-id-too-long", call)
        }
    }

    @Test(arguments: [" ", "\u{200B}", "\u{FE0F}", "\u{200D}\u{2060}", "a\u{0}", "\u{1F}", "a\u{9B}b", "\n", "x\n"])
    func anIdThatCannotBeShownIsRefused(_ id: String) throws {
        let reader = try site.reader()
        try site.refuses(422, "invalid-input") { try reader.reactToPage(id) }
        try site.refuses(422, "invalid-input") { try reader.unreact(id) }
        try site.refuses(422, "invalid-input") { try reader.names(id) }
    }

    @Test func anIdIsComposed() throws {
        let reader = try site.reader(.reader(1))
        try site.takes { try reader.reactToPage("e\u{301}") }
        #expect(try site.takes { try reader.reactToPage("é") }.code == "already-reacted")
        let ids = try reader.reacts()["reactedIds"]?.array?.compactMap { $0.string.map { Array($0.utf8) } }
        #expect(ids == [Array("\u{E9}".utf8)])
        #expect(try site.takes { try reader.unreact("e\u{301}") }.code == nil)
    }

    @Test func aPageHasAThousandDifferentReactionsAtMost() throws {
        for person in 0..<50 {
            let reader = try site.reader(.reader(person))
            for number in 0..<20 { try site.takes { try reader.reactToPage("r\(person * 20 + number)") } }
            reader.client.close()
        }
        let reader = try site.reader(.reader(50))
        try site.takes { try reader.reactToPage("r7") }
        try site.refuses(422, "too-many-reacts") { try reader.reactToPage("one-more") }
        try site.takes { try reader.like() }
        try site.takes { try site.reader(.reader(0)).unreact("r0") }
        try site.takes { try reader.reactToPage("one-more") }
        #expect(try reader.reacts()["counts"]?.object?.members.count == 1000)
    }

    @Test(arguments: [Person.reader(1), nil])
    func nobodyAddsMoreThanTwentyDifferentReactions(_ person: Person?) throws {
        let reader = try site.reader(person)
        for number in 0..<20 { try site.takes { try reader.reactToPage("r\(number)") } }
        try site.refuses(422, "too-many-reacts") { try reader.reactToPage("one-more") }
        try site.refuses(422, "too-many-reacts") { try reader.reactToPage("r20") }
        try site.takes { try site.reader(.reader(2)).reactToPage("known") }
        try site.takes { try reader.reactToPage("known") }
        #expect(try site.takes { try reader.reactToPage("r3") }.code == "already-reacted")
        try site.takes { try reader.on("other").reactToPage("one-more") }
        try site.takes { try reader.unreact("r0") }
        try site.refuses(422, "too-many-reacts") { try reader.reactToPage("one-more") }
        try site.takes { try reader.unreact("r1") }
        try site.takes { try reader.reactToPage("one-more") }
    }

    @Test func namesAreOfPeopleInOrderWithoutPrivateOnes() throws {
        for (id, name) in [("1", "zoe"), ("2", "Bob"), ("3", "alice")] {
            try site.takes { try site.reader(Person(id, username: name)).reactToPage("love") }
        }
        try site.takes {
            try site.reader(Person("4", username: "carl", extras: ["displayName": "Aaron"])).reactToPage("love")
        }
        let hidden = Person("5", username: "hidden", extras: ["isProfileActivityPrivate": true])
        try site.takes { try site.reader(hidden).reactToPage("love") }
        try site.takes { try site.reader(.reader(1)).reactToPage("other") }
        try site.takes { try site.reader().reactToPage("love") }
        #expect(try site.reader().names("love")["userNames"] == ["Aaron", "alice", "Bob", "zoe"])
        #expect(try site.reader().names("nothing")["userNames"] == [])
        #expect(try site.reader(at: "other").names("love")["userNames"] == [])
        #expect(try site.reader().reacts()["counts"] == ["love": 6, "other": 1])
    }

    @Test func accentsStandBesideTheirLetter() throws {
        let people: [JSONValue] = (100..<199).map { ["id": .string("p\($0)"), "username": .string("Zed \($0)")] }
        let more: [JSONValue] = [["id": "e", "username": "Émile"], ["id": "f", "username": "Frank"]]
        let tenant = JSONValue.string(site.tenant.id)
        try site.seed([
            "people": .array(
                (people + more).map { person in
                    var person = person.object ?? JSONObject()
                    person.append("tenant", tenant)
                    return .object(person)
                })
        ])
        for id in (100..<199).map({ "p\($0)" }) + ["e", "f"] {
            let reader = try site.reader(
                Person(id, username: id == "e" ? "Émile" : id == "f" ? "Frank" : "Zed \(id.dropFirst())"))
            try site.takes { try reader.reactToPage("love") }
            reader.client.close()
        }
        let names = try site.reader().names("love")["userNames"]?.array ?? []
        #expect(names.count == 100 && names.first == "Émile" && names[1] == "Frank" && names.last == "Zed 197")
    }

    @Test func aHundredNamesAreShown() throws {
        for number in 100..<201 {
            let reader = try site.reader(Person("p\(number)"))
            try site.takes { try reader.reactToPage("love") }
            reader.client.close()
        }
        let names = try site.reader().names("love")["userNames"]?.array ?? []
        #expect(names.count == 100 && names.first == "p100" && names.last == "p199")
        #expect(try site.reader().reacts()["counts"] == ["love": 101])
    }

    @Test func reactionsMakeThePageWithItsTitle() throws {
        let reader = try site.reader(.reader(1))
        try site.takes { try reader.reactToPage("love", query: ["title": " A title "]) }
        #expect(try site.rows().contains { $0.hasPrefix("page|") && $0.contains("|A title|") })
        try site.takes { try reader.on("second").like(["title": ""]) }
        #expect(try site.rows().filter { $0.hasPrefix("page|") }.count == 2)
    }

    // MARK: Refusals

    @Test(arguments: PageReactCall.all)
    func aCallNeedsATenantAndAPage(_ call: PageReactCall) throws {
        let client = try site.client()
        try site.refuses(422, "missing-url-id") { try call.send(client, site.tenant.id, ["id": "love"]) }
        try site.refuses(422, "missing-url-id") {
            try call.send(client, site.tenant.id, ["id": "love", "urlId": "null"])
        }
        try site.refuses(404, "invalid-tenant") { try call.send(client, "nobody", ["id": "love", "urlId": "page"]) }
        try site.refuses(401, "malformed-sso") {
            try call.send(client, site.tenant.id, ["id": "love", "urlId": "page", "sso": "nonsense"])
        }
        guard call.needsID else { return }
        for query in [["urlId": "page"], ["urlId": "page", "id": ""]] as [QueryItems] {
            try site.refuses(422, "invalid-input") { try call.send(client, site.tenant.id, query) }
        }
    }

    @Test(arguments: PageReactCall.all)
    func theRulesOfAPageHold(_ call: PageReactCall) throws {
        let query: QueryItems = ["id": "love", "urlId": "page"]
        let signOn = try Site(["requireSSO": true])
        let (status, code) = call.method == "GET" ? (403, "unauthorized-page") : (401, "login-required")
        try signOn.refuses(status, code) { try call.send(signOn.client(), signOn.tenant.id, query) }
        let sso: QueryItems = ["sso": signOn.token(.author)]
        try signOn.takes { try call.send(signOn.client(), signOn.tenant.id, query + sso) }
        let readOnly = try Site(["readonly": true])
        if call.method == "GET" {
            try readOnly.takes { try call.send(readOnly.client(), readOnly.tenant.id, query) }
        } else {
            try readOnly.refuses(401, "locked") { try call.send(readOnly.client(), readOnly.tenant.id, query) }
        }
    }
}

/// One operation.
struct PageReactCall: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    let rest: String

    static let all: [PageReactCall] =
        ["GET", "POST", "DELETE"].flatMap { method in
            ["v1/likes", "v2"].map { PageReactCall(method: method, path: $0, rest: "") }
        } + [PageReactCall(method: "GET", path: "v2", rest: "/list")]

    var needsID: Bool { path == "v2" && (method != "GET" || rest == "/list") }

    var testDescription: String { "\(method) \(path)\(rest)" }

    func send(_ client: HTTPClient, _ tenant: String, _ query: QueryItems) throws -> Answer {
        try client.request(method, "/page-reacts/\(path)/\(tenant)\(rest)", query)
    }
}

extension Reader {
    private func pageReact(
        _ method: String, _ path: String, rest: String = "", _ query: QueryItems, _ headers: [(String, String)]
    ) throws -> Answer {
        let basics: QueryItems = ["urlId": page, "sso": sso]
        return try client.request(
            method, "/page-reacts/\(path)/\(tenant)\(rest)", basics + query, headers: headers)
    }

    func likes(_ query: QueryItems = [:], headers: [(String, String)] = []) throws -> Answer {
        try pageReact("GET", "v1/likes", query, headers)
    }

    func like(_ query: QueryItems = [:], headers: [(String, String)] = []) throws -> Answer {
        try pageReact("POST", "v1/likes", query, headers)
    }

    func unlike(_ query: QueryItems = [:], headers: [(String, String)] = []) throws -> Answer {
        try pageReact("DELETE", "v1/likes", query, headers)
    }

    func reacts(_ query: QueryItems = [:], headers: [(String, String)] = []) throws -> Answer {
        try pageReact("GET", "v2", query, headers)
    }

    func reactToPage(_ id: String, query: QueryItems = [:], headers: [(String, String)] = []) throws -> Answer {
        try pageReact("POST", "v2", ["id": id] + query, headers)
    }

    func unreact(_ id: String, query: QueryItems = [:], headers: [(String, String)] = []) throws -> Answer {
        try pageReact("DELETE", "v2", ["id": id] + query, headers)
    }

    func names(_ id: String, query: QueryItems = [:]) throws -> Answer {
        try pageReact("GET", "v2", rest: "/list", ["id": id] + query, [])
    }
}
