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
               parley user role EMAIL ROLE [--data FOLDER]
               parley user delete EMAIL [--data FOLDER]
               parley user login-link EMAIL [--url ADDRESS] [--data FOLDER]
               parley user reset-password EMAIL [--password-file FILE] [--data FOLDER]
               parley user list --tenant ID [--data FOLDER]

        create          makes a user; ROLE is owner (all), administrator or moderator (comments). Moderator if not told:
                        who gets more shall get it on purpose
        role            gives another role, at once; the last owner of a tenant stays one
        delete          removes a user, their sessions and links; comments stay; the last owner cannot go
        login-link      prints a link that signs in once, within thirty days. Links that the API was asked to send are
                        made here too, until there is mail. It leads to ADDRESS, or to where the server was
                        reached last
        reset-password  sets the first line of FILE as password, or makes one and prints it; signs the user out everywhere
        list            prints addresses, roles and names, and who waits for a link

        Users sign in at /moderate to moderate, and at /auth/my-account to see their account. All of this works while the
        server runs. A password has \
        \(PasswordRule.length.lowerBound) to \(PasswordRule.length.upperBound) characters.

        Example:
          parley user create ann@example.com --tenant blog --role owner && parley user login-link ann@example.com
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
            case ("role", 3): try setRole(arguments.words[2], of: arguments.words[1], store)
            case ("delete", 2): try delete(arguments.words[1], store)
            case ("login-link", 2): try link(arguments.words[1], try base(arguments, configuration, store), store)
            case ("reset-password", 2): try reset(arguments.words[1], arguments, store)
            case ("list", 1): try list(arguments, store)
            default:
                throw ToolError(
                    "Say create, role, delete, login-link, reset-password or list, and whom it is about. Try --help.")
            }
            return 0
        }
    }

    /// What was said, else where the server that serves this folder was reached last.
    private static func base(
        _ arguments: Arguments, _ configuration: Configuration, _ store: Store
    ) throws(ToolError) -> String {
        var said = arguments["url"] ?? configuration.publicURL
        if said == nil, configuration.port == Configuration().port { said = try Setup.address(store) }
        var base = said ?? "http://\(configuration.host):\(configuration.port)"
        while base.hasSuffix("/") { base.removeLast() }
        return base
    }

    private static func create(_ email: String, _ arguments: Arguments, _ store: Store) throws(ToolError) {
        guard EmailAddress.isValid(email) else { throw ToolError("\"\(email)\" is no e-mail address.") }
        guard let tenant = arguments["tenant"] else { throw ToolError("Say for which tenant: --tenant ID.") }
        let role = arguments["role"] ?? "moderator"
        let roles = try roles(of: role)
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

    private static func roles(of word: String) throws(ToolError) -> AccountRoles {
        guard let roles = roles[word] else {
            throw ToolError("There is no role \"\(word)\": say owner, administrator or moderator.")
        }
        return roles
    }

    private static func setRole(_ role: String, of email: String, _ store: Store) throws(ToolError) {
        let roles = try roles(of: role)
        try Setup.perform(store) { (session) throws(APIError) in
            try AccountSQL.setRoles(roles, of: require(email, in: &session), in: &session)
        }
        Console.print("\(email.lowercased()) is \(role) now.")
    }

    private static func delete(_ email: String, _ store: Store) throws(ToolError) {
        try Setup.perform(store) { (session) throws(APIError) in
            let account = try require(email, in: &session)
            try AccountSQL.requireAnotherOwner(than: account, in: &session)
            try AccountSQL.delete(account, in: &session)
        }
        Console.print("Deleted \(email.lowercased()).")
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
        let (accounts, letters) = try Setup.perform(store) { (session) throws(APIError) -> ([Account], [LoginLetter]) in
            (try AccountSQL.all(of: tenant, in: &session), try LoginLetter.waiting(of: tenant, in: &session))
        }
        for account in accounts {
            let names = roles.filter { account.roles.contains($0.value) }.keys.sorted().joined(separator: ",")
            let letter = letters.first { $0.email == account.email }
            let waiting = letter.map {
                $0.fromName.map { "  waits for the link that \($0) invites with" } ?? "  waits for a link"
            }
            Console.print("\(account.email)  \(names.isEmpty ? "-" : names)  \(account.name)\(waiting ?? "")")
        }
    }

    private static func require(_ email: String, in session: inout Session) throws(APIError) -> Account {
        guard let account = try AccountSQL.find(email: email, in: &session) else {
            throw APIError(404, "not-found", "\(email) has no account. Make one with parley user create.")
        }
        return account
    }
}
