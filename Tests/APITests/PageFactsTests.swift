import JSON
import TestSupport
import Testing

/// Whose word about a page's title and address counts (contract: public 6.1, 15).
@Suite struct PageFactsTests {
    struct Teller: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let tell: @Sendable (Reader, String) throws -> Answer

        static let comment = Teller(testDescription: "a comment") { reader, name in
            let body: JSONValue = [
                "comment": .string("About \(name)"), "commenterName": "Guest", "urlId": .string(reader.page),
                "commenterEmail": "guest@example.com", "url": .string("https://\(name).example.com/"),
                "pageTitle": .string(name),
            ]
            let query: QueryItems = ["urlId": reader.page, "broadcastId": "b", "sso": reader.sso]
            return try reader.client.request("POST", "/comments/\(reader.tenant)", query, body: body)
        }
        static let like = Teller(testDescription: "a like") { try $0.like(["title": $1]) }
        static let reaction = Teller(testDescription: "a reaction") { try $0.reactToPage("love", query: ["title": $1]) }
        static let all = [comment, like, reaction]
    }

    private static func facts(_ site: Site) throws -> (title: JSONValue?, url: JSONValue?) {
        let pages = try site.client().request("GET", "/pages/\(site.tenant.id)")["pages"]
        return (pages?[0]?["title"], pages?[0]?["url"])
    }

    @Test(arguments: Teller.all)
    func aStrangerNamesAPageThatHasNoNameAndNoOther(_ teller: Teller) throws {
        let site = try Site(["enableFChat": true])
        try site.takes { try site.reader().like(["title": " \u{7} "]) }
        #expect(try Self.facts(site) == ("page", "page"))
        try site.takes { try teller.tell(site.reader(), "first") }
        #expect(try Self.facts(site).title == "first")
        let url = try Self.facts(site).url
        let strangers = [try site.reader(), try site.reader().signedOn(SSO.simple(Person("simple")))]
        for stranger in strangers {
            for teller in Teller.all { try site.takes { try teller.tell(stranger, "junk") } }
            #expect(try Self.facts(site).title == "first")
        }
        if url != "page" { #expect(try Self.facts(site).url == url) }
    }

    @Test(arguments: Teller.all, [Person.author, .admin])
    func whoeverIsSignedOnSecurelyNamesItAnew(_ teller: Teller, _ person: Person) throws {
        let site = try Site(["enableFChat": true])
        try site.takes { try Teller.comment.tell(site.reader(), "first") }
        try site.takes { try teller.tell(site.reader(person), "second\u{0}\n") }
        #expect(try Self.facts(site).title == "second")
        try site.takes { try teller.tell(site.reader(.reader(1)), "") }
        #expect(try Self.facts(site).title == "second")
    }

    @Test func anAddressIsReplacedByWhoeverIsSignedOnSecurely() throws {
        let site = try Site(["enableFChat": true])
        try site.takes { try Teller.comment.tell(site.reader(), "first") }
        try site.takes { try Teller.comment.tell(site.reader(), "second") }
        #expect(try Self.facts(site) == ("first", "https://first.example.com/"))
        try site.takes { try Teller.comment.tell(site.reader(.author), "third") }
        #expect(try Self.facts(site) == ("third", "https://third.example.com/"))
    }
}
