import Domain
import JSON
import Storage

/// Somebody who runs the tenant as a backend reads them (contract: admin 3.3, 5.8); closed key set. What people sign in
/// with is never in it.
struct TenantUser: JSONWritable, Sendable {
    let account: Account
    private let createdAt: Int64
    private let loginCount: Int64
    private let lastLoginAt: Int64?
    private let profile: JSONObject
    private let moderatorIDs: [String]

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", account.id)
            json.member("tenantId", account.tenant)
            json.member("username", account.name)
            json.member("email", account.email)
            json.member("signUpDate", createdAt)
            json.member("createdFromTenantId", account.tenant)
            json.member("createdFromIpHashed", "")
            json.member("verified", profile["verified"]?.bool ?? true)
            json.member("loginId", "")
            json.member("loginIdDate", 0)
            json.member("loginCount", loginCount)
            if let lastLoginAt {
                json.key("lastLoginDate")
                json.date(milliseconds: lastLoginAt)
            }
            for (name, role) in Self.roles where account.roles.contains(role) { json.member(name, true) }
            for name in Self.profileNames {
                if let value = profile[name.description] { json.member(name, value) }
            }
            if !moderatorIDs.isEmpty { json.member("moderatorIds", moderatorIDs) }
        }
    }

    /// The flags of the wire, and what each stands for.
    static let roles: [(name: StaticString, role: AccountRoles)] = [
        ("isHelpRequestAdmin", .help), ("isAccountOwner", .owner), ("isAdminAdmin", .administrator),
        ("isBillingAdmin", .billing), ("isAnalyticsAdmin", .figures), ("isCustomizationAdmin", .looks),
        ("isManageDataAdmin", .data), ("isCommentModeratorAdmin", .moderation), ("isAPIAdmin", .keys),
    ]

    /// What is passed through from the profile.
    private static let profileNames: [StaticString] = [
        "displayName", "websiteUrl", "avatarSrc", "locale", "displayLabel", "createdFromUrlId", "optedInNotifications",
        "optedInTenantNotifications", "hideAccountCode", "digestEmailFrequency", "karma",
    ]

    // MARK: Storage

    static func find(
        _ id: String, tenant: String, in session: inout Session
    ) throws(APIError) -> TenantUser? {
        guard let account = try AccountSQL.find(id: id, tenant: tenant, in: &session) else { return nil }
        let moderatorIDs = try session.query(
            "SELECT id FROM moderator WHERE tenant_id = ?1 AND user_id = ?2 ORDER BY created_at, id", .text(tenant),
            .text(id)
        ) { (row) throws(APIError) -> String in row.text(0) }
        return try session.first(
            "SELECT created_at, login_count, last_login_at, profile FROM account WHERE id = ?1", .text(id)
        ) { (row) throws(APIError) -> TenantUser in TenantUser(account, moderatorIDs, row) }
    }

    private init(_ account: Account, _ moderatorIDs: [String], _ row: borrowing Row) {
        self.account = account
        self.moderatorIDs = moderatorIDs
        createdAt = row.int64(0)
        loginCount = row.int64(1)
        lastLoginAt = row.int64OrNil(2)
        profile = JSONText.members(row.text(3))
    }

    /// By when they came.
    static func list(
        skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [TenantUser] {
        let ids = try session.query(
            "SELECT id FROM account WHERE tenant_id = ?1 ORDER BY created_at, name, id LIMIT ?2 OFFSET ?3",
            .text(tenant), .int(limit), .int(skip)
        ) { (row) throws(APIError) -> String in row.text(0) }
        var users: [TenantUser] = []
        for id in ids {
            if let user = try find(id, tenant: tenant, in: &session) { users.append(user) }
        }
        return users
    }
}
