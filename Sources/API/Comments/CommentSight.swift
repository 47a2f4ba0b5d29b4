import Domain
import Storage

/// Whether somebody sees a comment at all (contract: public 4.4): for everybody else it is not there.
extension CommentSQL {
    /// The comment with this id, as far as the caller sees it and everything above it.
    /// - Throws: `not-found` (404).
    static func requireVisible(
        _ id: String, to caller: Caller, in session: inout Session
    ) throws(APIError) -> CommentRecord {
        let comment = try require(id, tenant: caller.tenant.id, in: &session)
        guard comment.isVisible(to: caller) else { throw .commentNotFound }
        guard comment.parentSeq != nil, try hasHidden(page: comment.pageID, in: &session) else {
            guard try !GroupLimit.hides(comment, from: caller, in: &session) else { throw .commentNotFound }
            return comment
        }
        let hidden = try session.first(
            """
            WITH RECURSIVE above (seq, parent_seq, is_approved, is_spam, author_key) AS (
                SELECT seq, parent_seq, is_approved, is_spam, author_key FROM comment WHERE seq = ?1
                UNION
                SELECT c.seq, c.parent_seq, c.is_approved, c.is_spam, c.author_key
                FROM comment AS c JOIN above ON c.seq = above.parent_seq
            )
            SELECT 1 FROM above
            WHERE is_spam = 1 OR (is_approved = 0 AND ?2 = 0 AND author_key IS DISTINCT FROM ?3) LIMIT 1
            """,
            .int(comment.parentSeq), .bool(caller.isStaff), .text(caller.key ?? "")
        ) { (row) throws(APIError) -> Int in row.int(0) }
        guard hidden == nil, try !GroupLimit.hides(comment, from: caller, in: &session) else { throw .commentNotFound }
        return comment
    }

    /// Walking up costs the depth of the thread, so it is done only where something is hidden at all.
    private static func hasHidden(page: Int64, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM comment WHERE page_id = ?1 AND (is_approved = 0 OR is_spam = 1) LIMIT 1", .integer(page)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Whether readers see anything directly below the comment.
    static func hasVisibleReplies(_ seq: Int64, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM comment WHERE parent_seq = ?1 AND is_approved = 1 AND is_spam = 0 LIMIT 1", .integer(seq)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}

extension CommentRecord {
    /// As far as it depends on the comment alone.
    func isVisible(to caller: Caller) -> Bool {
        guard !isSpam else { return false }
        return isApproved || caller.isStaff || (authorKey != nil && authorKey == caller.key)
    }
}
