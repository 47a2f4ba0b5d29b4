import Domain
import Storage

/// Making notices and taking them away.
extension NoticeSQL {
    /// Tells somebody of a comment, unless they were told already.
    /// - Parameter place: of the comment among those of the same unit: later ones are newer.
    /// - Returns: the id of the notice; nil when there was one.
    static func insert(
        _ recipient: NoticeRecipient, of comment: CommentRecord, place: UInt8, in session: inout Session
    ) throws(APIError) -> String? {
        try session.first(
            """
            INSERT INTO notice (id, tenant_id, owner_key, kind, is_of_votes, comment_seq, related_seq, created_at)
            VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)
            ON CONFLICT (comment_seq, is_of_votes, owner_key) DO NOTHING
            RETURNING id
            """,
            .text(Identifier.timeOrdered(at: session.now, place: place)), .text(comment.tenant), .text(recipient.owner),
            .int(recipient.kind.rawValue), .integer(comment.seq), .integer(recipient.relatedSeq),
            .integer(session.now)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Somebody is no longer named in a comment: whom it answers was told of that instead.
    static func endMention(
        of owner: String, in comment: CommentRecord, in session: inout Session
    ) throws(APIError) {
        let isAnswered = try comment.parentSeq.map { (seq) throws(APIError) -> Bool in
            try author(of: seq, in: &session) == owner
        }
        guard isAnswered == true else {
            try session.run(
                "DELETE FROM notice WHERE comment_seq = ?1 AND is_of_votes = 0 AND owner_key = ?2 AND kind = ?3",
                .integer(comment.seq), .text(owner), .int(NoticeKind.mention.rawValue))
            return
        }
        try session.run(
            """
            UPDATE notice SET kind = ?4, related_seq = ?5
            WHERE comment_seq = ?1 AND is_of_votes = 0 AND owner_key = ?2 AND kind = ?3
            """,
            .integer(comment.seq), .text(owner), .int(NoticeKind.mention.rawValue), .int(NoticeKind.reply.rawValue),
            .int(comment.parentSeq))
    }

    static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM notice WHERE id = ?1", .text(id))
    }

    /// How many notices a comment has, as far as the limit.
    static func count(of comment: Int64, limit: Int, in session: inout Session) throws(APIError) -> Int {
        try session.first(
            "SELECT COUNT(*) FROM (SELECT 1 FROM notice WHERE comment_seq = ?1 LIMIT ?2)",
            .integer(comment), .int(limit)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }

    /// Removes notices of a comment, so many at most.
    /// - Returns: whose they were.
    static func delete(of comment: Int64, limit: Int, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            DELETE FROM notice WHERE seq IN (SELECT seq FROM notice WHERE comment_seq = ?1 LIMIT ?2)
            RETURNING owner_key
            """,
            .integer(comment), .int(limit)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Removes what somebody was told of an author: comments, and votes where nobody else voted.
    /// - Returns: how many.
    static func delete(
        from author: String, to owner: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Int {
        let comments = try session.run(
            """
            DELETE FROM notice
            WHERE tenant_id = ?1 AND owner_key = ?2 AND is_of_votes = 0
              AND EXISTS (SELECT 1 FROM comment AS c WHERE c.seq = notice.comment_seq AND c.author_key = ?3)
            """,
            .text(tenant), .text(owner), .text(author))
        let votes = try session.run(
            """
            DELETE FROM notice
            WHERE tenant_id = ?1 AND owner_key = ?2 AND is_of_votes = 1
              AND NOT EXISTS (
                  SELECT 1 FROM vote AS v
                  WHERE v.comment_seq = notice.comment_seq AND v.direction = 1 AND v.is_pending = 0
                    AND v.voter_key <> ?2
                    AND NOT EXISTS (SELECT 1 FROM block AS b WHERE b.tenant_id = ?1 AND b.blocker_key = ?2
                                                             AND b.blocked_key = v.voter_key))
            """,
            .text(tenant), .text(owner))
        return comments + votes
    }

    // MARK: Votes

    static func voteNotice(
        _ comment: Int64, owner: String, in session: inout Session
    ) throws(APIError) -> String? {
        try session.first(
            "SELECT id FROM notice WHERE comment_seq = ?1 AND is_of_votes = 1 AND owner_key = ?2",
            .integer(comment), .text(owner)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Takes the row away, to be put back as a new one: the order of rows is the order of time.
    static func takeVoteNotice(
        _ comment: Int64, owner: String, in session: inout Session
    ) throws(APIError) -> (id: String, isCounted: Bool)? {
        try session.query(
            """
            DELETE FROM notice WHERE comment_seq = ?1 AND is_of_votes = 1 AND owner_key = ?2
            RETURNING id, is_counted
            """,
            .integer(comment), .text(owner)
        ) { (row) throws(APIError) -> (id: String, isCounted: Bool) in (row.text(0), row.bool(1)) }.first
    }

    static func insertVoteNotice(
        _ id: String, _ comment: CommentRecord, owner: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO notice (id, tenant_id, owner_key, kind, is_of_votes, comment_seq, related_seq, created_at)
            VALUES (?1, ?2, ?3, ?4, 1, ?5, ?5, ?6)
            """,
            .text(id), .text(comment.tenant), .text(owner), .int(NoticeKind.votes.rawValue), .integer(comment.seq),
            .integer(session.now))
    }
}
