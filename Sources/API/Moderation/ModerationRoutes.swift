import Domain
import HTTP1
import JSON
import Storage

extension Routes {
    private static let moderationBase = "/auth/my-account/"

    /// A moderator's read. `path` stands behind the common part and holds the segment `mod_api`, without which clients
    /// of the other generation spell it (contract: admin 0).
    mutating func moderation(
        _ method: Method, _ path: String, _ operation: String,
        read handler: @escaping @Sendable (ModeratorVisit, inout Session) throws(APIError) -> Reply
    ) {
        for pattern in Self.spellings(path) {
            add(method, pattern, operation) { (call, session) throws(APIError) -> Reply in
                try Self.refusingAsModeration { () throws(APIError) -> Reply in
                    let claim = try ModeratorVisit.Claim(call, in: &session)
                    return try handler(try ModeratorVisit(claim, in: &session), &session)
                }
            }
        }
    }

    /// A moderator's write: the handler runs on the writer.
    mutating func moderation(
        _ method: Method, _ path: String, _ operation: String,
        write handler: @escaping @Sendable (ModeratorVisit, inout Session) throws(APIError) -> Reply
    ) {
        let work = Endpoint.Work.write { (call, session) throws(APIError) -> WriteUnit in
            let claim = try ModeratorVisit.Claim(call, in: &session)
            return { (session) throws(APIError) -> Reply in
                try Self.refusingAsModeration { () throws(APIError) -> Reply in
                    try handler(try ModeratorVisit(claim, in: &session), &session)
                }
            }
        }
        for pattern in Self.spellings(path) { add(method, pattern, operation, work: work) }
    }

    /// A moderator's write with work to do before the writer's turn. What that gives, an error included, is for the
    /// handler, who knows whether the caller may have it.
    mutating func moderation<Prepared: Sendable>(
        _ method: Method, _ path: String, _ operation: String,
        preparing prepare: @escaping @Sendable (ModeratorVisit.Claim, inout Session) throws(APIError) -> Prepared,
        write handler:
            @escaping @Sendable (ModeratorVisit, Prepared, inout Session) throws(APIError) -> Reply
    ) {
        let work = Endpoint.Work.write { (call, session) throws(APIError) -> WriteUnit in
            let claim = try ModeratorVisit.Claim(call, in: &session)
            let prepared = try prepare(claim, &session)
            return { (session) throws(APIError) -> Reply in
                try Self.refusingAsModeration { () throws(APIError) -> Reply in
                    try handler(try ModeratorVisit(claim, in: &session), prepared, &session)
                }
            }
        }
        for pattern in Self.spellings(path) { add(method, pattern, operation, work: work) }
    }

    private static func spellings(_ path: String) -> [String] {
        let parts = (moderationBase + path).split(separator: "/")
        return [parts, parts.filter { $0 != "mod_api" }].map { "/" + $0.joined(separator: "/") }
    }

    /// What is 400 on public routes is 422 here (contract: admin 1.3).
    private static func refusingAsModeration(_ body: () throws(APIError) -> Reply) throws(APIError) -> Reply {
        do {
            return try body()
        } catch {
            var error = error
            if error.status == 400, error.code == "invalid-input" { error.status = 422 }
            throw error
        }
    }
}

/// What moderators decide about single comments and threads (contract: admin 6.3, 6.4).
enum ModerationRoutes {
    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/"
        routes.moderation(
            .post, base + "set-comment-approval-status/{commentId}", "postSetCommentApprovalStatus", write: setApproval)
        routes.moderation(
            .post, base + "set-comment-spam-status/{commentId}", "postSetCommentSpamStatus", write: setSpam)
        routes.moderation(
            .post, base + "set-comment-review-status/{commentId}", "postSetCommentReviewStatus", write: setReview)
        routes.moderation(.post, base + "flag-comment/{commentId}", "postFlagComment", write: flag)
        routes.moderation(.post, base + "un-flag-comment/{commentId}", "postUnFlagComment", write: unFlag)
        routes.moderation(.post, base + "remove-comment/{commentId}", "postRemoveComment", write: remove)
        routes.moderation(
            .post, base + "restore-deleted-comment/{commentId}", "postRestoreDeletedComment", write: restore)
        routes.moderation(.put, base + "close-thread", "putCloseThread", write: closeThread)
        routes.moderation(.put, base + "reopen-thread", "putReopenThread", write: reopenThread)
    }

    private static func setApproval(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let isApproved = try required("approved", visit)
        let comment = try visit.comment(in: &session)
        let state = try visit.change().apply(.approve(isApproved), to: comment, in: &session)
        let isReset = isApproved && comment.state.isHiddenByFlags && state.flagCount == 0
        return .json(Answer { $0.member("didResetFlaggedCount", isReset) })
    }

    private static func setSpam(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let isSpam = try required("spam", visit)
        let isPermanent = try visit.call.flag("permNotSpam") ?? false
        let act: ModerationAct =
            if let verdict = try earlier(isSpam, isPermanent, visit) {
                .putBack(verdict)
            } else {
                isSpam ? .markSpam : .markNotSpam(isPermanent: isPermanent)
            }
        try visit.change().apply(act, to: visit.comment(in: &session), in: &session)
        return .success
    }

    /// Our own `approved` and `reviewed`: the state that a decision is taken back to. Without them the comment would be
    /// shown for as long as it takes to hide it again.
    private static func earlier(
        _ isSpam: Bool, _ isPermanent: Bool, _ visit: ModeratorVisit
    ) throws(APIError) -> ModerationVerdict? {
        let isReviewed = try visit.call.flag("reviewed")
        guard let isApproved = try visit.call.flag("approved") else { return nil }
        return ModerationVerdict(
            isApproved: isApproved, isSpam: isSpam, isPermanentlyNotSpam: isPermanent, isReviewed: isReviewed ?? true)
    }

    private static func setReview(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let isReviewed = try required("reviewed", visit)
        try visit.change().apply(.review(isReviewed), to: visit.comment(in: &session), in: &session)
        return .success
    }

    /// A moderator's flag is one like any other's.
    private static func flag(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        try visit.change().flag(visit.comment(in: &session), by: visit.moderator.key, in: &session)
        return .success
    }

    private static func unFlag(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        try visit.change().apply(.clearFlags, to: visit.comment(in: &session), in: &session)
        return .success
    }

    private static func required(_ name: String, _ visit: ModeratorVisit) throws(APIError) -> Bool {
        guard let value = try visit.call.flag(name) else {
            throw .invalidInput("The query parameter \(name) is missing.")
        }
        return value
    }

    // MARK: Removing

    private static func remove(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let id = visit.call.parameter("commentId")
        guard let comment = try CommentSQL.find(id, tenant: visit.tenant.id, in: &session) else {
            let isKnown = try Trash.holds(
                id, groups: visit.moderator.groups, tenant: visit.tenant.id, in: &session)
            guard isKnown else { throw .commentNotFound }
            return removed("already-deleted")
        }
        guard visit.moderator.maySee(comment) else { throw .commentNotFound }
        guard !comment.isDeleted else { return removed("already-deleted") }
        guard !comment.isLocked else { throw .commentLocked }
        let change = try visit.change()
        let deletion = CommentDeletion(
            tenant: visit.tenant, broadcastID: change.broadcastID, services: visit.call.services)
        let result = try deletion.run(comment, by: .staff, in: &session)
        try ModeratorSQL.count(.deleted, by: visit.moderator, in: &session)
        switch result {
        case .removed: return removed("hard-removed")
        case .anonymised:
            try CommentLog.note(.anonymized, comment, by: visit.moderator.name, in: &session)
            return removed("anonymized")
        }
    }

    private static func removed(_ action: String) -> Reply { .json(Answer { $0.member("action", action) }) }

    private static func restore(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        try visit.change().restore(visit.call.parameter("commentId"), in: &session)
        return .success
    }
}
