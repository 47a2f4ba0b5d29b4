import Domain
import HTTP1
import JSON
import Storage

/// What happens to a comment that a site's own server may be told of. Numbers and words are the contract's (admin 5.20,
/// 5.25).
package enum WebhookEvent: Int, Sendable, CaseIterable {
    case created = 0
    case deleted = 1
    case updated = 2

    /// For example `comment-created`.
    package var word: String {
        switch self {
        case .created: "comment-created"
        case .deleted: "comment-deleted"
        case .updated: "comment-updated"
        }
    }

    /// From its word.
    package init?(word: String) {
        guard let event = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = event
    }

    /// Methods that it may be told by; the first is what operators usually want (contract: admin 8.2).
    package var methods: [HTTP1.Method] {
        switch self {
        case .created, .updated: [.put, .post]
        case .deleted: [.delete, .put, .post]
        }
    }
}

/// Something that a site wants to be told of, and where.
package struct Webhook: Sendable {
    /// Who made it.
    package enum Source: String, Sendable {
        /// The site's backend; a receiver that answers 410 ends it.
        case api
        /// Whoever runs the server.
        case `operator`
    }

    /// Addresses have so many bytes at most.
    package static let addressLimit = 2000
    /// A tenant has so many at most: each comment is written down for each of them.
    package static let limit = 50

    /// Unique in the store.
    package let id: String
    /// Id of the tenant whose comments it is told of.
    package let tenant: String
    /// Where it calls: http or https; its query may hold secrets.
    package let url: String
    /// What it is told of.
    package let event: WebhookEvent
    /// Host of the comments' pages, in lower case; `*` is every one.
    package let domain: String
    /// One of the event's.
    package let method: HTTP1.Method
    /// Who made it.
    package let source: Source
    /// The API key goes along in the header `token`.
    package let sendsKey: Bool
    /// What it is to be told waits while it is not.
    package let isEnabled: Bool
    /// Of the first failure that no success followed, milliseconds; nil when the last delivery succeeded.
    package let failingSince: Int64?
    /// Milliseconds since 1970.
    package let createdAt: Int64
}

extension Webhook: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("url", url)
            json.member("event", event.word)
            json.member("domain", domain)
            json.member("method", method.rawValue)
            json.member("source", source.rawValue)
            json.member("enabled", isEnabled)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
        }
    }
}

/// What a tenant in memory knows of a webhook.
struct WebhookTarget: Sendable {
    let id: String
    let event: WebhookEvent
    let domain: String

    /// Whether comments of pages there are told of.
    func covers(_ host: String?) -> Bool { domain == "*" || domain == host }
}

/// Webhooks as rows.
package enum WebhookSQL {
    /// Of a tenant, oldest first.
    package static func all(of tenant: String, in session: inout Session) throws(APIError) -> [Webhook] {
        try session.query(
            """
            SELECT id, tenant_id, url, event, domain, method, source, sends_key, is_enabled, failing_since, created_at
            FROM webhook WHERE tenant_id = ?1 ORDER BY created_at, id
            """,
            .text(tenant), row: webhook
        ).compactMap { $0 }
    }

    /// One of a tenant's; nil when it has none with this id.
    package static func find(
        _ id: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Webhook? {
        try session.first(
            """
            SELECT id, tenant_id, url, event, domain, method, source, sends_key, is_enabled, failing_since, created_at
            FROM webhook WHERE tenant_id = ?1 AND id = ?2
            """,
            .text(tenant), .text(id), row: webhook
        ) ?? nil
    }

    private static func webhook(_ row: borrowing Row) throws(APIError) -> Webhook? {
        guard let event = WebhookEvent(rawValue: row.int(3)), let method = HTTP1.Method(rawValue: row.text(5)),
            let source = Webhook.Source(rawValue: row.text(6))
        else { return nil }
        return Webhook(
            id: row.text(0), tenant: row.text(1), url: row.text(2), event: event, domain: row.text(4), method: method,
            source: source, sendsKey: row.bool(7), isEnabled: row.bool(8), failingSince: row.int64OrNil(9),
            createdAt: row.int64(10))
    }

    /// For a tenant in memory.
    static func targets(of tenant: String, in session: inout Session) throws(APIError) -> [WebhookTarget] {
        try all(of: tenant, in: &session).map { WebhookTarget(id: $0.id, event: $0.event, domain: $0.domain) }
    }

    /// Makes one. The same again, from the same source, is the one there is.
    /// - Throws: `too-many-webhooks` (422).
    package static func add(
        _ address: WebhookAddress, _ event: WebhookEvent, _ method: HTTP1.Method, source: Webhook.Source,
        sendsKey: Bool = false, tenant: String, in session: inout Session
    ) throws(APIError) -> Webhook {
        let all = try all(of: tenant, in: &session)
        let known = all.first { known in
            known.url == address.url && known.event == event && known.domain == address.domain
                && known.method == method && known.source == source && known.sendsKey == sendsKey
        }
        if let known { return known }
        guard all.count < Webhook.limit else {
            throw APIError(422, "too-many-webhooks", "A tenant may have \(Webhook.limit) webhooks.")
        }
        let new = Webhook(
            id: Identifier.timeOrdered(at: session.now), tenant: tenant, url: address.url, event: event,
            domain: address.domain, method: method, source: source, sendsKey: sendsKey, isEnabled: true,
            failingSince: nil, createdAt: session.now)
        try insert(new, in: &session)
        return new
    }

    private static func insert(_ new: Webhook, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO webhook (id, tenant_id, url, event, domain, method, source, sends_key, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            .text(new.id), .text(new.tenant), .text(new.url), .int(new.event.rawValue), .text(new.domain),
            .text(new.method.rawValue), .text(new.source.rawValue), .bool(new.sendsKey), .integer(new.createdAt))
    }

    /// A disabled one is told nothing, but what it is to be told is kept. `hasten` before it is enabled makes all of that
    /// due at once.
    /// - Returns: whether it is there.
    package static func setEnabled(
        _ id: String, _ isEnabled: Bool, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.run(
            """
            UPDATE webhook SET is_enabled = ?3, failing_since = NULL
            WHERE tenant_id = ?1 AND id = ?2 AND source <> 'removed'
            """,
            .text(tenant), .text(id), .bool(isEnabled)) > 0
    }

    /// Has some of what waits for another try tried as soon as may be.
    /// - Returns: whether there may be more.
    package static func hasten(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.run(
            """
            UPDATE webhook_event SET next_attempt_at = ?3 WHERE seq IN (
                SELECT seq FROM webhook_event
                WHERE webhook_id = ?1 AND tenant_id = ?2 AND next_attempt_at > ?3 LIMIT ?4)
            """,
            .text(id), .text(tenant), .integer(session.now), .int(unitSize)) == unitSize
    }

    /// Rows of the queue that one unit of work changes.
    private static let unitSize = 200
}
