import JSON
import TestSupport
import Testing

/// A tenant is kept in memory, and is true all the same.
@Suite struct TenantChangeTests {
    /// Reads, so that every loop knows the tenant as it is.
    private static func know(_ site: Site) throws {
        for _ in 0..<8 { try site.takes { try site.reader(.author).comments() } }
    }

    @Test func aChangedRowCountsWithTheNextRequest() throws {
        let site = try Site()
        let id = site.tenant.id
        let read = { (origin: String) in
            try site.client().request(
                "GET", "/comments/\(id)", ["urlId": "page"], headers: [("origin", "https://\(origin)")])
        }
        try Self.know(site)
        try site.execute(#"UPDATE tenant SET domains = '["a.example.com"]' WHERE id = '\#(id)'"#)
        try site.takes { try read("a.example.com") }
        try site.refuses(403, "domain-unauthorized") { try read("b.example.com") }
        try site.execute("UPDATE tenant SET domains = '[]' WHERE id = '\(id)'")
        try site.takes { try read("b.example.com") }
        let simple = { try site.client().request("GET", "/comments/\(id)", ["urlId": "page", "sso": #"{"id":"1"}"#]) }
        try site.execute("UPDATE tenant SET allows_simple_sso = 0 WHERE id = '\(id)'")
        try site.refuses(401, "malformed-sso") { try simple() }
        try site.execute(#"UPDATE tenant SET settings = '{"requireSSO":true}' WHERE id = '\#(id)'"#)
        try site.refuses(403, "unauthorized-page") { try site.reader().comments() }
    }

    @Test func keysSignFromTheFirstMomentToTheLast() throws {
        let site = try Site()
        let id = site.tenant.id
        let sso = SSO.secure(.reader(1), key: "NEWKEY")
        let read = { (sso: String) in
            try site.client().request("GET", "/comments/\(id)", ["urlId": "page", "sso": sso])
        }
        try Self.know(site)
        try site.refuses(401, "malformed-sso") { try read(sso) }
        try site.execute("INSERT INTO api_key (tenant_id, key, created_at) VALUES ('\(id)', 'NEWKEY', 9)")
        try site.takes { try read(sso) }
        try site.takes { try site.reader(.author).comments() }
        // An end that lies ahead comes without another change.
        let soon = "(CAST(strftime('%s', 'now') AS INTEGER) + 1) * 1000"
        try site.execute("UPDATE api_key SET expires_at = \(soon) WHERE tenant_id = '\(id)' AND key <> 'NEWKEY'")
        try until { try site.reader(.author).comments().code == "malformed-sso" }
        try site.takes { try read(sso) }
        try site.execute("UPDATE api_key SET expires_at = 1 WHERE tenant_id = '\(id)'")
        try site.refuses(401, "malformed-sso") { try read(sso) }
        try site.execute("DELETE FROM api_key WHERE tenant_id = '\(id)' AND key = 'NEWKEY'")
        try site.refuses(401, "malformed-sso") { try read(sso) }
    }

    @Test func aTenantThatGoesIsGoneAndMayComeBackAsAnother() throws {
        let site = try Site(["requireSSO": true])
        let id = site.tenant.id
        let presence = {
            try site.client().request(
                "GET", "/user-presence-status", ["tenantId": id, "urlIdWS": "page", "userIds": "x"])
        }
        try Self.know(site)
        try site.takes { try presence() }
        try site.execute("PRAGMA foreign_keys = ON; DELETE FROM tenant WHERE id = '\(id)'")
        try site.refuses(404, "invalid-tenant") { try site.reader(.author).comments() }
        try site.refuses(404, "invalid-tenant") { try presence() }
        try site.execute("INSERT INTO tenant (id, name, created_at) VALUES ('\(id)', 'again', 1)")
        try site.takes { try site.reader().comments() }
        try site.takes { try presence() }
        try site.refuses(401, "malformed-sso") { try site.reader(.author).comments() }
        #expect(try site.count("tenant_change WHERE tenant_id = '\(id)'") == 1)
    }
}
