import Domain
import Storage

/// Comments of somebody who was banned, which go in small units: the first at once, the rest after the answer. What is
/// still to do stands in the database.
package enum BanSweep {
    /// Comments that one unit removes, those below them included; the last removal may bring more with it. Each takes
    /// almost a millisecond, for which whoever posts meanwhile waits.
    static let unitSize = 25

    /// Removes everything that was written by the chosen identities until now, except by administrators and moderators.
    static func begin(
        _ choice: IdentityChoice, _ tenant: Tenant, _ services: Services, in session: inout Session
    ) throws(APIError) {
        guard let place = try advance(choice, before: .max, tenant, services, in: &session) else { return }
        try session.run(
            """
            INSERT INTO ban_sweep (tenant_id, user_key, email_key, email_domain, address_hash, before_seq)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            .text(tenant.id), .text(choice.key), .text(choice.emailKey), .text(choice.emailDomain),
            .text(choice.addressHash), .integer(place))
        services.notices.wake()
    }

    /// Does the next part of what is to be done. Runs on the thread of notices, which it makes work for.
    /// - Returns: whether there may be more.
    package static func step(_ lane: ReadLane, _ writer: Writer) throws(APIError) -> Bool {
        let isDue = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> Bool in
            try session.first("SELECT 1 FROM ban_sweep LIMIT 1") { (row) throws(APIError) -> Int in row.int(0) } != nil
        }
        guard isDue else { return false }
        try writer.perform { (session) throws(APIError) in try goOn(&session) }
        return true
    }

    private static func goOn(_ session: inout Session) throws(APIError) {
        let job = try session.first(
            """
            SELECT id, tenant_id, user_key, email_key, email_domain, address_hash, before_seq
            FROM ban_sweep ORDER BY id LIMIT 1
            """
        ) { (row) throws(APIError) -> (id: Int64, tenant: String, choice: IdentityChoice, before: Int64) in
            let choice = IdentityChoice(
                key: row.textOrNil(2), emailKey: row.textOrNil(3), emailDomain: row.textOrNil(4),
                addressHash: row.textOrNil(5))
            return (row.int64(0), row.text(1), choice, row.int64(6))
        }
        guard let job, let tenant = try TenantSQL.find(job.tenant, in: &session) else { return }
        if let place = try advance(job.choice, before: job.before, tenant, nil, in: &session) {
            try session.run(
                "UPDATE ban_sweep SET before_seq = ?2 WHERE id = ?1", .integer(job.id), .integer(place))
        } else {
            try session.run("DELETE FROM ban_sweep WHERE id = ?1", .integer(job.id))
        }
    }

    /// Removes the newest, so that what somebody answered to themselves goes first.
    /// - Returns: where to go on; nil at the end.
    private static func advance(
        _ choice: IdentityChoice, before: Int64, _ tenant: Tenant, _ services: Services?, in session: inout Session
    ) throws(APIError) -> Int64? {
        let seqs = try AuthoredSQL.newest(choice, before: before, limit: unitSize, tenant: tenant.id, in: &session)
        let deletion = CommentDeletion(tenant: tenant, broadcastID: nil, services: services)
        var removed = 0
        for seq in seqs {
            // An earlier removal may have taken it along.
            guard let comment = try CommentSQL.records([seq], in: &session).first, !comment.isDeleted else { continue }
            removed += try CommentSQL.subtree(seq, in: &session).count
            _ = try deletion.run(comment, by: .backend, in: &session)
            if removed >= unitSize { return seq }
        }
        return seqs.count == unitSize ? seqs.last : nil
    }
}

/// What somebody wrote, by whatever they are recognised. Neither placeholders nor what administrators and moderators
/// wrote is in it.
enum AuthoredSQL {
    /// Newest first.
    /// - Parameter before: only older ones.
    static func newest(
        _ choice: IdentityChoice, before: Int64, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT seq FROM (
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key = ?2 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0 ORDER BY seq DESC LIMIT ?7)
                UNION
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND email_key = ?3 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0 ORDER BY seq DESC LIMIT ?7)
                UNION
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND email_domain = ?4 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0 ORDER BY seq DESC LIMIT ?7)
                UNION
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND address_hash = ?5 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0 ORDER BY seq DESC LIMIT ?7))
            ORDER BY seq DESC LIMIT ?7
            """,
            .text(tenant), .text(choice.key), .text(choice.emailKey), .text(choice.emailDomain),
            .text(choice.addressHash), .integer(before), .int(limit)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// How many there are by any of these, given as lists.
    static func count(_ choice: IdentityLists, tenant: String, in session: inout Session) throws(APIError) -> Int64 {
        try session.first(
            """
            SELECT COUNT(*) FROM (
                SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key IN (SELECT value FROM json_each(?2))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND email_key IN (SELECT value FROM json_each(?3))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND email_domain IN (SELECT value FROM json_each(?4))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND address_hash IN (SELECT value FROM json_each(?5))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0)
            """,
            .text(tenant), .list(choice.keys), .list(choice.emailKeys), .list(choice.emailDomains),
            .list(choice.addressHashes)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    /// The names that their authors have now, without repeats and in order.
    static func names(
        _ choice: IdentityLists, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT DISTINCT COALESCE(NULLIF(p.display_name, ''), p.username, c.commenter_name) AS name
            FROM (
                SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key IN (SELECT value FROM json_each(?2))
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND email_key IN (SELECT value FROM json_each(?3))
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND email_domain IN (SELECT value FROM json_each(?4))
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND address_hash IN (SELECT value FROM json_each(?5))
            ) AS found JOIN comment AS c ON c.seq = found.seq
            LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id
            WHERE c.is_deleted = 0 AND c.is_by_admin = 0 AND c.is_by_moderator = 0
            ORDER BY name LIMIT ?6
            """,
            .text(tenant), .list(choice.keys), .list(choice.emailKeys), .list(choice.emailDomains),
            .list(choice.addressHashes), .int(limit)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}
