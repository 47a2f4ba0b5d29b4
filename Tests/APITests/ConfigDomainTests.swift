import JSON
import TestSupport
import Testing

/// What a domain's rules forbid cannot be had by claiming to come from elsewhere (contract: public 21.1).
@Suite struct ConfigDomainTests {
    /// What a client may say of where it is.
    private static let claims: [String?] = [
        nil, "null", "", "https://blog.example.com", "https://blog.example.com.", "https://BLOG.example.com",
        "https://blog.example.com:8443", "https://elsewhere.test", "https://blog.example.com.elsewhere.test",
        "https://lax.example.com", "nonsense",
    ]

    private static func send(
        _ site: Site, _ method: String, at page: String, from origin: String?, as sso: String? = nil,
        query: QueryItems = [:], body: JSONValue? = nil
    ) throws -> Answer {
        let headers = origin.map { [("origin", $0)] } ?? []
        return try site.client().request(
            method, "/comments/\(site.tenant.id)", ["urlId": page, "broadcastId": "b", "sso": sso] + query,
            headers: headers, body: body)
    }

    private static func post(_ site: Site, at page: String, from origin: String?) throws -> Answer {
        let body: JSONValue = [
            "comment": "Hello", "commenterName": "Guest", "commenterEmail": "guest@example.com", "url": .string(page),
            "urlId": .string(page),
        ]
        return try send(site, "POST", at: page, from: origin, body: body)
    }

    private static func site(_ settings: JSONValue) throws -> Site {
        let site = try Site()
        try site.config([
            ["domain": "blog.example.com", "settings": settings],
            ["domain": "lax.example.com", "settings": ["requireSSO": false, "readonly": false, "pageSize": 50]],
        ])
        return site
    }

    @Test(arguments: claims)
    func noClaimOpensAPageThatTellsNoSite(_ origin: String?) throws {
        let site = try Self.site(["requireSSO": true])
        try site.refuses(403, "unauthorized-page") { try Self.send(site, "GET", at: "short-id", from: origin) }
        try site.refuses(401, "login-required") { try Self.post(site, at: "short-id", from: origin) }
        let signedOn = try Self.send(site, "GET", at: "short-id", from: origin, as: site.token(.author))
        #expect(signedOn.isSuccess)
        try site.config([["domain": "blog.example.com", "settings": ["readonly": true]]])
        try site.refuses(401, "locked") { try Self.post(site, at: "short-id", from: origin) }
        try site.takes { try Self.send(site, "GET", at: "short-id", from: origin) }
    }

    @Test(arguments: claims)
    func noClaimChangesWhatAnAddressSays(_ origin: String?) throws {
        let site = try Self.site(["readonly": true])
        for page in ["https://blog.example.com/1", "https://BLOG.example.com:8443/1", "http://blog.example.com./1"] {
            try site.refuses(401, "locked") { try Self.post(site, at: page, from: origin) }
        }
        try site.takes { try Self.post(site, at: "https://lax.example.com/1", from: origin) }
        try site.takes { try Self.post(site, at: "https://other.example.com/1", from: origin) }
    }

    @Test func whatOneDomainAllowsIsNotHadByClaimingIt() throws {
        let site = try Site(["requireSSO": true])
        try site.config([
            ["settings": ["requireSSO": true]],
            ["domain": "lax.example.com", "settings": ["requireSSO": false, "allowAnon": true]],
        ])
        for origin in ["https://lax.example.com", nil] {
            try site.refuses(401, "login-required") { try Self.post(site, at: "short-id", from: origin) }
            try site.takes { try Self.post(site, at: "https://lax.example.com/1", from: origin) }
        }
    }

    @Test func socketsAndLogsKnowNoOtherRule() throws {
        let site = try Self.site(["requireSSO": true])
        let log = try site.client().request(
            "GET", "/event-log/\(site.tenant.id)", ["urlId": "short-id", "startTime": "0", "userIdWS": "x"],
            headers: [("origin", "https://lax.example.com")])
        #expect(log.code == "unauthorized-page")
    }

    @Test func readersAreToldWhatHolds() throws {
        let site = try Self.site(["readonly": true, "pageSize": 20])
        let answer = try Self.send(
            site, "GET", at: "short-id", from: "https://lax.example.com", query: ["includeConfig": "true"])
        #expect(answer["customConfig", "readonly"] == true && answer["customConfig", "pageSize"] == 50)
    }
}
