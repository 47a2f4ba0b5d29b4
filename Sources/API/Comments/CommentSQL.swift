import Domain
import Storage

/// Reading and changing single comments. The long column list is the order that `CommentRecord` reads; it stands in a
/// view, so that each statement stays a literal.
enum CommentSQL {
    /// The comment with this id, whatever its state.
    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> CommentRecord? {
        let record = try session.first(
            "SELECT * FROM comment_record WHERE id = ?1 AND tenant_id = ?2", .text(id), .text(tenant)
        ) { (row) throws(APIError) -> CommentRecord in CommentRecord(row) }
        guard let record else { return nil }
        var records = [record]
        try UserBadgeSQL.attach(to: &records, in: &session)
        return records[0]
    }

    /// The comment with this id.
    /// - Throws: `not-found` (404).
    static func require(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> CommentRecord {
        guard let comment = try find(id, tenant: tenant, in: &session) else { throw .commentNotFound }
        return comment
    }

    /// The comments with these numbers, in the order given.
    static func records(_ seqs: [Int64], in session: inout Session) throws(APIError) -> [CommentRecord] {
        var records = try session.query(
            """
            SELECT r.* FROM json_each(?1) AS wanted JOIN comment_record AS r ON r.seq = wanted.value
            ORDER BY wanted.key
            """,
            .text(JSONText.numbers(seqs))
        ) { (row) throws(APIError) -> CommentRecord in CommentRecord(row) }
        try UserBadgeSQL.attach(to: &records, in: &session)
        return records
    }

    /// What the order of a page depends on, ascending by `seq`.
    static func nodes(ofPage page: Int64, in session: inout Session) throws(APIError) -> [ThreadNode] {
        try session.query(
            """
            SELECT seq, parent_seq, created_at, score, pinned_at, is_approved, is_spam, is_deleted, author_key
            FROM comment WHERE page_id = ?1 ORDER BY seq
            """,
            .integer(page), row: node)
    }

    /// The same for the comments under one parent, or for the roots.
    static func siblings(
        ofPage page: Int64, parent: Int64?, in session: inout Session
    ) throws(APIError) -> [ThreadNode] {
        guard let parent else {
            return try session.query(
                """
                SELECT seq, 0, created_at, score, pinned_at, is_approved, is_spam, is_deleted, author_key
                FROM comment WHERE page_id = ?1 AND parent_seq IS NULL ORDER BY seq
                """,
                .integer(page), row: node)
        }
        return try session.query(
            """
            SELECT seq, 0, created_at, score, 0, is_approved, is_spam, is_deleted, author_key
            FROM comment WHERE parent_seq = ?1 ORDER BY seq
            """,
            .integer(parent), row: node)
    }

    private static func node(_ row: borrowing Row) throws(APIError) -> ThreadNode {
        let isHidden = !row.bool(5) || row.bool(6)
        return ThreadNode(
            seq: row.int64(0), parent: row.int64(1), createdAt: row.int64(2), score: row.double(3),
            pinnedAt: row.int64(4), isApproved: row.bool(5), isSpam: row.bool(6), isDeleted: row.bool(7),
            author: isHidden ? row.textOrNil(8) : nil)
    }

    /// Whether the comment or any comment above it is locked.
    static func isLocked(_ comment: CommentRecord, in session: inout Session) throws(APIError) -> Bool {
        if comment.isLocked { return true }
        guard comment.parentSeq != nil else { return false }
        let anyLock = try session.first(
            "SELECT 1 FROM comment WHERE page_id = ?1 AND is_locked = 1 LIMIT 1", .integer(comment.pageID)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        // Walking up costs the depth of the thread, so it is done only where something is locked at all.
        guard anyLock != nil else { return false }
        return try session.first(
            """
            WITH RECURSIVE above (seq, parent_seq, is_locked) AS (
                SELECT seq, parent_seq, is_locked FROM comment WHERE seq = ?1
                UNION
                SELECT c.seq, c.parent_seq, c.is_locked FROM comment AS c JOIN above ON c.seq = above.parent_seq
            )
            SELECT 1 FROM above WHERE is_locked = 1 LIMIT 1
            """,
            .integer(comment.seq)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// The comment and everything below it, ascending by `seq`: parents before children.
    static func subtree(_ seq: Int64, in session: inout Session) throws(APIError) -> [Int64] {
        try session.query(
            """
            WITH RECURSIVE below (seq) AS (
                SELECT ?1
                UNION
                SELECT c.seq FROM comment AS c JOIN below ON c.parent_seq = below.seq
            )
            SELECT seq FROM below ORDER BY seq
            """,
            .integer(seq)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// How many comments stand below one, as far as the limit: counting stops there.
    static func countBelow(_ seq: Int64, upTo limit: Int, in session: inout Session) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM (
                WITH RECURSIVE below (seq) AS (
                    SELECT seq FROM comment WHERE parent_seq = ?1
                    UNION
                    SELECT c.seq FROM comment AS c JOIN below ON c.parent_seq = below.seq
                )
                SELECT 1 FROM below LIMIT ?2)
            """,
            .integer(seq), .int(limit)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }

    static func delete(_ seqs: [Int64], in session: inout Session) throws(APIError) {
        try session.run(
            "DELETE FROM comment WHERE seq IN (SELECT value FROM json_each(?1))", .text(JSONText.numbers(seqs)))
        try CommentSearch.remove(seqs, in: &session)
    }

    static func setPinned(_ seq: Int64, at moment: Int64?, in session: inout Session) throws(APIError) {
        try session.run("UPDATE comment SET pinned_at = ?2 WHERE seq = ?1", .integer(seq), .int(moment))
    }

    static func setLocked(_ seq: Int64, _ isLocked: Bool, in session: inout Session) throws(APIError) {
        try session.run("UPDATE comment SET is_locked = ?2 WHERE seq = ?1", .integer(seq), .bool(isLocked))
    }

    /// Takes the key for editing away from its holder.
    static func burnEditKey(_ seq: Int64, in session: inout Session) throws(APIError) {
        try session.run("UPDATE comment SET edit_key_hash = NULL WHERE seq = ?1", .integer(seq))
    }

    /// Leaves a placeholder: nothing of the author or the text stays.
    static func anonymise(_ seq: Int64, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE comment SET
                is_deleted = 1, commenter_name = '', commenter_email = NULL, email_key = NULL,
                email_domain = NULL, address_hash = NULL, commenter_link = NULL, avatar = NULL,
                display_label = NULL, user_id = NULL, anon_user_id = NULL, author_key = NULL, source = '', html = '',
                mentions = NULL, hash_tags = NULL, meta = NULL, edit_key_hash = NULL, has_images = 0, has_links = 0, has_code = 0
            WHERE seq = ?1
            """,
            .integer(seq))
        try session.run("DELETE FROM comment_hash_tag WHERE comment_seq = ?1", .integer(seq))
        try CommentSearch.remove([seq], in: &session)
    }
}

extension APIError {
    static let commentNotFound = APIError(404, "not-found", "There is no comment with this id.")
}

extension JSONText {
    static func numbers(_ values: [Int64]) -> String { "[" + values.map(String.init).joined(separator: ",") + "]" }
}
