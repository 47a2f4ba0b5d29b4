import API
import Domain
import JSON
import Storage

enum KeyCommand: Command {
    static let name = "key"
    static let summary = "makes, lists and ends keys for the server-to-server API"
    static let help = """
        Usage: parley key create TENANT --api-only [--data FOLDER]
               parley key list TENANT [--data FOLDER]
               parley key rotate TENANT KEYID [--overlap HOURS] [--data FOLDER]
               parley key revoke TENANT KEYID [--data FOLDER]

        create  makes a key and prints it, this once: the server keeps a hash. It opens /api/v1 and signs nothing, which
                --api-only acknowledges. The key that signs single sign-on is that of parley tenant
        list    prints ids, first characters, and when each was made, last used and ends
        rotate  makes a new key in place of another, which works for the overlap (24 hours, 0 ends it now)
        revoke  ends a key now

        A tenant may have several keys. All of this works while the server runs.

        Example:
          parley key create blog --api-only
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["overlap", "data"], plain: ["api-only"])
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        return try Setup.withStore(configuration) { (store) throws(ToolError) -> Int32 in
            let words = arguments.words
            switch (words.first, words.count) {
            case ("create", 2): try create(words[1], arguments, store)
            case ("list", 2): try list(words[1], store)
            case ("rotate", 3): try rotate(words[2], of: words[1], arguments, store)
            case ("revoke", 3): try revoke(words[2], of: words[1], store)
            default: throw ToolError("Say create TENANT, list TENANT, rotate TENANT KEYID or revoke TENANT KEYID.")
            }
            return 0
        }
    }

    private static func create(_ tenant: String, _ arguments: Arguments, _ store: Store) throws(ToolError) {
        guard arguments.has("api-only") else {
            throw ToolError("Add --api-only: the key opens the API and signs no single sign-on.")
        }
        let made = try Setup.perform(store) { (session) throws(APIError) -> (id: String, key: String) in
            try require(tenant, in: &session)
            return try APITokenSQL.make(for: tenant, in: &session)
        }
        Console.print("Key id   \(made.id)\nAPI key  \(made.key)")
    }

    private static func list(_ tenant: String, _ store: Store) throws(ToolError) {
        let keys = try Setup.perform(store) { (session) throws(APIError) -> [APIToken] in
            try require(tenant, in: &session)
            return try APITokenSQL.all(of: tenant, in: &session)
        }
        for key in keys {
            let used = key.lastUsedDay.map { day($0 * 86_400_000) } ?? "never"
            let end = key.expiresAt.map { ISODate.format(milliseconds: $0) } ?? "never"
            Console.print(
                "\(key.id)  \(key.firstCharacters)…  made \(day(key.createdAt))  used \(used)  ends \(end)")
        }
    }

    private static func day(_ milliseconds: Int64) -> String {
        String(ISODate.format(milliseconds: milliseconds).prefix(10))
    }

    private static func rotate(
        _ id: String, of tenant: String, _ arguments: Arguments, _ store: Store
    ) throws(ToolError) {
        guard let hours = Int64(arguments["overlap"] ?? "24"), (0...8760).contains(hours) else {
            throw ToolError("--overlap must be 0 to 8760 hours.")
        }
        let made = try Setup.perform(store) { (session) throws(APIError) -> (id: String, key: String) in
            try end(id, of: tenant, at: session.now + hours * 3_600_000, in: &session)
            return try APITokenSQL.make(for: tenant, in: &session)
        }
        let rest = hours == 0 ? "has ended" : "works for \(hours) more hour\(hours == 1 ? "" : "s")"
        Console.print("Key id   \(made.id)\nAPI key  \(made.key)\nThe old key \(rest).")
    }

    private static func revoke(_ id: String, of tenant: String, _ store: Store) throws(ToolError) {
        try Setup.perform(store) { (session) throws(APIError) in
            try end(id, of: tenant, at: session.now, in: &session)
        }
        Console.print("The key is revoked.")
    }

    private static func end(
        _ id: String, of tenant: String, at moment: Int64, in session: inout Session
    ) throws(APIError) {
        try require(tenant, in: &session)
        guard try APITokenSQL.end(id, of: tenant, at: moment, in: &session) else {
            throw APIError(404, "not-found", "\(tenant) has no valid key with this id. See parley key list \(tenant).")
        }
    }

    private static func require(_ tenant: String, in session: inout Session) throws(APIError) {
        guard try TenantSQL.find(tenant, in: &session) != nil else {
            throw APIError(404, "not-found", "There is no tenant \(tenant).")
        }
    }
}
