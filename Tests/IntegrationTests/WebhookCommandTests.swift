import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// The command for webhooks, beside a running server.
@Suite struct WebhookCommandTests {
    let folder: Folder
    private var data: String { folder.path + "/data" }
    private let tenant = ParleyProcess.Tenant(id: "blog", apiKey: "BLOGKEY")

    init() throws { folder = try Folder() }

    private func webhook(_ words: String..., allows: Bool = true) throws -> Command {
        try Command(
            ParleyProcess.binary(), ["webhook"] + words + ["--tenant", "blog", "--data", data], in: folder,
            environment: allows ? ["PARLEY_OUTBOUND_ALLOW": "127.0.0.1"] : [:])
    }

    private func server() throws -> ParleyProcess {
        try ParleyProcess(
            .data(data),
            environment: [
                "PARLEY_TENANTS": "blog:BLOGKEY", "PARLEY_OUTBOUND_ALLOW": "127.0.0.1", "PARLEY_WEBHOOK_RETRY": "1",
            ])
    }

    @Test func allEventsAreToldAsTheOperatorWants() throws {
        let server = try server()
        let receiver = try StandIn { _ in StandIn.answer() }
        let added = try webhook("add", receiver.url("/hook"), "--send-key")
        #expect(added.status == 0, "\(added)")
        #expect(added.output.split(separator: "\n").count == 3)
        let author = try server.reader(.author, of: tenant, at: "page")
        let id = try author.posted("Hello")
        #expect(try author.edit(id, "Changed").isSuccess)
        #expect(try author.delete(id).isSuccess)
        try receiver.waitForRequests(3)
        #expect(receiver.requests.map(\.method) == ["PUT", "PUT", "DELETE"])
        #expect(receiver.requests.allSatisfy { $0.header("token") == "BLOGKEY" })
        let listed = try webhook("list").output.split(separator: "\n").map(String.init)
        #expect(listed.count == 3 && listed.allSatisfy { $0.contains("operator") && $0.contains("enabled") })
    }

    @Test func whatADisabledOneWasToBeToldIsDueAtOnceOrGoesWithIt() throws {
        let server = try server()
        let receiver = try StandIn { _ in StandIn.answer() }
        let kept = try id(of: webhook("add", receiver.url("/kept"), "--event", "created"))
        let removed = try id(of: webhook("add", receiver.url("/removed"), "--event", "created"))
        for id in [kept, removed] { #expect(try webhook("disable", id).status == 0) }
        _ = try server.reader(.author, of: tenant, at: "page").posted("Hello")
        let connection = try Connection(path: data + "/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(
            script: """
                INSERT INTO webhook_event (
                    id, tenant_id, webhook_id, event, comment_id, domain, body, next_attempt_at, created_at)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
                SELECT e.id || '-' || i, e.tenant_id, e.webhook_id, 0, 'c' || i, e.domain, e.body, 0, e.created_at
                FROM n JOIN webhook_event AS e;
                UPDATE webhook_event SET next_attempt_at = 9000000000000;
                """)
        #expect(try webhook("remove", removed).status == 0)
        #expect(try webhook("enable", kept).status == 0)
        let rest = try connection.prepare("SELECT COUNT(*) FROM webhook_event WHERE webhook_id = ?1")
        try rest.bind(removed, 1)
        #expect(try rest.step() && rest.int64(0) == 0)
        let late = try connection.prepare("SELECT COUNT(*) FROM webhook_event WHERE next_attempt_at > 8000000000000")
        #expect(try late.step() && late.int64(0) == 0)
        try receiver.waitForRequests(1)
        #expect(receiver.requests[0].target == "/kept")
        #expect(try !webhook("list").output.contains(removed))
    }

    @Test func oneIsDisabledEnabledTriedAndRemoved() throws {
        let server = try server()
        let receiver = try StandIn { request in
            request.target == "/bad" ? StandIn.answer("500 Oops") : StandIn.answer()
        }
        let good = try id(of: webhook("add", receiver.url("/good"), "--event", "created", "--method", "post"))
        let bad = try id(of: webhook("add", receiver.url("/bad"), "--event", "deleted", "--domain", "example.org"))
        #expect(try webhook("disable", good).status == 0)
        let author = try server.reader(.author, of: tenant, at: "page")
        _ = try author.posted("Hello")
        #expect(try webhook("list").output.contains("disabled"))
        #expect(receiver.requests.isEmpty)
        #expect(try webhook("enable", good).status == 0)
        try receiver.waitForRequests(1)
        #expect(receiver.requests[0].method == "POST" && receiver.requests[0].target == "/good")
        let tried = try webhook("test", good)
        #expect(tried.status == 0 && tried.output.contains("Delivered"))
        let failed = try webhook("test", bad)
        #expect(failed.status == 1 && failed.errors.contains("500"), "\(failed)")
        try receiver.waitForRequests(3)
        #expect(String(decoding: receiver.requests[2].body, as: UTF8.self) == #"{"id":"000000000000000000000000"}"#)
        #expect(try webhook("remove", good).status == 0)
        #expect(try webhook("remove", good).status == 1)
        #expect(try webhook("list").output.contains(bad))
    }

    @Test func aFailureIsListedAndWarnedOfOnce() throws {
        let server = try server()
        let receiver = try StandIn { _ in StandIn.answer("500 Oops") }
        let id = try id(of: webhook("add", receiver.url("/hook?key=secret"), "--event", "created"))
        _ = try server.reader(.author, of: tenant, at: "page").posted("Hello")
        try receiver.waitForRequests(2)
        let listed = try webhook("list").output
        #expect(listed.contains("failing") && listed.contains("last failure: The answer has the status 500."))
        #expect(try server.terminate() == .status(0))
        let warnings = server.errorOutput.split(separator: "\n").filter { $0.contains("begins to fail") }
        #expect(warnings.count == 1 && warnings.allSatisfy { $0.contains(id) && !$0.contains("secret") })
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let server = try server()
        let cases: [[String]] = [
            ["add"], ["add", "nonsense"], ["add", "https://example.com/", "--event", "exploded"],
            ["add", "https://example.com/", "--event", "created", "--method", "delete"],
            ["add", "https://example.com/", "--domain", "a b"], ["remove"], ["remove", "unknown"],
            ["enable", "unknown"], ["disable", "unknown"], ["test", "unknown"], ["explode"], [],
        ]
        for words in cases {
            let command = try Command(
                ParleyProcess.binary(), ["webhook"] + words + ["--tenant", "blog", "--data", data], in: folder)
            #expect(command.status == 1 && !command.errors.isEmpty, "\(words): \(command)")
        }
        let inside = try webhook("add", "http://127.0.0.1/", allows: false).errors
        #expect(inside.contains("not public") && inside.contains("PARLEY_OUTBOUND_ALLOW"))
        let nobody = try Command(
            ParleyProcess.binary(), ["webhook", "list", "--tenant", "nobody", "--data", data], in: folder)
        #expect(nobody.status == 1 && nobody.errors.contains("nobody"))
        #expect(try webhook("list").output.isEmpty)
        let help = try Command(ParleyProcess.binary(), ["help", "webhook"], in: folder)
        #expect(help.status == 0 && help.output.contains("Example:"))
        _ = server
    }

    private func id(of command: Command) throws -> String {
        try #require(command.output.split(separator: " ").dropFirst().first.map(String.init), "\(command)")
    }
}
