import JSON
import SQLite
import TestSupport
import Testing

/// Tenants for their own backends and for the operator (contract: admin 5.7, 5.25).
@Suite struct TenantRouteTests {
    @Test func aTenantReadsAndChangesItself() throws {
        let site = try Site(domains: ["Example.com"])
        let id = site.tenant.id
        let tenant = try #require(try site.does("GET", "tenants/\(id)")["tenant"])
        #expect(tenant["id"] == .string(id) && tenant["packageId"] == "self-hosted" && tenant["paymentFrequency"] == 0)
        #expect(tenant["billingInfoValid"] == true && tenant["isSetup"] == true && tenant["createdBy"] == "")
        #expect(tenant["enableSpamFilter"] == true && tenant["commentsRequireApproval"] == false)
        #expect(tenant["domainConfiguration"]?.array?.count == 1 && tenant["meta"] == nil)
        #expect(try site.does("GET", "tenants")["tenants"] == [])
        try site.does(
            "PATCH", "tenants/\(id)", [:],
            [
                "name": "Renamed", "enableSpamFilter": false, "commentsRequireApproval": true,
                "unverifiedCommentsTTLms": 60_000, "packageId": "self-hosted", "paymentFrequency": 0,
                "billingInfoValid": true, "billingInfo": [:], "meta": ["plan": "gold"], "deAnonIpAddr": 1,
                "domainConfiguration": [["domain": "https://Blog.example.com/x"], ["domain": "*.example.org"]],
            ])
        let changed = try site.does("GET", "tenants/\(id)")["tenant"]
        #expect(changed?["name"] == "Renamed" && changed?["enableSpamFilter"] == false)
        #expect(changed?["commentsRequireApproval"] == true && changed?["unverifiedCommentsTTLms"] == 60_000)
        #expect(changed?["meta"] == ["plan": "gold"] && changed?["email"] == "owner@fctest.com")
        let domains = changed?["domainConfiguration"]?.array?.map { $0["domain"] }
        #expect(domains == ["blog.example.com", "*.example.org"])
        let foreign = try site.client().request(
            "GET", "/comments/\(id)", ["urlId": "page"], headers: [("origin", "https://example.com")])
        #expect(foreign.code == "domain-unauthorized")
        let acts = try site.does("GET", "audit-logs")["auditLogs"]?.array ?? []
        #expect(acts.map { $0["resourceName"] } == ["Tenant"])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let path = "tenants/\(site.tenant.id)"
        let long = { (count: Int) in JSONValue.string(String(repeating: "x", count: count)) }
        let cases: [(String, JSONValue)] = [
            ("empty-request", [:]), ("unexpected-param", ["hasFlexPricing": true]),
            ("unexpected-param", ["flexLastBilledAmount": 1]), ("unexpected-param", ["other": 1]),
            ("name-invalid", ["name": ""]), ("name-invalid", ["name": long(201)]), ("name-invalid", ["name": 1]),
            ("email-invalid", ["email": "x"]), ("email-invalid", ["email": "me@fctest.com"]),
            ("email-invalid", ["email": .string(String(repeating: "x", count: 289) + "@example.com")]),
            ("sign-up-date-in-future", ["signUpDate": 4_000_000_000_000]),
            ("invalid-billing-info", ["billingInfoValid": true]), ("cannot-change-package", ["packageId": "gold"]),
            ("cannot-change-payment-frequency", ["paymentFrequency": 1]),
            ("cannot-move-tenant", ["managedByTenantId": "other"]),
            ("domain-invalid", ["domainConfiguration": [["domain": "*"]]]),
            ("domain-invalid", ["domainConfiguration": [[:]]]),
            ("domain-too-long", ["domainConfiguration": [["domain": long(1001)]]]),
            ("invalid-input", ["domainConfiguration": "x"]), ("invalid-input", ["enableSpamFilter": "yes"]),
            ("invalid-input", ["unverifiedCommentsTTLms": 59_999]), ("invalid-input", ["meta": ["a.b": "x"]]),
            ("invalid-input", ["meta": ["a$": "x"]]), ("invalid-input", ["meta": ["a": long(2001)]]),
            ("invalid-input", ["meta": ["a": 1]]),
        ]
        let before = try site.does("GET", path)["tenant"]
        for (code, body) in cases { try site.refuses(422, code, "PATCH", path, [:], body) }
        #expect(try site.does("GET", path)["tenant"] == before)
        try site.does("PATCH", path, [:], ["name": long(200), "meta": ["a": long(2000)]])
        try site.refuses(422, "invalid-skip", "GET", "tenants", ["skip": "-1"])
        try site.refuses(422, "invalid-input", "GET", "tenants", ["meta": "x"])
        let other = try Site()
        for method in ["GET", "PATCH"] {
            try site.refuses(403, "unauthorized", method, "tenants/\(other.tenant.id)", [:], ["name": "x"])
            try site.refuses(404, "not-found", method, "tenants/unknown", [:], ["name": "x"])
        }
    }

    @Test func withoutAnOperatorNobodyMakesOrDeletesTenants() throws {
        let site = try Site()
        let body: JSONValue = ["name": "New", "domainConfiguration": []]
        try site.refuses(403, "unauthorized", "POST", "tenants", [:], body)
        try site.refuses(403, "unauthorized", "DELETE", "tenants/\(site.tenant.id)", ["sure": "true"])
        try site.refuses(401, "invalid-api-key") { try site.api("GET", "tenants", key: "operator-operator") }
    }

    @Test func aKeySaysWhoseItIs() throws {
        let site = try Site()
        let me = try site.does("GET", "me")
        #expect(me["tenantId"] == .string(site.tenant.id) && me["authType"] == "api-key")
        #expect(me["scopes"] == ["read", "write"] && me["tenantName"] != nil)
        try site.refuses(401, "invalid-api-key") { try site.api("GET", "me", key: "wrong") }
    }

    // MARK: The operator

    private static let key = "operator-operator"

    private func operated() throws -> Site {
        try Site(on: try SeededServer.own(["PARLEY_OPERATOR_KEY": Self.key]))
    }

    @Test func theOperatorMakesListsAndDeletesTenants() throws {
        let site = try operated()
        let operate = { (method: String, path: String, query: QueryItems, body: JSONValue?) in
            try site.api(method, path, query, body, key: Self.key)
        }
        let body: JSONValue = [
            "name": "Child", "domainConfiguration": [["domain": "example.com"]], "email": "child@example.com",
            "meta": ["plan": "gold"], "commentsRequireApproval": true,
        ]
        try site.refuses(403, "unauthorized", "POST", "tenants", [:], body)
        try site.refuses(422, "name-invalid") { try operate("POST", "tenants", [:], ["domainConfiguration": []]) }
        try site.refuses(422, "invalid-input") { try operate("POST", "tenants", [:], ["name": "Child"]) }
        let made = try site.takes { try operate("POST", "tenants", [:], body) }["tenant"]
        let id = try #require(made?["id"]?.string)
        #expect(made?["createdBy"] == .string(site.tenant.id) && made?["commentsRequireApproval"] == true)
        try site.refuses(422, "email-taken") { try operate("POST", "tenants", [:], body) }
        #expect(try site.does("GET", "tenants")["tenants"] == [try #require(made)])
        #expect(try site.does("GET", "tenants", ["meta": #"{"plan":"gold"}"#])["tenants"]?.array?.count == 1)
        #expect(try site.does("GET", "tenants", ["meta": #"{"plan":"tin"}"#])["tenants"] == [])
        #expect(try operate("GET", "tenants", [:], nil)["tenants"]?.array?.count ?? 0 >= 2)
        // The key of the tenant that made it acts for it, and nothing else of the operator's is open.
        let child = { (method: String, path: String, key: String) in
            try site.client().request(
                method, "/api/v1/\(path)", ["tenantId": id], headers: [("x-api-key", key)],
                body: method == "POST" ? body : nil)
        }
        #expect(try child("GET", "pages", site.tenant.apiKey).isSuccess)
        #expect(try child("GET", "pages", Self.key).code == "invalid-api-key")
        #expect(try child("POST", "tenants", Self.key).code == "unauthorized")
        try site.refuses(422, "unsure") { try operate("DELETE", "tenants/\(id)", [:], nil) }
        try site.refuses(422, "unsure") { try operate("DELETE", "tenants/\(id)", ["sure": "1"], nil) }
        try site.refuses(404, "not-found") { try operate("DELETE", "tenants/unknown", ["sure": "true"], nil) }
        try site.takes { try operate("DELETE", "tenants/\(id)", ["sure": "true"], nil) }
        try site.refuses(404, "not-found") { try operate("DELETE", "tenants/\(id)", ["sure": "true"], nil) }
        #expect(try child("GET", "pages", site.tenant.apiKey).code == "invalid-tenant-id")
        try until { try site.count("tenant WHERE id = '\(id)'") == 0 }
    }

    @Test func allThatATenantHadGoes() throws {
        let site = try operated()
        let id = site.tenant.id
        let reader = try site.known(.author)
        for number in 1...130 {
            _ = try site.saved("Comment \(number)", ["userId": "author", "urlId": .string("page-\(number % 7)")])
        }
        _ = try reader.posted("Last")
        try site.does("POST", "moderators", [:], ["name": "Mod", "email": "mod@example.com"])
        try site.does(
            "POST", "tenant-users", [:], ["username": "Ann", "email": "ann@example.com", "isAccountOwner": true])
        try site.takes { try site.api("DELETE", "tenants/\(id)", ["sure": "true"], key: Self.key) }
        #expect(try reader.comments().code == "invalid-tenant")
        #expect(try reader.moderating("GET", "count").code == "invalid-tenant")
        try until { try site.count("tenant_removal") == 0 && site.count("tenant WHERE id = '\(id)'") == 0 }
        #expect(try site.rows() == [])
        #expect(try site.count("comment_search") == 0)
    }
}
