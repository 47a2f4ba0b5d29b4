import Domain
import Storage

/// How far somebody is trusted on a site (contract: admin 6.7).
struct Trust: Sendable {
    /// From what they wrote; nil for somebody who wrote nothing.
    let automatic: Int?
    /// What a moderator set; nil for nothing.
    let manual: Int?

    /// What counts: 0 to 100; nil for somebody of whom nothing is known.
    var factor: Int? { manual ?? automatic }

    /// - Parameter key: wire id of a person or guest.
    static func of(_ key: String, tenant: String, in session: inout Session) throws(APIError) -> Trust {
        Trust(
            automatic: try automatic(key, tenant: tenant, in: &session),
            manual: try manual(key, tenant: tenant, in: &session))
    }

    private static func automatic(
        _ key: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Int? {
        let now = session.now
        return try session.first(
            """
            SELECT MIN(created_at), COALESCE(SUM(is_approved AND NOT is_spam), 0),
                   COALESCE(SUM(pinned_at IS NOT NULL), 0)
            FROM comment WHERE tenant_id = ?1 AND author_key = ?2 AND is_deleted = 0
            """,
            .text(tenant), .text(key)
        ) { (row) throws(APIError) -> Int? in
            guard let first = row.int64OrNil(0) else { return nil }
            return TrustFactor.automatic(age: now - first, approved: row.int64(1), pinned: row.int64(2))
        } ?? nil
    }

    /// What a moderator set; nil for nothing.
    static func manual(_ key: String, tenant: String, in session: inout Session) throws(APIError) -> Int? {
        try session.first(
            "SELECT factor FROM manual_trust WHERE tenant_id = ?1 AND user_key = ?2", .text(tenant), .text(key)
        ) { (row) throws(APIError) -> Int in row.int(0) }
    }

    /// - Parameter factor: nil leaves the decision to what the user writes.
    static func set(
        _ factor: Int?, for key: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        guard let factor else {
            try session.run(
                "DELETE FROM manual_trust WHERE tenant_id = ?1 AND user_key = ?2", .text(tenant), .text(key))
            return
        }
        try session.run(
            """
            INSERT INTO manual_trust (tenant_id, user_key, factor) VALUES (?1, ?2, ?3)
            ON CONFLICT (tenant_id, user_key) DO UPDATE SET factor = excluded.factor
            """,
            .text(tenant), .text(key), .int(factor))
    }
}
