import Domain
import HTTP1
import JSON
import Storage

/// Who hears of new threads, for a site's own backend (contract: admin 5.14).
enum BackendSubscriptionRoutes {
    private static let pageSize = 30

    static func register(on routes: inout Routes) {
        routes.backend(.get, "subscriptions", "GetSubscriptions", read: getSubscriptions)
        routes.backend(.post, "subscriptions", "CreateSubscription", prepare: createSubscription)
        routes.backend(.patch, "subscriptions/{id}", "UpdateSubscription", prepare: updateSubscription)
        routes.backend(.delete, "subscriptions/{id}", "DeleteSubscription", write: deleteSubscription)
    }

    private static func getSubscriptions(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let list = try BackendSubscription.list(
            user: visit.call.text("userId"), skip: visit.skip(), limit: pageSize, tenant: visit.tenant.id,
            in: &session)
        return .json(Answer { $0.member("subscriptions", list) })
    }

    private static func createSubscription(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let body = try visit.body(
            only: ["urlId", "userId", "anonUserId", "url", "pageTitle", "notificationFrequency"])
        guard let urlID = PageIdentity.canonical(try body.text("urlId") ?? ""), urlID != LiveRoomName.feed else {
            throw APIError(422, "missing-url-id", "urlId is missing or names no page.")
        }
        let facts = PageFacts(url: try body.text("url"), title: try body.text("pageTitle"))
        let frequency = try frequency(body)
        let (user, guest) = (try body.filled("userId"), try body.filled("anonUserId"))
        guard user != nil || guest != nil else {
            throw APIError(422, "unexpected-param", "The body must have userId or anonUserId.")
        }
        return { (session) throws(APIError) -> Reply in
            let owner = try owner(user, guest, visit, in: &session)
            guard try !SubscriptionSQL.exists(owner.key, urlID, tenant: visit.tenant.id, in: &session) else {
                throw APIError(422, "already-exists", "This user is subscribed to the page already.")
            }
            let subscription = BackendSubscription(
                id: Identifier.timeOrdered(at: session.now), owner: owner.key, urlID: urlID, userID: owner.userID,
                guestID: owner.guestID, url: facts.url, title: facts.title, frequency: frequency,
                createdAt: session.now)
            try subscription.insert(tenant: visit.tenant.id, in: &session)
            return .json(Answer { $0.member("subscription", subscription) })
        }
    }

    /// - Throws: `invalid-user` (422).
    private static func owner(
        _ user: String?, _ guest: String?, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> NamedIdentity {
        if let user { return try visit.user(user, in: &session) }
        return try .guest(guest ?? "", visit.tenant, in: &session)
    }

    /// 0 every minute, 1 hourly, 2 daily.
    private static func frequency(_ body: JSONObject) throws(APIError) -> Int64? {
        try PatchReader(body: body).whole("notificationFrequency", isNullable: true, 0...2).value
    }

    private static func updateSubscription(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let frequency = try frequency(visit.body(only: ["notificationFrequency"]))
        return { (session) throws(APIError) -> Reply in
            var subscription = try named(visit, in: &session)
            if let frequency {
                subscription.frequency = frequency
                try session.run(
                    "UPDATE subscription SET notification_frequency = ?2 WHERE id = ?1", .text(subscription.id),
                    .integer(frequency))
            }
            let changed = subscription
            return .json(Answer { $0.member("subscription", changed) })
        }
    }

    private static func deleteSubscription(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let subscription = try named(visit, in: &session)
        try session.run("DELETE FROM subscription WHERE id = ?1", .text(subscription.id))
        return .success
    }

    /// - Throws: `not-found` (404), `unauthorized` (403) when the query names another user than the owner.
    private static func named(
        _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BackendSubscription {
        let tenant = visit.tenant.id
        let id = visit.call.parameter("id")
        guard let subscription = try BackendSubscription.find(id, tenant: tenant, in: &session) else {
            throw APIError(404, "not-found", "There is no subscription with this id.")
        }
        if let user = visit.call.text("userId"), ![user, "\(tenant):\(user)"].contains(subscription.owner) {
            throw .contextUnauthorized("This subscription is somebody else's.")
        }
        return subscription
    }
}

/// A subscription as a backend reads it.
private struct BackendSubscription: JSONWritable, Sendable {
    let id: String
    let owner: String
    let urlID: String
    let userID: String?
    let guestID: String?
    let url: String
    let title: String?
    var frequency: Int64?
    let createdAt: Int64

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("urlId", urlID)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("notificationFrequency", frequency ?? 0)
            json.member("pageTitle", ifPresent: title)
            if !url.isEmpty { json.member("url", url) }
            json.member("anonUserId", ifPresent: guestID)
            json.member("userId", ifPresent: userID)
        }
    }

    // MARK: Storage

    private static func row(_ row: borrowing Row) throws(APIError) -> BackendSubscription {
        BackendSubscription(
            id: row.text(0), owner: row.text(1), urlID: row.text(2), userID: row.textOrNil(3),
            guestID: row.textOrNil(4), url: row.text(5), title: row.textOrNil(6), frequency: row.int64OrNil(7),
            createdAt: row.int64(8))
    }

    /// Newest first.
    /// - Parameter user: nil is everybody.
    static func list(
        user: String?, skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [BackendSubscription] {
        try session.query(
            """
            SELECT id, owner_key, url_id, user_id, anon_user_id, url, page_title, notification_frequency, created_at
            FROM subscription
            WHERE tenant_id = ?1 AND (?2 IS NULL OR owner_key IN (?2, ?1 || ':' || ?2))
            ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?4
            """,
            .text(tenant), .text(user), .int(limit), .int(skip), row: row)
    }

    static func find(
        _ id: String, tenant: String, in session: inout Session
    ) throws(APIError) -> BackendSubscription? {
        try session.first(
            """
            SELECT id, owner_key, url_id, user_id, anon_user_id, url, page_title, notification_frequency, created_at
            FROM subscription WHERE id = ?1 AND tenant_id = ?2
            """,
            .text(id), .text(tenant), row: row)
    }

    func insert(tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO subscription (
                id, tenant_id, url_id, owner_key, user_id, anon_user_id, url, page_title, notification_frequency,
                created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """,
            .text(id), .text(tenant), .text(urlID), .text(owner), .text(userID), .text(guestID), .text(url),
            .text(title), .int(frequency), .integer(createdAt))
    }
}
