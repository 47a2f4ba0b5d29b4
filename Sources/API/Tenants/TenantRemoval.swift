import Domain
import Storage

/// Tenants that are deleted: nobody reaches them from the first moment, and their rows go in small units after the
/// answer. What is still to do stands in the database.
package enum TenantRemoval {
    /// Ends everything that is done for the tenant, and whatever lets anybody in.
    static func begin(_ tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            "INSERT OR IGNORE INTO tenant_removal (tenant_id, asked_at) VALUES (?1, ?2)", .text(tenant),
            .integer(session.now))
        // Its address is free for another one.
        try session.run("UPDATE tenant SET owner_email = NULL WHERE id = ?1", .text(tenant))
        try session.run("UPDATE tenant SET parent_id = NULL WHERE parent_id = ?1", .text(tenant))
        for table in Self.first { try session.run(table, .text(tenant)) }
        // Without a version there is no such tenant. Last, for what was removed above makes a new one.
        try session.run("DELETE FROM tenant_change WHERE tenant_id = ?1", .text(tenant))
    }

    /// Whether a tenant with this id is being removed.
    package static func isUnderWay(_ tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM tenant_removal WHERE tenant_id = ?1", .text(tenant)) {
            (row) throws(APIError) -> Int in row.int(0)
        } != nil
    }

    /// Does the next part of what is to be done, on the thread of tasks.
    /// - Returns: whether there may be more.
    package static func step(_ lane: ReadLane, _ writer: Writer, _ uploads: Uploads) throws(APIError) -> Bool {
        let tenant = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> String? in
            try session.first("SELECT tenant_id FROM tenant_removal ORDER BY asked_at LIMIT 1") {
                (row) throws(APIError) -> String in row.text(0)
            }
        }
        guard let tenant else { return false }
        let files = try writer.perform { (session) throws(APIError) -> [String] in try advance(tenant, &session) }
        // Names that stay behind when the server ends here go at its next start.
        uploads.remove(files)
        return true
    }

    /// Removes some rows, and the tenant when nothing large is left.
    /// - Returns: files that nothing names any more.
    private static func advance(_ tenant: String, _ session: inout Session) throws(APIError) -> [String] {
        let files = try session.query(
            """
            DELETE FROM upload WHERE rowid IN (SELECT rowid FROM upload WHERE tenant_id = ?1 LIMIT 200) RETURNING name
            """,
            .text(tenant)
        ) { (row) throws(APIError) -> String in row.text(0) }
        guard files.isEmpty else { return files }
        if try removeComments(tenant, &session) { return [] }
        for table in many where try session.run(table, .text(tenant)) > 0 { return [] }
        try TenantSQL.delete(tenant, in: &session)
        return []
    }

    /// The newest first, so that none goes before its replies.
    private static func removeComments(_ tenant: String, _ session: inout Session) throws(APIError) -> Bool {
        let seqs = try session.query(
            "SELECT seq FROM comment WHERE tenant_id = ?1 ORDER BY seq DESC LIMIT 100", .text(tenant)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        guard !seqs.isEmpty else { return false }
        try CommentSearch.remove(seqs, in: &session)
        try session.run(
            "DELETE FROM comment WHERE seq IN (SELECT value FROM json_each(?1))", .text(JSONText.numbers(seqs)))
        return true
    }

    /// What lets somebody in, and what other work goes by.
    private static let first: [StaticString] = [
        "DELETE FROM account WHERE tenant_id = ?1", "DELETE FROM api_key WHERE tenant_id = ?1",
        "DELETE FROM api_token WHERE tenant_id = ?1", "DELETE FROM moderator WHERE tenant_id = ?1",
        "DELETE FROM setting_rule WHERE tenant_id = ?1", "DELETE FROM long_task WHERE tenant_id = ?1",
        "DELETE FROM notice_job WHERE tenant_id = ?1", "DELETE FROM badge_check WHERE tenant_id = ?1",
        "DELETE FROM export_job WHERE tenant_id = ?1", "DELETE FROM webhook_sweep WHERE tenant_id = ?1",
        "UPDATE webhook SET is_enabled = 0 WHERE tenant_id = ?1",
    ]

    /// Tables that may have many rows of a tenant. What is in none of them goes with the tenant.
    private static let many: [StaticString] = [
        "DELETE FROM event_log WHERE rowid IN (SELECT rowid FROM event_log WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM trash WHERE rowid IN (SELECT rowid FROM trash WHERE tenant_id = ?1 LIMIT 200)",
        "DELETE FROM notice WHERE rowid IN (SELECT rowid FROM notice WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM subscription WHERE rowid IN (SELECT rowid FROM subscription WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM feed_post WHERE rowid IN (SELECT rowid FROM feed_post WHERE tenant_id = ?1 LIMIT 100)",
        "DELETE FROM comment_log WHERE rowid IN (SELECT rowid FROM comment_log WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM audit_log WHERE rowid IN (SELECT rowid FROM audit_log WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM user_badge WHERE rowid IN (SELECT rowid FROM user_badge WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM hash_tag WHERE rowid IN (SELECT rowid FROM hash_tag WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM webhook_event WHERE rowid IN (SELECT rowid FROM webhook_event WHERE tenant_id = ?1 LIMIT 200)",
        "DELETE FROM question_result WHERE rowid IN (SELECT rowid FROM question_result WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM spam_lesson WHERE rowid IN (SELECT rowid FROM spam_lesson WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM ban WHERE rowid IN (SELECT rowid FROM ban WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM page WHERE rowid IN (SELECT rowid FROM page WHERE tenant_id = ?1 LIMIT 100)",
        "DELETE FROM person WHERE rowid IN (SELECT rowid FROM person WHERE tenant_id = ?1 LIMIT 500)",
        "DELETE FROM guest WHERE rowid IN (SELECT rowid FROM guest WHERE tenant_id = ?1 LIMIT 500)",
    ]
}
