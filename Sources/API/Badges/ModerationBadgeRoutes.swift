import Domain
import HTTP1
import JSON
import Storage

/// Badges that moderators give (contract: admin 6.7).
enum ModerationBadgeRoutes {
    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/"
        routes.moderation(.get, base + "get-manual-badges", "getManualBadges", read: manualBadges)
        routes.moderation(.get, base + "get-manual-badges-for-user", "getManualBadgesForUser", read: badgesForUser)
        routes.moderation(.put, base + "award-badge", "putAwardBadge", write: award)
        routes.moderation(.put, base + "remove-badge", "putRemoveBadge", write: remove)
    }

    private static func manualBadges(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let badges = try BadgeSQL.all(tenant: visit.tenant.id, in: &session)
            .filter { $0.type == .manual && $0.isEnabled }
        return .json(
            Answer { json in
                json.key("badges")
                json.beginArray()
                for badge in badges { badge.write(to: &json) }
                json.endArray()
            })
    }

    private static func badgesForUser(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let user = try subject("badgesUserId", visit, in: &session).user
        let badges = try user.map { (user) throws(APIError) -> [UserBadge] in
            try UserBadgeSQL.all(of: user, tenant: visit.tenant.id, in: &session)
        }
        let manual = (badges ?? []).filter { $0.type == BadgeType.manual.rawValue }
        return .json(
            Answer { json in
                json.key("badges")
                json.beginArray()
                for badge in manual { badge.write(to: &json) }
                json.endArray()
            })
    }

    private static func award(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let (change, badge, comment) = try change(visit, in: &session)
        var notes: [String] = []
        switch try change.award(badge, in: &session) {
        case .known: notes.append("The user has this badge already.")
        case .new:
            try visit.note(
                .create, "UserBadge", "\(change.user) was given the badge \(badge.name).", in: &session)
            guard let comment else { break }
            try CommentLog.note(.badgeAwarded, comment, by: visit.moderator.name, after: badge.name, in: &session)
        }
        let told = notes
        let badges = try change.shown(on: page(of: comment, in: &session), in: &session)
        return .json(
            Answer { json in
                json.member("badges", badges)
                json.member("notes", told)
            })
    }

    private static func remove(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let (change, badge, comment) = try change(visit, in: &session)
        let held = try UserBadgeSQL.all(of: change.user, tenant: visit.tenant.id, in: &session)
        guard let held = held.first(where: { $0.badgeID == badge.id }) else {
            throw .invalidInput("The user does not have this badge.")
        }
        try change.remove(held, in: &session)
        try visit.note(
            .delete, "UserBadge", "The badge \(badge.name) was taken from \(change.user).", in: &session)
        let badges = try change.shown(on: page(of: comment, in: &session), in: &session)
        return .json(Answer { $0.member("badges", badges) })
    }

    // MARK: Parameters

    /// Whose badges a call means.
    /// - Throws: `not-found` (404) for a comment that is not the moderator's concern.
    private static func subject(
        _ name: String, _ visit: ModeratorVisit, in session: inout Session
    ) throws(APIError) -> (user: String?, comment: CommentRecord?) {
        let comment = try visit.call.text("commentId").map { (id) throws(APIError) -> CommentRecord in
            try visit.comment(named: id, in: &session)
        }
        if let id = visit.call.text(name) {
            guard let key = try NamedUser.key(id, tenant: visit.tenant.id, in: &session) else {
                throw APIError(404, "user-does-not-exist", "There is no user with this id.")
            }
            try visit.requireConcern(author: key, in: &session)
            return (key, comment)
        }
        guard let comment else { throw .invalidInput("One of \(name) and commentId is needed.") }
        return (comment.authorKey, comment)
    }

    private static func change(
        _ visit: ModeratorVisit, in session: inout Session
    ) throws(APIError) -> (change: BadgeChange, badge: Badge, comment: CommentRecord?) {
        let id = try visit.call.required("badgeId")
        let broadcastID = try visit.change().broadcastID
        let (user, comment) = try subject("userId", visit, in: &session)
        guard let badge = try BadgeSQL.find(id, tenant: visit.tenant.id, in: &session), badge.isEnabled else {
            throw .badgeNotFound
        }
        guard badge.type == .manual else {
            throw .invalidInput("Only badges that are given by hand can be given and taken here.")
        }
        guard let user else { throw .invalidInput("Nothing is known of the author of this comment.") }
        return (BadgeChange(tenant: visit.tenant, user: user, broadcastID: broadcastID), badge, comment)
    }

    private static func page(of comment: CommentRecord?, in session: inout Session) throws(APIError) -> String? {
        guard let comment else { return nil }
        return try PageSQL.find(id: comment.pageID, in: &session)?.urlID
    }
}

extension APIError {
    static let badgeNotFound = APIError(404, "badge-not-found", "There is no such badge that can be given.")
}
