import Domain
import Storage

/// Gives people the badges that they have earned, a few seconds after they did (contract: admin 5.6). Whom to look at
/// stands in the database, where triggers note it.
package enum BadgeAwards {
    /// People of one unit.
    private static let unitSize = 20

    /// Somebody to look at.
    private struct Candidate: Sendable {
        let tenant: String
        let user: String
        let changes: Int64
        /// Ids of badges that they have earned and do not have.
        var earned: [String] = []
    }

    /// Looks at some people; counts with the reader and writes with the writer. On any thread that may wait.
    /// - Returns: whether there may be more.
    package static func advance(_ store: Store, reading lane: ReadLane) throws(APIError) -> Bool {
        let candidates = try lane.read(budgetMilliseconds: nil, candidates)
        guard !candidates.isEmpty else { return false }
        try store.writer.perform { (session) throws(APIError) in
            for candidate in candidates { try finish(candidate, in: &session) }
        }
        return candidates.count == unitSize
    }

    private static func candidates(_ session: inout Session) throws(APIError) -> [Candidate] {
        var candidates = try session.query(
            "SELECT tenant_id, user_key, changes FROM badge_check LIMIT ?1", .int(unitSize)
        ) { (row) throws(APIError) -> Candidate in
            Candidate(tenant: row.text(0), user: row.text(1), changes: row.int64(2))
        }
        for index in candidates.indices { try judge(&candidates[index], in: &session) }
        return candidates
    }

    private static func judge(_ candidate: inout Candidate, in session: inout Session) throws(APIError) {
        let held = Set(
            try UserBadgeSQL.all(of: candidate.user, tenant: candidate.tenant, in: &session).map(\.badgeID))
        let open = try BadgeSQL.all(tenant: candidate.tenant, in: &session).filter {
            $0.isEnabled && $0.type != .manual && !held.contains($0.id)
        }
        guard !open.isEmpty else { return }
        let progress = try BadgeProgress.of(candidate.user, tenant: candidate.tenant, in: &session)
        let counts = Dictionary(progress?.counts.map { ($0.0, $0.1) } ?? []) { $1 }
        for badge in open {
            var count = counts[badge.type] ?? 0
            if badge.type == .repliedToPage {
                count = try comments(of: candidate, on: badge.urlID, in: &session)
            }
            if count >= badge.goal { candidate.earned.append(badge.id) }
        }
    }

    private static func comments(
        of candidate: Candidate, on page: String?, in session: inout Session
    ) throws(APIError) -> Int64 {
        try session.first(
            """
            SELECT COUNT(*) FROM page AS p CROSS JOIN comment AS c ON c.page_id = p.id
            WHERE p.tenant_id = ?1 AND p.url_id = ?3 AND c.tenant_id = ?1 AND c.author_key = ?2 AND c.is_deleted = 0
              AND c.is_approved = 1 AND c.is_spam = 0
            """,
            .text(candidate.tenant), .text(candidate.user), .text(page)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    private static func finish(_ candidate: Candidate, in session: inout Session) throws(APIError) {
        try session.run(
            "DELETE FROM badge_check WHERE tenant_id = ?1 AND user_key = ?2 AND changes = ?3", .text(candidate.tenant),
            .text(candidate.user), .integer(candidate.changes))
        guard !candidate.earned.isEmpty, let tenant = try TenantSQL.find(candidate.tenant, in: &session) else { return }
        let change = BadgeChange(tenant: tenant, user: candidate.user)
        for id in candidate.earned {
            guard let badge = try BadgeSQL.find(id, tenant: tenant.id, in: &session), badge.isEnabled else { continue }
            _ = try change.award(badge, in: &session)
        }
    }
}

extension Badge {
    /// What must be counted to earn it.
    var goal: Int64 { type == .veteran ? veteranMilliseconds ?? .max : max(1, threshold) }
}
