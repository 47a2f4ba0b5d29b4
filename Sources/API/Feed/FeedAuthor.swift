import Domain
import Storage

/// In whose name a post stands.
struct FeedAuthor: Sendable {
    /// Wire id, as the author's own session shows it; nil is the site itself.
    let key: String?
    let name: String
    /// The name is not the author's own, and stays when that changes.
    var hasGivenName = false

    /// The caller; an administrator may post for somebody else, and under any name.
    /// - Throws: `not-logged-in` (401).
    init(_ draft: FeedDraft, _ caller: Caller, in session: inout Session) throws(APIError) {
        let key = try caller.requireKey()
        let own = caller.person?.shownName ?? caller.guest?.name ?? caller.tenant.settings.defaultUsername
        self.init(key: key, name: own ?? "Anonymous")
        guard caller.isAdmin else { return }
        if let id = draft.fromUserID { self = try Self.somebody(id, tenant: caller.tenant.id, in: &session) }
        if let given = draft.fromUserName, given != name { self.init(key: self.key, name: given, hasGivenName: true) }
    }

    /// Whom a site's backend names.
    init(_ draft: FeedDraft, _ tenant: Tenant, in session: inout Session) throws(APIError) {
        if let id = draft.fromUserID {
            self = try Self.somebody(id, tenant: tenant.id, in: &session)
        } else {
            self.init(key: nil, name: draft.fromUserName ?? tenant.name)
        }
        if let given = draft.fromUserName, given != name { self.init(key: key, name: given, hasGivenName: true) }
    }

    private init(key: String?, name: String, hasGivenName: Bool = false) {
        self.key = key
        self.name = name
        self.hasGivenName = hasGivenName
    }

    /// By wire id, or by the id that the site gave.
    private static func somebody(
        _ id: String, tenant: String, in session: inout Session
    ) throws(APIError) -> FeedAuthor {
        let isWireID = id.hasPrefix(tenant + ":") || id.hasPrefix("anon:")
        let key = isWireID ? id : "\(tenant):\(id)"
        let person = try PersonSQL.find(key, tenant: tenant, in: &session)?.person
        return FeedAuthor(key: key, name: person?.shownName ?? "Anonymous")
    }
}
