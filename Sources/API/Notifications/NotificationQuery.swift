import Bytes
import Domain
import Storage

/// What a list of notices asks for (contract: public 13.2).
struct NotificationQuery: Sendable {
    static let usualPageSize = 20
    static let maximumPageSize = 100

    let filter: NoticeFilter
    let pageSize: Int
    /// The page whose subscription is asked for; nil when none is named.
    let urlID: String?
    let includesContext: Bool
    let includesTranslations: Bool

    /// - Throws: `invalid-input` (400).
    init(_ call: Call, owner: String, tenant: String, in session: inout Session) throws(APIError) {
        filter = try NoticeFilter(call, owner: owner, tenant: tenant, in: &session)
        let size = try call.integer("pageSize") ?? Int64(Self.usualPageSize)
        guard size > 0 else { throw .invalidInput("The query parameter pageSize must be above 0.") }
        pageSize = Int(min(size, Int64(Self.maximumPageSize)))
        urlID = call.text("urlId").flatMap(PageIdentity.canonical)
        includesContext = try call.flag("includeContext") ?? false
        includesTranslations = try call.flag("includeTranslations") ?? false
        // There are no notices about tenants.
        _ = try call.flag("includeTenantNotifications")
    }
}

/// Which of somebody's notices are meant, for lists and for marking what a list shows.
struct NoticeFilter: Sendable {
    /// Only what comes after this place in a list, newest first.
    let before: (createdAt: Int64, id: String)
    let isUnreadOnly: Bool
    let isDirectOnly: Bool
    let hasNoDirect: Bool

    /// - Throws: `invalid-input` (400).
    init(_ call: Call, owner: String, tenant: String, in session: inout Session) throws(APIError) {
        isUnreadOnly = try call.flag("unreadOnly") ?? false
        isDirectOnly = try call.flag("dmOnly") ?? false
        hasNoDirect = try call.flag("noDm") ?? false
        before = try Self.cursor(
            try call.integer("afterCreatedAt"), call.text("afterId"), owner: owner, tenant: tenant, in: &session)
    }

    /// One client pages by the id alone. A notice that went meanwhile still tells its place: ids begin with their time.
    private static func cursor(
        _ createdAt: Int64?, _ id: String?, owner: String, tenant: String, in session: inout Session
    ) throws(APIError) -> (Int64, String) {
        guard let id else { return (createdAt ?? .max, "") }
        if let createdAt { return (createdAt, id) }
        if let known = try NoticeSQL.createdAt(of: id, owner: owner, tenant: tenant, in: &session) {
            return (known, id)
        }
        guard id.utf8.count == 24, let time = Int64(id.prefix(12), radix: 16) else {
            throw .invalidInput("The query parameter afterId is no id of a notification.")
        }
        return (time, id)
    }
}
