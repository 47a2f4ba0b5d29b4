import JSON
import TestSupport
import Testing

/// Packages, tickets and daily figures (contract: admin 5.9, 5.10, 5.23).
@Suite struct BackendPlanTests {
    @Test func everySiteHasTheOnePackage() throws {
        let site = try Site()
        let plans = try #require(try site.does("GET", "tenant-packages")["tenantPackages"]?.array)
        #expect(plans.count == 1 && plans[0]["maxDomains"] == 1_000_000_000 && plans[0]["monthlyCostUSD"] == .null)
        #expect(try site.does("GET", "tenant-packages/self-hosted")["tenantPackage"] == plans[0])
        #expect(plans[0]["_id"] == "self-hosted")
        try site.refuses(404, "not-found", "GET", "tenant-packages/unlimited")
        #expect(try site.does("GET", "tenant-packages", ["skip": "1"])["tenantPackages"] == [])
        try site.refuses(422, "invalid-skip", "GET", "tenant-packages", ["skip": "-1"])
        try site.refuses(404, "not-found", "GET", "tenant-packages/other")
        let code = "white-labeling-not-allowed"
        try site.refuses(403, code, "POST", "tenant-packages", [:], ["name": "x"])
        for method in ["PUT", "PATCH", "DELETE"] { try site.refuses(403, code, method, "tenant-packages/self-hosted") }
    }

    @Test func thereAreNoTickets() throws {
        let site = try Site()
        #expect(try site.does("GET", "tickets", ["userId": "u", "state": "1.0", "limit": "5"])["tickets"] == [])
        try site.refuses(422, "invalid-limit", "GET", "tickets", ["limit": "0"])
        try site.refuses(404, "not-found", "GET", "tickets/x", ["userId": "u"])
        try site.refuses(403, "unauthorized", "POST", "tickets", ["userId": "u"], ["subject": "Help"])
        try site.refuses(403, "unauthorized", "PATCH", "tickets/x/state", ["userId": "u"], ["state": 1])
    }

    private static func usage(_ site: Site, _ query: QueryItems = [:]) throws -> [JSONValue] {
        try #require(try site.does("GET", "tenant-daily-usage", query)["tenantDailyUsages"]?.array)
    }

    @Test func daysAreCountedWhereTheyFall() throws {
        let site = try Site()
        #expect(try Self.usage(site) == [])
        let root = try site.saved("One", ["date": 1_704_067_200_000])
        _ = try site.saved("Two", ["date": 1_704_067_200_000, "parentId": .string(root)])
        _ = try site.saved("Three", ["date": 1_704_153_599_999])
        _ = try site.saved("Four", ["date": 1_704_153_600_000])
        try site.does("POST", "votes", ["commentId": root, "direction": "up", "anonUserId": "a"])
        let days = try Self.usage(site)
        #expect(days.prefix(2).map { $0["dayNumber"] } == [1, 2])
        #expect(days[0]["yearNumber"] == 2024 && days[0]["monthNumber"] == 0)
        #expect(days[0]["commentCreateCount"] == 3 && days[0]["conversationCreateCount"] == 2)
        #expect(days[0]["createdAt"] == "2024-01-01T00:00:00.000Z" && days[0]["billed"] == false)
        #expect(days[1]["commentCreateCount"] == 1 && days[0]["ignored"] == true)
        #expect(days.count == 3 && days[2]["voteCount"] == 1)
        #expect(try Self.usage(site, ["yearNumber": "2024.0", "monthNumber": "0", "dayNumber": "2"]) == [days[1]])
        #expect(try Self.usage(site, ["yearNumber": "2023"]) == [])
        #expect(try Self.usage(site, ["monthNumber": "9223372036854775807"]) == [])
        #expect(try Self.usage(site, ["skip": "1"]).count == 2)
        try site.refuses(422, "invalid-input", "GET", "tenant-daily-usage", ["yearNumber": "x"])
    }

    @Test func whatComesBackIsNotCountedAgain() throws {
        let site = try Site()
        let id = try site.saved("One")
        try site.does("POST", "votes", ["commentId": id, "direction": "up", "anonUserId": "a"])
        let before = try Self.usage(site)
        for act in ["remove-comment", "restore-deleted-comment"] {
            let answer = try site.client().request(
                "POST", "/auth/my-account/moderate-comments/\(act)/\(id)",
                ["tenantId": site.tenant.id, "sso": site.token(.admin), "broadcastId": "b"], body: [:])
            #expect(answer.isSuccess, "\(answer.text)")
        }
        #expect(try site.stored(id)["id"]?.string == id)
        let after = try Self.usage(site)
        #expect(after[0]["commentCreateCount"] == before[0]["commentCreateCount"])
        #expect(after[0]["voteCount"] == before[0]["voteCount"])
    }
}
