import Domain
import Storage

/// Comments of authors who never proved their address, which some tenants do not keep (contract: public 22.12). Those
/// that a moderator looked at stay.
package enum UnverifiedComments {
    /// Comments that one unit removes, those below them included or not.
    static let unitSize = 25

    /// Removes some. On any thread that is not the writer's.
    /// - Returns: whether there may be more.
    package static func expire(_ store: Store, reading lane: ReadLane) throws(APIError) -> Bool {
        let tenants = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> [String] in
            try session.query("SELECT id FROM tenant WHERE json_extract(moderation, '$.removeUnverifiedComments') = 1")
            {
                (row) throws(APIError) -> String in row.text(0)
            }
        }
        var hasMore = false
        for tenant in tenants {
            let isDue = try lane.read(budgetMilliseconds: nil) { (session) throws(APIError) -> Bool in
                try !due(tenant, in: &session).isEmpty
            }
            guard isDue else { continue }
            let count = try store.writer.perform { (session) throws(APIError) -> Int in
                try remove(tenant, in: &session)
            }
            if count == unitSize { hasMore = true }
        }
        return hasMore
    }

    private static func remove(_ id: String, in session: inout Session) throws(APIError) -> Int {
        guard let tenant = try TenantSQL.find(id, in: &session) else { return 0 }
        let deletion = CommentDeletion(tenant: tenant, broadcastID: nil, services: nil)
        let seqs = try due(id, in: &session)
        for seq in seqs {
            // An earlier removal may have taken it along.
            guard let comment = try CommentSQL.records([seq], in: &session).first, !comment.isDeleted else { continue }
            _ = try deletion.run(comment, by: .backend, in: &session)
        }
        return seqs.count
    }

    /// The oldest that are to go.
    private static func due(_ id: String, in session: inout Session) throws(APIError) -> [Int64] {
        guard let tenant = try TenantSQL.find(id, in: &session), tenant.moderation.removesUnverified else { return [] }
        return try session.query(
            """
            SELECT seq FROM comment
            WHERE tenant_id = ?1 AND created_at < ?2 AND is_verified = 0 AND is_reviewed = 0 AND is_deleted = 0
              AND is_locked = 0
            ORDER BY created_at LIMIT ?3
            """,
            .text(id), .integer(session.now - tenant.moderation.unverifiedLifetime), .int(unitSize)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }
}
