import Domain
import Storage

/// Webhooks that are removed: nobody finds them from the first moment, nor are they told anything. What they were still to
/// be told goes in small units: the first with the answer, the rest after it.
package enum WebhookRemoval {
    /// Rows that one unit of work removes.
    private static let unitSize = 200

    /// Removes one, in the unit that asks for it. On the writer.
    /// - Parameter services: nil where nothing can be woken: then `wake` of the tasks, or `finish`, is up to the caller.
    /// - Returns: whether it was there.
    package static func begin(
        _ id: String, tenant: String, _ services: Services?, in session: inout Session
    ) throws(APIError) -> Bool {
        // As one of no source it is read by nobody.
        let isThere =
            try session.run(
                """
                UPDATE webhook SET source = 'removed', is_enabled = 0
                WHERE tenant_id = ?1 AND id = ?2 AND source <> 'removed'
                """,
                .text(tenant), .text(id)) > 0
        guard isThere else { return false }
        guard try advance(id, in: &session) else { return true }
        try TenantSQL.touch(tenant, in: &session)
        try LongTask.begin(.webhookRemoval, id, from: 0, tenant: tenant, services, in: &session)
        return true
    }

    /// Removes the next part of what it was to be told, or the webhook when nothing more of that is left. On the writer.
    /// - Returns: whether there may be more.
    package static func advance(_ id: String, in session: inout Session) throws(APIError) -> Bool {
        let removed = try session.run(
            "DELETE FROM webhook_event WHERE seq IN (SELECT seq FROM webhook_event WHERE webhook_id = ?1 LIMIT ?2)",
            .text(id), .int(unitSize))
        guard removed < unitSize else { return true }
        try session.run("DELETE FROM webhook WHERE id = ?1 AND source = 'removed'", .text(id))
        return false
    }
}
