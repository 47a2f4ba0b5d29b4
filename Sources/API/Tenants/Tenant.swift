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
    /// Hosts whose pages may call; empty is any.
    package let domains: [String]
    /// Unsigned sign-on is accepted.
    package let allowsSimpleSSO: Bool
    /// What the tenant set for its threads, everywhere and on some pages.
    package let rules: TenantSettings
    /// Active API keys, newest first. They sign single sign-on; never log them.
    package let keys: [String]
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

    func with(_ rules: TenantSettings) -> Tenant {
        Tenant(
            id: id, name: name, ownerEmail: ownerEmail, domains: domains, allowsSimpleSSO: allowsSimpleSSO,
            rules: rules, keys: keys, site: site)
    }

    /// Whether a page of this origin or referrer may call (contract: public 5.6). No origin is a native client; the
    /// origin `null` is a page that hides where it is from.
    func admits(origin: String?) -> Bool {
        guard !domains.isEmpty, let origin, origin != "null" else { return domains.isEmpty || origin == nil }
        guard let host = WebAddress.host(origin) else { return true }
        return domains.contains { domain in
            let bare = (domain.hasPrefix("*.") ? String(domain.dropFirst(2)) : domain).lowercased()
            return host == bare || host.hasSuffix("." + bare)
        }
    }
}

/// Tenants and their keys.
package enum TenantSQL {
    /// The tenant with its keys.
    package static func find(_ id: String, in session: inout Session) throws(APIError) -> Tenant? {
        let keys = try keys(of: id, in: &session)
        let found = try session.first(
            """
            SELECT name, owner_email, domains, allows_simple_sso,
                   COALESCE((SELECT version FROM settings_change WHERE tenant_id = ?1), 0)
            FROM tenant WHERE id = ?1
            """,
            .text(id)
        ) { (row) throws(APIError) -> (tenant: Tenant, version: Int64) in
            let tenant = Tenant(
                id: id, name: row.text(0), ownerEmail: row.textOrNil(1), domains: JSONText.strings(row.text(2)),
                allowsSimpleSSO: row.bool(3), rules: .none, keys: keys)
            return (tenant, row.int64(4))
        }
        guard let (tenant, version) = found, version > 0 else { return found?.tenant }
        let rules = try session.remembered(id, version: version) { (session) throws(APIError) -> TenantSettings in
            try SettingSQL.load(tenant: id, in: &session)
        }
        return tenant.with(rules)
    }

    /// Whether there is such a tenant.
    static func exists(_ id: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM tenant WHERE id = ?1", .text(id)) {
            (row) throws(APIError) -> Int in row.int(0)
        } != nil
    }

    private static func keys(of tenant: String, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT key FROM api_key
            WHERE tenant_id = ?1 AND (expires_at IS NULL OR expires_at > ?2)
            ORDER BY created_at DESC
            """,
            .text(tenant), .integer(session.now)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// The valid keys of all tenants. Never log them.
    static func keys(in session: inout Session) throws(APIError) -> [(tenant: String, key: String)] {
        try session.query(
            "SELECT tenant_id, key FROM api_key WHERE expires_at IS NULL OR expires_at > ?1", .integer(session.now)
        ) { (row) throws(APIError) -> (tenant: String, key: String) in (row.text(0), row.text(1)) }
    }

    /// Ids and names of all tenants, oldest first.
    package static func all(in session: inout Session) throws(APIError) -> [(id: String, name: String)] {
        try session.query("SELECT id, name FROM tenant ORDER BY created_at, id") {
            (row) throws(APIError) -> (id: String, name: String) in (row.text(0), row.text(1))
        }
    }

    /// Makes a tenant. A taken id is a `conflict`.
    package static func insert(
        id: String, name: String, ownerEmail: String?, domains: [String], in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO tenant (id, name, owner_email, domains, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            .text(id), .text(name), .text(ownerEmail), .text(JSONText.list(domains)), .integer(session.now))
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

    /// Removes a tenant and all that belongs to it.
    package static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM event_log WHERE tenant_id = ?1", .text(id))
        try CommentSearch.remove(tenant: id, in: &session)
        try session.run("DELETE FROM tenant WHERE id = ?1", .text(id))
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
