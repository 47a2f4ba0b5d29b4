import API
import Domain
import JSON
import Storage

enum ConfigCommand: Command {
    static let name = "config"
    static let summary = "sets what the widget does, for a tenant or for some of its pages"
    static let help = """
        Usage: parley config set KEY VALUE [WHERE]
               parley config unset KEY [WHERE]
               parley config get [KEY] [WHERE]
               parley config list [--tenant ID]
               parley config import FILE [--tenant ID]
               parley config keys

        WHERE: [--tenant ID] [--page PAGE] [--domain HOST] [--data FOLDER]

        set     keeps a value. VALUE is JSON; a text needs no quotes. null in a rule for some pages takes back there
                what a wider rule says
        unset   removes a value from the rule that WHERE names
        get     prints what holds on one page, all of it or one key; with --domain alone, on https://HOST/
        list    prints all rules of the tenant, as import reads them
        import  makes the rules just those of a file (- is standard input); all of them, or none when one is wrong
        keys    prints every key and what it may hold; ! marks those that keep people from something

        --tenant may be left out where there is only one. Without --page and --domain, a value holds on every page.
        PAGE is a page id as the site spells it, for example an address; * in it stands for any run of characters. HOST
        means the pages of that site and of the sites below it: the host in the page id, or, where the id is no
        address, the one that the browser names. The narrowest rule that has a key decides it: an exact page
        before a pattern, more letters before fewer, with a domain before without.

        Whoever is no browser can name any host. So where the page id is no address, what a key forbids for one HOST
        it forbids for all, and what it allows for one HOST it does not allow: of readonly, requireSSO, allowAnon and
        the other keys that parley config keys marks with !, the strictest value of any HOST holds. To tell such pages
        apart, use --page.

        All of it works while the server runs: the next request obeys it, and open pages are told within a second.

        The file (see config/widget.example.json):

          {"rules": [{"settings": {"defaultSortDirection": "NF", "pageSize": 50}},
                     {"page": "*/archive/*", "settings": {"readonly": true}},
                     {"domain": "forum.example.com", "settings": {"allowAnon": true, "pageSize": null}}]}

        Example:
          parley config set maxCommentCharacterLength 500 --tenant demo
          parley config set readonly true --tenant demo --page 'https://example.com/archive/*'
          parley config get --tenant demo --page https://example.com/archive/1
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["tenant", "page", "domain", "data"], plain: [])
        if arguments.words == ["keys"] {
            printKeys()
            return 0
        }
        let order = try ConfigOrder(arguments)
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let answer = try Setup.withStore(configuration) { (store) throws(ToolError) -> String in
            try Setup.perform(store) { (session) throws(APIError) -> String in try order.run(in: &session) }
        }
        Console.print(answer)
        return 0
    }

    private static func printKeys() {
        let width = SettingKey.all.map(\.name.count).max() ?? 0
        for key in SettingKey.all {
            let mark = key.restriction == nil ? "  " : "! "
            let gap = String(repeating: " ", count: width + 2 - key.name.count)
            Console.print(mark + key.name + gap + key.kind.description)
        }
    }
}

/// What one run of `parley config` is to do, checked as far as that goes without the database.
private struct ConfigOrder: Sendable {
    private enum Act: Sendable {
        /// Nil unsets.
        case change(String, JSONValue?)
        case get(SettingKey?)
        case list
        case replace(SettingsFile)
    }

    private let act: Act
    private let tenant: String?
    private let page: PagePattern?
    private let domain: String?

    init(_ arguments: Arguments) throws(ToolError) {
        tenant = arguments["tenant"]
        page = try arguments["page"].map { text throws(ToolError) in
            guard let pattern = PagePattern(text) else {
                throw ToolError("\"\(text)\" names no page and is no pattern.")
            }
            return pattern
        }
        domain = try arguments["domain"].map { text throws(ToolError) in
            guard let host = HostName.checked(text) else {
                throw ToolError("--domain takes a host name such as blog.example.com, not \"\(text)\".")
            }
            return host
        }
        act = try Self.act(arguments.words)
        switch act {
        case .list, .replace:
            guard page == nil, domain == nil else {
                throw ToolError("list and import are about all rules of a tenant.")
            }
        case .get:
            guard page?.isExact ?? true else { throw ToolError("get takes the id of one page, without *.") }
        case .change(_, let value):
            if let value, value.isNull, domain == nil, page?.isAny ?? true {
                throw ToolError("Nothing is wider than all pages, so null takes nothing back there. Say unset.")
            }
        }
    }

    private static func act(_ words: [String]) throws(ToolError) -> Act {
        switch (words.first, words.count) {
        case ("set", 3):
            let key = try key(words[1])
            do {
                return .change(key.name, try key.checked(value(words[2], for: key)))
            } catch {
                throw ToolError("\(error.sentence) \(words[2].isEmpty ? "It is empty." : "It is: \(words[2])")")
            }
        case ("unset", 2): return .change(try key(words[1]).name, nil)
        case ("get", 1): return .get(nil)
        case ("get", 2): return .get(try key(words[1]))
        case ("list", 1): return .list
        case ("import", 2): return .replace(try file(words[1]))
        default:
            throw ToolError("Say set KEY VALUE, unset KEY, get [KEY], list, import FILE or keys. See --help.")
        }
    }

    private static func key(_ name: String) throws(ToolError) -> SettingKey {
        do {
            return try SettingKey.named(name)
        } catch {
            throw ToolError("\(error.sentence) All keys: parley config keys")
        }
    }

    /// JSON, or a text as it is where the key takes a text.
    private static func value(_ text: String, for key: SettingKey) -> JSONValue {
        guard let value = try? JSONValue.parse(text) else { return .string(text) }
        if value.isNull || value.string != nil { return value }
        return key.kind.isPlainText ? .string(text) : value
    }

    private static func file(_ path: String) throws(ToolError) -> SettingsFile {
        guard let bytes = try Files.read(path == "-" ? "/dev/stdin" : path) else {
            throw ToolError("There is no file \(path).")
        }
        do {
            return try SettingsFile(bytes)
        } catch {
            throw ToolError("\(path): \(error.reason)")
        }
    }

    // MARK: In the database

    func run(in session: inout Session) throws(APIError) -> String {
        let tenant = try TenantChoice.one(tenant, in: &session)
        switch act {
        case .change(let name, let value):
            let count = try SettingSQL.change(
                [(name, value)], tenant: tenant.id, domain: domain, page: page, in: &session)
            guard value != nil else { return count > 0 ? "\(name) is not set any more." : "\(name) was not set there." }
            return "\(name) is \(Self.text(value ?? .null))."
        case .get(let key): return try answer(about: key, tenant)
        case .list: return Self.text(SettingsFile(tenant.rules))
        case .replace(let file):
            let former = SettingsFile(tenant.rules)
            try SettingSQL.replace(file, tenant: tenant.id, in: &session)
            return "Tenant \(tenant.id) has \(Self.count(file)) now, in place of \(Self.count(former))."
        }
    }

    private static func count(_ file: SettingsFile) -> String {
        let count = file.rules.count + (file.common.members.isEmpty ? 0 : 1)
        return count == 1 ? "1 rule" : "\(count) rules"
    }

    private func answer(about key: SettingKey?, _ tenant: Tenant) throws(APIError) -> String {
        let isEverywhere = page == nil && domain == nil
        let place = page?.text ?? domain.map { "https://\($0)/" } ?? ""
        let values = isEverywhere ? tenant.settings : tenant.rules.settings(page: place, site: domain)
        guard let key else { return Self.text(JSONValue.object(values.values)) }
        guard let value = values.values[key.name] else {
            throw APIError(404, "not-found", "\(key.name) is not set\(isEverywhere ? "" : " there").")
        }
        return Self.text(value)
    }

    private static func text(_ value: some JSONWritable) -> String {
        String(decoding: value.jsonBytes(), as: UTF8.self)
    }
}
