import Domain
import Storage

/// Reading and marking notices. What is older than a year is not there any more, whether or not it was removed yet.
enum NoticeSQL {
    /// Milliseconds.
    static let lifetime = StoreOptions().noticeLifetimeMilliseconds

    // MARK: Reading

    /// Newest first.
    static func list(
        _ filter: NoticeFilter, owner: String, tenant: String, limit: Int, in session: inout Session
    ) throws(APIError) -> [NoticeRow] {
        try session.query(
            """
            SELECT id, owner_key, kind, is_of_votes, comment_seq, related_seq, is_viewed, is_counted, is_sent,
                   created_at, comment_id, url_id, url, title, related_id,
                   EXISTS (SELECT 1 FROM notice_opt_out AS o
                           WHERE o.owner_key = r.owner_key AND o.comment_seq IN (r.comment_seq, r.related_seq))
            FROM notice_record AS r
            WHERE tenant_id = ?1 AND owner_key = ?2 AND created_at > ?3 AND (created_at, id) < (?4, ?5)
              AND (?6 = 0 OR is_viewed = 0) AND (?7 = 0 OR kind = ?9) AND (?8 = 0 OR kind <> ?9)
            ORDER BY created_at DESC, id DESC LIMIT ?10
            """,
            .text(tenant), .text(owner), .integer(session.now - lifetime), .integer(filter.before.createdAt),
            .text(filter.before.id), .bool(filter.isUnreadOnly), .bool(filter.isDirectOnly), .bool(filter.hasNoDirect),
            .int(NoticeKind.direct), .int(limit)
        ) { (row) throws(APIError) -> NoticeRow in NoticeRow(row) }
    }

    /// The notices with these ids, in the order given.
    static func find(_ ids: [String], in session: inout Session) throws(APIError) -> [NoticeRow] {
        try session.query(
            """
            SELECT r.id, owner_key, kind, is_of_votes, comment_seq, related_seq, is_viewed, is_counted, is_sent,
                   created_at, comment_id, url_id, url, title, related_id,
                   EXISTS (SELECT 1 FROM notice_opt_out AS o
                           WHERE o.owner_key = r.owner_key AND o.comment_seq IN (r.comment_seq, r.related_seq))
            FROM json_each(?1) AS wanted JOIN notice_record AS r ON r.id = wanted.value
            ORDER BY wanted.key
            """,
            .list(ids)
        ) { (row) throws(APIError) -> NoticeRow in NoticeRow(row) }
    }

    /// The notice with this id.
    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> NoticeRow? {
        try session.first(
            """
            SELECT id, owner_key, kind, is_of_votes, comment_seq, related_seq, is_viewed, is_counted, is_sent,
                   created_at, comment_id, url_id, url, title, related_id,
                   EXISTS (SELECT 1 FROM notice_opt_out AS o
                           WHERE o.owner_key = r.owner_key AND o.comment_seq IN (r.comment_seq, r.related_seq))
            FROM notice_record AS r WHERE id = ?1 AND tenant_id = ?2 AND created_at > ?3
            """,
            .text(id), .text(tenant), .integer(session.now - lifetime)
        ) { (row) throws(APIError) -> NoticeRow in NoticeRow(row) }
    }

    /// Oldest first, for replays.
    static func made(
        after start: Int64, upTo end: Int64, owner: String, tenant: String, limit: Int, in session: inout Session
    ) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT id FROM notice
            WHERE tenant_id = ?1 AND owner_key = ?2 AND created_at > ?3 AND created_at <= ?4
            ORDER BY created_at, id LIMIT ?5
            """,
            .text(tenant), .text(owner), .integer(max(start, session.now - lifetime)), .integer(end), .int(limit)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// The notice of votes that had this id before it became new again.
    static func findRenewed(
        _ id: String, owner: String, tenant: String, in session: inout Session
    ) throws(APIError) -> String? {
        try session.first(
            """
            SELECT id FROM notice
            WHERE tenant_id = ?1 AND owner_key = ?2 AND is_of_votes = 1 AND substr(id, 13) = substr(?3, 13) AND id > ?3
            """,
            .text(tenant), .text(owner), .text(id)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Those of the comments that somebody was told of and has not viewed.
    static func unread(_ comments: [Int64], owner: String, in session: inout Session) throws(APIError) -> Set<Int64> {
        Set(
            try session.query(
                """
                SELECT comment_seq FROM notice
                WHERE comment_seq IN (SELECT value FROM json_each(?1)) AND is_of_votes = 0 AND owner_key = ?2
                  AND is_viewed = 0
                """,
                .text(JSONText.numbers(comments)), .text(owner)
            ) { (row) throws(APIError) -> Int64 in row.int64(0) })
    }

    /// The bell's number: of comments that the owner sees.
    static func count(of owner: String, _ caller: Caller, in session: inout Session) throws(APIError) -> Int {
        let counts = try session.query(
            """
            SELECT c.page_id, COUNT(*) FROM notice AS n JOIN comment AS c ON c.seq = n.comment_seq
            WHERE n.tenant_id = ?1 AND n.owner_key = ?2 AND n.is_counted = 1 AND n.created_at > ?3 AND c.is_deleted = 0
              AND (n.is_of_votes = 1 OR (c.is_approved = 1 AND c.is_spam = 0))
            GROUP BY c.page_id
            """,
            .text(caller.tenant.id), .text(owner), .integer(session.now - lifetime)
        ) { (row) throws(APIError) -> (page: Int64, count: Int) in (row.int64(0), row.int(1)) }
        var total = 0
        for (id, count) in counts {
            guard let page = try PageSQL.find(id: id, in: &session), caller.mayRead(page) else { continue }
            guard try CommentSight.mayHide(page, from: caller, in: &session) else {
                total += count
                continue
            }
            let comments = try counted(of: owner, on: page, in: &session)
            let unseen = try CommentSight.unseen(comments, on: page, by: caller, in: &session)
            total += comments.count { !unseen.contains($0) }
        }
        return total
    }

    /// The comments behind the bell's number on one page.
    private static func counted(
        of owner: String, on page: Page, in session: inout Session
    ) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT c.seq FROM notice AS n JOIN comment AS c ON c.seq = n.comment_seq
            WHERE n.tenant_id = ?1 AND n.owner_key = ?2 AND n.is_counted = 1 AND n.created_at > ?3 AND c.is_deleted = 0
              AND (n.is_of_votes = 1 OR (c.is_approved = 1 AND c.is_spam = 0)) AND c.page_id = ?4
            """,
            .text(page.tenant), .text(owner), .integer(session.now - lifetime), .integer(page.id)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    // MARK: Marking

    static func setViewed(_ isViewed: Bool, _ id: String, in session: inout Session) throws(APIError) {
        try session.run(
            "UPDATE notice SET is_viewed = ?2, is_counted = ?3 WHERE id = ?1",
            .text(id), .bool(isViewed), .bool(!isViewed))
    }

    /// - Returns: how many were changed.
    static func markViewed(
        _ filter: NoticeFilter, owner: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Int {
        try session.run(
            """
            UPDATE notice SET is_viewed = 1, is_counted = 0
            WHERE tenant_id = ?1 AND owner_key = ?2 AND is_viewed = 0 AND (created_at, id) < (?3, ?4)
              AND (?5 = 0 OR kind = ?7) AND (?6 = 0 OR kind <> ?7)
            """,
            .text(tenant), .text(owner), .integer(filter.before.createdAt), .text(filter.before.id),
            .bool(filter.isDirectOnly), .bool(filter.hasNoDirect), .int(NoticeKind.direct))
    }

    /// - Returns: how many were changed.
    static func resetCount(owner: String, tenant: String, in session: inout Session) throws(APIError) -> Int {
        try session.run(
            "UPDATE notice SET is_counted = 0 WHERE tenant_id = ?1 AND owner_key = ?2 AND is_counted = 1",
            .text(tenant), .text(owner))
    }

    // MARK: Opting out

    static func hasOptedOut(
        _ owner: String, of seqs: [Int64], in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM notice_opt_out
            WHERE comment_seq IN (SELECT value FROM json_each(?1)) AND owner_key = ?2 LIMIT 1
            """,
            .text(JSONText.numbers(seqs)), .text(owner)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// - Returns: how many choices changed.
    static func setOptedOut(
        _ isOptedOut: Bool, _ seqs: Set<Int64>, owner: String, in session: inout Session
    ) throws(APIError) -> Int {
        var changed = 0
        for seq in seqs {
            changed +=
                isOptedOut
                ? try session.run(
                    """
                    INSERT INTO notice_opt_out (comment_seq, owner_key, created_at)
                    SELECT seq, ?2, ?3 FROM comment WHERE seq = ?1
                    ON CONFLICT (comment_seq, owner_key) DO NOTHING
                    """,
                    .integer(seq), .text(owner), .integer(session.now))
                : try session.run(
                    "DELETE FROM notice_opt_out WHERE comment_seq = ?1 AND owner_key = ?2",
                    .integer(seq), .text(owner))
        }
        return changed
    }
}
