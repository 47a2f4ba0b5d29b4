import API
import Bytes
import Crypto
import Domain
import Storage

enum UserCommand: Command {
    static let name = "user"
    static let summary = "manages those who run a tenant: passwords, links to sign in"
    static let help = """
        Usage: parley user create EMAIL --tenant ID [--name NAME] [--role ROLE] [--data FOLDER]
               parley user login-link EMAIL [--url ADDRESS] [--data FOLDER]
               parley user reset-password EMAIL [--password-file FILE] [--data FOLDER]
               parley user list --tenant ID [--data FOLDER]

        create          makes a user; ROLE is owner (all), administrator or moderator (comments), owner if not told
        login-link      prints a link that signs in once, within thirty days
        reset-password  sets the first line of FILE as password, or makes one and prints it; signs the user out everywhere
        list            prints addresses, roles and names

        Users sign in at /auth/my-account. All of this works while the server runs. A password has \
        \(PasswordRule.length.lowerBound) to \(PasswordRule.length.upperBound) characters.

        Example:
          parley user create ann@example.com --tenant blog && parley user login-link ann@example.com
        """

    private static let roles: [String: AccountRoles] = [
        "owner": .owner, "administrator": .administrator, "moderator": .moderation,
    ]

    static func run(_ words: [String]) throws(ToolError) -> Int32 {
        let arguments = try Arguments(
            words, valued: ["tenant", "name", "role", "url", "password-file", "data"], plain: [])
        let configuration = try ConfigurationLoader(
            environment: ConfigurationLoader.processEnvironment(), flags: arguments.settings
        ).load()
        return try Setup.withStore(configuration) { (store) throws(ToolError) -> Int32 in
            switch (arguments.words.first, arguments.words.count) {
            case ("create", 2): try create(arguments.words[1], arguments, store)
            case ("login-link", 2): try link(arguments.words[1], arguments["url"] ?? base(configuration), store)
            case ("reset-password", 2): try reset(arguments.words[1], arguments, store)
            case ("list", 1): try list(arguments, store)
            default:
                throw ToolError("Say create EMAIL, login-link EMAIL, reset-password EMAIL or list. Try --help.")
            }
            return 0
        }
    }

    private static func base(_ configuration: Configuration) -> String {
        configuration.publicURL ?? "http://\(configuration.host):\(configuration.port)"
    }

    private static func create(_ email: String, _ arguments: Arguments, _ store: Store) throws(ToolError) {
        guard EmailAddress.isValid(email) else { throw ToolError("\"\(email)\" is no e-mail address.") }
        guard let tenant = arguments["tenant"] else { throw ToolError("Say for which tenant: --tenant ID.") }
        let role = arguments["role"] ?? "owner"
        guard let roles = roles[role] else {
            throw ToolError("There is no role \"\(role)\": say owner, administrator or moderator.")
        }
        let name = CommenterName.cleaned(arguments["name"] ?? String(email.prefix { $0 != "@" }))
        try Setup.perform(store) { (session) throws(APIError) in
            guard try TenantSQL.find(tenant, in: &session) != nil else {
                throw APIError(404, "not-found", "There is no tenant \(tenant).")
            }
            guard try AccountSQL.find(email: email, in: &session) == nil else {
                throw APIError(422, "user-exists", "\(email) has an account already.")
            }
            try AccountSQL.insert(email: email, name: name, roles: roles, tenant: tenant, in: &session)
        }
        Console.print("Created \(email.lowercased()), \(role) of \(tenant).")
        Console.print("Sign in with: parley user login-link \(email.lowercased())")
    }

    private static func link(_ email: String, _ base: String, _ store: Store) throws(ToolError) {
        let token = try Setup.perform(store) { (session) throws(APIError) -> String in
            try AccountSQL.makeLoginLink(of: require(email, in: &session).id, in: &session)
        }
        Console.print("\(base)/auth/login-link?token=\(token)")
    }

    private static func reset(_ email: String, _ arguments: Arguments, _ store: Store) throws(ToolError) {
        let given = try arguments["password-file"].map { (path) throws(ToolError) -> String in
            guard let bytes = try Files.read(path) else { throw ToolError("There is no file \(path).") }
            return String(decoding: bytes.prefix { !ASCII.isControl($0) }, as: UTF8.self)
        }
        let password = given ?? SecureRandom.token(15)
        if let fault = PasswordRule.fault(password) { throw ToolError(fault) }
        let hash = PasswordHash.hash(password)
        try Setup.perform(store) { (session) throws(APIError) in
            try AccountSQL.setPassword(hash: hash, of: require(email, in: &session).id, in: &session)
        }
        Console.print(given == nil ? "Password  \(password)" : "The password is changed.")
    }

    private static func list(_ arguments: Arguments, _ store: Store) throws(ToolError) {
        guard let tenant = arguments["tenant"] else { throw ToolError("Say for which tenant: --tenant ID.") }
        let accounts = try Setup.perform(store) { (session) throws(APIError) -> [Account] in
            try AccountSQL.all(of: tenant, in: &session)
        }
        for account in accounts {
            let names = roles.filter { account.roles.contains($0.value) }.keys.sorted().joined(separator: ",")
            Console.print("\(account.email)  \(names)  \(account.name)")
        }
    }

    private static func require(_ email: String, in session: inout Session) throws(APIError) -> Account {
        guard let account = try AccountSQL.find(email: email, in: &session) else {
            throw APIError(404, "not-found", "\(email) has no account. Make one with parley user create.")
        }
        return account
    }
}
