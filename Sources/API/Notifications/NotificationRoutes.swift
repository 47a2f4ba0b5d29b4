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
        let query = try NotificationQuery(visit.call, owner: owner, tenant: visit.tenant.id, in: &session)
        let rows = try NoticeSQL.list(
            query.filter, owner: owner, tenant: visit.tenant.id, limit: query.pageSize + 1, in: &session)
        var notices = try Notice.complete(Array(rows.prefix(query.pageSize)), visit.tenant, in: &session)
        if query.includesContext { try Notice.addContext(to: &notices, for: caller, in: &session) }
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
                notices: notices, hasMore: rows.count > query.pageSize, isSubscribed: isSubscribed ?? false,
                labels: labels))
    }

    static func getUserNotificationCount(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let caller = try Caller.resolve(visit, in: &session)
        let count = try NoticeSQL.count(owner: caller.requireKey(), tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("count", count) })
    }

    /// Marks all that a list with the same parameters would show as viewed.
    static func resetUserNotifications(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let owner = try Caller.resolve(visit, in: &session).requireKey()
        let filter = try NoticeFilter(visit.call, owner: owner, tenant: visit.tenant.id, in: &session)
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
        let owner = try Caller.resolve(visit, in: &session).requireKey()
        guard let row = try notice(visit, of: owner, in: &session) else { return .json(NotificationWrite.nothing) }
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
        let owner = try Caller.resolve(visit, in: &session).requireKey()
        guard let row = try notice(visit, of: owner, in: &session) else { return .json(NotificationWrite.nothing) }
        let named = try CommentSQL.find(commentID, tenant: visit.tenant.id, in: &session)?.seq
        let seqs = Set([row.relatedSeq, named].compactMap { $0 })
        guard try NoticeSQL.setOptedOut(isOptedOut, seqs, owner: owner, in: &session) > 0 else {
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
        _ visit: Visit, of owner: String, in session: inout Session
    ) throws(APIError) -> NoticeRow? {
        let row = try NoticeSQL.find(visit.call.parameter("notificationId"), tenant: visit.tenant.id, in: &session)
        return row?.owner == owner ? row : nil
    }
}

/// How many rows a change met and altered; closed key set.
private struct NotificationWrite: JSONWritable, Sendable {
    let matched: Int
    let modified: Int

    static let nothing = NotificationWrite(matched: 0, modified: 0)

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("matchedCount", matched)
            json.member("modifiedCount", modified)
        }
    }
}

private struct NotificationList: JSONWritable, Sendable {
    let notices: [Notice]
    let hasMore: Bool
    let isSubscribed: Bool
    /// nil when none were asked for.
    let labels: NotificationLabels?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("notifications")
            json.beginArray()
            for notice in notices { ListedNotice(notice: notice).write(to: &json) }
            json.endArray()
            json.member("isSubscribed", isSubscribed)
            json.member("hasMore", hasMore)
            if let labels { json.member("translations", labels) }
        }
    }
}
