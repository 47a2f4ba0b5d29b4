import Domain
import Live
import Storage

/// Marks comments that a site's rules about words name (contract: public 21.2 `spamRules`, 22.5). What administrators
/// and moderators write is never judged.
enum SpamMark {
    /// Judges a new comment, before it is announced.
    static func judge(_ id: String, _ draft: CommentDraft, _ caller: Caller, in session: inout Session) throws(APIError)
    {
        guard draft.verdict.isSpam == true, !caller.mayModerate else { return }
        try session.run("UPDATE comment SET is_spam = 1 WHERE id = ?1", .text(id))
    }

    /// Judges a changed comment, before the change is announced. Readers of the former text are told that it went.
    static func judgeEdit(
        of comment: CommentRecord, _ draft: CommentDraft, _ visit: Visit, in session: inout Session
    ) throws(APIError) {
        guard draft.verdict.isSpam == true, !comment.isSpam,
            try !Caller.resolve(visit, in: &session).mayModerate,
            let page = try PageSQL.find(id: comment.pageID, in: &session)
        else { return }
        let readers = Audience.others(identity: comment.authorKey ?? "")
        let event = try CommentEvents.make(
            .deletedComment, comment, page: page, tenant: visit.tenant, broadcastID: nil, readers: readers,
            in: &session)
        try session.run("UPDATE comment SET is_spam = 1 WHERE seq = ?1", .integer(comment.seq))
        if comment.isApproved { try session.emit(event, to: page.room) }
    }
}
