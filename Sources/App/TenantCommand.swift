import API
import Crypto
import Domain
import Storage

enum TenantCommand: Command {
    static let name = "tenant"
    static let summary = "creates and lists tenants, and changes their keys"
    static let help = """
        Usage: parley tenant create ID [--key KEY] [--name NAME] [--owner EMAIL] [--data FOLDER]
               parley tenant list [--data FOLDER]
               parley tenant rotate-key ID [--overlap HOURS] [--data FOLDER]

        create      makes a tenant and prints its API key
        list        prints ids and names
        rotate-key  makes a new key and prints it; the old ones work for the overlap (24 hours, 0 ends them now)

        All of them work while the server runs.

        Example:
          parley tenant create blog
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(words, valued: ["key", "name", "owner", "overlap", "data"], plain: [])
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let makesIt = arguments.words.first == "create"
        return try Setup.withStore(configuration, makesIt: makesIt) { (store) throws(ToolError) -> Int32 in
            switch (arguments.words.first, arguments.words.count) {
            case ("create", 2): try create(arguments.words[1], arguments, store)
            case ("list", 1): try list(store)
            case ("rotate-key", 2): try rotate(arguments.words[1], arguments, store)
            default: throw ToolError("Say create ID, list, or rotate-key ID. Add --help for an example.")
            }
            return 0
        }
    }

    private static func create(_ id: String, _ arguments: Arguments, _ store: Store) throws(ToolError) {
        guard Identifier.isTenantID(id) else {
            throw ToolError("A tenant id has 1 to 64 letters, digits, - and _, not \"\(id)\".")
        }
        let key = arguments["key"] ?? Identifier.apiKey()
        let name = arguments["name"] ?? id
        let owner = arguments["owner"]
        try Setup.perform(store) { (session) throws(APIError) in
            guard try TenantSQL.find(id, in: &session) == nil else {
                throw APIError(422, "conflict", "There is a tenant \(id) already.")
            }
            try TenantSQL.insert(id: id, name: name, ownerEmail: owner, domains: [], in: &session)
            try TenantSQL.addKey(key, to: id, in: &session)
        }
        Console.print("Tenant   \(id)\nAPI key  \(key)")
    }

    private static func list(_ store: Store) throws(ToolError) {
        let tenants = try Setup.perform(store) { (session) throws(APIError) -> [[String]] in
            try TenantSQL.all(in: &session).map { [$0.id, $0.name] }
        }
        for tenant in tenants { Console.print(tenant.joined(separator: "  ")) }
    }

    private static func rotate(_ id: String, _ arguments: Arguments, _ store: Store) throws(ToolError) {
        guard let hours = Int64(arguments["overlap"] ?? "24"), (0...8760).contains(hours) else {
            throw ToolError("--overlap must be 0 to 8760 hours.")
        }
        let key = Identifier.apiKey()
        try Setup.perform(store) { (session) throws(APIError) in
            guard try TenantSQL.find(id, in: &session) != nil else {
                throw APIError(404, "not-found", "There is no tenant \(id).")
            }
            try TenantSQL.addKey(key, to: id, in: &session)
            try TenantSQL.expireKeys(of: id, except: key, at: session.now + hours * 3_600_000, in: &session)
        }
        Console.print("API key  \(key)\nThe old keys work for \(hours) more hours.")
    }
}
