import Domain
import JSON
import Storage

/// Writes down what a site's own server is to be told, in the transaction of what happened: neither a crash nor a refusal
/// can part the two. Tenants without webhooks pay nothing for it.
enum CommentHooks {
    /// A comment was written, or came back. Everything that belongs to it is written before.
    static func created(_ comment: CommentRecord, _ tenant: Tenant, in session: inout Session) throws(APIError) {
        try note(.created, [comment], tenant, in: &session)
    }

    /// Several came back, parents first.
    static func created(_ comments: [CommentRecord], _ tenant: Tenant, in session: inout Session) throws(APIError) {
        try note(.created, comments, tenant, in: &session)
    }

    /// A comment changed and is now as given. What else changes in the same unit of work makes no event of its own.
    static func updated(_ comment: CommentRecord, _ tenant: Tenant, in session: inout Session) throws(APIError) {
        try note(.updated, [comment], tenant, in: &session)
    }

    /// As above, for whoever does not have the comment as it is now.
    static func updated(_ seqs: [Int64], _ tenant: Tenant, in session: inout Session) throws(APIError) {
        guard tenant.isTold(of: .updated) else { return }
        try note(.updated, CommentSQL.records(seqs, in: &session), tenant, in: &session)
    }

    /// A comment became what it is now: a placeholder is as good as no comment, and one that gets its text back is new.
    static func changed(
        from former: CommentRecord, to comment: CommentRecord, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        switch (former.isDeleted, comment.isDeleted) {
        case (false, false): try note(.updated, [comment], tenant, in: &session)
        case (false, true): try note(.deleted, [former], tenant, in: &session)
        case (true, false): try note(.created, [comment], tenant, in: &session)
        case (true, true): return
        }
    }

    /// Comments are about to go; placeholders went before.
    static func deleted(_ comments: [CommentRecord], _ tenant: Tenant, in session: inout Session) throws(APIError) {
        try note(.deleted, comments.filter { !$0.isDeleted }, tenant, in: &session)
    }

    private static func note(
        _ event: WebhookEvent, _ comments: [CommentRecord], _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        let targets = tenant.webhooks.filter { $0.event == event }
        guard !targets.isEmpty, !comments.isEmpty else { return }
        let details = try CommentDetails.load(comments.map(\.seq), in: &session)
        for comment in comments {
            guard let details = details[comment.seq] else { continue }
            let host = details.domain?.lowercased()
            let covering = targets.filter { $0.covers(host) }
            guard !covering.isEmpty else { continue }
            let bytes = WebhookComment(record: comment, details: details).jsonBytes(capacity: 1024)
            let body = String(decoding: bytes, as: UTF8.self)
            for target in covering {
                try WebhookQueue.insert(
                    target, comment: comment.id, externalID: details.externalID, domain: details.domain, body: body,
                    in: &session)
            }
        }
    }

    // MARK: All comments of somebody

    /// Comments that one unit tells of.
    private static let sweepSize = 50

    /// All comments of somebody changed at once. They are told of in small units, after the answer.
    static func updatedAll(of author: String, _ tenant: Tenant, in session: inout Session) throws(APIError) {
        guard tenant.isTold(of: .updated) else { return }
        try session.run(
            "INSERT INTO webhook_sweep (tenant_id, author_key, before_seq) VALUES (?1, ?2, ?3)",
            .text(tenant.id), .text(author), .integer(.max))
    }

    /// Whether comments of somebody are still to be told of.
    static func hasSweep(in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM webhook_sweep LIMIT 1") { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Does the next part of that.
    static func sweep(in session: inout Session) throws(APIError) {
        let job = try session.first(
            "SELECT id, tenant_id, author_key, before_seq FROM webhook_sweep ORDER BY id LIMIT 1"
        ) { (row) throws(APIError) -> (id: Int64, tenant: String, author: String, before: Int64) in
            (row.int64(0), row.text(1), row.text(2), row.int64(3))
        }
        guard let job, let tenant = try TenantSQL.find(job.tenant, in: &session) else { return }
        let seqs = try session.query(
            """
            SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key = ?2 AND seq < ?3 AND is_deleted = 0
            ORDER BY seq DESC LIMIT ?4
            """,
            .text(job.tenant), .text(job.author), .integer(job.before), .int(sweepSize)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        try updated(seqs, tenant, in: &session)
        if seqs.count == sweepSize, let last = seqs.last {
            try session.run(
                "UPDATE webhook_sweep SET before_seq = ?2 WHERE id = ?1", .integer(job.id), .integer(last))
        } else {
            try session.run("DELETE FROM webhook_sweep WHERE id = ?1", .integer(job.id))
        }
    }
}

extension Tenant {
    /// Whether anybody wants to know of it.
    func isTold(of event: WebhookEvent) -> Bool { webhooks.contains { $0.event == event } }
}
