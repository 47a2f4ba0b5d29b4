import Domain
import Storage

/// Finding the people whom a comment concerns.
extension NoticeSQL {
    /// Wire id of whoever wrote the comment.
    static func author(of comment: Int64, in session: inout Session) throws(APIError) -> String? {
        try session.first("SELECT author_key FROM comment WHERE seq = ?1", .integer(comment)) {
            (row) throws(APIError) -> String? in row.textOrNil(0)
        } ?? nil
    }

    /// Who was told of being named in the comment.
    static func mentioned(in comment: Int64, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            "SELECT owner_key FROM notice WHERE comment_seq = ?1 AND is_of_votes = 0 AND kind = ?2",
            .integer(comment), .int(NoticeKind.mention.rawValue)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Whoever wrote below the same root as the comment, in the order of their ids, from one on; with the nearest comment
    /// of theirs above it, else their newest.
    static func writers(
        around comment: Int64, after owner: String, limit: Int, in session: inout Session
    ) throws(APIError) -> [(key: String, tie: Int64)] {
        try session.query(
            """
            WITH RECURSIVE above (seq, parent_seq) AS (
                SELECT seq, parent_seq FROM comment WHERE seq = ?1
                UNION
                SELECT c.seq, c.parent_seq FROM comment AS c JOIN above ON c.seq = above.parent_seq
            ), thread (seq, author_key) AS (
                SELECT c.seq, c.author_key FROM comment AS c JOIN above ON above.seq = c.seq
                WHERE above.parent_seq IS NULL
                UNION
                SELECT c.seq, c.author_key FROM comment AS c JOIN thread ON c.parent_seq = thread.seq
                WHERE c.is_approved = 1 AND c.is_spam = 0
            )
            SELECT author_key, MAX(seq), MAX(CASE WHEN seq IN (SELECT seq FROM above) THEN seq END)
            FROM thread WHERE author_key > ?2 AND seq <> ?1 GROUP BY author_key ORDER BY author_key LIMIT ?3
            """,
            .integer(comment), .text(owner), .int(limit)
        ) { (row) throws(APIError) -> (key: String, tie: Int64) in
            (row.text(0), row.int64OrNil(2) ?? row.int64(1))
        }
    }

    /// Whether the comment is there, and whether it is to be seen besides.
    static func state(
        of comment: Int64, in session: inout Session
    ) throws(APIError) -> (isThere: Bool, isVisible: Bool) {
        try session.first(
            "SELECT is_approved = 1 AND is_spam = 0 FROM comment WHERE seq = ?1 AND is_deleted = 0", .integer(comment)
        ) { (row) throws(APIError) -> (isThere: Bool, isVisible: Bool) in (true, row.bool(0)) } ?? (false, false)
    }
}
