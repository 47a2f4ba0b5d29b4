import JSON
import TestSupport
import Testing

/// Whom a text names (contract: public 7.5, 12).
@Suite struct MentionTests {
    /// Makes people known.
    private static func meet(_ site: Site, _ people: Person...) throws {
        for person in people { _ = try site.reader(person, at: "elsewhere").comments() }
    }

    /// Whether a text by somebody came to name people, as it is shown.
    private static func html(_ text: String, by reader: Reader, _ extras: JSONValue = [:]) throws -> String {
        try #require(try reader.post(text, extras: extras)["comment", "commentHTML"]?.string)
    }

    private static func names(_ html: String, _ name: String) -> Bool {
        html.contains(">@\(name)<")
    }

    @Test func aTextNamesPeopleOfTheSameGroupsOnly() throws {
        let site = try Site()
        let (mine, theirs): (JSONValue, JSONValue) = (["groupIds": ["mine"]], ["groupIds": ["theirs"]])
        try Self.meet(site, .named("Ann", extras: mine), .named("Bob", extras: theirs), .named("Carol"))
        let html = try Self.html(
            "@Ann @Bob @Carol", by: site.reader(Person.named("Me", extras: mine)),
            ["mentions": [["id": .string("\(site.tenant.id):Bob"), "tag": "@Bob"]]])
        #expect(Self.names(html, "Ann") && !Self.names(html, "Bob") && Self.names(html, "Carol"), "\(html)")
        #expect(Self.names(try Self.html("@Bob", by: site.reader(.named("Free"))), "Bob"))
    }

    @Test func nobodyNamesWhomTheyBlocked() throws {
        let site = try Site()
        let author = try site.reader(.named("Me"))
        _ = try author.comments()
        let id = try site.reader(.named("Foe")).posted("Hello")
        #expect(Self.names(try Self.html("Hi @Foe", by: author), "Foe"))
        try site.takes { try author.block(id) }
        #expect(!Self.names(try Self.html("Again @Foe", by: author), "Foe"))
        let listed: JSONValue = ["mentions": [["id": .string("\(site.tenant.id):Foe"), "tag": "@Foe"]]]
        #expect(!Self.names(try Self.html("Once more @Foe", by: author, listed), "Foe"))
        let mine = try author.posted("Plain")
        try site.takes { try author.edit(mine, "Edited @Foe") }
        let edited = try author.comments()["comments"]?.array?.first { $0["_id"]?.string == mine }
        #expect(edited?["commentHTML"] == "Edited @Foe")
        #expect(Self.names(try Self.html("Hi @Foe", by: site.reader(.named("Other"))), "Foe"))
    }

    @Test func ofTwoWithOneNameTheOneWhoMayBeNamedIsMeant() throws {
        let site = try Site()
        let (mine, theirs): (JSONValue, JSONValue) = (["groupIds": ["mine"]], ["groupIds": ["theirs"]])
        try Self.meet(
            site, .named("Ann", id: "1", extras: mine), .named("Ann", id: "2", extras: theirs),
            .named("Ann Lee", id: "3", extras: theirs))
        let author = try site.reader(Person.named("Me", extras: mine))
        #expect(Self.names(try Self.html("@Ann", by: author), "Ann"))
        #expect(!Self.names(try Self.html("@Ann Lee", by: author), "Ann"), "somebody else was meant")
        #expect(
            !Self.names(try Self.html("@Ann", by: site.reader(.named("Free"))), "Ann"), "nobody knows who was meant")
    }

    @Test func aNameThatIsNotShownNamesNobody() throws {
        let site = try Site(["commenterNameFormat": 2])
        try Self.meet(site, .named("Ann Smith"), .named("Bob"), .named("Bob Brown"))
        let author = try site.reader(.named("Me"))
        #expect(!Self.names(try Self.html("Hi @Ann Smith", by: author), "Ann Smith"))
        #expect(Self.names(try Self.html("Hi @Ann S. there", by: author), "Ann S."))
        #expect(Self.names(try Self.html("Hi @Bob and you", by: author), "Bob"))
        let nameless = try Site(["commenterNameFormat": 4])
        try Self.meet(nameless, .named("Ann Smith"))
        let other = try nameless.reader(.named("Me"))
        #expect(!Self.names(try Self.html("Hi @Ann Smith", by: other), "Ann Smith"))
        #expect(!Self.names(try Self.html("Hi @Anonymous", by: other), "Anonymous"))
    }

    @Test func aGuestsBlocksHoldForTheirTextsToo() throws {
        let site = try Site()
        let id = try site.reader(.named("Foe")).posted("Hello")
        let guest = try site.reader()
        let first = try site.takes { try guest.post("Hi @Foe", extras: guestExtras) }
        #expect(Self.names(first["comment", "commentHTML"]?.string ?? "", "Foe"))
        let session: QueryItems = ["sessionId": first["user", "sessionId"]?.string, "tenantId": site.tenant.id]
        try site.takes {
            try guest.client.request("POST", "/block-from-comment/\(id)", session, body: ["commentIds": []])
        }
        let second = try site.takes { try guest.post("Again @Foe", extras: guestExtras, query: session) }
        #expect(!Self.names(second["comment", "commentHTML"]?.string ?? "", "Foe"))
    }
}
