import Bytes
import Crypto
import Domain
import JSON
import Storage

enum SSOTokenCommand: Command {
    static let name = "sso-token"
    static let summary = "prints a valid secure sign-on token"
    static let help = """
        Usage: parley sso-token TENANT --id ID --email EMAIL --username NAME [--admin] [--moderator] [--encoded]
                                [--data FOLDER]

        Prints the value of the query parameter `sso` for somebody, signed with the tenant's newest key and valid for
        two days. --encoded percent-encodes it, ready for a URL.

        Example:
          SSO=$(parley sso-token demo --id reader-1 --email reader-1@example.com --username "Reader One" --encoded)
          curl "http://127.0.0.1:8080/comments/demo?urlId=hello&sso=$SSO"
        """

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(
            words, valued: ["id", "email", "username", "data"], plain: ["admin", "moderator", "encoded"])
        guard let tenant = arguments.words.first, arguments.words.count == 1, let id = arguments["id"],
            let email = arguments["email"], let username = arguments["username"]
        else { throw ToolError("TENANT, --id, --email and --username are needed. Add --help for an example.") }
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        let known = try Setup.withStore(configuration) { (store) throws(ToolError) -> [Configuration.TenantKey] in
            try Setup.tenants(store)
        }
        guard let key = known.first(where: { $0.id == tenant })?.key else {
            throw ToolError("There is no tenant \(tenant) in \(configuration.data). See: parley tenant list")
        }
        var user = JSONObject()
        user.append("id", .string(id))
        user.append("email", .string(email))
        user.append("username", .string(username))
        if arguments.has("admin") { user.append("isAdmin", .bool(true)) }
        if arguments.has("moderator") { user.append("isModerator", .bool(true)) }
        let token = token(JSONValue.object(user), key: key, at: Clock.wallMilliseconds)
        Console.print(arguments.has("encoded") ? PercentEncoding.encodeComponent(token) : token)
        return 0
    }

    private static func token(_ user: JSONValue, key: String, at now: Int64) -> String {
        let data = Base64.encode(user.jsonBytes())
        let hash = Hex.encode(HMAC.sha256(Array("\(now)\(data)".utf8), key: Array(key.utf8)))
        var json = JSONWriter()
        json.object { json in
            json.member("userDataJSONBase64", data)
            json.member("verificationHash", hash)
            json.member("timestamp", now)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
