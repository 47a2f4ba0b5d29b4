import JSON
import TestSupport
import Testing

/// How a site's backend gets in (contract: admin 1.1, 1.8).
@Suite struct BackendEntryTests {
    private static let reads = [
        "comments?urlId=page", "votes?urlId=page", "pages", "sso-users", "hash-tags", "feed-posts", "notifications",
        "subscriptions", "audit-logs", "tenant-users", "moderators", "tenants", "me",
        "subscriptions", "audit-logs", "domain-configs", "tenant-packages", "tickets", "tenant-daily-usage",
        "question-configs", "question-results", "email-templates", "email-templates/definitions",
    ]

    @Test(arguments: reads) func everyReadAsksForTheKey(_ path: String) throws {
        let site = try Site()
        let parts = path.split(separator: "?")
        let query: QueryItems = parts.count > 1 ? ["urlId": "page"] : [:]
        try site.does("GET", String(parts[0]), query)
        let other = try Site()
        try site.refuses(401, "invalid-api-key") {
            try site.api("GET", String(parts[0]), query, key: other.tenant.apiKey)
        }
        try site.refuses(401, "missing-api-key") {
            try site.client().request("GET", "/api/v1/\(parts[0])", ["tenantId": site.tenant.id] + query)
        }
    }

    @Test func aSignOnIsNoKey() throws {
        let site = try Site()
        try site.refuses(401, "missing-api-key") {
            try site.client().request(
                "POST", "/api/v1/comments", ["tenantId": site.tenant.id, "sso": site.token(.admin)],
                body: Site.comment("Hello"))
        }
    }

    @Test func browsersAreNotLetIn() throws {
        let site = try Site()
        let answer = try site.client().request(
            "GET", "/api/v1/pages", ["tenantId": site.tenant.id],
            headers: [("x-api-key", site.tenant.apiKey), ("origin", "https://example.com")])
        #expect(answer.isSuccess)
        #expect(answer.header("access-control-allow-origin") == nil)
    }

    @Test func aKeyMayDoAHundredCallsAtOnce() throws {
        let site = try Site(isExempt: false)
        let client = try site.client()
        var refusal: Answer?
        // Some credit comes back meanwhile, ten a second.
        for _ in 1...600 where refusal == nil {
            let answer = try client.request(
                "GET", "/api/v1/users/nobody", ["tenantId": site.tenant.id],
                headers: [("x-api-key", site.tenant.apiKey)])
            if answer.status == 429 { refusal = answer }
        }
        let answer = try #require(refusal)
        #expect(answer.code == "rate-limited")
        #expect(answer.header("retry-after") == "1")
    }

    @Test func anAddressThatGuessesKeysHasToWait() throws {
        let site = try Site(isExempt: false, on: .proxied())
        let ask = { (key: String, address: String) in
            try site.client().request(
                "GET", "/api/v1/pages", ["tenantId": site.tenant.id],
                headers: [("x-api-key", key), ("x-forwarded-for", address)])
        }
        for _ in 1...20 { #expect(try ask("guess", "198.51.100.77").code == "invalid-api-key") }
        let answer = try ask("guess", "198.51.100.77")
        #expect(answer.status == 429 && answer.code == "rate-limited")
        #expect(answer.header("retry-after") != nil)
        #expect(try ask(site.tenant.apiKey, "198.51.100.77").isSuccess, "the right key does not")
        #expect(try ask("guess", "198.51.100.78").code == "invalid-api-key")
    }

    @Test func suitesAreNotSlowedDown() throws {
        let site = try Site()
        let client = try site.client()
        for _ in 1...150 {
            let answer = try client.request(
                "GET", "/api/v1/users/nobody", ["tenantId": site.tenant.id],
                headers: [("x-api-key", site.tenant.apiKey)])
            #expect(answer.status == 404)
        }
    }

    @Test func bodiesMustBeJSON() throws {
        let site = try Site()
        for (method, path) in [
            ("POST", "comments"), ("POST", "comments/bulk"), ("PATCH", "comments/x"), ("POST", "pages"),
            ("POST", "sso-users"), ("POST", "hash-tags"), ("POST", "feed-posts"), ("POST", "subscriptions"),
            ("PATCH", "notifications/x"), ("POST", "tenant-users"), ("PUT", "tenant-users/x"), ("POST", "moderators"),
            ("PATCH", "moderators/x"),
        ] {
            for body in ["{", "[1", "1", "\"x\""] {
                try site.refuses(400, "malformed-json") {
                    try site.client().send(
                        method, "/api/v1/\(path)", ["tenantId": site.tenant.id],
                        headers: [("x-api-key", site.tenant.apiKey), ("content-type", "application/json")],
                        body: Array(body.utf8))
                }
            }
        }
    }
}
