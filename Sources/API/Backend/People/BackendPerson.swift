import Domain
import JSON
import Storage

/// Somebody of single sign-on as a backend reads them (contract: admin 5.2); closed key set.
struct BackendPerson: JSONWritable, Sendable {
    let person: Person
    private let tenant: String
    let createdAt: Int64
    private let createdFromURLID: String?
    private let loginCount: Int64
    private let isAccountOwner: Bool
    private let hasBlockedUsers: Bool

    /// The id that the site gave.
    var id: String { String(person.id.dropFirst(tenant.count + 1)) }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("username", person.username)
            json.member("websiteUrl", person.websiteURL ?? "")
            json.member("email", person.email ?? "")
            json.member("signUpDate", createdAt)
            json.member("createdFromUrlId", createdFromURLID ?? "")
            json.member("loginCount", loginCount)
            json.member("avatarSrc", person.avatar ?? "")
            json.member("optedInNotifications", person.optedInNotifications ?? false)
            json.member("optedInSubscriptionNotifications", person.optedInSubscriptions ?? false)
            json.member("displayLabel", person.displayLabel ?? "")
            json.member("displayName", person.displayName ?? "")
            json.member("isAccountOwner", isAccountOwner)
            json.member("isAdminAdmin", person.isAdmin)
            json.member("isCommentModeratorAdmin", person.isModerator)
            json.member("isProfileActivityPrivate", ifPresent: person.isActivityPrivate)
            json.member("isProfileCommentsPrivate", ifPresent: person.isCommentsPrivate)
            json.member("isProfileDMDisabled", ifPresent: person.isDirectMessagesDisabled)
            json.member("hasBlockedUsers", hasBlockedUsers)
            if let groups = person.groupIDs { json.member("groupIds", groups) }
        }
    }

    // MARK: Storage

    /// - Parameter id: wire id.
    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> BackendPerson? {
        guard let person = try PersonSQL.find(id, tenant: tenant, in: &session)?.person else { return nil }
        return try session.first(
            """
            SELECT created_at, created_from_url_id, login_count, is_account_owner,
                   EXISTS (SELECT 1 FROM block AS b WHERE b.tenant_id = ?1 AND b.blocker_key = ?2)
            FROM person WHERE tenant_id = ?1 AND id = ?2
            """,
            .text(tenant), .text(id)
        ) { (row) throws(APIError) -> BackendPerson in BackendPerson(person, tenant, row) }
    }

    private init(_ person: Person, _ tenant: String, _ row: borrowing Row) {
        self.person = person
        self.tenant = tenant
        createdAt = row.int64(0)
        createdFromURLID = row.textOrNil(1)
        loginCount = row.int64(2)
        isAccountOwner = row.bool(3)
        hasBlockedUsers = row.bool(4)
    }

    /// By when they came.
    static func list(
        skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [BackendPerson] {
        let ids = try session.query(
            "SELECT id FROM person WHERE tenant_id = ?1 ORDER BY created_at, id LIMIT ?2 OFFSET ?3",
            .text(tenant), .int(limit), .int(skip)
        ) { (row) throws(APIError) -> String in row.text(0) }
        var people: [BackendPerson] = []
        for id in ids {
            if let person = try find(id, tenant: tenant, in: &session) { people.append(person) }
        }
        return people
    }

    /// Wire id of whoever came last with an address.
    static func id(ofEmail email: String, tenant: String, in session: inout Session) throws(APIError) -> String? {
        try session.first(
            "SELECT id FROM person WHERE tenant_id = ?1 AND email_key = ?2 ORDER BY created_at DESC, id LIMIT 1",
            .text(tenant), .text(email.lowercased())
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}
