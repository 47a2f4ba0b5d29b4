import Domain
import HTTP1
import JSON
import Storage

/// Comments for a site's own backend (contract: admin 5.1).
enum BackendCommentRoutes {
    /// Bytes of a body with many comments.
    private static let bulkBody = 32 << 20

    static func register(on routes: inout Routes) {
        routes.backend(.get, "comments", "GetComments", read: getComments)
        routes.backend(.get, "comments/{id}", "GetComment", read: getComment)
        routes.backend(.post, "comments", "SaveComment", prepare: saveComment)
        routes.backend(
            .post, "comments/bulk", "SaveCommentsBulk", bodyLimit: bulkBody, parts: saveCommentsBulk)
        routes.backend(.patch, "comments/{id}", "UpdateComment", prepare: updateComment)
        routes.backend(.delete, "comments/{id}", "DeleteComment", write: deleteComment)
        routes.backend(.post, "comments/{id}/flag", "FlagComment", write: flagComment)
        routes.backend(.post, "comments/{id}/un-flag", "UnFlagComment", write: unFlagComment)
        routes.backend(.post, "comments/{id}/block", "BlockUserFromComment", write: blockUserFromComment)
        routes.backend(.post, "comments/{id}/un-block", "UnBlockUserFromComment", write: unBlockUserFromComment)
    }

    /// One comment, hidden or not.
    private static func getComment(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let record = try CommentSQL.require(visit.call.parameter("id"), tenant: visit.tenant.id, in: &session)
        let comment = try BackendComment(record, in: &session)
        return .json(Answer { $0.member("comment", comment) })
    }

    // MARK: Deleting

    private static func deleteComment(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let isLive = try visit.flag("isLive") ?? false
        let context = try visit.contextUser(in: &session)
        let id = visit.call.parameter("id")
        guard let comment = try CommentSQL.find(id, tenant: visit.tenant.id, in: &session) else {
            guard try Trash.holds(id, tenant: visit.tenant.id, in: &session) else { throw .commentNotFound }
            return deleted("already-deleted")
        }
        guard !comment.isDeleted else { return deleted("already-deleted") }
        guard !comment.isLocked else { throw .commentLocked }
        let actor = try deleter(context, of: comment)
        let deletion = CommentDeletion(
            tenant: visit.tenant, broadcastID: nil, services: visit.call.services, isLive: isLive)
        switch try deletion.run(comment, by: actor, in: &session) {
        case .removed: return deleted("hard-removed")
        case .anonymised: return deleted("anonymized")
        }
    }

    private static func deleter(
        _ context: NamedIdentity?, of comment: CommentRecord
    ) throws(APIError) -> CommentDeletion.Actor {
        guard let context else { return .backend }
        if context.isStaff { return .staff }
        guard context.key == comment.authorKey else {
            throw .contextUnauthorized("Somebody else wrote this comment.")
        }
        return .author
    }

    private static func deleted(_ action: String) -> Reply { .json(Answer { $0.member("action", action) }) }

    // MARK: Flags

    private static func flagComment(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let (comment, flagger) = try parties(visit, in: &session)
        let wasUnapproved = try change(visit).flag(comment, by: flagger.key, in: &session)
        return .json(Answer { if wasUnapproved { $0.member("wasUnapproved", true) } })
    }

    /// Whatever is hidden stays hidden: only moderators show again.
    private static func unFlagComment(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let (comment, flagger) = try parties(visit, in: &session)
        try change(visit).unflag(comment, by: flagger.key, in: &session)
        return .success
    }

    private static func change(_ visit: BackendVisit) -> CommentModeration {
        CommentModeration(tenant: visit.tenant, services: visit.call.services, actor: nil, broadcastID: nil)
    }

    private static func parties(
        _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> (CommentRecord, NamedIdentity) {
        let actor = try visit.actor(in: &session)
        let comment = try CommentSQL.require(visit.call.parameter("id"), tenant: visit.tenant.id, in: &session)
        guard !comment.isDeleted else { throw .commentNotFound }
        return (comment, actor)
    }

    // MARK: Blocks

    private static func blockUserFromComment(
        _ visit: BackendVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let asked = try idsToCheck(visit)
        let (comment, blocker) = try parties(visit, in: &session)
        guard let author = comment.authorKey, author != blocker.key else {
            throw APIError(
                403, "comment-cannot-be-blocked", "The author of this comment cannot be blocked.", phrase: .cannotBlock)
        }
        let tenant = visit.tenant.id
        try BlockSQL.insert(blocker: blocker.key, blocked: author, tenant: tenant, in: &session)
        try Notices.authorWasBlocked(author, by: blocker.key, tenant: tenant, in: &session)
        return .json(try BlockStatuses(asked, viewer: blocker.key, tenant: tenant, in: &session))
    }

    private static func unBlockUserFromComment(
        _ visit: BackendVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let asked = try idsToCheck(visit)
        let blocker = try visit.actor(in: &session)
        let tenant = visit.tenant.id
        // A block can be taken back whatever became of the comment since.
        let comment = try CommentSQL.require(visit.call.parameter("id"), tenant: tenant, in: &session)
        if let author = comment.authorKey {
            try BlockSQL.delete(blocker: blocker.key, blocked: author, tenant: tenant, in: &session)
        }
        return .json(try BlockStatuses(asked, viewer: blocker.key, tenant: tenant, in: &session))
    }

    /// In the body, or in the query where one description has them.
    private static func idsToCheck(_ visit: BackendVisit) throws(APIError) -> [String] {
        let name = "commentIdsToCheck"
        let ids = try visit.call.bodyObject(mayBeEmpty: true).texts(name) ?? visit.call.list(name)
        guard ids.count <= BlockRoutes.idLimit else {
            throw .invalidInput("At most \(BlockRoutes.idLimit) \(name) are allowed.")
        }
        return ids
    }
}
