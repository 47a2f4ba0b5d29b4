import Domain
import Storage

extension CommentRoutes {
    /// Flags or unflags a comment for the viewer; asking twice changes nothing (contract: public 10.1).
    static func flagCommentPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        guard let isFlagged = try visit.call.flag("isFlagged") else {
            throw .invalidInput("The query parameter isFlagged is missing.")
        }
        let caller = try Caller.resolve(visit, in: &session)
        let comment = try CommentSQL.requireVisible(visit.call.parameter("commentId"), to: caller, in: &session)
        guard !comment.isDeleted else { throw .commentNotFound }
        let page = try PageSQL.find(id: comment.pageID, in: &session)
        try caller.requireWriting(page)
        let key = try flaggerKey(caller, visit, visit.tenant.settings(of: page))
        let changed =
            isFlagged
            ? try session.run(
                """
                INSERT INTO comment_flag (comment_seq, flagger_key, created_at) VALUES (?1, ?2, ?3)
                ON CONFLICT (comment_seq, flagger_key) DO NOTHING
                """,
                .integer(comment.seq), .text(key), .integer(session.now))
            : try session.run(
                "DELETE FROM comment_flag WHERE comment_seq = ?1 AND flagger_key = ?2",
                .integer(comment.seq), .text(key))
        guard changed > 0 else { return .success }
        try session.run(
            """
            UPDATE comment SET flag_count = (SELECT COUNT(*) FROM comment_flag WHERE comment_seq = ?1) WHERE seq = ?1
            """,
            .integer(comment.seq))
        return .success
    }

    /// Where anonymous flags are allowed, the address stands for the person; it is kept as a hash.
    private static func flaggerKey(
        _ caller: Caller, _ visit: Visit, _ settings: WidgetSettings
    ) throws(APIError) -> String {
        if let key = caller.key { return key }
        guard settings.allowsAnonymousFlags else { throw .notLoggedIn }
        return "address:"
            + visit.call.services.tokens.mint(
                tenant: visit.tenant.id, identity: visit.call.clientAddress.key
            ).suffix(22)
    }
}
