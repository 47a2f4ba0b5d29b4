import Domain
import HTTP1
import JSON
import Storage

/// What a comment says, and what happened to it, for moderators (contract: admin 6.2).
enum ModeratedTextRoutes {
    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/"
        routes.moderation(.get, base + "get-comment-text/{commentId}", "getModerationCommentText", read: text)
        routes.moderation(
            .post, base + "set-comment-text/{commentId}", "postSetCommentText", preparing: prepare, write: setText)
        routes.moderation(.get, base + "logs/{commentId}", "getLogs", read: logs)
    }

    private static func text(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let source = try visit.comment(in: &session).source
        return .json(Answer { $0.member("comment", source) })
    }

    // MARK: Changing

    private typealias Text = (draft: CommentDraft, screening: Screening)

    /// The new text, or what is wrong with it.
    private static func prepare(
        _ claim: ModeratorVisit.Claim, _ session: inout Session
    ) throws(APIError) -> Result<Text, APIError> {
        do {
            return .success(try draft(claim, &session))
        } catch {
            // A text that takes long to prepare is prepared elsewhere.
            guard error.reroute == nil else { throw error }
            return .failure(error)
        }
    }

    private static func draft(
        _ claim: ModeratorVisit.Claim, _ session: inout Session
    ) throws(APIError) -> Text {
        let body = try claim.call.bodyObject()
        let tenant = if let visit = claim.visit { visit.tenant } else { try ModeratorVisit(claim, in: &session).tenant }
        let comment = try CommentSQL.require(claim.call.parameter("commentId"), tenant: tenant.id, in: &session)
        let settings = tenant.settings(of: try PageSQL.find(id: comment.pageID, in: &session))
        var rights = MentionRights.unlimited
        if let visit = claim.visit { rights = try MentionRights.of(visit, in: &session) }
        return try CommentDraft.screened(
            body, tenant: tenant, settings: settings, naming: rights, locale: comment.locale, in: &session)
    }

    /// The text that is there already changes nothing.
    private static func setText(
        _ visit: ModeratorVisit, _ prepared: Result<Text, APIError>, _ session: inout Session
    ) throws(APIError) -> Reply {
        let comment = try visit.comment(in: &session)
        guard !comment.isDeleted else { throw .commentNotFound }
        guard !comment.isLocked else { throw .commentLocked }
        let change = try visit.change()
        let text = try prepared.get()
        // What is wrong with a text of somebody's is masked whoever writes it, but for what moderators write themselves.
        let isByStaff = comment.isByAdmin || comment.isByModerator
        let draft = isByStaff ? text.draft : text.screening.masked ?? text.draft
        guard draft.source != comment.source else { return answer(comment.html) }
        let edited = try change.replaceText(of: comment, with: draft, in: &session)
        return answer(edited.html)
    }

    private static func answer(_ html: String) -> Reply {
        .json(Answer { $0.member("newCommentTextHTML", html) })
    }

    // MARK: Log

    private static func logs(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let id = try visit.comment(in: &session).id
        let entries = try CommentLog.entries(of: id, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("logs", entries) })
    }
}

extension CommentModeration {
    /// Gives a comment another text, in a moderator's name.
    func replaceText(
        of comment: CommentRecord, with draft: CommentDraft, in session: inout Session
    ) throws(APIError) -> CommentRecord {
        try NewCommentSQL.update(comment.seq, draft, tenant: tenant.id, in: &session)
        try CommentLog.note(
            .textChanged, comment, by: actor?.name, before: comment.source, after: draft.source, in: &session)
        if let actor { try ModeratorSQL.count(.edited, by: actor, in: &session) }
        let edited = try CommentChange.announce(comment, broadcastID: broadcastID, tenant, in: &session)
        try Notices.commentWasEdited(edited, services, in: &session)
        return edited
    }
}
