import Domain
import JSON
import Storage

/// One customer site.
package struct Tenant: Sendable {
    /// `A–Z a–z 0–9 - _`, 1 to 64 characters.
    package let id: String
    /// For operators.
    package let name: String
    /// Whoever signs on securely with this address is an administrator.
    package let ownerEmail: String?
    /// Of users of the tenant, in lower case: whoever signs on securely with such an address has their rights.
    package let staff: [String: AccountRoles]
    /// Whom the tenant lets moderate by rows of their own.
    let moderators: ModeratorRoster
    /// Hosts whose pages may call; empty is any.
    package let domains: [String]
    /// Unsigned sign-on is accepted.
    package let allowsSimpleSSO: Bool
    /// What the tenant set for its threads, everywhere and on some pages.
    package let rules: TenantSettings
    /// The tenant that made this one, whose keys may act for it.
    let parent: String?
    /// Keys for the API alone, by their hashes; some may have ended.
    let tokens: [String: APIToken.Known]
    /// How new comments are judged.
    package let moderation: ModerationSettings
    /// What its own server wants to be told of.
    let webhooks: [WebhookTarget]
    /// Active API keys, newest first. They sign single sign-on; never log them.
    package fileprivate(set) var keys: [String]
    /// Host of the site that a request comes from, for rules that hold on some sites; nil for native clients.
    package var site: String?

    /// What holds where no page is meant. On a page, ask `settings(of:)`.
    package var settings: WidgetSettings { rules.common }

    /// What holds on a page.
    /// - Parameter urlID: canonical page id.
    package func settings(of urlID: String) -> WidgetSettings { rules.settings(page: urlID, site: site) }

    /// What holds on a page; nil is what holds everywhere.
    func settings(of page: Page?) -> WidgetSettings { page.map { settings(of: $0.urlID) } ?? settings }

    /// Test suites post faster than people and repeat themselves.
    package var isExemptFromLimits: Bool { EmailAddress.isOfTestSuite(ownerEmail) }

    /// Whether a page of this origin or referrer may call (contract: public 5.6). No origin is a native client; the
    /// origin `null` is a page that hides where it is from. A page of the reader's own machine may always, so that a site
    /// can be tried out (contract: admin 5.17).
    func admits(origin: String?) -> Bool {
        guard !domains.isEmpty, let origin, origin != "null" else { return domains.isEmpty || origin == nil }
        guard let host = WebAddress.host(origin) else { return true }
        return ["localhost", "127.0.0.1", "[::1]"].contains(host)
            || domains.contains { SiteDomain.covers($0, host: host) }
    }
}

/// Tenants and their keys.
package enum TenantSQL {
    /// The tenant with its settings and keys. Read once on each lane, and again when its version is another one.
    package static func find(_ id: String, in session: inout Session) throws(APIError) -> Tenant? {
        guard let version = try version(of: id, in: &session) else { return nil }
        return try session.remembered(id, version: version) { (session) throws(APIError) -> StoredTenant in
            try load(id, in: &session)
        }.tenant(at: session.now)
    }

    /// Whether there is such a tenant.
    static func exists(_ id: String, in session: inout Session) throws(APIError) -> Bool {
        try version(of: id, in: &session) != nil
    }

    /// Of the newest change to the tenant; nil when there is none. Triggers raise it.
    private static func version(of id: String, in session: inout Session) throws(APIError) -> Int64? {
        try session.first("SELECT version FROM tenant_change WHERE tenant_id = ?1", .text(id)) {
            (row) throws(APIError) -> Int64 in row.int64(0)
        }
    }

    private static func load(_ id: String, in session: inout Session) throws(APIError) -> StoredTenant {
        let keys = try session.query(
            "SELECT key, expires_at FROM api_key WHERE tenant_id = ?1 ORDER BY created_at DESC", .text(id)
        ) { (row) throws(APIError) -> StoredTenant.Key in
            StoredTenant.Key(text: row.text(0), expiresAt: row.int64OrNil(1) ?? .max)
        }
        let rules = try SettingSQL.load(tenant: id, in: &session)
        let staff = Dictionary(
            try AccountSQL.all(of: id, in: &session).map { ($0.email, $0.roles) }, uniquingKeysWith: { $0.union($1) })
        let tokens = try APITokenSQL.known(of: id, in: &session)
        let moderators = try ModeratorRoster(tenant: id, in: &session)
        let webhooks = try WebhookSQL.targets(of: id, in: &session)
        let tenant = try session.first(
            "SELECT name, owner_email, domains, allows_simple_sso, moderation, parent_id FROM tenant WHERE id = ?1",
            .text(id)
        ) { (row) throws(APIError) -> Tenant in
            Tenant(
                id: id, name: row.text(0), ownerEmail: row.textOrNil(1), staff: staff, moderators: moderators,
                domains: JSONText.strings(row.text(2)),
                allowsSimpleSSO: row.bool(3), rules: rules, parent: row.textOrNil(5), tokens: tokens,
                moderation: ModerationSettings(parsing: row.text(4)), webhooks: webhooks, keys: [])
        }
        guard let tenant else { throw .internal("A tenant has a version and no row.") }
        return StoredTenant(tenant, keys: keys)
    }

    /// The version of the newest change to any tenant; 0 when there is none.
    static func newestVersion(in session: inout Session) throws(APIError) -> Int64 {
        try session.first("SELECT max(version) FROM tenant_change") { $0.int64(0) } ?? 0
    }

    /// Tenants that changed after a version.
    static func changed(after version: Int64, in session: inout Session) throws(APIError) -> [String] {
        try session.query("SELECT tenant_id FROM tenant_change WHERE version > ?1", .integer(version)) {
            (row) throws(APIError) -> String in row.text(0)
        }
    }

    /// The valid keys of all tenants. Never log them.
    static func keys(in session: inout Session) throws(APIError) -> [(tenant: String, key: String)] {
        try session.query(
            "SELECT tenant_id, key FROM api_key WHERE expires_at IS NULL OR expires_at > ?1", .integer(session.now)
        ) { (row) throws(APIError) -> (tenant: String, key: String) in (row.text(0), row.text(1)) }
    }

    /// Ids and names of all tenants, oldest first.
    package static func all(in session: inout Session) throws(APIError) -> [(id: String, name: String)] {
        try session.query(
            "SELECT id, name FROM tenant WHERE id IN (SELECT tenant_id FROM tenant_change) ORDER BY created_at, id"
        ) {
            (row) throws(APIError) -> (id: String, name: String) in (row.text(0), row.text(1))
        }
    }

    /// Makes a tenant. A taken id is a `conflict`.
    package static func insert(
        id: String, name: String, ownerEmail: String?, domains: [String], parent: String? = nil,
        in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO tenant (id, name, owner_email, domains, created_at, parent_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            .text(id), .text(name), .text(ownerEmail), .text(JSONText.list(domains)), .integer(session.now),
            .text(parent))
    }

    /// Adds a key. Adding one that the tenant has, or had, changes nothing: a key that was replaced does not come back
    /// with the next start.
    package static func addKey(_ key: String, to tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO api_key (tenant_id, key, created_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (tenant_id, key) DO NOTHING
            """,
            .text(tenant), .text(key), .integer(session.now))
    }

    /// Has everybody look again at who may do what: rights changed that are not kept with the tenant.
    static func touch(_ tenant: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM tenant_change WHERE tenant_id = ?1", .text(tenant))
        try session.run(
            "INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant WHERE id = ?1", .text(tenant))
    }

    /// Makes these the hosts whose pages may call; none is any. Triggers keep what is said of each.
    package static func setDomains(
        _ domains: [String], of tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "UPDATE tenant SET domains = ?2 WHERE id = ?1", .text(tenant), .text(JSONText.list(domains)))
    }

    /// Lets every other key of the tenant end at a moment, milliseconds since 1970.
    package static func expireKeys(
        of tenant: String, except key: String, at moment: Int64, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            UPDATE api_key SET expires_at = ?3
            WHERE tenant_id = ?1 AND key <> ?2 AND (expires_at IS NULL OR expires_at > ?3)
            """,
            .text(tenant), .text(key), .integer(moment))
    }

    /// Changes how new comments are judged.
    package static func set(
        _ moderation: ModerationSettings, of tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "UPDATE tenant SET moderation = ?2 WHERE id = ?1", .text(tenant),
            .text(JSONText.object(moderation.object)))
    }

    /// Removes a tenant and all that belongs to it.
    package static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM event_log WHERE tenant_id = ?1", .text(id))
        try CommentSearch.remove(tenant: id, in: &session)
        try session.run("DELETE FROM tenant WHERE id = ?1", .text(id))
    }
}

/// A tenant as its rows say, at no particular time.
private struct StoredTenant: Sendable {
    struct Key: Sendable {
        let text: String
        /// Milliseconds since 1970; `max` for a key without an end.
        let expiresAt: Int64
    }

    private var withAllKeys: Tenant
    private let keys: [Key]
    /// When the first of the keys ends.
    private let firstEnd: Int64

    init(_ tenant: Tenant, keys: [Key]) {
        withAllKeys = tenant
        withAllKeys.keys = keys.map(\.text)
        self.keys = keys
        firstEnd = keys.map(\.expiresAt).min() ?? .max
    }

    /// With the keys that are active then.
    func tenant(at now: Int64) -> Tenant {
        guard firstEnd <= now else { return withAllKeys }
        var tenant = withAllKeys
        tenant.keys = keys.filter { $0.expiresAt > now }.map(\.text)
        return tenant
    }
}

/// JSON kept in text columns.
enum JSONText {
    static func strings(_ text: String) -> [String] {
        (try? JSONValue.parse(text))?.array?.compactMap(\.string) ?? []
    }

    static func list(_ values: [String]) -> String {
        String(decoding: JSONValue.array(values.map { .string($0) }).jsonBytes(), as: UTF8.self)
    }

    static func object(_ value: JSONObject) -> String {
        String(decoding: JSONValue.object(value).jsonBytes(), as: UTF8.self)
    }

    static func text(_ value: JSONValue?) -> String? {
        guard let value, !value.isNull else { return nil }
        return String(decoding: value.jsonBytes(), as: UTF8.self)
    }
}
