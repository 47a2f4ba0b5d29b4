import Domain
import JSON
import Storage

/// What tenants set for their pages.
package enum SettingSQL {
    /// Rules of one tenant at most.
    package static let ruleLimit = 1000

    /// All settings of a tenant.
    package static func load(tenant: String, in session: inout Session) throws(APIError) -> TenantSettings {
        let common = try common(of: tenant, in: &session)
        let rules = try session.query(
            "SELECT domain, page, settings FROM setting_rule WHERE tenant_id = ?1 ORDER BY page, domain", .text(tenant)
        ) { (row) throws(APIError) -> TenantSettings.Rule? in
            guard let page = PagePattern(row.text(1)) else { return nil }
            let domain = row.text(0)
            return TenantSettings.Rule(
                domain: domain.isEmpty ? nil : domain, page: page, values: JSONText.members(row.text(2)))
        }
        // Most tenants share the same one.
        if common.members.isEmpty, rules.isEmpty { return .none }
        return TenantSettings(common: common, rules: rules.compactMap(\.self))
    }

    private static func common(of tenant: String, in session: inout Session) throws(APIError) -> JSONObject {
        try session.first("SELECT settings FROM tenant WHERE id = ?1", .text(tenant)) {
            (row) throws(APIError) -> JSONObject in JSONText.members(row.text(0))
        } ?? JSONObject()
    }

    /// Sets or, with nil, removes keys of one rule; a rule that holds nothing is removed.
    /// - Parameters:
    ///   - domain: host in lower case; nil is any.
    ///   - page: nil is any, as ``PagePattern/any``.
    /// - Returns: how many keys are different now.
    /// - Throws: `too-many-rules` (422).
    package static func change(
        _ changes: [(name: String, value: JSONValue?)], tenant: String, domain: String?, page: PagePattern?,
        in session: inout Session
    ) throws(APIError) -> Int {
        let rules = try load(tenant: tenant, in: &session)
        let page = page.flatMap { $0.isAny ? nil : $0 }
        let isCommon = domain == nil && page == nil
        let rule = rules.rules.first { $0.domain == domain && $0.page == page ?? .any }
        let old = isCommon ? rules.common.values : rule?.values ?? JSONObject()
        var values = Dictionary(old.members.map { ($0.name, $0.value) }) { $1 }
        for (name, value) in changes { values[name] = value }
        var new = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where !(isCommon && value.isNull) {
            new.append(name, value)
        }
        if isCommon {
            try setCommon(new, tenant: tenant, in: &session)
        } else {
            try setRule(new, tenant: tenant, domain: domain, page: page ?? .any, in: &session)
        }
        try checkCount(tenant, in: &session)
        return changes.count { old[$0.name] != new[$0.name] }
    }

    /// Makes the settings of a tenant just these.
    /// - Throws: `too-many-rules` (422).
    package static func replace(
        _ file: SettingsFile, tenant: String, in session: inout Session
    ) throws(APIError) {
        try setCommon(file.common, tenant: tenant, in: &session)
        try session.run("DELETE FROM setting_rule WHERE tenant_id = ?1", .text(tenant))
        for rule in file.rules {
            try setRule(rule.values, tenant: tenant, domain: rule.domain, page: rule.page, in: &session)
        }
        try checkCount(tenant, in: &session)
    }

    private static func setCommon(
        _ values: JSONObject, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "UPDATE tenant SET settings = ?2 WHERE id = ?1", .text(tenant), .text(JSONText.object(values)))
    }

    private static func setRule(
        _ values: JSONObject, tenant: String, domain: String?, page: PagePattern, in session: inout Session
    ) throws(APIError) {
        guard !values.members.isEmpty else {
            try session.run(
                "DELETE FROM setting_rule WHERE tenant_id = ?1 AND domain = ?2 AND page = ?3",
                .text(tenant), .text(domain ?? ""), .text(page.text))
            return
        }
        try session.run(
            """
            INSERT INTO setting_rule (tenant_id, domain, page, settings) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (tenant_id, domain, page) DO UPDATE SET settings = excluded.settings
            """,
            .text(tenant), .text(domain ?? ""), .text(page.text), .text(JSONText.object(values)))
    }

    private static func checkCount(_ tenant: String, in session: inout Session) throws(APIError) {
        let count = try session.first("SELECT COUNT(*) FROM setting_rule WHERE tenant_id = ?1", .text(tenant)) {
            (row) throws(APIError) -> Int in row.int(0)
        }
        guard (count ?? 0) <= ruleLimit else {
            throw APIError(422, "too-many-rules", "A tenant may have rules for at most \(ruleLimit) sets of pages.")
        }
    }
}

extension JSONText {
    /// The members of an object; none when it is no object.
    static func members(_ text: String) -> JSONObject { (try? JSONValue.parse(text))?.object ?? JSONObject() }
}
