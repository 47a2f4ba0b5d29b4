import Domain
import Storage

/// Comments that were removed, as long as that can be taken back (contract: admin 6.4).
package enum Trash {
    /// Milliseconds: thirty days.
    static let lifetime: Int64 = 30 * 24 * 3600 * 1000
    /// Comments that one unit of work throws away.
    private static let unitSize = 200

    /// Keeps comments that are about to be removed, with what hangs on them.
    /// - Parameters:
    ///   - root: the comment that was named.
    ///   - erased: of whom nothing is kept.
    static func keep(
        _ seqs: [Int64], root: Int64, anonymised: Bool = false, except erased: String? = nil,
        in session: inout Session
    ) throws(APIError) {
        let kept = try erased.map { (author) throws(APIError) -> [Int64] in
            try others(seqs, than: author, in: &session)
        }
        let list = Value.text(JSONText.numbers(kept ?? seqs))
        try session.run("DELETE FROM trash WHERE seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            """
            INSERT INTO trash (seq, id, tenant_id, root_seq, removed_at, is_anonymised, url_id)
            SELECT c.seq, c.id, c.tenant_id, ?2, ?3, ?4, (SELECT url_id FROM page AS g WHERE g.id = c.page_id)
            FROM comment AS c WHERE c.seq IN (SELECT value FROM json_each(?1))
            """,
            list, .integer(root), .integer(session.now), .bool(anonymised))
        try CommentSearch.keepWords(list, in: &session)
        try session.run(
            "INSERT INTO trash_comment SELECT * FROM comment WHERE seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            "INSERT INTO trash_hash_tag SELECT * FROM comment_hash_tag WHERE comment_seq IN (SELECT value FROM json_each(?1))",
            list)
        guard !anonymised else { return }
        try session.run(
            "INSERT INTO trash_vote SELECT * FROM vote WHERE comment_seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            "INSERT INTO trash_flag SELECT * FROM comment_flag WHERE comment_seq IN (SELECT value FROM json_each(?1))",
            list)
    }

    private static func others(
        _ seqs: [Int64], than author: String, in session: inout Session
    ) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT seq FROM comment WHERE seq IN (SELECT value FROM json_each(?1)) AND author_key IS NOT ?2
            """,
            .text(JSONText.numbers(seqs)), .text(author)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// Throws away what somebody wrote who is deleted, with the log of it.
    /// - Returns: whether there may be more.
    static func forget(
        _ author: String, tenant: String, limit: Int, in session: inout Session
    ) throws(APIError) -> Bool {
        let seqs = try session.query(
            "SELECT seq FROM trash_comment WHERE tenant_id = ?1 AND author_key = ?2 LIMIT ?3", .text(tenant),
            .text(author), .int(limit)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        try throwAway(seqs, in: &session)
        return seqs.count == limit
    }

    private static func throwAway(_ seqs: [Int64], in session: inout Session) throws(APIError) {
        let list = Value.text(JSONText.numbers(seqs))
        try session.run(
            """
            DELETE FROM comment_log WHERE (tenant_id, comment_id) IN (
                SELECT tenant_id, id FROM trash WHERE seq IN (SELECT value FROM json_each(?1)))
            """,
            list)
        try session.run("DELETE FROM trash WHERE seq IN (SELECT value FROM json_each(?1))", list)
    }

    /// Whether a comment with this id was removed that a moderator with these groups may see; nil is all of them.
    static func holds(
        _ id: String, groups: [String]? = nil, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM trash AS t JOIN trash_comment AS c ON c.seq = t.seq
            WHERE t.tenant_id = ?1 AND t.id = ?2 AND (?3 IS NULL OR EXISTS (
                SELECT 1 FROM json_each(c.moderation_groups) AS own
                WHERE own.value IN (SELECT value FROM json_each(?3))))
            """,
            .text(tenant), .text(id), groups.map(Value.list) ?? .null
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// A comment in the trash.
    struct Entry: Sendable {
        let seq: Int64
        /// The comment whose removal took it along.
        let root: Int64
        let isAnonymised: Bool
        /// Where it stood.
        let pageID: Int64
        /// nil for one whose page was gone before this was kept.
        let urlID: String?
        let url: String
    }

    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Entry? {
        try session.first(
            """
            SELECT t.seq, t.root_seq, t.is_anonymised, c.page_id, t.url_id, c.url
            FROM trash AS t JOIN trash_comment AS c ON c.seq = t.seq
            WHERE t.tenant_id = ?1 AND t.id = ?2 AND t.removed_at > ?3
            """,
            .text(tenant), .text(id), .integer(session.now - lifetime)
        ) { (row) throws(APIError) -> Entry in
            Entry(
                seq: row.int64(0), root: row.int64(1), isAnonymised: row.bool(2), pageID: row.int64(3),
                urlID: row.textOrNil(4), url: row.text(5))
        }
    }

    /// Some of the comments that went with another, with their parents, oldest first.
    /// - Parameter place: only newer ones.
    static func next(
        ofRoot root: Int64, after place: Int64, limit: Int, in session: inout Session
    ) throws(APIError) -> [(seq: Int64, parent: Int64)] {
        try session.query(
            """
            SELECT t.seq, c.parent_seq FROM trash AS t JOIN trash_comment AS c ON c.seq = t.seq
            WHERE t.root_seq = ?1 AND t.seq > ?2 AND t.is_anonymised = 0 ORDER BY t.seq LIMIT ?3
            """,
            .integer(root), .integer(place), .int(limit)
        ) { (row) throws(APIError) -> (seq: Int64, parent: Int64) in (row.int64(0), row.int64(1)) }
    }

    /// Puts comments back onto a page, with what hangs on them.
    static func restore(_ seqs: [Int64], to page: Int64, in session: inout Session) throws(APIError) {
        let list = Value.text(JSONText.numbers(seqs))
        try session.run(
            "UPDATE trash_comment SET page_id = ?2 WHERE seq IN (SELECT value FROM json_each(?1)) AND page_id <> ?2",
            list, .integer(page))
        try session.run(
            "INSERT INTO comment SELECT * FROM trash_comment WHERE seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            """
            UPDATE comment SET parent_seq = NULL, parent_id = NULL
            WHERE seq IN (SELECT value FROM json_each(?1)) AND parent_seq IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM comment AS p WHERE p.seq = comment.parent_seq)
            """,
            list)
        try session.run(
            "INSERT INTO vote SELECT * FROM trash_vote WHERE comment_seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            "INSERT INTO comment_flag SELECT * FROM trash_flag WHERE comment_seq IN (SELECT value FROM json_each(?1))",
            list)
        try restoreTagsAndWords(list, in: &session)
    }

    /// Gives a placeholder its author and text back.
    static func restoreAnonymised(_ seq: Int64, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE comment SET
                is_deleted = 0, commenter_name = t.commenter_name, commenter_email = t.commenter_email,
                email_key = t.email_key, email_domain = t.email_domain, commenter_link = t.commenter_link,
                avatar = t.avatar, display_label = t.display_label, user_id = t.user_id,
                anon_user_id = t.anon_user_id, author_key = t.author_key, source = t.source, html = t.html,
                mentions = t.mentions, hash_tags = t.hash_tags, meta = t.meta, edit_key_hash = t.edit_key_hash,
                has_images = t.has_images, has_links = t.has_links, has_code = t.has_code,
                address_hash = t.address_hash
            FROM trash_comment AS t WHERE comment.seq = ?1 AND t.seq = ?1
            """,
            .integer(seq))
        try restoreTagsAndWords(.text(JSONText.numbers([seq])), in: &session)
    }

    private static func restoreTagsAndWords(_ list: Value, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO comment_hash_tag SELECT * FROM trash_hash_tag
            WHERE comment_seq IN (SELECT value FROM json_each(?1))
            """,
            list)
        let words = try session.query(
            """
            SELECT c.seq, c.page_id, t.words FROM trash AS t JOIN comment AS c ON c.seq = t.seq
            WHERE t.words IS NOT NULL AND t.seq IN (SELECT value FROM json_each(?1))
            """,
            list
        ) { (row) throws(APIError) -> (Int64, Int64, String) in (row.int64(0), row.int64(1), row.text(2)) }
        for (seq, page, words) in words { try CommentSearch.insert(seq, page: page, words: words, in: &session) }
        try session.run("DELETE FROM trash WHERE seq IN (SELECT value FROM json_each(?1))", list)
    }

    /// Throws away what is too old, a part of it, and with it what is known of it from the log. On the writer.
    /// - Returns: whether there may be more.
    package static func expire(in session: inout Session) throws(APIError) -> Bool {
        let seqs = try session.query(
            "SELECT seq FROM trash WHERE removed_at <= ?1 ORDER BY removed_at LIMIT ?2",
            .integer(session.now - lifetime), .int(unitSize)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        try throwAway(seqs, in: &session)
        return seqs.count == unitSize
    }
}
