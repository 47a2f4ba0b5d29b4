import JSON
import TestSupport
import Testing

/// Domains of a site (contract: admin 5.17).
@Suite struct BackendDomainTests {
    private static let facts: JSONValue = [
        "domain": "https://Blog.Example.com:8443/x", "emailFromName": "Blog", "emailFromEmail": "blog@example.com",
        "logoSrc": "https://example.com/logo.png", "logoSrc100px": "https://example.com/small.png",
        "footerUnsubscribeURL": "https://example.com/bye?u=[userId]", "emailHeaders": ["X-Site": "blog"],
        "disableUnsubscribeLinks": true,
        "dkim": ["domainName": "example.com", "keySelector": "k", "publicKey": "p", "privateKey": "secret"],
        "wpURL": "ignored", "id": "ignored",
    ]

    private static func domains(_ site: Site) throws -> [String?] {
        (try site.does("GET", "domain-configs")["configurations"]?.array ?? []).map { $0["domain"]?.string }
    }

    private static func status(_ site: Site, from origin: String) throws -> Int {
        try site.client().request(
            "GET", "/comments/\(site.tenant.id)", ["urlId": "page"], headers: [("origin", origin)]
        ).status
    }

    @Test func aDomainIsAddedChangedAndDeleted() throws {
        let site = try Site()
        #expect(try site.does("GET", "domain-configs")["configurations"] == [])
        let made = try #require(try site.does("POST", "domain-configs", [:], Self.facts)["configuration"])
        #expect(made["domain"] == "blog.example.com" && made["emailFromName"] == "Blog" && made["wpURL"] == nil)
        #expect(made["emailHeaders"] == ["X-Site": "blog"] && made["disableUnsubscribeLinks"] == true)
        #expect(made["dkim"] == ["domainName": "example.com", "keySelector": "k", "publicKey": "p"])
        #expect(try site.does("GET", "domain-configs/BLOG.example.com")["configuration"] == made)
        #expect(try Self.domains(site) == ["blog.example.com"])
        try site.refuses(422, "configuration-exists-for-domain", "POST", "domain-configs", [:], Self.facts)
        let patched = try site.does(
            "PATCH", "domain-configs/blog.example.com", [:], ["domain": "shop.example.com", "logoSrc": nil])
        #expect(patched["configuration", "id"] == made["id"] && patched["configuration", "logoSrc"] == nil)
        #expect(patched["configuration", "emailFromName"] == "Blog")
        #expect(try Self.domains(site) == ["shop.example.com"])
        try site.refuses(404, "domain-does-not-exist", "GET", "domain-configs/blog.example.com")
        let put = try site.does(
            "PUT", "domain-configs/shop.example.com", [:], ["domain": "shop.example.com", "emailFromName": "Shop"])
        #expect(put["configuration", "emailFromName"] == "Shop" && put["configuration", "emailFromEmail"] == nil)
        #expect(put["configuration", "createdAt"] == made["createdAt"])
        try site.does("DELETE", "domain-configs/shop.example.com")
        try site.refuses(404, "domain-config-does-not-exist", "DELETE", "domain-configs/shop.example.com")
        #expect(try Self.domains(site) == [])
        #expect(
            try site.number("SELECT COUNT(*) FROM audit_log WHERE tenant_id = ?1 AND resource = 'DomainConfig'") == 4)
    }

    @Test func theListDecidesWhoseBrowsersGetIn() throws {
        let site = try Site()
        #expect(try Self.status(site, from: "https://elsewhere.test") == 200)
        try site.does("POST", "domain-configs", [:], ["domain": "app-*.example.com"])
        #expect(try Self.status(site, from: "https://elsewhere.test") == 403)
        #expect(try Self.status(site, from: "https://app-7.example.com") == 200)
        for host in ["localhost", "localhost:3000", "127.0.0.1:3000", "[::1]", "[::1]:3000"] {
            #expect(try Self.status(site, from: "http://\(host)") == 200, "\(host)")
        }
        for host in ["127.0.0.1.evil.test", "[::2]", "127.0.0.2"] {
            #expect(try Self.status(site, from: "http://\(host)") == 403, "\(host)")
        }
        #expect(try Self.status(site, from: "http://localhost.evil.test") == 403)
        try site.does("PATCH", "domain-configs/app-*.example.com", [:], ["domain": "example.com"])
        #expect(try Self.status(site, from: "https://www.example.com") == 200)
        #expect(try Self.status(site, from: "https://app-7.evil.test") == 403)
        try site.does("DELETE", "domain-configs/example.com")
        #expect(try Self.status(site, from: "https://elsewhere.test") == 200)
    }

    @Test func domainsThatAnOperatorSetAreListedToo() throws {
        let site = try Site(domains: ["Example.com", "*.shop.test"])
        #expect(try Self.domains(site) == ["example.com", "*.shop.test"])
        let first = try site.does("PATCH", "domain-configs/example.com", [:], ["emailFromName": "Us"])["configuration"]
        try site.does("DELETE", "domain-configs/*.shop.test")
        try site.seed(["tenants": [["id": .string(site.tenant.id), "domains": ["EXAMPLE.com", "new.test"]]]])
        #expect(try Self.domains(site) == ["example.com", "new.test"])
        #expect(try site.does("GET", "domain-configs/example.com")["configuration"] == first)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        try site.does("POST", "domain-configs", [:], ["domain": "a.test"])
        try site.does("POST", "domain-configs", [:], ["domain": "b.test"])
        let long = String(repeating: "x", count: 1000)
        let cases: [(String, JSONValue)] = [
            ("missing-domain", ["emailFromName": "x"]), ("missing-domain", ["domain": ""]), ("empty-request", [:]),
            ("domain-invalid", ["domain": "*"]), ("domain-invalid", ["domain": .string(long)]),
            ("domain-too-long", ["domain": .string(long + "x")]), ("invalid-input", ["domain": 5]),
            ("invalid-input", ["domain": "c.test", "emailFromEmail": "nobody"]),
            ("invalid-input", ["domain": "c.test", "logoSrc": "javascript:alert(1)"]),
            ("invalid-input", ["domain": "c.test", "emailHeaders": ["X": "a\r\nBcc: b@c.test"]]),
            ("invalid-input", ["domain": "c.test", "emailHeaders": ["X y": "a"]]),
            ("invalid-input", ["domain": "c.test", "emailHeaders": ["X": 1]]),
            ("invalid-input", ["domain": "c.test", "emailFromName": "a\nb"]),
            ("invalid-input", ["domain": "c.test", "disableUnsubscribeLinks": "true"]),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "domain-configs", [:], body) }
        try site.refuses(400, "malformed-json", "POST", "domain-configs", [:], ["x"])
        try site.refuses(422, "missing-domain", "PUT", "domain-configs/a.test", [:], ["emailFromName": "x"])
        try site.refuses(422, "empty-request", "PATCH", "domain-configs/a.test", [:], [:])
        for method in ["PUT", "PATCH"] {
            try site.refuses(
                422, "update-would-create-duplicate", method, "domain-configs/a.test", [:], ["domain": "B.test"])
            try site.refuses(404, "domain-does-not-exist", method, "domain-configs/x.test", [:], ["domain": "c.test"])
        }
        let other = try Site()
        try other.refuses(404, "domain-does-not-exist", "GET", "domain-configs/a.test")
        try other.refuses(404, "domain-config-does-not-exist", "DELETE", "domain-configs/a.test")
        try site.refuses(401, "invalid-api-key") {
            try site.api("DELETE", "domain-configs/a.test", key: other.tenant.apiKey)
        }
    }

    @Test func aSiteHasAtMostFiveHundredDomains() throws {
        let site = try Site(domains: (1...499).map { "d\($0).test" })
        try site.does("POST", "domain-configs", [:], ["domain": "d500.test"])
        try site.refuses(422, "invalid-input", "POST", "domain-configs", [:], ["domain": "d501.test"])
    }
}
