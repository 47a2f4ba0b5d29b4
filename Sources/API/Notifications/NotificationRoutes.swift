import Domain
import HTTP1
import JSON
import Live
import Storage

/// The bell (contract: public 13).
enum NotificationRoutes {
    static func register(on routes: inout Routes) {
        let base = "/user-notifications"
        routes.read(.get, base, "getUserNotifications", getUserNotifications)
        routes.read(.get, base + "/get-count", "getUserNotificationCount", getUserNotificationCount)
        routes.write(.post, base + "/reset", "resetUserNotifications", resetUserNotifications)
        routes.write(.post, base + "/reset-count", "resetUserNotificationCount", resetUserNotificationCount)
        routes.write(
            .post, base + "/{notificationId}/mark/{newStatus}", "updateUserNotificationStatus",
            updateUserNotificationStatus)
        routes.write(
            .post, base + "/{notificationId}/mark-opted/{optedInOrOut}",
            "updateUserNotificationCommentSubscriptionStatus", updateUserNotificationCommentSubscriptionStatus)
        routes.write(
            .post, base + "/set-subscription-state/{subscribedOrUnsubscribed}",
            "updateUserNotificationPageSubscriptionStatus", updateUserNotificationPageSubscriptionStatus)
    }

    /// The viewer's notices, newest first. Counts and marks stay as they are.
    static func getUserNotifications(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let caller = try Caller.resolve(visit, in: &session)
        let owner = try caller.requireKey()
        let query = try NotificationQuery(visit.call)
        let (rows, hasMore) = try list(query, of: owner, caller, in: &session)
        var notices = try Notice.complete(rows, visit.tenant, in: &session)
        if query.includesContext { for index in notices.indices { notices[index].addContext(visit.tenant) } }
        let isSubscribed = try query.urlID.map { (urlID) throws(APIError) -> Bool in
            try SubscriptionSQL.exists(owner, urlID, tenant: visit.tenant.id, in: &session)
        }
        let settings = visit.tenant.settings
        let labels =
            query.includesTranslations
            ? NotificationLabels(
                settings: settings,
                language: ReaderLanguage.of(visit.call, person: caller.person, settings: settings)) : nil
        return .json(
            NotificationList(
                notices: notices, hasMore: hasMore, isSubscribed: isSubscribed ?? false,
                labels: labels))
    }

    /// One page, and whether there are more: of comments that the owner sees.
    private static func list(
        _ query: NotificationQuery, of owner: String, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> (rows: [NoticeRow], hasMore: Bool) {
        var filter = query.filter
        var seen: [NoticeRow] = []
        while seen.count <= query.pageSize {
            let rows = try NoticeSQL.list(
                filter, owner: owner, tenant: caller.tenant.id, limit: query.pageSize + 1, in: &session)
            seen += try Notice.seen(rows, by: caller, in: &session)
            guard rows.count > query.pageSize, let last = rows.last else { break }
            filter.before = (last.createdAt, last.id)
        }
        return (Array(seen.prefix(query.pageSize)), seen.count > query.pageSize)
    }

    static func getUserNotificationCount(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let caller = try Caller.resolve(visit, in: &session)
        let count = try NoticeSQL.count(of: caller.requireKey(), caller, in: &session)
        return .json(Answer { $0.member("count", count) })
    }

    /// Marks all that a list with the same parameters would show as viewed.
    static func resetUserNotifications(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let owner = try Caller.resolve(visit, in: &session).requireKey()
        let filter = try NoticeFilter(visit.call)
        if try NoticeSQL.markViewed(filter, owner: owner, tenant: visit.tenant.id, in: &session) > 0 {
            try NoticeEvents.announceChanges(to: owner, tenant: visit.tenant.id, in: &session)
        }
        return .success
    }

    /// Sets the bell's number to 0; what was not viewed stays so.
    static func resetUserNotificationCount(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let owner = try Caller.resolve(visit, in: &session).requireKey()
        if try NoticeSQL.resetCount(owner: owner, tenant: visit.tenant.id, in: &session) > 0 {
            try NoticeEvents.announceChanges(to: owner, tenant: visit.tenant.id, in: &session)
        }
        return .success
    }

    static func updateUserNotificationStatus(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let isViewed = try word("newStatus", "read", "unread", visit)
        let caller = try Caller.resolve(visit, in: &session)
        guard let row = try notice(visit, caller, in: &session) else { return .json(NotificationWrite.nothing) }
        guard row.isViewed != isViewed else { return .json(NotificationWrite(matched: 1, modified: 0)) }
        try NoticeSQL.setViewed(isViewed, row.id, in: &session)
        try NoticeEvents.announce(.notificationUpdate, [row.id], visit.tenant, in: &session)
        return .json(NotificationWrite(matched: 1, modified: 1))
    }

    /// Clients name the comment behind the notice or the one it is about: the choice holds for both.
    static func updateUserNotificationCommentSubscriptionStatus(
        _ visit: Visit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let isOptedOut = try !word("optedInOrOut", "in", "out", visit)
        let commentID = try visit.call.required("commentId")
        let caller = try Caller.resolve(visit, in: &session)
        guard let row = try notice(visit, caller, in: &session) else { return .json(NotificationWrite.nothing) }
        let named = try CommentSQL.find(commentID, tenant: visit.tenant.id, in: &session)?.seq
        let seqs = Set([row.relatedSeq, named].compactMap { $0 })
        guard try NoticeSQL.setOptedOut(isOptedOut, seqs, owner: row.owner, in: &session) > 0 else {
            return .json(NotificationWrite(matched: 1, modified: 0))
        }
        try NoticeEvents.announce(.notificationUpdate, [row.id], visit.tenant, in: &session)
        return .json(NotificationWrite(matched: 1, modified: 1))
    }

    static func updateUserNotificationPageSubscriptionStatus(
        _ visit: Visit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let subscribes = try word("subscribedOrUnsubscribed", "subscribe", "unsubscribe", visit)
        let urlID = try visit.call.pageID()
        // Some clients send them empty.
        guard let url = visit.call.query["url"], let title = visit.call.query["pageTitle"] else {
            throw .invalidInput("The query parameters url and pageTitle must be there; they may be empty.")
        }
        let caller = try Caller.resolve(visit, in: &session)
        let owner = try caller.requireKey()
        let tenant = visit.tenant.id
        guard subscribes else {
            let removed = try SubscriptionSQL.delete(owner, urlID, tenant: tenant, in: &session)
            return .json(NotificationWrite(matched: removed, modified: removed))
        }
        try caller.requireReading(try PageSQL.find(urlID, tenant: tenant, in: &session))
        let added = try SubscriptionSQL.insert(
            caller, owner, urlID, url: url.cut(to: 2000), title: title.trimmed.cut(to: 500), in: &session)
        return .json(NotificationWrite(matched: 1, modified: added))
    }

    // MARK: Parameters

    /// Whether a word of the path is the first of two.
    /// - Throws: `invalid-input` (422) when it is neither.
    private static func word(
        _ name: String, _ first: String, _ second: String, _ visit: Visit
    ) throws(APIError) -> Bool {
        switch visit.call.parameter(name) {
        case first: return true
        case second: return false
        default:
            throw APIError(422, "invalid-input", "The path must end with \"\(first)\" or \"\(second)\".")
        }
    }

    /// The notice in the path; nil when the caller has none of that id, which is no error: it may just have gone.
    private static func notice(
        _ visit: Visit, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> NoticeRow? {
        let (id, owner) = (visit.call.parameter("notificationId"), try caller.requireKey())
        let renewed = try NoticeSQL.findRenewed(id, owner: owner, tenant: visit.tenant.id, in: &session)
        guard let row = try NoticeSQL.find(renewed ?? id, tenant: visit.tenant.id, in: &session), row.owner == owner
        else { return nil }
        return try Notice.seen([row], by: caller, in: &session).first
    }
}
