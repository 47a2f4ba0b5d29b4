import Domain
import Live
import Storage

/// What a decision does to a comment that is there already.
enum EditVerdict {
    /// Hides what became spam, before the change is announced. Readers of the former text are told that it went.
    static func apply(
        _ verdict: CommentVerdict, to comment: CommentRecord, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        guard verdict.isSpam, !comment.isSpam, let page = try PageSQL.find(id: comment.pageID, in: &session) else {
            return
        }
        let readers = Audience.others(identity: comment.authorKey ?? "")
        let event = try CommentEvents.make(
            .deletedComment, comment, page: page, tenant: tenant, broadcastID: nil, readers: readers, in: &session)
        try session.run(
            "UPDATE comment SET is_spam = 1, is_approved = 0, is_ai_spam = 1 WHERE seq = ?1", .integer(comment.seq))
        if comment.isApproved { try session.emit(event, to: page.room) }
    }
}

extension CommentMatter {
    /// A comment that gets another text. What a moderator called no spam for good stays so.
    init(
        editing comment: CommentRecord, _ draft: CommentDraft, _ screening: Screening, _ tenant: Tenant,
        _ services: Services, isStaff: Bool, asksFilter: Bool = true
    ) {
        self.init(
            tenant: tenant, services: services,
            questions: comment.state.isPermanentlyNotSpam || !asksFilter ? .profanity : [.profanity, .spam],
            draft: draft,
            screening: screening, authorKey: comment.authorKey, isStaff: isStaff, isVerified: comment.isVerified)
    }
}
