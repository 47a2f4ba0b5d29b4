import Domain
import Live
import Storage

/// Comments that were removed, as long as that can be taken back (contract: admin 6.4).
package enum Trash {
    /// Milliseconds: thirty days.
    static let lifetime: Int64 = 30 * 24 * 3600 * 1000
    /// Comments that one unit of work throws away.
    private static let unitSize = 200

    /// Keeps comments that are about to be removed, with what hangs on them.
    /// - Parameter root: the comment that was named.
    static func keep(
        _ seqs: [Int64], root: Int64, anonymised: Bool = false, in session: inout Session
    ) throws(APIError) {
        let list = Value.text(JSONText.numbers(seqs))
        try session.run("DELETE FROM trash WHERE seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            """
            INSERT INTO trash (seq, id, tenant_id, root_seq, removed_at, is_anonymised, words)
            SELECT c.seq, c.id, c.tenant_id, ?2, ?3, ?4,
                   (SELECT words FROM comment_search AS s WHERE s.rowid = c.seq)
            FROM comment AS c WHERE c.seq IN (SELECT value FROM json_each(?1))
            """,
            list, .integer(root), .integer(session.now), .bool(anonymised))
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

    /// Whether a comment with this id was removed.
    static func holds(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM trash WHERE tenant_id = ?1 AND id = ?2", .text(tenant), .text(id)) {
            (row) throws(APIError) -> Int in row.int(0)
        } != nil
    }

    /// A comment in the trash.
    struct Entry: Sendable {
        let seq: Int64
        let isAnonymised: Bool
    }

    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Entry? {
        try session.first(
            "SELECT seq, is_anonymised FROM trash WHERE tenant_id = ?1 AND id = ?2 AND removed_at > ?3",
            .text(tenant), .text(id), .integer(session.now - lifetime)
        ) { (row) throws(APIError) -> Entry in Entry(seq: row.int64(0), isAnonymised: row.bool(1)) }
    }

    /// Puts a comment back with whatever went with it.
    /// - Returns: their numbers, parents first.
    static func restore(_ seq: Int64, in session: inout Session) throws(APIError) -> [Int64] {
        let seqs = try session.query(
            """
            WITH RECURSIVE below (seq) AS (
                SELECT ?1
                UNION
                SELECT t.seq FROM trash AS t JOIN trash_comment AS c ON c.seq = t.seq
                JOIN below ON c.parent_seq = below.seq
                WHERE t.root_seq = (SELECT root_seq FROM trash WHERE seq = ?1) AND t.is_anonymised = 0
            )
            SELECT seq FROM below ORDER BY seq
            """,
            .integer(seq)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        let list = Value.text(JSONText.numbers(seqs))
        try session.run(
            "INSERT INTO comment SELECT * FROM trash_comment WHERE seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            """
            UPDATE comment SET parent_seq = NULL, parent_id = NULL
            WHERE seq = ?1 AND NOT EXISTS (SELECT 1 FROM comment AS p WHERE p.seq = comment.parent_seq)
            """,
            .integer(seq))
        try session.run(
            "INSERT INTO vote SELECT * FROM trash_vote WHERE comment_seq IN (SELECT value FROM json_each(?1))", list)
        try session.run(
            "INSERT INTO comment_flag SELECT * FROM trash_flag WHERE comment_seq IN (SELECT value FROM json_each(?1))",
            list)
        try restoreTagsAndWords(list, in: &session)
        return seqs
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
        try session.run(
            """
            INSERT INTO comment_search (rowid, place, words)
            SELECT c.seq, 'p' || c.page_id, t.words FROM trash AS t JOIN comment AS c ON c.seq = t.seq
            WHERE t.words IS NOT NULL AND t.seq IN (SELECT value FROM json_each(?1))
            """,
            list)
        try session.run("DELETE FROM trash WHERE seq IN (SELECT value FROM json_each(?1))", list)
    }

    /// Throws away what is too old, a part of it. On the writer.
    /// - Returns: whether there may be more.
    package static func expire(in session: inout Session) throws(APIError) -> Bool {
        try session.run(
            """
            DELETE FROM trash WHERE seq IN (SELECT seq FROM trash WHERE removed_at <= ?1 ORDER BY removed_at LIMIT ?2)
            """,
            .integer(session.now - lifetime), .int(unitSize)) == unitSize
    }
}

extension CommentModeration {
    /// Brings a removed comment back, with the replies that went with it; one that was not removed stays as it is.
    /// - Throws: `not-found` (404) for one that never was, or that went too long ago.
    func restore(_ id: String, in session: inout Session) throws(APIError) {
        let present = try CommentSQL.find(id, tenant: tenant.id, in: &session)
        if let present, actor?.maySee(present) == false { throw .commentNotFound }
        guard let entry = try Trash.find(id, tenant: tenant.id, in: &session) else {
            guard let present, !present.isDeleted else { throw .commentNotFound }
            return
        }
        if let present, entry.isAnonymised { return try restoreAnonymised(present, in: &session) }
        guard present == nil else { return }
        let seqs = try Trash.restore(entry.seq, in: &session)
        guard let first = try CommentSQL.records([entry.seq], in: &session).first, actor?.maySee(first) != false,
            let page = try PageSQL.find(id: first.pageID, in: &session)
        else { throw .commentNotFound }
        try PageSQL.touch(page.id, in: &session)
        let records = try CommentSQL.records(seqs, in: &session)
        try ModeratorRoom.tell(of: records.map(\.id), broadcastID: broadcastID, tenant: tenant.id, in: &session)
        try CommentHooks.created(records.filter { !$0.isDeleted }, tenant, in: &session)
        var shown: Set<Int64> = []
        for record in records {
            let isNamed = record.seq == entry.seq
            guard record.state.isVisible, isNamed || record.parentSeq.map(shown.contains) == true else { continue }
            shown.insert(record.seq)
            try send(.newComment, record, page, isNamed ? broadcastID : nil, in: &session)
        }
    }

    private func restoreAnonymised(_ comment: CommentRecord, in session: inout Session) throws(APIError) {
        try Trash.restoreAnonymised(comment.seq, in: &session)
        let restored = try CommentChange.announce(comment, broadcastID: broadcastID, tenant, in: &session)
        guard actor?.maySee(restored) != false else { throw .commentNotFound }
        try CommentLog.note(.restoredFromAnonymized, restored, by: actor?.name, in: &session)
    }
}
