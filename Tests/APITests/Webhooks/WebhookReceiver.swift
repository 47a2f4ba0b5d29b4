import Bytes
import Crypto
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

/// A site's own server, which webhooks call.
final class WebhookReceiver: Sendable {
    typealias Answering = @Sendable (StandIn.Request) -> [StandIn.Step]

    /// What it was told.
    struct Delivery {
        let method: String
        let body: JSONValue
        /// Of the event, the same in every attempt.
        let id: String
        let request: StandIn.Request
    }

    /// Of a server that may call it.
    static let environment = ["PARLEY_OUTBOUND_ALLOW": "127.0.0.1", "PARLEY_WEBHOOK_RETRY": "1"]

    let server: StandIn
    private let answering: AnsweringBox

    private final class AnsweringBox: Sendable {
        // Guards what the test changes while connections are served.
        private let value: Mutex<Answering>
        init(_ value: @escaping Answering) { self.value = Mutex(value) }
        func set(_ new: @escaping Answering) { value.withLock { $0 = new } }
        func callAsFunction(_ request: StandIn.Request) -> [StandIn.Step] { value.withLock { $0 }(request) }
    }

    init(_ answer: @escaping Answering = { _ in StandIn.answer() }) throws {
        let answering = AnsweringBox(answer)
        self.answering = answering
        server = try StandIn { answering($0) }
    }

    /// From now on it answers so.
    func turn(_ answer: @escaping Answering) { answering.set(answer) }

    func url(_ path: String = "/hook") -> String { server.url(path) }

    /// What it was told, once it was called so often.
    func told(_ count: Int) throws -> [Delivery] {
        try server.waitForRequests(count)
        return server.requests.map { request in
            Delivery(
                method: request.method, body: (try? JSONValue.parse(request.body)) ?? .null,
                id: request.header("x-parley-event-id") ?? "", request: request)
        }
    }
}

extension StandIn.Request {
    /// Whether the signature is that of these bytes with this key, as receivers check it.
    func isSigned(with key: String) -> Bool {
        guard let timestamp = header("x-fastcomments-timestamp"), let seconds = Int64(timestamp),
            abs(Int64(Date().timeIntervalSince1970) - seconds) < 300
        else { return false }
        let signature = HMAC.sha256(Array("\(timestamp).".utf8) + body, key: Array(key.utf8))
        return header("x-fastcomments-signature") == "sha256=" + Hex.encode(signature)
    }
}

extension Site {
    /// Makes a webhook.
    /// - Returns: its id.
    @discardableResult
    func webhook(
        _ event: String, _ url: String, _ members: JSONValue = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        var body = JSONObject()
        body.append("url", .string(url))
        body.append("event", .string("comment-\(event)"))
        for (name, value) in members.object?.members ?? [] { body.append(name, value) }
        let answer = try does("POST", "webhooks", [:], .object(body), sourceLocation: sourceLocation)
        return try #require(answer["webhook", "id"]?.string, sourceLocation: sourceLocation)
    }

    /// One for each event: told of by POST, PUT and DELETE.
    func webhooks(at url: String) throws {
        try webhook("created", url, ["method": "POST"])
        try webhook("updated", url, ["method": "PUT"])
        try webhook("deleted", url, ["method": "DELETE"])
    }

    /// The same, but nothing is told of: everything stays to be seen.
    func collects() throws {
        try webhooks(at: "https://example.com/hook")
        try execute("UPDATE webhook SET is_enabled = 0 WHERE tenant_id = '\(tenant.id)'")
    }

    /// Events that are still to be told, oldest first: type and comment. They are forgotten.
    func takeEvents() throws -> [String] {
        let events = try pending()
        try execute("DELETE FROM webhook_event WHERE tenant_id = '\(tenant.id)'")
        let words = ["created", "deleted", "updated"]
        return try events.reversed().map { event in
            let type = try #require(event["eventType"]?.integer)
            return "\(words[Int(type)]) \(event["comment", "comment"]?.string ?? "")"
        }
    }

    /// Newest first.
    func pending(_ query: QueryItems = [:]) throws -> [JSONValue] {
        try does("GET", "pending-webhook-events", query)["pendingWebhookEvents"]?.array ?? []
    }

    /// Waits until nothing is still to be told.
    func isTold() throws {
        try until { try number("SELECT COUNT(*) FROM webhook_event WHERE tenant_id = ?1") == 0 }
    }
}
