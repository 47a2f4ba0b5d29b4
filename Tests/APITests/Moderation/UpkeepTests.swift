import JSON
import TestSupport
import Testing

/// Bans at the backend's door, pages that are gone, the audit log and who is slowed down.
@Suite struct UpkeepTests {
    private func attempts(_ site: Site) throws -> [JSONValue] {
        (try site.does("GET", "audit-logs")["auditLogs"]?.array ?? []).filter {
            $0["description"] == "Banned user blocked from commenting."
        }
    }

    // MARK: Bans

    @Test func aBackendDoesNotWriteForTheBannedWhateverItSaysOfThem() throws {
        let site = try Site()
        let author = try site.known(.author)
        try site.takes { try site.known(.admin).ban(author.posted("First"), ["banEmailDomain": "true"]) }
        for members: JSONValue in [
            ["userId": "author"], ["userId": .string(site.wireID(.author))],
            ["userId": "author", "commenterEmail": "other@elsewhere.org"],
            ["commenterName": "author", "commenterEmail": "author@example.com"],
            ["commenterEmail": "somebody@example.com"],
        ] {
            let answer = try site.refuses(403, "banned", "POST", "comments", [:], Site.comment("No", members))
            #expect(answer.status == 403)
        }
        let bulk = try site.api(
            "POST", "comments/bulk", [:], [Site.comment("No", ["userId": "author"]), Site.comment("Yes")])
        #expect(bulk.json?.array?.map { $0["status"]?.string } == ["failed", "success"])
        let noted = try attempts(site)
        #expect(noted.count == 6)
        #expect(noted.allSatisfy { $0["from"] == "api" && $0["resourceName"] == "Comment" && $0["crudType"] == "c" })
        #expect(noted.first?["userId"]?.string == site.wireID(.author))
    }

    @Test func whoModeratesIsBoundByNoBan() throws {
        let site = try Site()
        let author = try site.known(.author)
        _ = try site.known(.moderator)
        try site.takes { try site.known(.admin).ban(author.posted("First"), ["banEmailDomain": "true"]) }
        _ = try site.saved("Staff", ["userId": "moderator"])
        #expect(try attempts(site).isEmpty)
    }

    // MARK: Pages

    @Test func aCommentComesBackThoughItsPageIsGone() throws {
        let site = try Site()
        let author = try site.known(.author)
        let admin = try site.known(.admin)
        let id = try author.posted("Hello")
        let reply = try author.posted("Reply", replyingTo: id)
        try site.takes { try admin.moderating("POST", "remove-comment/\(id)") }
        try site.execute("DELETE FROM page WHERE tenant_id = '\(site.tenant.id)'")
        try site.takes { try admin.moderating("POST", "restore-deleted-comment/\(id)") }
        let there = try site.reader().comments()["comments"]?.array?.compactMap { $0["_id"]?.string }
        #expect(there == [id] || there == [id, reply])
        #expect(try site.comments() == 2)
        try site.takes { try admin.moderating("POST", "remove-comment/\(reply)") }
        try site.execute("UPDATE trash SET url_id = NULL WHERE tenant_id = '\(site.tenant.id)'")
        try site.execute("DELETE FROM page WHERE tenant_id = '\(site.tenant.id)'")
        try site.refuses(404, "not-found") { try admin.moderating("POST", "restore-deleted-comment/\(reply)") }
    }

    // MARK: Logs

    @Test func whatModeratorsDoToASiteIsInTheAuditLog() throws {
        let site = try Site()
        let admin = try site.known(.admin)
        _ = try site.known(.author)
        let trust: QueryItems = ["userId": site.wireID(.author), "trustFactor": "50"]
        for _ in 1...2 {
            try site.takes { try admin.moderating("PUT", "set-trust-factor", trust) }
            try site.takes { try admin.moderating("PUT", "close-thread", ["urlId": "page"]) }
        }
        try site.takes { try admin.moderating("PUT", "reopen-thread", ["urlId": "page"]) }
        try site.takes { try admin.moderating("POST", "api/export") }
        let entries = try site.does("GET", "audit-logs")["auditLogs"]?.array ?? []
        #expect(entries.map { $0["resourceName"]?.string } == ["TrustFactor", "Page", "Page", "Export"])
        #expect(entries.allSatisfy { $0["from"] == "ui" && $0["userId"]?.string == site.wireID(.admin) })
        #expect(!entries.contains { "\($0)".contains("127.0.0.1") || "\($0)".contains("sso=") })
    }

    // MARK: Limits

    private func queue(_ site: Site, _ sso: String?, from address: String) throws -> Answer {
        try site.client().request(
            "POST", "/auth/my-account/moderate-comments/mod_api/set-comment-review-status/unknown",
            ["tenantId": site.tenant.id, "sso": sso, "reviewed": "true"], headers: [("x-forwarded-for", address)])
    }

    private func call(_ site: Site, _ key: String, from address: String) throws -> Answer {
        try site.client().request(
            "POST", "/api/v1/comments/unknown/flag", ["tenantId": site.tenant.id, "userId": "x"],
            headers: [("x-api-key", key), ("x-forwarded-for", address)])
    }

    @Test func moderatorsAndBackendsAreNotSlowedDownByTheLimitOfThePublic() throws {
        let site = try Site(isExempt: false, on: .proxied())
        let sso = site.token(.admin)
        for _ in 1...121 { #expect(try queue(site, sso, from: "203.0.113.50").status == 404) }
        for _ in 1...100 { #expect(try call(site, site.tenant.apiKey, from: "203.0.113.50").status == 422) }
        #expect(try queue(site, sso, from: "203.0.113.50").status == 404)
    }

    @Test func whoeverIsNeitherIsSlowedDown() throws {
        let site = try Site(isExempt: false, on: .proxied())
        // Of wrong keys alone, twenty in a minute are too many.
        for _ in 1...20 { #expect(try call(site, "WRONG", from: "203.0.113.51").status == 401) }
        for _ in 1...100 { #expect(try queue(site, nil, from: "203.0.113.51").status == 401) }
        for answer in [try queue(site, nil, from: "203.0.113.51"), try call(site, "WRONG", from: "203.0.113.51")] {
            #expect(answer.status == 429 && answer.code == "rate-limited")
            #expect((1...60).contains(Int(answer.header("retry-after") ?? "") ?? 0))
        }
        #expect(try queue(site, site.token(.admin), from: "203.0.113.52").status == 404)
    }

    @Test func theRightKeyPassesWhateverWasTriedFromItsAddress() throws {
        let site = try Site(isExempt: false, on: .proxied())
        for _ in 1...20 { #expect(try call(site, "WRONG", from: "203.0.113.53").status == 401) }
        #expect(try call(site, "WRONG", from: "203.0.113.53").status == 429)
        #expect(try call(site, String(repeating: "W", count: 32), from: "203.0.113.53").status == 429)
        #expect(try call(site, site.tenant.apiKey, from: "203.0.113.53").status == 422)
    }

    @Test func aKeyThatMayBeGuessedWaitsLikeAWrongOne() throws {
        let site = try Site(isExempt: false, on: .proxied())
        let short = String(site.tenant.apiKey.prefix(15))
        let long = short + "X"
        for key in [short, long] {
            try site.execute(
                "INSERT INTO api_key (tenant_id, key, created_at) VALUES ('\(site.tenant.id)', '\(key)', 1)")
        }
        #expect(try call(site, short, from: "203.0.113.54").status == 422)
        for _ in 1...20 { #expect(try call(site, "WRONG", from: "203.0.113.54").status == 401) }
        #expect(try call(site, short, from: "203.0.113.54").status == 429)
        #expect(try call(site, long, from: "203.0.113.54").status == 422)
    }
}
