import Domain
import HTTP1
import JSON
import Live
import Storage

/// The bell for a site's own backend (contract: admin 5.12, 5.13).
enum BackendNoticeRoutes {
    private static let pageSize = 30

    static func register(on routes: inout Routes) {
        routes.backend(.get, "notifications", "GetNotifications", read: getNotifications)
        routes.backend(.get, "notifications/count", "GetNotificationCount", read: getNotificationCount)
        routes.backend(.patch, "notifications/{id}", "UpdateNotification", prepare: updateNotification)
        routes.backend(.get, "notification-count/{id}", "GetCachedNotificationCount", read: getBell)
        routes.backend(.delete, "notification-count/{id}", "DeleteNotificationCount", write: deleteBell)
    }

    // MARK: Notices

    private static func getNotifications(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let filter = try BackendNoticeFilter(visit)
        let ids = try filter.list(skip: visit.skip(), limit: pageSize, in: &session)
        let rows = try NoticeSQL.find(ids, in: &session)
        let notices = try Notice.complete(rows, visit.tenant, in: &session)
            .map { LiveNotice(notice: $0, isLive: false) }
        return .json(Answer { $0.member("notifications", notices) })
    }

    private static func getNotificationCount(
        _ visit: BackendVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let count = try BackendNoticeFilter(visit).count(in: &session)
        return .json(Answer { $0.member("count", count) })
    }

    private static func updateNotification(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let body = try visit.body(only: ["viewed", "optedOut"])
        let reader = PatchReader(body: body)
        let isViewed = try reader.flag("viewed")
        let isOptedOut = try reader.flag("optedOut")
        return { (session) throws(APIError) -> Reply in
            let tenant = visit.tenant
            guard let row = try NoticeSQL.find(visit.call.parameter("id"), tenant: tenant.id, in: &session) else {
                throw APIError(404, "not-found", "There is no notification with this id.")
            }
            if let id = visit.call.text("userId"), ![id, "\(tenant.id):\(id)"].contains(row.owner) {
                throw .contextUnauthorized("This notification is somebody else's.")
            }
            var isChanged = false
            if let isViewed, isViewed != row.isViewed {
                try NoticeSQL.setViewed(isViewed, row.id, in: &session)
                isChanged = true
            }
            if let isOptedOut {
                let seqs: Set<Int64> = [row.relatedSeq]
                isChanged =
                    try NoticeSQL.setOptedOut(isOptedOut, seqs, owner: row.owner, in: &session) > 0 || isChanged
            }
            if isChanged { try NoticeEvents.announce(.notificationUpdate, [row.id], tenant, in: &session) }
            return .success
        }
    }

    // MARK: The number

    private static func getBell(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let id = visit.call.parameter("id")
        let owner = try owner(visit, in: &session)
        let count = try owner.map { owner throws(APIError) in
            try NoticeSQL.count(of: owner.key, owner.caller, in: &session)
        }
        guard let count, count > 0 else {
            throw APIError(404, "not-found", "There is nothing unread for this user.")
        }
        let now = session.now
        return .json(
            Answer { json in
                json.key("data")
                json.object { json in
                    json.member("_id", id)
                    json.member("count", count)
                    json.key("createdAt")
                    json.date(milliseconds: now)
                    json.key("expireAt")
                    json.date(milliseconds: now + NoticeSQL.lifetime)
                }
            })
    }

    /// What was not viewed stays so.
    private static func deleteBell(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard let owner = try owner(visit, in: &session) else { return .success }
        if try NoticeSQL.resetCount(owner: owner.key, tenant: visit.tenant.id, in: &session) > 0 {
            try NoticeEvents.announceChanges(to: owner.key, tenant: visit.tenant.id, in: &session)
        }
        return .success
    }

    private static func owner(
        _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> NamedIdentity? {
        try NamedIdentity.user(visit.call.parameter("id"), visit.tenant, in: &session)
    }
}

/// Which notices a backend asks for.
private struct BackendNoticeFilter: Sendable {
    private let tenant: String
    private let user: String?
    private let page: String?
    private let comment: String?
    private let isViewed: Bool?
    private let kind: Int64?

    /// - Throws: `invalid-input`, `missing-url-id` (422).
    init(_ visit: BackendVisit) throws(APIError) {
        tenant = visit.tenant.id
        user = visit.call.text("userId")
        page = visit.call.text("urlId") == nil ? nil : try visit.call.pageID()
        comment = visit.call.text("fromCommentId")
        isViewed = try visit.flag("viewed")
        kind = try visit.call.integer("type", status: 422)
    }

    /// Ids, newest first.
    func list(skip: Int, limit: Int, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT id FROM notice_record
            WHERE tenant_id = ?1 AND created_at > ?2 AND (?3 IS NULL OR owner_key IN (?3, ?1 || ':' || ?3))
              AND (?4 IS NULL OR url_id = ?4) AND (?5 IS NULL OR (comment_id = ?5 AND is_of_votes = 0))
              AND (?6 IS NULL OR is_viewed = ?6) AND (?7 IS NULL OR kind = ?7)
            ORDER BY created_at DESC, id DESC LIMIT ?8 OFFSET ?9
            """,
            .text(tenant), .integer(session.now - NoticeSQL.lifetime), .text(user), .text(page), .text(comment),
            .bool(isViewed), .int(kind), .int(limit), .int(skip)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    func count(in session: inout Session) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM notice_record
            WHERE tenant_id = ?1 AND created_at > ?2 AND (?3 IS NULL OR owner_key IN (?3, ?1 || ':' || ?3))
              AND (?4 IS NULL OR url_id = ?4) AND (?5 IS NULL OR (comment_id = ?5 AND is_of_votes = 0))
              AND (?6 IS NULL OR is_viewed = ?6) AND (?7 IS NULL OR kind = ?7)
            """,
            .text(tenant), .integer(session.now - NoticeSQL.lifetime), .text(user), .text(page), .text(comment),
            .bool(isViewed), .int(kind)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }
}
