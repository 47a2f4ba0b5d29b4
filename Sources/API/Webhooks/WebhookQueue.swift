import Domain
import HTTP1
import JSON
import Storage

/// What is still to be told, as rows.
package enum WebhookQueue {
    /// Milliseconds: one year (contract: admin 1.8).
    static let lifetime: Int64 = 365 * 24 * 3600 * 1000
    /// Rows that one unit of work throws away.
    private static let unitSize = 200

    /// One row for one change; a second change of the comment in the same unit renews the body. A webhook that went
    /// meanwhile gets none.
    static func insert(
        _ target: WebhookTarget, comment: String, externalID: String?, domain: String?, body: String,
        in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO webhook_event (
                id, tenant_id, webhook_id, event, comment_id, external_id, domain, body, next_attempt_at, created_at)
            SELECT ?2, tenant_id, id, event, ?3, ?4, COALESCE(?5, domain), ?6, ?7, ?7 FROM webhook
            WHERE id = ?1 AND source <> 'removed'
            ON CONFLICT (webhook_id, comment_id, created_at) DO UPDATE SET body = excluded.body
            """,
            .text(target.id), .text(Identifier.timeOrdered(at: session.now)), .text(comment), .text(externalID),
            .text(domain), .text(body), .integer(session.now))
    }

    // MARK: Delivery

    /// An enabled webhook that has something due.
    struct Due: Sendable {
        let id: String
        let tenant: String
        let isFailing: Bool
    }

    static func due(in session: inout Session) throws(APIError) -> [Due] {
        try session.query(
            """
            WITH RECURSIVE waiting (id) AS (
                SELECT min(webhook_id) FROM webhook_event
                UNION ALL
                SELECT (SELECT min(e.webhook_id) FROM webhook_event AS e WHERE e.webhook_id > waiting.id)
                FROM waiting WHERE waiting.id IS NOT NULL
            )
            SELECT h.id, h.tenant_id, h.failing_since IS NOT NULL FROM waiting JOIN webhook AS h ON h.id = waiting.id
            WHERE h.is_enabled = 1 AND EXISTS (
                SELECT 1 FROM webhook_event AS e WHERE e.webhook_id = h.id AND e.next_attempt_at <= ?1)
            """,
            .integer(session.now)
        ) { (row) throws(APIError) -> Due in Due(id: row.text(0), tenant: row.text(1), isFailing: row.bool(2)) }
    }

    /// The next delivery of a webhook. What waits for another try lets events of other comments go first, but none of the
    /// same comment, also of other webhooks with the same address: whoever keeps a copy must not get it out of order.
    static func next(of webhook: String, in session: inout Session) throws(APIError) -> WebhookDelivery? {
        try session.first(
            """
            SELECT e.seq, e.id, e.tenant_id, e.webhook_id, e.body, e.attempt_count, h.url, h.method, h.sends_key
            FROM webhook_event AS e JOIN webhook AS h ON h.id = e.webhook_id
            WHERE e.webhook_id = ?1 AND e.next_attempt_at <= ?2 AND NOT EXISTS (
                SELECT 1 FROM webhook_event AS o JOIN webhook AS s ON s.id = o.webhook_id
                WHERE o.comment_id = e.comment_id AND o.seq < e.seq AND s.url = h.url
                  AND (s.id = h.id OR s.is_enabled = 1))
            ORDER BY e.next_attempt_at, e.seq LIMIT 1
            """,
            .text(webhook), .integer(session.now)
        ) { (row) throws(APIError) -> WebhookDelivery? in
            guard let method = HTTP1.Method(rawValue: row.text(7)) else { return nil }
            return WebhookDelivery(
                seq: row.int64(0), id: row.text(1), tenant: row.text(2), webhook: row.text(3),
                body: Array(row.text(4).utf8), attempts: row.int(5), url: row.text(6), method: method,
                sendsKey: row.bool(8))
        } ?? nil
    }

    /// What the last attempt to tell a webhook of its oldest event met, a sentence; nil when none waits that failed.
    package static func lastFault(of webhook: String, in session: inout Session) throws(APIError) -> String? {
        let text = try session.first(
            """
            SELECT last_error FROM webhook_event WHERE webhook_id = ?1 AND last_error IS NOT NULL ORDER BY seq LIMIT 1
            """,
            .text(webhook)
        ) { (row) throws(APIError) -> String in row.text(0) }
        return text.flatMap { WebhookFailure.sentence(parsing: $0) }
    }

    static func remove(_ seq: Int64, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM webhook_event WHERE seq = ?1", .integer(seq))
    }

    /// Throws away what is too old, a part of it. On the writer.
    /// - Returns: whether there may be more.
    package static func expire(in session: inout Session) throws(APIError) -> Bool {
        try session.run(
            """
            DELETE FROM webhook_event WHERE seq IN (
                SELECT seq FROM webhook_event WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2)
            """,
            .integer(session.now - lifetime), .int(unitSize)) == unitSize
    }
}

/// One attempt to tell of one event.
struct WebhookDelivery: Sendable {
    let seq: Int64
    /// Stays the same in every attempt.
    let id: String
    let tenant: String
    let webhook: String
    /// Sent as it is.
    let body: [UInt8]
    /// Attempts before this one.
    let attempts: Int
    let url: String
    let method: HTTP1.Method
    let sendsKey: Bool
    /// Signs it; nil when the tenant has none.
    var key: String?
}
