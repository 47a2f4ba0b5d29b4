import Domain
import HTTP1
import JSON
import Storage

/// Webhooks that a site's own backend makes (contract: admin 5.25).
enum WebhookRoutes {
    /// As the audit log names them.
    static let resource = "Webhook"
    private static let usualSamples = 10
    private static let maximumSamples = 100

    static func register(on routes: inout Routes) {
        routes.backend(.get, "webhooks", "GetWebhooks", read: getWebhooks)
        routes.backend(.post, "webhooks", "CreateWebhook", prepare: createWebhook)
        routes.backend(.delete, "webhooks/{id}", "DeleteWebhook", write: deleteWebhook)
        routes.backend(.get, "webhooks/sample-payloads", "GetWebhookSamplePayloads", read: getSamples)
    }

    private static func getWebhooks(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let webhooks = try WebhookSQL.all(of: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("webhooks", webhooks) })
    }

    private static func createWebhook(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let body = try visit.call.bodyObject()
        let event = try event(try body.text("event"))
        let address = try WebhookAddress(
            try body.text("url") ?? "", domain: try body.text("domain") ?? "*", visit.call.services.outboundPolicy)
        let method = try method(try body.text("method"), of: event)
        return { (session) throws(APIError) -> Reply in
            let before = try WebhookSQL.all(of: visit.tenant.id, in: &session).count
            let webhook = try WebhookSQL.add(
                address, event, method, source: .api, tenant: visit.tenant.id, in: &session)
            if try WebhookSQL.all(of: visit.tenant.id, in: &session).count > before {
                try visit.note(.create, resource, webhook.id, in: &session)
            }
            return .json(Answer { $0.member("webhook", webhook) })
        }
    }

    private static func event(_ word: String?) throws(APIError) -> WebhookEvent {
        guard let event = WebhookEvent(word: word ?? "") else {
            throw .invalidInput("event must be \(WebhookEvent.allCases.map(\.word).joined(separator: ", or ")).")
        }
        return event
    }

    private static func method(_ name: String?, of event: WebhookEvent) throws(APIError) -> HTTP1.Method {
        guard let name else { return .post }
        guard let method = HTTP1.Method(rawValue: name), event.methods.contains(method) else {
            let methods = event.methods.map(\.rawValue).joined(separator: " or ")
            throw .invalidInput("method must be \(methods) for \(event.word).")
        }
        return method
    }

    private static func deleteWebhook(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let id = visit.call.parameter("id")
        guard try WebhookRemoval.begin(id, tenant: visit.tenant.id, visit.call.services, in: &session) else {
            throw APIError(404, "not-found", "There is no webhook with this id.")
        }
        try visit.note(.delete, resource, id, in: &session)
        return .success
    }

    /// Bodies as receivers get them: of the newest comments, or one that nobody wrote. All events have the same.
    private static func getSamples(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        if let word = visit.call.text("event") { _ = try event(word) }
        let limit = try visit.limit(usual: usualSamples, maximum: maximumSamples)
        let seqs = try session.query(
            "SELECT seq FROM comment WHERE tenant_id = ?1 AND is_deleted = 0 ORDER BY seq DESC LIMIT ?2",
            .text(visit.tenant.id), .int(limit)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        guard !seqs.isEmpty else {
            let sample = SampleComment(date: session.now)
            return .json(Answer { $0.member("payloads", [sample]) })
        }
        let details = try CommentDetails.load(seqs, in: &session)
        let payloads = try CommentSQL.records(seqs, in: &session).compactMap { record in
            details[record.seq].map { WebhookComment(record: record, details: $0) }
        }
        return .json(Answer { $0.member("payloads", payloads) })
    }
}
