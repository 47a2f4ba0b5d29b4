import Domain
import HTTP1
import JSON
import Storage

/// What webhooks are still to be told (contract: admin 5.20, live 8.2).
enum PendingWebhookRoutes {
    private static let pageSize = 100

    static func register(on routes: inout Routes) {
        routes.backend(.get, "pending-webhook-events", "GetPendingWebhookEvents", read: list)
        routes.backend(.get, "pending-webhook-events/count", "GetPendingWebhookEventCount", read: count)
        routes.backend(.delete, "pending-webhook-events/{id}", "DeletePendingWebhookEvent", write: cancel)
    }

    private static func list(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let events = try PendingWebhookFilter(visit).list(skip: visit.skip(), limit: pageSize, in: &session)
        return .json(Answer { $0.member("pendingWebhookEvents", events) })
    }

    private static func count(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let count = try PendingWebhookFilter(visit).count(in: &session)
        return .json(Answer { $0.member("count", count) })
    }

    /// A delivery that is on its way is not called back, but never tried again.
    private static func cancel(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let id = visit.call.parameter("id")
        let isThere =
            try session.run(
                "DELETE FROM webhook_event WHERE tenant_id = ?1 AND id = ?2", .text(visit.tenant.id), .text(id)) > 0
        guard isThere else { throw APIError(404, "not-found", "There is no pending event with this id.") }
        try visit.note(.delete, "PendingWebhookEvent", id, in: &session)
        return .success
    }
}

/// Which of them a backend asks for.
private struct PendingWebhookFilter: Sendable {
    /// Of rows that a webhook made; other kinds there are none.
    static let type: Int64 = 1

    private let tenant: String
    private let comment: String?
    private let externalID: String?
    private let event: Int64?
    private let isOfOtherType: Bool
    private let domain: String?
    private let attempts: Int64

    /// - Throws: `invalid-input` (422).
    init(_ visit: BackendVisit) throws(APIError) {
        tenant = visit.tenant.id
        comment = visit.call.text("commentId")
        externalID = visit.call.text("externalId")
        event = try Self.number("eventType", 0...2, visit)
        isOfOtherType = try Self.number("type", 0...1, visit).map { $0 != Self.type } ?? false
        domain = visit.call.text("domain")
        attempts = try visit.call.integer("attemptCountGT", status: 422) ?? -1
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Int64>, _ visit: BackendVisit
    ) throws(APIError) -> Int64? {
        guard let number = try visit.call.integer(name, status: 422) else { return nil }
        guard range.contains(number) else {
            throw .invalidInput("The query parameter \(name) must be \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Newest first.
    func list(skip: Int, limit: Int, in session: inout Session) throws(APIError) -> [PendingWebhookEvent] {
        try session.query(
            """
            SELECT id, comment_id, external_id, created_at, tenant_id, attempt_count, next_attempt_at, event, domain,
                   last_error, webhook_id, body
            FROM webhook_event
            WHERE tenant_id = ?1 AND (?2 IS NULL OR comment_id = ?2) AND (?3 IS NULL OR external_id = ?3)
              AND (?4 IS NULL OR event = ?4) AND NOT ?5 AND (?6 IS NULL OR domain = ?6) AND attempt_count > ?7
              AND created_at > ?8
              AND webhook_id NOT IN (SELECT id FROM webhook WHERE tenant_id = ?1 AND source = 'removed')
            ORDER BY created_at DESC, seq DESC LIMIT ?9 OFFSET ?10
            """,
            .text(tenant), .text(comment), .text(externalID), .int(event), .bool(isOfOtherType), .text(domain),
            .integer(attempts), .integer(session.now - WebhookQueue.lifetime), .int(limit), .int(skip)
        ) { (row) throws(APIError) -> PendingWebhookEvent in PendingWebhookEvent(row) }
    }

    func count(in session: inout Session) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM webhook_event
            WHERE tenant_id = ?1 AND (?2 IS NULL OR comment_id = ?2) AND (?3 IS NULL OR external_id = ?3)
              AND (?4 IS NULL OR event = ?4) AND NOT ?5 AND (?6 IS NULL OR domain = ?6) AND attempt_count > ?7
              AND created_at > ?8
              AND webhook_id NOT IN (SELECT id FROM webhook WHERE tenant_id = ?1 AND source = 'removed')
            """,
            .text(tenant), .text(comment), .text(externalID), .int(event), .bool(isOfOtherType), .text(domain),
            .integer(attempts), .integer(session.now - WebhookQueue.lifetime)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }
}

/// A row of the queue as a backend reads it; closed key set.
private struct PendingWebhookEvent: JSONWritable, Sendable {
    private let id: String
    private let commentID: String
    private let externalID: String?
    private let createdAt: Int64
    private let tenant: String
    private let attempts: Int64
    private let nextAttemptAt: Int64
    private let event: Int64
    private let domain: String
    private let lastError: String?
    private let webhook: String
    private let body: String

    init(_ row: borrowing Row) {
        id = row.text(0)
        commentID = row.text(1)
        externalID = row.textOrNil(2)
        createdAt = row.int64(3)
        tenant = row.text(4)
        attempts = row.int64(5)
        nextAttemptAt = row.int64(6)
        event = row.int64(7)
        domain = row.text(8)
        lastError = row.textOrNil(9)
        webhook = row.text(10)
        body = row.text(11)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("commentId", commentID)
            writeComment(to: &json)
            json.member("externalId", orNull: externalID)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("tenantId", tenant)
            json.member("attemptCount", attempts)
            json.key("nextAttemptAt")
            json.date(milliseconds: nextAttemptAt)
            json.member("eventType", event)
            json.member("type", PendingWebhookFilter.type)
            json.member("domain", domain)
            json.key("lastError")
            json.raw((lastError ?? "{}").utf8)
            json.member("webhookId", webhook)
        }
    }

    /// The comment as it will be told of: under another name of its id, and where it may not be null, empty.
    private func writeComment(to json: inout JSONWriter) {
        guard let comment = (try? JSONValue.parse(body))?.object else { return }
        json.key("comment")
        json.object { json in
            json.member("_id", commentID)
            json.member("tenantId", tenant)
            for (name, value) in comment.members where name != "id" {
                json.key(name)
                if name == "url", value.isNull { json.string("") } else { json.value(value) }
            }
        }
    }
}
