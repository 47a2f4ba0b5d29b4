import JSON
import TestSupport
import Testing

/// How fast somebody may write (contract: public 6.2, 22.3).
@Suite struct RateLimitTests {
    /// Posts and names what became of it.
    private static func post(
        _ site: Site, _ number: Int, sso: String? = nil, session: String? = nil, forwarded: [String] = []
    ) throws -> Answer {
        try site.client().request(
            "POST", "/comments/\(site.tenant.id)", ["urlId": "page", "sso": sso, "sessionId": session],
            headers: forwarded.map { ("x-forwarded-for", $0) },
            body: [
                "comment": .string("Comment number \(number)"), "commenterName": "G", "commenterEmail": "g@example.com",
            ])
    }

    private static func refuses(_ site: Site, _ code: String = "user-rate-limited", _ request: () throws -> Answer)
        throws
    {
        let answer = try site.refuses(429, code, request)
        #expect((1...60).contains(Int(answer.header("retry-after") ?? "") ?? 0))
        #expect(answer["translatedError"] != nil)
    }

    @Test func aPersonWritesFiveCommentsAMinute() throws {
        let site = try Site(isExempt: false)
        let sso = site.token(.author)
        for number in 1...5 { try site.takes { try Self.post(site, number, sso: sso) } }
        try Self.refuses(site) { try Self.post(site, 6, sso: sso) }
        // By id alone: people share addresses, and another token is the same person.
        try Self.refuses(site) { try Self.post(site, 7, sso: site.token(Person("author", username: "Renamed"))) }
        try site.takes { try Self.post(site, 8, sso: site.token(.reader(1))) }
    }

    @Test func refusedCommentsDoNotCount() throws {
        let site = try Site(isExempt: false)
        let reader = try site.reader(.author)
        for number in 1...4 { _ = try reader.posted("Comment \(number)") }
        for _ in 1...3 { try site.refuses(404, "not-found") { try reader.post("Reply", replyingTo: "unknown") } }
        _ = try reader.posted("Comment 5")
        try Self.refuses(site) { try reader.post("Comment 6") }
    }

    @Test func aSettingMovesTheLimit() throws {
        let site = try Site(["maxCommentCreatedCountPUPM": 2], isExempt: false)
        let reader = try site.reader(.author)
        for number in 1...2 { _ = try reader.posted("Comment \(number)") }
        try Self.refuses(site) { try reader.post("Comment 3") }
    }

    @Test func guestsCountBySessionAndAddress() throws {
        let site = try Site(isExempt: false)
        let first = try site.takes { try Self.post(site, 1) }
        let session = first["user", "sessionId"]?.string
        for number in 2...3 { try site.takes { try Self.post(site, number, session: session) } }
        // Sessions are free, so a new one does not help; nor does a header that nobody vouches for.
        for number in 4...5 { try site.takes { try Self.post(site, number, forwarded: ["198.51.100.\(number)"]) } }
        try Self.refuses(site) { try Self.post(site, 6) }
        try Self.refuses(site) { try Self.post(site, 7, session: session) }
        try Self.refuses(site) { try Self.post(site, 8, forwarded: ["198.51.100.8"]) }
        try site.takes { try Self.post(site, 9, sso: site.token(.author)) }
    }

    @Test func tenantsOfSuitesAreExempt() throws {
        let site = try Site()
        let reader = try site.reader(.author)
        for _ in 1...12 { _ = try reader.posted("The same") }
        for _ in 1...7 { try site.takes { try site.reader().post("The same", extras: guestExtras) } }
    }

    @Test func theSameTwiceIsADuplicate() throws {
        let site = try Site(isExempt: false)
        let reader = try site.reader(.author)
        let id = try reader.posted("Hello, World!")
        for text in ["Hello, World!", " hello world ", "**Hello**, world"] {
            let answer = try site.refuses(422, "duplicate") { try reader.post(text) }
            #expect(answer["translatedError"] != nil)
        }
        try site.takes { try reader.post("Hello, World!", replyingTo: id) }
        try site.takes { try reader.on("other").post("Hello, World!") }
        try site.takes { try site.reader(.reader(1)).post("Hello, World!") }
        try site.takes { try reader.post("Hello, Worlds!") }
    }

    // MARK: Behind proxies

    @Test func aTrustedProxyNamesTheClient() throws {
        let site = try Site(isExempt: false, on: .proxied())
        for number in 1...5 {
            // The client may claim what it likes to the left.
            try site.takes { try Self.post(site, number, forwarded: ["203.0.113.\(number), 198.51.100.1"]) }
        }
        for (number, forwarded) in [
            ["198.51.100.1"], ["192.0.2.1, 198.51.100.1, 10.9.9.9"], ["192.0.2.1", "198.51.100.1"],
            ["192.0.2.1,198.51.100.1:4711"],
        ].enumerated() {
            try Self.refuses(site) { try Self.post(site, 6 + number, forwarded: forwarded) }
        }
        try site.takes { try Self.post(site, 20, forwarded: ["198.51.100.1, 198.51.100.2"]) }
        try site.takes { try Self.post(site, 21, forwarded: ["198.51.100.1", "198.51.100.2"]) }
        try site.takes { try Self.post(site, 22, forwarded: ["198.51.100.1, 198.51.100.2, 10.9.9.9"]) }
    }

    @Test func networksOfTheSixthVersionAreToldApart() throws {
        let site = try Site(["maxCommentCreatedCountPUPM": 1], isExempt: false, on: .proxied())
        try site.takes { try Self.post(site, 1, forwarded: ["[2001:db8::1]:5"]) }
        try Self.refuses(site) { try Self.post(site, 2, forwarded: ["2001:db8::1"]) }
        try Self.refuses(site) { try Self.post(site, 3, forwarded: ["[2001:db8::ffff:ffff:ffff:ffff]:6"]) }
        try site.takes { try Self.post(site, 4, forwarded: ["[2001:db8:0:1::]:6"]) }
    }

    @Test func whatNamesNobodyIsTheProxyItself() throws {
        let site = try Site(["maxCommentCreatedCountPUPM": 1], isExempt: false, on: .proxied())
        try site.takes { try Self.post(site, 1) }
        let manyHops = [Array(repeating: "10.9.9.9", count: 60).joined(separator: ", ")]
        for (number, forwarded) in [["unknown"], ["198.51.100.7, unknown"], [""], ["_hidden"], manyHops].enumerated() {
            let answer = try Self.post(site, 2 + number, forwarded: forwarded)
            #expect(answer.status == 429 || forwarded == manyHops, "\(forwarded)")
        }
    }

    @Test func anAddressMakesAHundredAndTwentyWritesAMinute() throws {
        let site = try Site(isExempt: false, on: .proxied())
        let exempt = try Site(on: .proxied())
        let client = try site.client()
        let write = { (site: Site) in
            try client.request(
                "POST", "/flag-comment/x", ["tenantId": site.tenant.id], headers: [("x-forwarded-for", "203.0.113.99")])
        }
        for _ in 1...120 { #expect(try write(site).status == 400) }
        try Self.refuses(site, "rate-limited") { try write(site) }
        #expect(try write(exempt).status == 400)
        let read = try client.request(
            "GET", "/comments/\(site.tenant.id)", ["urlId": "page"], headers: [("x-forwarded-for", "203.0.113.99")])
        #expect(read.isSuccess)
    }
}
