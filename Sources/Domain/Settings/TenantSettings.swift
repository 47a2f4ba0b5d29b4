import JSON
import Synchronization

/// All settings of a tenant: what holds everywhere, and rules for some of its pages. Made once for each change; usable
/// on any thread.
package final class TenantSettings: Sendable {
    /// Settings of some pages.
    package struct Rule: Sendable {
        /// Pages of this host and of those below it, in lower case; nil is any.
        package let domain: String?
        /// Pages by id.
        package let page: PagePattern
        /// What is set; `null` takes back what a wider rule says.
        package let values: JSONObject

        /// A rule about some pages.
        package init(domain: String?, page: PagePattern, values: JSONObject) {
            self.domain = domain
            self.page = page
            self.values = values
        }

        /// Whether this rule gives way to the other: an exact page beats a pattern, more literal bytes beat fewer, a
        /// domain beats none, and a longer domain a shorter one.
        func isWider(than other: Rule) -> Bool {
            if page.isExact != other.page.isExact { return other.page.isExact }
            if page.literalCount != other.page.literalCount { return page.literalCount < other.page.literalCount }
            let (own, others) = (domain?.utf8.count ?? -1, other.domain?.utf8.count ?? -1)
            if own != others { return own < others }
            // No more than an order that does not change by itself.
            return (page.text, domain ?? "") < (other.page.text, other.domain ?? "")
        }

        func holds(page: String, site: String?) -> Bool {
            if let domain {
                guard let site, HostName.covers(domain, site) else { return false }
            }
            return self.page.matches(page)
        }
    }

    private struct Place: Hashable {
        let page: String
        let site: String?
    }

    /// Pages that are remembered; after that many, all are forgotten.
    private static let capacity = 4096

    /// What holds where no rule says otherwise.
    package let common: WidgetSettings
    /// From the widest to the narrowest.
    package let rules: [Rule]
    private let hasDomains: Bool
    // Guards what was resolved, which all threads share.
    private let resolved = Mutex<[Place: WidgetSettings]>([:])

    /// - Parameters:
    ///   - common: what holds where no rule says otherwise.
    ///   - rules: in any order.
    package init(common: JSONObject, rules: [Rule]) {
        self.common = WidgetSettings(common)
        self.rules = rules.sorted { $0.isWider(than: $1) }
        hasDomains = rules.contains { $0.domain != nil }
    }

    /// Nothing set.
    package static let none = TenantSettings(common: JSONObject(), rules: [])

    /// What holds on a page.
    /// - Parameters:
    ///   - page: canonical id.
    ///   - site: host of the site that shows it, in lower case; of a page whose id is an address, that address counts.
    package func settings(page: String, site: String?) -> WidgetSettings {
        if rules.isEmpty { return common }
        let place = Place(page: page, site: hasDomains ? Self.host(of: page) ?? site : nil)
        if let known = resolved.withLock({ $0[place] }) { return known }
        let settings = resolve(place)
        resolved.withLock { resolved in
            if resolved.count >= Self.capacity { resolved = [:] }
            resolved[place] = settings
        }
        return settings
    }

    /// Whether some page may have the setting: false spares asking each.
    package func mayHold(_ flag: (WidgetSettings) -> Bool) -> Bool {
        flag(common) || rules.contains { flag(WidgetSettings($0.values)) }
    }

    private static func host(of page: String) -> String? {
        WebAddress.hasWebScheme(page) ? WebAddress.host(page) : nil
    }

    private func resolve(_ place: Place) -> WidgetSettings {
        let holding = rules.filter { $0.holds(page: place.page, site: place.site) }
        if holding.isEmpty { return common }
        var values: [String: JSONValue] = [:]
        for source in [common.values] + holding.map(\.values) {
            for (name, value) in source.members { values[name] = value }
        }
        var result = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where !value.isNull { result.append(name, value) }
        return WidgetSettings(result)
    }
}
