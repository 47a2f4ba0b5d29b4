import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

/// How sites' own servers are called (contract: admin 8.2).
@Suite struct WebhookDeliveryTests {
    let server: SeededServer
    let site: Site
    let author: Reader

    init() throws {
        server = try .own(WebhookReceiver.environment)
        site = try Site(on: server)
        author = try site.known(.author)
    }

    @Test func aCallIsSignedOverItsExactBytes() throws {
        let receiver = try WebhookReceiver()
        try site.webhook("created", receiver.url("/a/b?c=d"))
        _ = try author.posted("Grüße")
        let call = try #require(try receiver.told(1).first)
        #expect(call.request.method == "POST" && call.request.target == "/a/b?c=d")
        #expect(call.request.header("content-type") == "application/json")
        #expect(call.request.isSigned(with: site.tenant.apiKey))
        #expect(!call.request.isSigned(with: "another"))
        #expect(call.request.header("token") == nil && call.id.count == 24)
        try site.isTold()
    }

    @Test func theKeyGoesAlongOnlyWhereItIsWanted() throws {
        let receiver = try WebhookReceiver()
        try site.webhook("created", receiver.url())
        try site.execute("UPDATE webhook SET sends_key = 1 WHERE tenant_id = '\(site.tenant.id)'")
        _ = try author.posted("Hello")
        #expect(try receiver.told(1)[0].request.header("token") == site.tenant.apiKey)
    }

    @Test func eventsOfACommentStayInOrder() throws {
        let receiver = try WebhookReceiver()
        try site.webhooks(at: receiver.url())
        let id = try author.posted("Text 0")
        for number in 1...20 { try site.takes { try author.edit(id, "Text \(number)") } }
        try site.takes { try author.delete(id) }
        let told = try receiver.told(22)
        #expect(told.map(\.method) == ["POST"] + Array(repeating: "PUT", count: 20) + ["DELETE"])
        #expect(told.dropLast().map { $0.body["comment"]?.string } == (0...20).map { "Text \($0)" })
        #expect(Set(told.map(\.id)).count == 22)
        try site.isTold()
        #expect(receiver.server.requests.count == 22)
    }

    @Test func aFailureIsTriedAgainBeforeWhatFollowsIt() throws {
        let failures = Mutex(2)
        let receiver = try WebhookReceiver { _ in
            let fails = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            return fails ? StandIn.answer("500 Oops", [("x-why", "tired")], "later") : StandIn.answer()
        }
        try site.webhooks(at: receiver.url())
        let id = try author.posted("Hello")
        try receiver.server.waitForRequests(1)
        try until { try site.pending(["attemptCountGT": "0"]).count == 1 }
        let error = try site.pending(["attemptCountGT": "0"])[0]["lastError"]
        #expect(error?["statusCode"] == 500 && error?["body"] == "later" && error?["headers", "x-why"] == "tired")
        try site.takes { try author.edit(id, "Changed") }
        try site.takes { try author.delete(id) }
        let told = try receiver.told(5)
        #expect(told.map(\.method) == ["POST", "POST", "POST", "PUT", "DELETE"])
        #expect(Set(told.prefix(3).map(\.id)).count == 1, "one event")
        #expect(told[0].request.body == told[2].request.body)
        try site.isTold()
        #expect(try site.number("SELECT COUNT(*) FROM webhook WHERE tenant_id = ?1 AND failing_since IS NULL") == 3)
    }

    @Test func aFailingCommentDoesNotHoldUpOthers() throws {
        let receiver = try WebhookReceiver { request in
            String(decoding: request.body, as: UTF8.self).contains("Poison")
                ? StandIn.answer("500 Oops") : StandIn.answer()
        }
        try site.webhook("created", receiver.url())
        _ = try author.posted("Poison")
        _ = try author.posted("Healthy")
        try until { try site.pending().map { $0["comment", "comment"] } == ["Poison"] }
    }

    @Test(arguments: ["302 Found", "404 Not Found", "199 Odd", "500 Oops"])
    func onlySuccessIsSuccess(_ status: String) throws {
        let elsewhere = try WebhookReceiver()
        let receiver = try WebhookReceiver { _ in StandIn.answer(status, [("location", elsewhere.url())]) }
        try site.webhook("created", receiver.url())
        _ = try author.posted("Hello")
        try until { try site.pending(["attemptCountGT": "0"]).count == 1 }
        #expect(elsewhere.server.requests.isEmpty, "redirects are not followed")
    }

    @Test func aReceiverThatIsGoneIsLeftAlone() throws {
        let receiver = try WebhookReceiver { _ in StandIn.answer("410 Gone") }
        let other = try WebhookReceiver()
        try site.webhook("created", receiver.url())
        let kept = try site.webhook("created", other.url())
        _ = try author.posted("Hello")
        try until { try site.does("GET", "webhooks")["webhooks"]?.array?.map { $0["id"]?.string } == [kept] }
        try site.isTold()
        _ = try other.told(1)
        try until { server.process.errorOutput.contains("answered 410") }
        let notes = try site.table("SELECT act, origin FROM audit_log WHERE tenant_id = ?1 AND resource = 'Webhook'")
        #expect(notes.contains(["d", "cron"]))
    }

    @Test func theOperatorsWebhookStaysThoughTheReceiverSaysGone() throws {
        let receiver = try WebhookReceiver { _ in StandIn.answer("410 Gone") }
        try site.webhook("created", receiver.url())
        try site.execute("UPDATE webhook SET source = 'operator' WHERE tenant_id = '\(site.tenant.id)'")
        _ = try author.posted("Hello")
        try until { try site.pending(["attemptCountGT": "0"]).count == 1 }
    }

    @Test func receiversThatHangDelayNeitherOthersNorTheEnd() throws {
        let hanging = try WebhookReceiver { _ in [.wait] }
        for number in 1...12 { try site.webhook("created", hanging.url("/\(number)")) }
        // They failed before, as they will again.
        try site.execute("UPDATE webhook SET failing_since = 1700000000000 WHERE tenant_id = '\(site.tenant.id)'")
        _ = try author.posted("Into the void")
        try hanging.server.waitForRequests(2)
        let receiver = try WebhookReceiver()
        try site.webhook("created", receiver.url())
        _ = try author.posted("Hello")
        #expect(try receiver.told(1)[0].body["comment"] == "Hello")
        #expect(hanging.server.requests.count == 2, "a quarter of the calls at most")
        let begin = ContinuousClock.now
        #expect(try server.process.terminate() == .status(0))
        #expect(ContinuousClock.now - begin < .seconds(8), "nobody waits for them")
    }

    @Test func aTenantWhoseReceiversAreSlowDelaysNoOther() throws {
        let slow = try WebhookReceiver { _ in [.wait] }
        for number in 1...12 { try site.webhook("created", slow.url("/\(number)")) }
        _ = try author.posted("Into the void")
        try slow.server.waitForRequests(4)
        let receiver = try WebhookReceiver()
        let other = try Site(on: server)
        try other.webhook("created", receiver.url())
        _ = try other.known(.author).posted("Hello")
        #expect(try receiver.told(1)[0].body["comment"] == "Hello")
        #expect(slow.server.requests.count == 4, "half of the calls at most")
        #expect(try server.process.terminate() == .status(0))
    }

    @Test func aPrivateAddressIsNotCalledUnlessItIsAllowed() throws {
        let receiver = try WebhookReceiver()
        let careful = try SeededServer.own(["PARLEY_WEBHOOK_RETRY": "1"])
        let site = try Site(on: careful)
        let body: JSONValue = ["url": .string(receiver.url()), "event": "comment-created"]
        try site.refuses(422, "invalid-input", "POST", "webhooks", [:], body)
        // As if a name meant it.
        try site.webhook("created", "https://example.com/")
        try site.execute(
            "UPDATE webhook SET url = '\(receiver.url())' WHERE tenant_id = '\(site.tenant.id)'")
        _ = try site.known(.author).posted("Hello")
        try until { try site.pending(["attemptCountGT": "1"]).count == 1 }
        let error = try site.pending()[0]["lastError"]
        #expect(error?["statusCode"] == 0 && error?["body"]?.string?.contains("not public") == true)
        #expect(receiver.server.requests.isEmpty)
    }

    /// The wait is the server's own: a receiver can neither hurry it nor put it off for good.
    @Test(arguments: ["0", "-1", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "soon"])
    func aReceiverDoesNotSayWhenItIsTriedAgain(_ wish: String) throws {
        let patient = try SeededServer.own(["PARLEY_OUTBOUND_ALLOW": "127.0.0.1", "PARLEY_WEBHOOK_RETRY": "3600"])
        let site = try Site(on: patient)
        let receiver = try WebhookReceiver { _ in
            StandIn.answer("503 Later", [("retry-after", wish)])
        }
        try site.webhook("created", receiver.url())
        let before = Self.now
        _ = try site.known(.author).posted("Hello")
        try until { try site.pending(["attemptCountGT": "0"]).count == 1 }
        let next = try site.number("SELECT MAX(next_attempt_at) FROM webhook_event WHERE tenant_id = ?1")
        #expect((before + 3_600_000...Self.now + 3_600_000).contains(next))
        #expect(receiver.server.requests.count == 1)
    }

    @Test func whatIsCancelledIsNotTriedAgain() throws {
        let receiver = try WebhookReceiver { _ in StandIn.answer("500 Oops") }
        try site.webhook("created", receiver.url())
        let first = try author.posted("First")
        try until { try site.pending(["attemptCountGT": "0"]).count == 1 }
        let id = try #require(try site.pending()[0]["_id"]?.string)
        try site.does("DELETE", "pending-webhook-events/\(id)")
        receiver.turn { _ in StandIn.answer() }
        _ = try author.posted("Second")
        try site.isTold()
        let told = try receiver.told(2)
        #expect(told.last?.body["comment"] == "Second")
        #expect(told.dropLast().allSatisfy { $0.body["id"]?.string == first })
    }

    @Test func aWebhookThatFailsForAWeekIsDisabledAndKeepsWhatItWasToBeTold() throws {
        let receiver = try WebhookReceiver { _ in StandIn.answer("500 Oops") }
        let id = try site.webhook("created", receiver.url())
        try site.execute(
            "UPDATE webhook SET failing_since = \(Self.now - 7 * 24 * 3600 * 1000 + 60_000) WHERE id = '\(id)'")
        _ = try author.posted("First")
        try until { try site.pending(["attemptCountGT": "0"]).count == 1 }
        #expect(try site.does("GET", "webhooks")["webhooks", 0, "enabled"] == true, "not quite a week")
        try site.execute("UPDATE webhook SET failing_since = \(Self.now - 7 * 24 * 3600 * 1000) WHERE id = '\(id)'")
        try until { try site.does("GET", "webhooks")["webhooks", 0, "enabled"] == false }
        try until { server.process.errorOutput.contains("failed for a week") }
        let notes = try site.table("SELECT act, origin FROM audit_log WHERE tenant_id = ?1 AND resource = 'Webhook'")
        #expect(notes.contains(["u", "cron"]))
        _ = try author.posted("Second")
        #expect(try site.pending().count == 2)
        receiver.turn { _ in StandIn.answer() }
        let before = receiver.server.requests.count
        try site.execute("UPDATE webhook SET is_enabled = 1, failing_since = NULL WHERE id = '\(id)'")
        try site.isTold()
        let told = try receiver.told(before + 2).suffix(2)
        #expect(Set(told.map { $0.body["comment"]?.string }) == ["First", "Second"])
    }

    @Test func afterNinetyNineAttemptsAnEventIsGivenUp() throws {
        let receiver = try WebhookReceiver { _ in StandIn.answer("500 Oops") }
        try site.webhook("created", receiver.url())
        let update = "UPDATE webhook_event SET next_attempt_at = 0, attempt_count"
        _ = try author.posted("Hello")
        try until { try site.pending(["attemptCountGT": "0"]).count == 1 }
        try site.execute("\(update) = 97 WHERE tenant_id = '\(site.tenant.id)'")
        try until { try site.pending(["attemptCountGT": "97"]).count == 1 }
        let wait = try site.table("SELECT next_attempt_at - created_at > 97000 FROM webhook_event WHERE tenant_id = ?1")
        #expect(wait == [["1"]], "the wait grows with the attempts")
        try site.execute("\(update) = 98 WHERE tenant_id = '\(site.tenant.id)'")
        try site.isTold()
        #expect(server.process.errorOutput.contains("failed too often"))
    }

    @Test func aTenantWithoutAKeyTellsNothing() throws {
        let receiver = try WebhookReceiver()
        try site.webhook("created", receiver.url())
        try site.execute("UPDATE webhook SET is_enabled = 0 WHERE tenant_id = '\(site.tenant.id)'")
        _ = try author.posted("Hello")
        try site.execute("DELETE FROM api_key WHERE tenant_id = '\(site.tenant.id)'")
        try site.execute("UPDATE webhook SET is_enabled = 1 WHERE tenant_id = '\(site.tenant.id)'")
        try until {
            try site.number("SELECT MAX(attempt_count) FROM webhook_event WHERE tenant_id = ?1") > 0
        }
        #expect(receiver.server.requests.isEmpty)
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

/// A server that is killed loses nothing that it answered, and tells of nothing that it did not.
@Suite struct WebhookCrashTests {
    @Test func killingLosesNoEventAndInventsNone() throws {
        let folder = NSTemporaryDirectory() + "/parley-hooks-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tenant = ParleyProcess.Tenant(id: "site", apiKey: "SITEKEY")
        let receiver = try WebhookReceiver()
        let environment = WebhookReceiver.environment.merging(
            ["PARLEY_TENANTS": "\(tenant.id):\(tenant.apiKey)"]) { $1 }
        var server = try ParleyProcess(.data(folder), environment: environment)
        let made = try server.client().request(
            "POST", "/api/v1/webhooks", ["tenantId": tenant.id], headers: [("x-api-key", tenant.apiKey)],
            body: ["url": .string(receiver.url()), "event": "comment-created"])
        #expect(made.isSuccess)
        var posted: Set<String> = []
        for round in 1...3 {
            let writers = try (0..<2).map { writer in
                try server.reader(Person("w\(round)-\(writer)"), of: tenant, at: "page\(writer)")
            }
            for number in 1...4 {
                for writer in writers { posted.insert(try writer.posted("Round \(round) text \(number)")) }
            }
            // At once: some are told of, some are on their way, some wait.
            #expect(try server.kill() == .signal(9))
            server = try ParleyProcess(.data(folder), environment: environment)
        }
        let client = try server.client()
        try until {
            try client.request(
                "GET", "/api/v1/pending-webhook-events/count", ["tenantId": tenant.id],
                headers: [("x-api-key", tenant.apiKey)])["count"] == 0
        }
        let told = try receiver.told(posted.count)
        #expect(Set(told.compactMap { $0.body["id"]?.string }) == posted, "all of them and nothing else")
        let events = Dictionary(grouping: told, by: \.id)
        #expect(events.count == posted.count, "told again under the same id, if at all")
        #expect(events.values.allSatisfy { Set($0.map(\.request.body)).count == 1 })
        #expect(try server.terminate() == .status(0))
    }
}
