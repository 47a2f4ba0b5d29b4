import Domain
import JSON
import Server
import Storage

/// What came of a delivery, to be written down.
struct WebhookOutcome: Sendable {
    /// Attempts to tell of one event.
    static let attemptLimit = 99
    /// Failures without a success for so long, milliseconds, disable a webhook: seven days.
    static let failureLimit: Int64 = 7 * 24 * 3600 * 1000

    let delivery: WebhookDelivery
    let result: WebhookResult

    /// Something that operators should know of.
    enum Report: Sendable {
        /// It did not fail before.
        case failing(WebhookDelivery, String)
        case gone(WebhookDelivery)
        case disabled(WebhookDelivery, String)
        case givenUp(WebhookDelivery, String)

        /// Whether its webhook was removed, so that there may be more to remove.
        var isRemoval: Bool {
            if case .gone = self { true } else { false }
        }
    }

    /// Runs on the writer.
    /// - Parameter retry: milliseconds that each failed attempt adds to the wait for the next.
    func record(retry: Int64, in session: inout Session) throws(APIError) -> [Report] {
        switch result {
        case .stopped: return []
        case .delivered:
            try WebhookQueue.remove(delivery.seq, in: &session)
            try session.run(
                "UPDATE webhook SET failing_since = NULL WHERE id = ?1 AND failing_since IS NOT NULL",
                .text(delivery.webhook))
            return []
        case .gone(let failure):
            let hook = try WebhookSQL.find(delivery.webhook, tenant: delivery.tenant, in: &session)
            guard hook?.source == .api else { return try fail(failure, retry: retry, in: &session) }
            _ = try WebhookRemoval.begin(delivery.webhook, tenant: delivery.tenant, nil, in: &session)
            try note(.delete, "A webhook is removed: its receiver answered 410.", in: &session)
            return [.gone(delivery)]
        case .failed(let failure): return try fail(failure, retry: retry, in: &session)
        }
    }

    private func fail(
        _ failure: WebhookFailure, retry: Int64, in session: inout Session
    ) throws(APIError) -> [Report] {
        var reports: [Report] = []
        let attempts = delivery.attempts + 1
        if attempts >= Self.attemptLimit {
            try WebhookQueue.remove(delivery.seq, in: &session)
            reports.append(.givenUp(delivery, failure.sentence))
        } else {
            try session.run(
                """
                UPDATE webhook_event SET attempt_count = ?2, next_attempt_at = ?3, last_error = ?4 WHERE seq = ?1
                """,
                .integer(delivery.seq), .int(attempts), .integer(session.now + retry * Int64(attempts)),
                .text(String(decoding: failure.jsonBytes(), as: UTF8.self)))
        }
        let wasFailing =
            try WebhookSQL.find(delivery.webhook, tenant: delivery.tenant, in: &session)?.failingSince != nil
        let since = try session.first(
            """
            UPDATE webhook SET failing_since = COALESCE(failing_since, ?2) WHERE id = ?1 AND is_enabled = 1
            RETURNING failing_since
            """,
            .text(delivery.webhook), .integer(session.now)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        guard let since else { return reports }
        if !wasFailing { reports.append(.failing(delivery, failure.sentence)) }
        guard session.now - since >= Self.failureLimit else { return reports }
        try session.run("UPDATE webhook SET is_enabled = 0 WHERE id = ?1", .text(delivery.webhook))
        try note(.update, "A webhook is disabled: it failed for a week.", in: &session)
        return reports + [.disabled(delivery, failure.sentence)]
    }

    private func note(
        _ act: AuditLog.Act, _ description: String, in session: inout Session
    ) throws(APIError) {
        var detail = JSONObject()
        detail.append("id", .string(delivery.webhook))
        try AuditLog.note(
            act, WebhookRoutes.resource, description, detail: detail, from: .cron, nil, tenant: delivery.tenant,
            in: &session)
    }
}

extension WebhookOutcome.Report {
    func log(to logger: Logger) {
        switch self {
        case .failing(let delivery, let fault):
            logger.log(
                .warning, "a webhook begins to fail",
                [
                    "tenant": .string(delivery.tenant), "webhook": .string(delivery.webhook),
                    "detail": .string(fault),
                ])
        case .gone(let delivery):
            logger.log(
                .notice, "a webhook is removed, its receiver answered 410",
                ["tenant": .string(delivery.tenant), "webhook": .string(delivery.webhook)])
        case .disabled(let delivery, let fault):
            logger.log(
                .warning, "a webhook is disabled, it failed for a week",
                [
                    "tenant": .string(delivery.tenant), "webhook": .string(delivery.webhook),
                    "detail": .string(fault),
                ])
        case .givenUp(let delivery, let fault):
            logger.log(
                .warning, "an event is not delivered, it failed too often",
                [
                    "tenant": .string(delivery.tenant), "webhook": .string(delivery.webhook),
                    "event": .string(delivery.id), "detail": .string(fault),
                ])
        }
    }
}
