import JSON
import TestSupport
import Testing

/// Making webhooks, and what is still to be told (contract: admin 5.20, 5.25).
@Suite struct WebhookRouteTests {
    let site: Site

    init() throws { site = try Site(on: .calling()) }

    @Test func aWebhookIsMadeListedAndRemoved() throws {
        let made = try site.does(
            "POST", "webhooks", [:], ["url": "https://example.com/a?b=c", "event": "comment-created"])
        let webhook = try #require(made["webhook"])
        #expect(
            Set(webhook.object?.members.map(\.name) ?? []) == [
                "id", "url", "event", "domain", "method", "source", "enabled", "createdAt",
            ])
        #expect(webhook["url"] == "https://example.com/a?b=c" && webhook["event"] == "comment-created")
        #expect(webhook["domain"] == "*" && webhook["method"] == "POST" && webhook["source"] == "api")
        #expect(webhook["enabled"] == true)
        let again = try site.does(
            "POST", "webhooks", [:],
            ["url": "https://example.com/a?b=c", "event": "comment-created", "domain": "*", "more": 1])
        #expect(again["webhook"] == webhook, "the same again is the one there is")
        #expect(try site.does("GET", "webhooks")["webhooks"] == [webhook])
        let id = try #require(webhook["id"]?.string)
        let other = try Site(on: .calling())
        #expect(try other.does("GET", "webhooks")["webhooks"] == [])
        try other.refuses(404, "not-found", "DELETE", "webhooks/\(id)")
        try site.does("DELETE", "webhooks/\(id)")
        try site.refuses(404, "not-found", "DELETE", "webhooks/\(id)")
        #expect(try site.does("GET", "webhooks")["webhooks"] == [])
        let notes = try site.table(
            "SELECT act FROM audit_log WHERE tenant_id = ?1 AND resource = 'Webhook' ORDER BY id")
        #expect(notes == [["c"], ["d"]])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let good: [(String, JSONValue)] = [("url", "https://example.com/"), ("event", "comment-created")]
        let long = "https://example.com/" + String(repeating: "a", count: 2000 - 20)
        let bad: [(String, JSONValue)] = [
            ("url", nil), ("url", ""), ("url", 1), ("url", "example.com"), ("url", "ftp://example.com/"),
            ("url", "https://user:secret@example.com/"), ("url", "https://exämple.com/"), ("url", .string(long + "a")),
            ("url", "http://10.1.2.3/"), ("url", "http://[::1]/"), ("url", "http://169.254.169.254/latest"),
            ("url", "http://localhost/"), ("url", "http://a.localhost/"), ("event", nil), ("event", "comment"),
            ("event", 0), ("domain", ""), ("domain", "a/b"), ("domain", "example.com:80"), ("domain", 5),
            ("domain", "*.example.com"), ("method", "GET"), ("method", "DELETE"), ("method", "put"), ("method", true),
        ]
        for (name, value) in bad {
            var body = JSONObject()
            for (known, good) in good where known != name { body.append(known, good) }
            body.append(name, value)
            try site.refuses(422, "invalid-input", "POST", "webhooks", [:], .object(body))
        }
        try site.refuses(400, "malformed-json", "POST", "webhooks", [:], [])
        try site.webhook("created", long)
        try site.webhook("deleted", "https://example.com/", ["method": "DELETE"])
    }

    @Test func aTenantHasFiftyAtMost() throws {
        for number in 1...50 { try site.webhook("created", "https://example.com/\(number)") }
        try site.refuses(
            422, "too-many-webhooks", "POST", "webhooks", [:],
            ["url": "https://example.com/51", "event": "comment-created"])
    }

    @Test func onlyTheKeyOpens() throws {
        try site.collects()
        _ = try site.known(.author).posted("Hello")
        let id = try #require(try site.pending()[0]["_id"]?.string)
        let body: JSONValue = ["url": "https://example.com/x", "event": "comment-created"]
        let calls: [(String, String, JSONValue?)] = [
            ("GET", "webhooks", nil), ("POST", "webhooks", body), ("DELETE", "webhooks/x", nil),
            ("GET", "webhooks/sample-payloads", nil), ("GET", "pending-webhook-events", nil),
            ("GET", "pending-webhook-events/count", nil), ("DELETE", "pending-webhook-events/\(id)", nil),
        ]
        let foreign = try Site(on: .calling())
        for (method, path, body) in calls {
            for key in ["wrong", foreign.tenant.apiKey] {
                try site.refuses(401, "invalid-api-key") { try site.api(method, path, [:], body, key: key) }
            }
            try site.refuses(401, "missing-api-key") { try site.api(method, path, [:], body, key: "") }
        }
        try foreign.refuses(404, "not-found", "DELETE", "pending-webhook-events/\(id)")
        #expect(try foreign.pending() == [])
    }

    @Test func samplesAreTheNewestComments() throws {
        let made = try site.does("GET", "webhooks/sample-payloads", ["event": "comment-deleted"])
        #expect(made["payloads"]?.array?.count == 1)
        #expect(made["payloads", 0, "approved"] == true && made["payloads", 0, "comment"]?.string != nil)
        let author = try site.known(.author)
        for number in 1...12 { _ = try author.posted("Text \(number)") }
        let ten = try site.does("GET", "webhooks/sample-payloads")["payloads"]?.array ?? []
        #expect(ten.map { $0["comment"]?.string } == (3...12).reversed().map { "Text \($0)" })
        #expect(
            Set(ten[0].object?.members.map(\.name) ?? []) == Set(made["payloads", 0]?.object?.members.map(\.name) ?? [])
        )
        let two = try site.does("GET", "webhooks/sample-payloads", ["limit": "2.0", "event": "comment-created"])
        #expect(two["payloads"]?.array?.count == 2)
        _ = try site.does("GET", "webhooks/sample-payloads", ["limit": "100"])
        for limit in ["0", "101", "x"] {
            try site.refuses(422, "invalid-limit", "GET", "webhooks/sample-payloads", ["limit": limit])
        }
        try site.refuses(422, "invalid-input", "GET", "webhooks/sample-payloads", ["event": "comment"])
    }

    // MARK: The queue

    @Test func pendingEventsAreFilteredCountedAndCancelled() throws {
        try site.collects()
        let first = try site.saved("First", ["externalId": "ours"])
        let second = try site.saved("Second", ["url": "https://other.example/x"])
        try site.does("PATCH", "comments/\(first)", [:], ["externalId": "ours", "comment": "Changed"])
        let all = try site.pending()
        #expect(all.map { $0["commentId"]?.string } == [first, second, first])
        #expect(all[0]["externalId"] == "ours" && all[1]["externalId"] == .null)
        #expect(all[0]["lastError"] == [:] && all[0]["attemptCount"] == 0 && all[0]["type"] == 1)
        #expect(all[0]["comment", "_id"]?.string == first && all[0]["comment", "tenantId"]?.string == site.tenant.id)
        let filters: [(QueryItems, Int)] = [
            (["commentId": first], 2), (["externalId": "ours"], 1), (["eventType": "0"], 2), (["eventType": "2"], 1),
            (["type": "1"], 3), (["type": "0"], 0), (["domain": "other.example"], 1), (["attemptCountGT": "0.0"], 0),
            (["attemptCountGT": "-1"], 3), (["skip": "2"], 1), (["skip": "3"], 0), (["commentId": "unknown"], 0),
        ]
        for (query, count) in filters {
            #expect(try site.pending(query).count == count, "\(query.items)")
            guard query.items[0].name != "skip" else { continue }
            #expect(try site.does("GET", "pending-webhook-events/count", query)["count"]?.integer == Int64(count))
        }
        let bad: [(String, QueryItems)] = [
            ("invalid-skip", ["skip": "-1"]), ("invalid-input", ["eventType": "3"]), ("invalid-input", ["type": "x"]),
            ("invalid-input", ["attemptCountGT": "many"]),
        ]
        for (code, query) in bad { try site.refuses(422, code, "GET", "pending-webhook-events", query) }
        let id = try #require(all[1]["_id"]?.string)
        try site.does("DELETE", "pending-webhook-events/\(id)")
        try site.refuses(404, "not-found", "DELETE", "pending-webhook-events/\(id)")
        #expect(try site.pending().count == 2)
    }

    @Test func aPageHasAHundredEvents() throws {
        try site.collects()
        let author = try site.known(.author)
        for number in 1...101 { _ = try author.posted("Text \(number)") }
        #expect(try site.pending().count == 100)
        #expect(try site.pending(["skip": "100"]).map { $0["comment", "comment"] } == ["Text 1"])
        #expect(try site.does("GET", "pending-webhook-events/count")["count"] == 101)
    }

    @Test func whatAWebhookWasToBeToldGoesWithIt() throws {
        let id = try site.webhook("created", "https://example.com/hook")
        try site.execute("UPDATE webhook SET is_enabled = 0 WHERE tenant_id = '\(site.tenant.id)'")
        _ = try site.known(.author).posted("Hello")
        #expect(try site.pending().count == 1)
        try site.does("DELETE", "webhooks/\(id)")
        #expect(try site.pending() == [])
        _ = try site.known(.author).posted("Hello again")
        #expect(try site.pending() == [])
    }
}
