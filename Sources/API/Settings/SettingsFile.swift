import Domain
import JSON

/// All settings of one tenant as a JSON file (`parley config import` and `list`): an object with `rules`, each of which
/// may name a `page` and a `domain` and has `settings`.
package struct SettingsFile: Sendable {
    /// What holds where no rule says otherwise.
    package let common: JSONObject
    /// What holds on some pages, in the order of the file.
    package let rules: [TenantSettings.Rule]

    /// What a tenant has now.
    package init(_ settings: TenantSettings) {
        common = settings.common.values
        rules = settings.rules
    }

    /// - Throws: `malformed-json` or `invalid-input`, with a sentence that names the place of the fault.
    package init(_ bytes: [UInt8]) throws(APIError) {
        let document: JSONValue
        do {
            document = try JSONValue.parse(bytes)
        } catch {
            throw APIError(400, "malformed-json", "This is no JSON: \(error.reason) at byte \(error.offset).")
        }
        guard let object = document.object, object.members.map(\.name) == ["rules"], let items = object["rules"]?.array
        else { throw .invalidInput("The file must be an object with the one key \"rules\", a list.") }
        var common: JSONObject?
        var rules: [TenantSettings.Rule] = []
        for (index, item) in items.enumerated() {
            let rule = try Self.rule(item, "Rule \(index + 1)")
            if rule.domain == nil, rule.page.isAny {
                guard common == nil else { throw .invalidInput("Rule \(index + 1) is a second one for all pages.") }
                common = rule.values
            } else {
                guard !rules.contains(where: { $0.domain == rule.domain && $0.page == rule.page }) else {
                    throw .invalidInput("Rule \(index + 1) is a second one for the same pages.")
                }
                rules.append(rule)
            }
        }
        self.common = common ?? JSONObject()
        self.rules = rules
    }

    private static func rule(_ item: JSONValue, _ place: String) throws(APIError) -> TenantSettings.Rule {
        guard let object = item.object, let settings = object["settings"]?.object else {
            throw .invalidInput("\(place) has no \"settings\".")
        }
        for (name, _) in object.members where !["page", "domain", "settings"].contains(name) {
            throw .invalidInput("\(place) has the unknown key \"\(name)\". Known keys: page, domain, settings.")
        }
        let names = object.members.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw .invalidInput("\(place) has the key \"\(twice)\" twice.")
        }
        let page = try page(object.text("page"), place)
        let domain = try domain(object.text("domain"), place)
        do {
            let keepsNull = domain != nil || !page.isAny
            return TenantSettings.Rule(
                domain: domain, page: page, values: try SettingKey.checked(settings, keepsNull: keepsNull))
        } catch {
            throw .invalidInput("\(place): \(error.sentence)")
        }
    }

    private static func page(_ text: String?, _ place: String) throws(APIError) -> PagePattern {
        guard let text else { return .any }
        guard let pattern = PagePattern(text) else {
            throw .invalidInput("\(place): \"\(text)\" names no page and is no pattern.")
        }
        return pattern.isAny ? .any : pattern
    }

    private static func domain(_ text: String?, _ place: String) throws(APIError) -> String? {
        guard let text else { return nil }
        guard let host = HostName.checked(text) else {
            throw .invalidInput("\(place): \"\(text)\" is no host name such as blog.example.com.")
        }
        return host
    }
}

extension SettingsFile: JSONWritable {
    /// As it is read.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("rules")
            json.beginArray()
            Self.write(nil, nil, common, to: &json)
            for rule in rules { Self.write(rule.domain, rule.page, rule.values, to: &json) }
            json.endArray()
        }
    }

    private static func write(
        _ domain: String?, _ page: PagePattern?, _ values: JSONObject, to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("domain", ifPresent: domain)
            json.member("page", ifPresent: page?.text)
            json.member("settings", JSONValue.object(values))
        }
    }
}
