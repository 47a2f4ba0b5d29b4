import Domain
import JSON
import Storage

/// What somebody did that badges are earned by, counted when it is asked for (contract: admin 5.6).
struct BadgeProgress: JSONWritable, Sendable {
    /// Wire id.
    let user: String
    let tenant: String
    let firstCommentID: String
    let firstCommentDate: Int64
    let counts: [(BadgeType, Int64)]
    let trust: Trust
    /// Milliseconds since 1970; nil for somebody who did not.
    let acceptedTermsAt: Int64?

    /// Closed key set.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", user)
            json.member("tenantId", tenant)
            json.member("userId", user)
            json.member("firstCommentId", firstCommentID)
            json.key("firstCommentDate")
            json.date(milliseconds: firstCommentDate)
            if let factor = trust.automatic { json.member("autoTrustFactor", factor) }
            if let factor = trust.manual { json.member("manualTrustFactor", factor) }
            json.key("progress")
            json.object { json in
                for (type, count) in counts {
                    json.key(String(type.rawValue))
                    json.int(count)
                }
            }
            guard let acceptedTermsAt else { return }
            json.key("tosAcceptedAt")
            json.date(milliseconds: acceptedTermsAt)
        }
    }

    /// - Returns: nil for somebody who has written nothing.
    static func of(_ user: String, tenant: String, in session: inout Session) throws(APIError) -> BadgeProgress? {
        let first = try session.first(
            """
            SELECT id, created_at FROM comment WHERE tenant_id = ?1 AND author_key = ?2 AND is_deleted = 0
            ORDER BY created_at, seq LIMIT 1
            """,
            .text(tenant), .text(user)
        ) { (row) throws(APIError) -> (id: String, date: Int64) in (row.text(0), row.int64(1)) }
        guard let first else { return nil }
        let terms = try session.first(
            "SELECT accepted_at FROM terms_acceptance WHERE tenant_id = ?1 AND person_id = ?2", .text(tenant),
            .text(user)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        var counts = try written(user, tenant: tenant, in: &session)
        counts.append((.veteran, max(0, session.now - first.date)))
        counts += try received(user, tenant: tenant, in: &session)
        counts += try moderated(user, tenant: tenant, in: &session)
        return BadgeProgress(
            user: user, tenant: tenant, firstCommentID: first.id, firstCommentDate: first.date,
            counts: counts.sorted { $0.0.rawValue < $1.0.rawValue },
            trust: try Trust.of(user, tenant: tenant, in: &session), acceptedTermsAt: terms)
    }

    /// Whoever wrote, by the time of the first comment that is still there.
    static func writers(
        skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT author_key FROM comment WHERE tenant_id = ?1 AND author_key IS NOT NULL AND is_deleted = 0
            GROUP BY author_key ORDER BY MIN(seq) LIMIT ?2 OFFSET ?3
            """,
            .text(tenant), .int(limit), .int(skip)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Night is from 22 to 4 o'clock where the author is; an answer within 40 seconds is fast.
    private static func written(
        _ user: String, tenant: String, in session: inout Session
    ) throws(APIError) -> [(BadgeType, Int64)] {
        try session.first(
            """
            SELECT COUNT(*), COUNT(c.pinned_at),
                   COALESCE(SUM(c.local_date_hours >= 22 OR c.local_date_hours < 4), 0),
                   COALESCE(SUM(c.created_at - p.created_at BETWEEN 0 AND 40000), 0)
            FROM comment AS c LEFT JOIN comment AS p ON p.seq = c.parent_seq
            WHERE c.tenant_id = ?1 AND c.author_key = ?2 AND c.is_deleted = 0 AND c.is_approved = 1 AND c.is_spam = 0
            """,
            .text(tenant), .text(user)
        ) { (row) throws(APIError) -> [(BadgeType, Int64)] in
            [
                (.commentCount, row.int64(0)), (.pinned, row.int64(1)), (.nightOwl, row.int64(2)),
                (.fastReply, row.int64(3)),
            ]
        } ?? []
    }

    /// By others.
    private static func received(
        _ user: String, tenant: String, in session: inout Session
    ) throws(APIError) -> [(BadgeType, Int64)] {
        try session.first(
            """
            SELECT
                (SELECT COUNT(*) FROM comment AS c JOIN vote AS v ON v.comment_seq = c.seq
                 WHERE c.tenant_id = ?1 AND c.author_key = ?2 AND c.is_deleted = 0 AND v.direction > 0
                   AND v.is_pending = 0 AND v.voter_key <> ?2),
                (SELECT COUNT(*) FROM comment AS c JOIN comment AS r ON r.parent_seq = c.seq
                 WHERE c.tenant_id = ?1 AND c.author_key = ?2 AND c.is_deleted = 0 AND r.is_deleted = 0
                   AND r.is_approved = 1 AND r.is_spam = 0 AND r.author_key IS NOT ?2)
            """,
            .text(tenant), .text(user)
        ) { (row) throws(APIError) -> [(BadgeType, Int64)] in [(.upVotes, row.int64(0)), (.replies, row.int64(1))] }
            ?? []
    }

    private static func moderated(
        _ user: String, tenant: String, in session: inout Session
    ) throws(APIError) -> [(BadgeType, Int64)] {
        try session.first(
            """
            SELECT SUM(deleted_count), SUM(approved_count), SUM(unapproved_count), SUM(reviewed_count),
                   SUM(spam_count), SUM(not_spam_count)
            FROM moderator WHERE tenant_id = ?1 AND user_id = ?2
            """,
            .text(tenant), .text(user)
        ) { (row) throws(APIError) -> [(BadgeType, Int64)] in
            let types: [BadgeType] = [
                .modDeleted, .modApproved, .modUnapproved, .modReviewed, .modSpam, .modNotSpam,
            ]
            return types.enumerated().map { ($1, row.int64($0)) }
        } ?? []
    }
}
