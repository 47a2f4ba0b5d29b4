import Crypto
import Foundation
import JSON
import TestSupport
import Testing

/// GIFs of a provider (contract: public 17).
@Suite struct GifTests {
    let provider: GifProviderStandIn
    let server: SeededServer
    let site: Site

    init() throws {
        provider = try GifProviderStandIn()
        server = try .own(provider.environment)
        site = try Site(on: server)
    }

    private func trending(_ query: QueryItems = [:], on site: Site? = nil) throws -> Answer {
        let site = site ?? self.site
        return try site.client().request("GET", "/gifs/trending/\(site.tenant.id)", query)
    }

    private func search(_ text: String?, _ query: QueryItems = [:]) throws -> Answer {
        try site.client().request("GET", "/gifs/search/\(site.tenant.id)", ["search": text] + query)
    }

    private func large(_ address: String?) throws -> Answer {
        try site.client().request(
            "GET", "/gifs/get-large/\(site.tenant.id)", ["largeInternalURLSanitized": address])
    }

    // MARK: Lists

    @Test func aFullPageHasTwentyFive() throws {
        let first = try site.takes { try trending() }["images"]?.array ?? []
        #expect(first.count == 25)
        #expect(first[0] == ["https://media.example.com/8-tre-0/200w.gif?cid=a&rid=b", 200, 113])
        let second = try site.takes { try trending(["page": "1"]) }["images"]?.array ?? []
        #expect(second.count == 25 && second[0][0]?.string?.contains("-25/") == true)
        let third = try site.takes { try trending(["page": "2"]) }["images"]?.array ?? []
        #expect(third.count == 10)
        #expect(try site.takes { try trending(["page": "3"]) }["images"] == [])
        #expect(provider.questions.map { $0.query["offset"] } == ["0", "25", "50", "75"])
    }

    @Test func theProviderIsAskedInItsOwnTerms() throws {
        try site.takes { try trending(["rating": "pg-13", "locale": "de_de"]) }
        try site.takes { try search(" Über & Co ", ["rating": "g", "locale": "zh-TW", "page": "1.0"]) }
        let (first, second) = (provider.questions[0], provider.questions[1])
        #expect(first.path == "/v1/gifs/trending" && second.path == "/v1/gifs/search")
        #expect(
            first.query == ["api_key": GifProviderStandIn.key, "limit": "30", "offset": "0", "rating": "pg-13"])
        #expect(
            second.query == [
                "api_key": GifProviderStandIn.key, "limit": "30", "offset": "25", "rating": "g", "q": "über & co",
                "lang": "zh-TW",
            ])
    }

    @Test func theRatingIsTheSitesUnlessAsked() throws {
        try site.takes { try trending() }
        let strict = try Site(["gifRating": "g"], on: server)
        try strict.takes { try trending(on: strict) }
        try strict.takes { try trending(["rating": "r"], on: strict) }
        #expect(provider.questions.map { $0.query["rating"] } == ["pg", "g", "r"])
    }

    @Test func theProviderIsAskedOnceForAWhile() throws {
        let first = try site.takes { try trending(["page": "0.0"]) }
        let again = try site.takes { try trending() }
        #expect(first["images"] == again["images"] && provider.questions.count == 1)
        let found = try site.takes { try search("Cats") }
        #expect(try search("cats ")["images"] == found["images"] && found["images"] != first["images"])
        #expect(try trending(["locale": "de_de"])["images"] == first["images"])
        #expect(provider.questions.count == 2)
        let other = try Site(on: server)
        try other.takes { try trending(on: other) }
        #expect(provider.questions.count == 2)
    }

    @Test func aLongSearchIsCut() throws {
        try site.takes { try search(String(repeating: "x", count: 50)) }
        try site.takes { try search(String(repeating: "x", count: 51)) }
        #expect(provider.questions.map { $0.query["q"]?.count } == [50])
        let marks = { (count: Int) in "x" + String(repeating: "\u{20D0}", count: count) }
        try site.takes { try search(marks(333)) }
        try site.refuses(422, "invalid-input") { try search(marks(334)) }
    }

    @Test func noFurtherIsListedThanProvidersDo() throws {
        #expect(try site.takes { try trending(["page": "198"]) }["images"] == [])
        #expect(provider.questions.count == 1)
        for page in ["199", "200000", "9000000000000000000"] {
            #expect(try site.takes { try trending(["page": page]) }["images"] == [])
        }
        #expect(provider.questions.count == 1)
    }

    @Test func entriesThatCannotBeShownAreLeftOutAndThePageIsFull() throws {
        let broken: [JSONValue] = [
            1, ["id": "a"], GifProviderStandIn.entry("b", small: ["url": "javascript:x", "width": "1", "height": "1"]),
            GifProviderStandIn.entry("c", small: ["url": "https://a/", "width": "0", "height": "1"]),
            GifProviderStandIn.entry("d", small: ["url": "https://a/", "width": 1]),
        ]
        provider.turn(.entries(broken + (0..<40).map { GifProviderStandIn.entry("x\($0)") }))
        let images = try site.takes { try trending() }["images"]?.array ?? []
        // Of three of the broken ones the larger form can be shown.
        #expect(images.count == 25)
        #expect(images.allSatisfy { $0[0]?.string?.hasPrefix("https://") == true && $0[1]?.integer != nil })
    }

    // MARK: Large pictures

    @Test func theLargePictureOfOneThatWasListedIsKnown() throws {
        let listed = try site.takes { try search("cats") }["images", 3, 0]?.string
        let answer = try site.takes { try large(listed) }
        #expect(answer["src"] == "https://media.example.com/4-cat-3/giphy.gif")
    }

    @Test func nothingElseIsLookedUp() throws {
        try site.takes { try trending() }
        for address in [
            "https://media.example.com/8-tre-0/200w.gif", "http://169.254.169.254/", "x", "file:///etc/passwd",
        ] {
            try site.refuses(404, "not-found") { try large(address) }
        }
        try site.refuses(422, "invalid-input") { try large(nil) }
        try site.refuses(422, "invalid-input") { try large("") }
        #expect(provider.questions.count == 1)
    }

    // MARK: Refusals

    @Test func malformedParametersAreRefused() throws {
        for text in [nil, "", "  "] { try site.refuses(422, "invalid-input") { try search(text) } }
        for page in ["-1", "1.5", "x", "nan", "inf", "1e400", "0x10", "1e1", "+1", "1.", ".0", "-1.0"] {
            try site.refuses(422, "invalid-input") { try trending(["page": page]) }
        }
        for rating in ["x", "PG", "y"] { try site.refuses(422, "invalid-input") { try trending(["rating": rating]) } }
        #expect(provider.questions.isEmpty)
    }

    @Test(arguments: ["trending", "search", "get-large"])
    func aListNeedsATenant(_ list: String) throws {
        let query: QueryItems = ["search": "x", "largeInternalURLSanitized": "x"]
        try site.refuses(404, "invalid-tenant") { try site.client().request("GET", "/gifs/\(list)/nobody", query) }
        let closed = try Site(domains: ["example.com"], on: server)
        try closed.refuses(403, "domain-unauthorized") {
            try closed.client().request(
                "GET", "/gifs/\(list)/\(closed.tenant.id)", query, headers: [("origin", "https://other.com")])
        }
        #expect(provider.questions.isEmpty)
    }

    @Test(arguments: [
        StandIn.answer("403 Forbidden", [], "{\"data\":[]}"), StandIn.answer("200 OK", [], "no json"),
        StandIn.answer("200 OK", [], "{\"data\":{}}"), StandIn.answer("200 OK", [], "[]"),
        StandIn.text("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"data\":[]}"), StandIn.text(""),
        StandIn.answer("302 Found", [("Location", "http://169.254.169.254/latest/meta-data")]),
        [.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))]
            + Array(repeating: .send(Array(repeating: 0x20, count: 1 << 20)), count: 5),
    ])
    func aProviderThatFailsIsAnError(_ steps: [StandIn.Step]) throws {
        provider.turn(.raw(steps))
        let answer = try site.refuses(500, "internal-error") { try trending() }
        #expect(answer["reason"]?.string?.contains("provider") == false)
        provider.turn(.well)
        #expect(try site.takes { try trending() }["images"]?.array?.count == 25)
    }

    @Test func theKeyIsNotLogged() throws {
        provider.turn(.raw(StandIn.answer("500 No")))
        try site.refuses(500, "internal-error") { try search("cats") }
        _ = try server.process.terminate()
        let log = server.process.errorOutput
        #expect(log.contains("The GIF provider answered 500."))
        #expect(!log.contains("secret") && !log.contains("api_key") && !log.contains("cats"))
    }
}

/// Without a provider, and with one that does not answer.
@Suite struct GifOutageTests {
    @Test func withoutAKeyTheListsAreEmpty() throws {
        let site = try Site()
        let client = try site.client()
        for path in ["trending", "search"] {
            let answer = try site.takes {
                try client.request("GET", "/gifs/\(path)/\(site.tenant.id)", ["search": "cats", "page": "0.0"])
            }
            #expect(answer["images"] == [])
        }
        try site.refuses(422, "invalid-input") { try client.request("GET", "/gifs/search/\(site.tenant.id)") }
        try site.refuses(404, "not-found") {
            try client.request(
                "GET", "/gifs/get-large/\(site.tenant.id)", ["largeInternalURLSanitized": "https://example.com/a.gif"])
        }
    }

    @Test func aProviderBehindAnAuthorityOfTheOperatorsIsTrustedWhenNamed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-gif-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try CertificateAuthority.make(hosts: ["provider.test"], days: 2)
        let path = { (name: String) in folder.appendingPathComponent(name).path }
        for (name, text) in [("ca", made.authorityPEM), ("chain", made.leafChainPEM), ("key", made.leafKeyPEM)] {
            try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        }
        let provider = try GifProviderStandIn(
            tls: TLSContext(certificateChainPath: path("chain"), privateKeyPath: path("key")))
        let distrusting = try Site(on: .own(provider.environment))
        try distrusting.refuses(500, "internal-error") {
            try distrusting.client().request("GET", "/gifs/trending/\(distrusting.tenant.id)")
        }
        let trusting = try Site(on: .own(provider.environment.merging(["PARLEY_OUTBOUND_CA": path("ca")]) { $1 }))
        let answer = try trusting.takes {
            try trusting.client().request("GET", "/gifs/trending/\(trusting.tenant.id)")
        }
        #expect(answer["images"]?.array?.count == 25)
    }

    @Test func aProviderThatHangsHoldsUpNobodyElse() throws {
        let provider = try GifProviderStandIn()
        provider.turn(.raw([.wait]))
        let site = try Site(on: .own(provider.environment))
        let lists = (0..<2).map { number in
            Background { try site.client().request("GET", "/gifs/trending/\(site.tenant.id)", ["page": "\(number)"]) }
        }
        // Both threads of the provider's lane wait now; whatever else runs off the loop still does.
        try provider.server.waitForRequests(2)
        let reader = try site.reader(.author)
        let meta: JSONValue = [
            "note": .string(String(repeating: "long enough to be prepared off the loop ", count: 250))
        ]
        let posted = try site.takes { try reader.post("Hello", extras: ["meta": meta]) }
        #expect(try reader.comments()["comments", 0, "_id"] == posted["comment", "_id"])
        for list in lists { #expect(try list.value().code == "internal-error") }
    }
}
