import Domain

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
    init(_ call: Call) throws(APIError) {
        filter = try NoticeFilter(call)
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
    var before: (createdAt: Int64, id: String)
    let isUnreadOnly: Bool
    let isDirectOnly: Bool
    let hasNoDirect: Bool

    /// - Throws: `invalid-input` (400).
    init(_ call: Call) throws(APIError) {
        isUnreadOnly = try call.flag("unreadOnly") ?? false
        isDirectOnly = try call.flag("dmOnly") ?? false
        hasNoDirect = try call.flag("noDm") ?? false
        before = try Self.cursor(try call.integer("afterCreatedAt"), call.text("afterId"))
    }

    /// One client pages by the id alone: it begins with the time of the notice, which gets another id when it becomes new
    /// again. So the place stays where it was, whatever became of the notice meanwhile.
    private static func cursor(_ createdAt: Int64?, _ id: String?) throws(APIError) -> (Int64, String) {
        guard let id else { return (createdAt ?? .max, "") }
        if let createdAt { return (createdAt, id) }
        guard let time = Identifier.time(of: id) else {
            throw .invalidInput("The query parameter afterId is no id of a notification.")
        }
        return (time, id)
    }
}
