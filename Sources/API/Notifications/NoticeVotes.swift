import Domain
import Storage

/// The votes behind a notice: up, counted, not the owner's own, and not by people whom the owner blocked.
struct NoticeVotes: Sendable {
    /// Votes named at most; the count is of all.
    static let shownVotes: Int64 = 100

    struct Voter: Sendable {
        let key: String
        /// nil for guests.
        let userID: String?
        let name: String
        let avatar: String?
    }

    let count: Int
    /// Newest first.
    let voteIDs: [String]
    /// Newest first, without private profiles.
    let voters: [Voter]

    static func load(
        _ comment: Int64, owner: String, _ tenant: String, _ settings: WidgetSettings, in session: inout Session
    ) throws(APIError) -> NoticeVotes {
        let guestName = settings.defaultUsername ?? "Anonymous"
        var ids: [String] = []
        var voters: [Voter] = []
        try session.forEach(
            """
            SELECT v.id, v.voter_key, v.user_id, COALESCE(NULLIF(p.display_name, ''), p.username, v.voter_name),
                   p.avatar, COALESCE(p.is_activity_private, 0)
            FROM vote AS v LEFT JOIN person AS p ON p.tenant_id = v.tenant_id AND p.id = v.user_id
            WHERE v.comment_seq = ?1 AND v.direction = 1 AND v.is_pending = 0 AND v.voter_key <> ?2
              AND NOT EXISTS (SELECT 1 FROM block AS b
                              WHERE b.tenant_id = ?3 AND b.blocker_key = ?2 AND b.blocked_key = v.voter_key)
            ORDER BY v.created_at DESC, v.id DESC LIMIT ?4
            """,
            .integer(comment), .text(owner), .text(tenant), .integer(shownVotes)
        ) { (row) throws(APIError) in
            ids.append(row.text(0))
            guard !row.bool(5) else { return }
            let name = row.textOrNil(3).flatMap { $0.isEmpty ? nil : $0 } ?? guestName
            voters.append(
                Voter(
                    key: row.text(1), userID: row.textOrNil(2),
                    name: CommenterName.formatted(name, as: settings.nameFormat), avatar: row.textOrNil(4)))
        }
        let count = try count(comment, owner: owner, tenant: tenant, in: &session)
        return NoticeVotes(count: count, voteIDs: ids, voters: voters)
    }

    static func count(
        _ comment: Int64, owner: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM vote AS v
            WHERE v.comment_seq = ?1 AND v.direction = 1 AND v.is_pending = 0 AND v.voter_key <> ?2
              AND NOT EXISTS (SELECT 1 FROM block AS b
                              WHERE b.tenant_id = ?3 AND b.blocker_key = ?2 AND b.blocked_key = v.voter_key)
            """,
            .integer(comment), .text(owner), .text(tenant)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }
}
