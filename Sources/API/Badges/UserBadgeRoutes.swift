import Domain
import HTTP1
import JSON
import Storage

/// Badges of people, for a site's own backend (contract: admin 5.6).
enum UserBadgeRoutes {
    /// Rows of one answer, when nothing is said.
    private static let defaultLimit = 30
    private static let maximumLimit = 200

    static func register(on routes: inout Routes) {
        let badges = "user-badges"
        read(badges, "GetUserBadges", list, on: &routes)
        write(.post, badges, "CreateUserBadge", create, on: &routes)
        read(badges + "/{id}", "GetUserBadge", get, on: &routes)
        write(.put, badges + "/{id}", "UpdateUserBadge", update, on: &routes)
        write(.delete, badges + "/{id}", "DeleteUserBadge", delete, on: &routes)
        let progress = "user-badge-progress"
        read(progress, "GetUserBadgeProgressList", progressList, on: &routes)
        read(progress + "/{id}", "GetUserBadgeProgressById", progressByID, on: &routes)
        read(progress + "/user/{userId}", "GetUserBadgeProgressByUserId", progressByUser, on: &routes)
    }

    private static let resource = "UserBadge"

    private typealias Handler = @Sendable (Call, Tenant, inout Session) throws(APIError) -> Reply
    private typealias Change = @Sendable (BackendVisit, Tenant, inout Session) throws(APIError) -> Reply

    private static func read(
        _ path: String, _ operation: String, _ handler: @escaping Handler, on routes: inout Routes
    ) {
        let read = { @Sendable (visit: BackendVisit, session: inout Session) throws(APIError) -> Reply in
            try handler(visit.call, visit.tenant, &session)
        }
        routes.backend(.get, path, operation, read: read)
    }

    private static func write(
        _ method: Method, _ path: String, _ operation: String, _ handler: @escaping Change, on routes: inout Routes
    ) {
        let write = { @Sendable (visit: BackendVisit, session: inout Session) throws(APIError) -> Reply in
            try handler(visit, visit.tenant, &session)
        }
        routes.backend(method, path, operation, write: write)
    }

    // MARK: Badges

    private static func list(
        _ call: Call, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        var filter = UserBadgeSQL.Filter()
        filter.badge = call.text("badgeId")
        filter.type = try call.integer("type")
        filter.isDisplayed = try call.flag("displayedOnComments")
        let (skip, limit) = try slice(call)
        if let id = call.text("userId") {
            // Somebody unknown has none.
            filter.user = try NamedUser.key(id, tenant: tenant.id, in: &session) ?? id
        }
        let badges = try UserBadgeSQL.list(filter, skip: skip, limit: limit, tenant: tenant.id, in: &session)
        return .json(
            Answer { json in
                json.key("userBadges")
                json.beginArray()
                for badge in badges { badge.write(to: &json) }
                json.endArray()
            })
    }

    private static func slice(_ call: Call) throws(APIError) -> (skip: Int, limit: Int) {
        let skip = try call.count("skip", code: "invalid-skip") ?? 0
        let limit = try call.count("limit", code: "invalid-limit") ?? defaultLimit
        guard (1...maximumLimit).contains(limit) else {
            throw APIError(422, "invalid-limit", "The query parameter limit must be 1 to \(maximumLimit).")
        }
        return (skip, limit)
    }

    private static func create(
        _ visit: BackendVisit, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        let body = try visit.call.bodyObject()
        guard let user = try body.text("userId"), !user.isEmpty else {
            throw APIError(422, "missing-user-id", "userId is missing.")
        }
        guard let id = try body.text("badgeId"), !id.isEmpty else {
            throw APIError(422, "missing-badge-id", "badgeId is missing.")
        }
        let isDisplayed = try body.flag("displayedOnComments") ?? true
        guard let badge = try BadgeSQL.find(id, tenant: tenant.id, in: &session), badge.isEnabled else {
            throw .badgeNotFound
        }
        guard let key = try NamedUser.key(user, tenant: tenant.id, in: &session) else {
            throw APIError(403, "unauthorized-user", "This user is not one of the tenant's and never commented here.")
        }
        let change = BadgeChange(tenant: tenant, user: key)
        let award = try change.award(badge, isDisplayed: isDisplayed, in: &session)
        let (held, notes): (String, [String]) =
            switch award {
            case .new(let id): (id, [])
            case .known(let id): (id, ["The user has this badge already."])
            }
        if notes.isEmpty { try visit.note(.create, resource, held, in: &session) }
        let row = try require(held, tenant, in: &session)
        return .json(
            Answer { json in
                json.member("userBadge", row)
                json.member("notes", notes)
            })
    }

    private static func get(_ call: Call, _ tenant: Tenant, _ session: inout Session) throws(APIError) -> Reply {
        let badge = try require(call.parameter("id"), tenant, in: &session)
        return .json(Answer { $0.member("userBadge", badge) })
    }

    private static func update(
        _ visit: BackendVisit, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        let isDisplayed = try visit.call.bodyObject().flag("displayedOnComments")
        let badge = try require(visit.call.parameter("id"), tenant, in: &session)
        if let isDisplayed {
            try BadgeChange(tenant: tenant, user: badge.userKey).setDisplayed(badge, isDisplayed, in: &session)
            try visit.note(.update, resource, badge.id, in: &session)
        }
        return .success
    }

    private static func delete(
        _ visit: BackendVisit, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        let badge = try require(visit.call.parameter("id"), tenant, in: &session)
        try BadgeChange(tenant: tenant, user: badge.userKey).remove(badge, in: &session)
        try visit.note(.delete, resource, badge.id, in: &session)
        return .success
    }

    private static func require(
        _ id: String, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> UserBadge {
        guard let badge = try UserBadgeSQL.find(id, tenant: tenant.id, in: &session) else {
            throw APIError(404, "not-found", "Nobody has a badge under this id.")
        }
        return badge
    }

    // MARK: Progress

    private static func progressList(
        _ call: Call, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        let (skip, limit) = try slice(call)
        var keys: [String]
        if let id = call.text("userId") {
            let key = try NamedUser.key(id, tenant: tenant.id, in: &session)
            keys = Array([key].compactMap { $0 }.dropFirst(skip))
        } else {
            keys = try BadgeProgress.writers(skip: skip, limit: limit, tenant: tenant.id, in: &session)
        }
        var list: [BadgeProgress] = []
        for key in keys {
            if let progress = try BadgeProgress.of(key, tenant: tenant.id, in: &session) { list.append(progress) }
        }
        let found = list
        return .json(
            Answer { json in
                json.key("userBadgeProgresses")
                json.beginArray()
                for progress in found { progress.write(to: &json) }
                json.endArray()
            })
    }

    /// Its id is the user's: somebody has one for each site.
    private static func progressByID(
        _ call: Call, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        try progress(of: call.parameter("id"), tenant, &session)
    }

    private static func progressByUser(
        _ call: Call, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        try progress(of: call.parameter("userId"), tenant, &session)
    }

    private static func progress(
        of id: String, _ tenant: Tenant, _ session: inout Session
    ) throws(APIError) -> Reply {
        guard let key = try NamedUser.key(id, tenant: tenant.id, in: &session),
            let progress = try BadgeProgress.of(key, tenant: tenant.id, in: &session)
        else { throw APIError(404, "not-found", "This user has not written anything here.") }
        return .json(Answer { $0.member("userBadgeProgress", progress) })
    }
}
