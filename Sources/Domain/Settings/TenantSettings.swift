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

        func holds(at site: String?) -> Bool {
            guard let domain else { return true }
            return site.map { HostName.covers(domain, $0) } ?? false
        }
    }

    private struct Place: Hashable {
        let page: String
        let site: String?
        /// The page itself tells its site.
        let isCertain: Bool
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
    ///   - site: host of the site that shows it, in lower case, as the request claims; of a page whose id is an address,
    ///     that address counts. What keeps people out does not depend on the claim.
    package func settings(page: String, site: String?) -> WidgetSettings {
        if rules.isEmpty { return common }
        let host = hasDomains ? Self.host(of: page) : nil
        let place = Place(page: page, site: hasDomains ? host ?? site : nil, isCertain: host != nil || !hasDomains)
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
        let named = rules.filter { $0.page.matches(place.page) }
        let holding = named.filter { $0.holds(at: place.site) }
        if place.isCertain ? holding.isEmpty : named.isEmpty { return common }
        var values: [String: JSONValue] = [:]
        for source in [common.values] + holding.map(\.values) {
            for (name, value) in source.members { values[name] = value }
        }
        if !place.isCertain { restrict(&values, as: named) }
        var result = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) where !value.isNull { result.append(name, value) }
        return WidgetSettings(result)
    }

    /// Anybody may claim any site, so of each restriction the strictest holds that holds on any site or on none.
    /// - Parameter named: the rules that name the page, from the widest to the narrowest.
    private func restrict(_ values: inout [String: JSONValue], as named: [Rule]) {
        let everywhere = Self.restrictions(named.indices.filter { named[$0].domain == nil }, of: named)
        let byDomain = Dictionary(grouping: named.indices.filter { named[$0].domain != nil }) { named[$0].domain ?? "" }
        let bySite = byDomain.keys.sorted().map { site in
            Self.restrictions(HostName.domains(of: site).flatMap { byDomain[$0] ?? [] }.sorted(), of: named)
        }
        for name in Set(bySite.flatMap(\.keys)) {
            values[name] = everywhere[name]?.value ?? common.values[name]
        }
        for site in bySite {
            for (name, own) in site {
                let other = everywhere[name]
                let value = other.map { $0.place > own.place ? $0.value : own.value } ?? own.value
                values[name] = own.restriction.stricter(values[name], value)
            }
        }
    }

    /// What the narrowest of some rules says of each restriction.
    private static func restrictions(
        _ places: [Int], of rules: [Rule]
    ) -> [String: (place: Int, value: JSONValue, restriction: Restriction)] {
        var values: [String: (place: Int, value: JSONValue, restriction: Restriction)] = [:]
        for place in places {
            for (name, value) in rules[place].values.members {
                if let restriction = SettingKey.restriction(of: name) { values[name] = (place, value, restriction) }
            }
        }
        return values
    }
}
