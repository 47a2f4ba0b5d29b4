import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// Those who run a tenant: `parley user`, signing in, sessions (contract: admin 1.2).
@Suite struct AccountTests {
    private static let password = "correct horse battery"

    let folder: Folder
    let server: ParleyProcess
    let tenant: ParleyProcess.Tenant

    init() throws {
        folder = try Folder()
        server = try ParleyProcess(
            .data(folder.path + "/data"), environment: ["PARLEY_LOOPS": "2", "PARLEY_TENANTS": "site:KEY,other:KEY2"])
        tenant = try #require(server.tenants.first { $0.id == "site" })
    }

    @discardableResult
    private func user(_ words: String...) throws -> Command {
        try Command(ParleyProcess.binary(), ["user"] + words + ["--data", folder.path + "/data"], in: folder)
    }

    private func makeUser(_ email: String, role: String = "owner", password: String? = nil) throws {
        #expect(try user("create", email, "--tenant", "site", "--role", role).status == 0)
        guard let password else { return }
        let file = try folder.write("password", password + "\n")
        #expect(try user("reset-password", email, "--password-file", file).status == 0)
    }

    private func post(
        _ path: String, _ fields: QueryItems, headers: [(String, String)] = []
    ) throws -> Answer {
        let type = ("content-type", "application/x-www-form-urlencoded")
        return try server.client().send(
            "POST", path, headers: [type] + headers, body: Array(fields.text.dropFirst().utf8))
    }

    private func login(_ email: String, _ password: String, headers: [(String, String)] = []) throws -> Answer {
        try post(
            "/auth/login", ["username": email, "password": password, "mechanism": "password"], headers: headers)
    }

    /// `name=value` of the session.
    private func cookie(_ answer: Answer) throws -> String {
        String(try #require(answer.header("set-cookie"), "\(answer.status): \(answer.text)").prefix { $0 != ";" })
    }

    /// Asks as somebody with a cookie.
    private func ask(
        _ method: String, _ path: String, _ cookie: String?, _ query: QueryItems = [:],
        headers: [(String, String)] = []
    ) throws -> Answer {
        let cookies = cookie.map { [("cookie", $0)] } ?? []
        return try server.client().request(method, path, query, headers: cookies + headers)
    }

    private func hide(_ id: String, _ cookie: String?, headers: [(String, String)] = []) throws -> Answer {
        try ask(
            "POST", "/auth/my-account/moderate-comments/set-comment-approval-status/\(id)", cookie,
            ["tenantId": "site", "approved": "false"], headers: headers)
    }

    // MARK: Links

    @Test func aLinkSignsInOnceAndOnlyByItsButton() throws {
        try makeUser("ann@example.com")
        let link = try user("login-link", "Ann@example.com", "--url", "https://comments.example").output
        let token = try #require(link.split(separator: "token=").last).trimmingCharacters(in: .newlines)
        #expect(link.hasPrefix("https://comments.example/auth/login-link?token="))
        for _ in 0..<2 {
            let page = try ask("GET", "/auth/login-link", nil, ["token": token])
            #expect(page.status == 200)
            #expect(page.header("set-cookie") == nil)
            #expect(page.text.contains("<button>"))
        }
        let session = try cookie(try post("/auth/login-link", ["token": token]))
        #expect(try ask("GET", "/auth/my-account", session).text.contains("ann@example.com"))
        let again = try post("/auth/login-link", ["token": token])
        #expect(again.status == 401)
        #expect(again.header("set-cookie") == nil)
        #expect(try post("/auth/login-link", ["token": "guess"]).status == 401)
    }

    @Test func aLinkThatIsUsedUpIsAPageForABrowser() throws {
        try makeUser("ann@example.com")
        let link = try user("login-link", "ann@example.com").output
        let token = try #require(link.split(separator: "token=").last).trimmingCharacters(in: .newlines)
        let text = ("accept", "text/html,*/*;q=0.8")
        #expect(try post("/auth/login-link", ["token": token], headers: [text]).status == 303)
        for answer in [
            try post("/auth/login-link", ["token": token], headers: [text]),
            try post("/auth/login-link", ["token": "guess"], headers: [text]),
            try ask("GET", "/auth/login-link", nil, ["token": token]), try ask("GET", "/auth/login-link", nil),
        ] {
            #expect(answer.status == 401)
            #expect(answer.header("content-type") == "text/html; charset=utf-8")
            #expect(answer.header("set-cookie") == nil)
            #expect(answer.text.contains("too old") && answer.text.contains("parley user login-link"))
            #expect(!answer.text.contains("<button>"))
        }
        #expect(try post("/auth/login-link", ["token": token]).code == "login-request-failure")
    }

    // MARK: Passwords

    @Test func aPasswordOpensASessionThatModerates() throws {
        try makeUser("ann@example.com", role: "moderator", password: Self.password)
        let id = try server.reader(.bob, of: tenant, at: "page").posted("Hello")
        let answer = try login("ANN@example.com", Self.password)
        #expect(answer.status == 200)
        #expect(answer.header("set-cookie")?.contains("HttpOnly; SameSite=Lax") == true)
        let session = try cookie(answer)
        #expect(!(try ask("GET", "/auth/my-account", session)).text.contains("name=\"password\""))
        #expect(try ask("GET", "/auth/my-account", nil).text.contains("name=\"password\""))
        #expect(try hide(id, nil).code == "not-logged-in")
        for origin in ["https://evil.example", "http://127.0.0.1:1", "null"] {
            #expect(try hide(id, session, headers: [("origin", origin)]).status == 403, "\(origin)")
            let queue = "/auth/my-account/moderate-comments/count"
            let read = try ask("GET", queue, session, ["tenantId": "site"], headers: [("origin", origin)])
            #expect(read.status == 403, "\(origin)")
        }
        #expect(try server.reader(.bob, of: tenant, at: "page").comments()["comments", 0, "approved"] == true)
        #expect(try hide(id, session).isSuccess)
        #expect(try server.reader(.bob, of: tenant, at: "page").comments()["comments", 0, "approved"] == false)
        let other = try ask(
            "POST", "/auth/my-account/moderate-comments/set-comment-approval-status/\(id)", session,
            ["tenantId": "other", "approved": "true"])
        #expect(other.status == 403)
        #expect(try ask("GET", "/auth/logout", session).isSuccess)
        #expect(try hide(id, session).code == "not-logged-in")
    }

    @Test func aWrongPasswordAndAnUnknownAddressLookAlike() throws {
        try makeUser("ann@example.com", password: Self.password)
        try makeUser("new@example.com")
        for (email, password) in [
            ("ann@example.com", "wrong password"), ("nobody@example.com", Self.password), ("new@example.com", ""),
            ("new@example.com", Self.password),
        ] where !password.isEmpty {
            let answer = try login(email, password)
            #expect(answer.status == 401)
            #expect(answer.code == "login-request-failure")
            #expect(answer.header("set-cookie") == nil)
        }
        let page = try login("ann@example.com", "wrong password", headers: [("accept", "text/html")])
        #expect(page.status == 401)
        #expect(page.text.contains("login-request-failure"))
        #expect(page.text.contains("value=\"ann@example.com\""))
        #expect(try login("", "x").code == "invalid-input")
        #expect(try login("ann@example.com", String(repeating: "x", count: 1001)).code == "invalid-input")
        let foreign = try login("ann@example.com", Self.password, headers: [("origin", "https://evil.example")])
        #expect(foreign.status == 403)
        let browser = try login("ann@example.com", Self.password, headers: [("accept", "text/html,*/*")])
        #expect(browser.status == 303)
        #expect(browser.header("location") == "/moderate")
    }

    @Test func aLinkLeadsToTheServerThatRuns() throws {
        try makeUser("ann@example.com")
        #expect(try user("login-link", "ann@example.com").output.hasPrefix("\(server.url)/auth/login-link?token="))
        let other = try user("login-link", "ann@example.com", "--url", "https://comments.example/").output
        #expect(other.hasPrefix("https://comments.example/auth/login-link?token="))
    }

    @Test func anotherPasswordEndsEverySessionAndLink() throws {
        try makeUser("ann@example.com", password: Self.password)
        let session = try cookie(try login("ann@example.com", Self.password))
        let link = try user("login-link", "ann@example.com").output
        let printed = try user("reset-password", "ann@example.com").output
        let password = try #require(printed.split(separator: " ").last).trimmingCharacters(in: .newlines)
        #expect(try ask("GET", "/auth/my-account", session).text.contains("name=\"password\""))
        let token = try #require(link.split(separator: "token=").last).trimmingCharacters(in: .newlines)
        #expect(try post("/auth/login-link", ["token": token]).status == 401)
        #expect(try login("ann@example.com", Self.password).status == 401)
        #expect(try login("ann@example.com", password).status == 200)
    }

    @Test func guessingIsSlowedDown() throws {
        try makeUser("ann@example.com", password: Self.password)
        for _ in 0..<9 { #expect(try login("ann@example.com", "wrong password").status == 401) }
        #expect(try login("ann@example.com", Self.password).status == 200, "who knows it is not counted")
        for _ in 0..<10 { #expect(try login("ann@example.com", "wrong password").status == 401) }
        let refused = try login("ann@example.com", Self.password)
        #expect(refused.status == 429)
        #expect(refused.code == "rate-limited")
        #expect(refused.header("retry-after").flatMap { Int($0) } ?? 0 > 0)
        #expect(try login("other@example.com", Self.password).status == 401, "others are not concerned")
    }

    @Test func guessesFromManyAddressesDoNotLockTheOwnerOut() throws {
        try makeUser("ann@example.com", password: Self.password)
        let behind = try ParleyProcess(
            .data(folder.path + "/behind"),
            environment: ["PARLEY_TENANTS": "site:KEY", "PARLEY_TRUSTED_PROXIES": "127.0.0.1"])
        let words = { (words: [String]) in
            try Command(
                ParleyProcess.binary(), ["user"] + words + ["--data", folder.path + "/behind"], in: folder)
        }
        #expect(try words(["create", "bea@example.com", "--tenant", "site"]).status == 0)
        let file = try folder.write("bea", Self.password + "\n")
        #expect(try words(["reset-password", "bea@example.com", "--password-file", file]).status == 0)
        let attempt = { (password: String, address: String) in
            let fields: QueryItems = ["username": "bea@example.com", "password": password, "mechanism": "password"]
            return try behind.client().send(
                "POST", "/auth/login",
                headers: [("content-type", "application/x-www-form-urlencoded"), ("x-forwarded-for", address)],
                body: Array(fields.text.dropFirst().utf8))
        }
        #expect(try attempt(Self.password, "198.51.100.1").status == 200)
        for host in 1...10 {
            for _ in 1...10 { #expect(try attempt("wrong password", "203.0.113.\(host)").status == 401) }
        }
        _ = try attempt("wrong password", "203.0.113.11")
        #expect(try attempt("wrong password", "203.0.113.12").status == 429)
        #expect(try attempt(Self.password, "198.51.100.1").status == 200, "the owner's own address")
    }

    @Test func signInsAreInTheAuditLogWithoutAddresses() throws {
        try makeUser("ann@example.com", password: Self.password)
        #expect(try login("ann@example.com", "wrong password").status == 401)
        #expect(try login("nobody@example.com", "wrong password").status == 401)
        #expect(try login("ann@example.com", Self.password).status == 200)
        let link = try user("login-link", "ann@example.com").output
        let token = try #require(link.split(separator: "token=").last).trimmingCharacters(in: .newlines)
        #expect(try post("/auth/login-link", ["token": token]).status == 200)
        let log = try server.client().request(
            "GET", "/api/v1/audit-logs", ["tenantId": "site"], headers: [("x-api-key", "KEY")])
        let entries = log["auditLogs"]?.array ?? []
        #expect(entries.map { $0["crudType"]?.string } == ["login", "login", "login"])
        #expect(entries.first?["description"] == "ann was refused: wrong password.")
        #expect(!log.text.contains("example.com") && !log.text.contains("127.0.0.1") && !log.text.contains(token))
    }

    @Test func anotherSitesPageSignsNobodyOut() throws {
        try makeUser("ann@example.com", password: Self.password)
        let session = try cookie(try login("ann@example.com", Self.password))
        for header in [
            ("origin", "https://evil.example"), ("referer", "https://evil.example/"), ("sec-fetch-site", "cross-site"),
        ] {
            for method in ["GET", "PUT"] {
                let answer = try ask(method, "/auth/logout", session, headers: [header])
                #expect(answer.isSuccess && answer.header("set-cookie") == nil)
            }
            let page = try ask("GET", "/auth/logout", session, headers: [header, ("accept", "text/html")])
            #expect(page.status == 303 && page.header("set-cookie") == nil)
        }
        #expect(try ask("GET", "/auth/my-account", session).text.contains("ann@example.com"))
        let own = try ask("GET", "/auth/logout", session, headers: [("sec-fetch-site", "same-origin")])
        #expect(own.isSuccess && own.header("set-cookie") != nil)
        #expect(!(try ask("GET", "/auth/my-account", session).text.contains("ann@example.com")))
    }

    @Test(arguments: [("moderator", false), ("administrator", true), ("owner", true)])
    func theRoleOfAnAccountHoldsForWhatABackendAsksInItsName(_ role: String, _ isAdmin: Bool) throws {
        try makeUser("ann@example.com", role: role)
        let id = try server.reader(.bob, of: tenant, at: "page").posted("Hello")
        let connection = try Connection(path: folder.path + "/data/parley.db", access: .readOnly)
        let statement = try connection.prepare("SELECT id FROM account")
        #expect(try statement.step())
        let account = statement.text(0)
        let call = { (method: String, path: String, query: QueryItems, body: JSONValue?) in
            try server.client().request(
                method, "/api/v1/" + path, ["tenantId": "site"] + query, headers: [("x-api-key", "KEY")], body: body)
        }
        let patch = try call("PATCH", "comments/\(id)", ["contextUserId": account], ["comment": "Changed"])
        #expect(patch.isSuccess, "\(patch.text)")
        let body: JSONValue = [
            "comment": "Mine", "commenterName": "Ann", "urlId": "page", "url": "https://example.com", "locale": "en_us",
            "userId": .string(account), "approved": true,
        ]
        let saved = try call("POST", "comments", [:], body)
        #expect(saved.isSuccess, "\(saved.text)")
        #expect(saved["comment", "isByAdmin"]?.bool == isAdmin)
        #expect(isAdmin || saved["comment", "isByModerator"] == true)
    }

    @Test func noSecretIsInTheDatabase() throws {
        try makeUser("ann@example.com", password: Self.password)
        let session = try cookie(try login("ann@example.com", Self.password))
        let link = try user("login-link", "ann@example.com").output
        let token = try #require(link.split(separator: "token=").last).trimmingCharacters(in: .newlines)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data") {
            guard let data = FileManager.default.contents(atPath: folder.path + "/data/" + name) else { continue }
            for secret in [Self.password, String(session.dropFirst("parley.sid=".count)), token] {
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
            }
        }
    }

    // MARK: Rights by address

    @Test func aSignedAddressOfAUserHasTheirRights() throws {
        let id = try server.reader(.bob, of: tenant, at: "page").posted("Hello")
        let person = Person("boss", email: "Ann@Example.com")
        let reader = try server.reader(person, of: tenant, at: "page")
        #expect(try reader.comments()["isSiteAdmin"] == false)
        #expect(try reader.mark(id, "lock").status == 401)
        try makeUser("ann@example.com", role: "moderator")
        #expect(try reader.comments()["isSiteAdmin"] == true, "staff, by the word of the contract")
        #expect(try reader.mark(id, "lock").isSuccess)
        #expect(try reader.signedOn(SSO.simple(person)).mark(id, "unlock").status == 401)
        try makeUser("carl@example.com", role: "administrator")
        let carl = try server.reader(Person("carl", email: "carl@example.com"), of: tenant, at: "page")
        #expect(try carl.comments()["isSiteAdmin"] == true)
    }

    // MARK: The command

    @Test func rolesChangeAndUsersGoWhileTheServerRuns() throws {
        try makeUser("ann@example.com", role: "owner")
        #expect(try user("create", "bob@example.com", "--tenant", "site").status == 0)
        #expect(try user("list", "--tenant", "site").output.contains("bob@example.com  moderator  bob\n"))
        let token = try #require(try user("login-link", "bob@example.com").output.split(separator: "token=").last)
            .trimmingCharacters(in: .newlines)
        let session = try cookie(try post("/auth/login-link", ["token": token]))
        let id = try server.reader(.bob, of: tenant, at: "page").posted("Hello")
        #expect(try hide(id, session).isSuccess)
        for words in [["role", "ann@example.com", "moderator"], ["delete", "ann@example.com"]] {
            let run = try Command(
                ParleyProcess.binary(), ["user"] + words + ["--data", folder.path + "/data"], in: folder)
            #expect(run.status == 1)
            #expect(run.errors.contains("last owner"))
        }
        #expect(try user("role", "bob@example.com", "owner").status == 0)
        #expect(try user("delete", "ann@example.com").status == 0)
        #expect(try user("list", "--tenant", "site").output == "bob@example.com  owner  bob\n")
        #expect(try user("role", "bob@example.com", "king").status == 1)
    }

    @Test func aLinkThatTheBackendAskedForIsMadeByTheCommand() throws {
        let client = try server.client()
        let key = [("x-api-key", "KEY")]
        let made = try client.request(
            "POST", "/api/v1/moderators", ["tenantId": "site"], headers: key,
            body: ["name": "Mod", "email": "mod@example.com"])
        let id = try #require(made["moderator", "_id"]?.string, "\(made.text)")
        let invited = try client.request(
            "POST", "/api/v1/moderators/\(id)/send-invite", ["tenantId": "site", "fromName": "Ann"], headers: key)
        #expect(invited.isSuccess)
        #expect(try user("list", "--tenant", "site").output.contains("waits for the link that Ann invites with"))
        let token = try #require(try user("login-link", "mod@example.com").output.split(separator: "token=").last)
            .trimmingCharacters(in: .newlines)
        #expect(try !user("list", "--tenant", "site").output.contains("waits"))
        let session = try cookie(try post("/auth/login-link", ["token": token]))
        let comment = try server.reader(.bob, of: tenant, at: "page").posted("Hello")
        #expect(try hide(comment, session).isSuccess)
        #expect(
            try client.request("DELETE", "/api/v1/moderators/\(id)", ["tenantId": "site"], headers: key).isSuccess)
        #expect(try hide(comment, session).code == "not-logged-in")
        let account = try client.request("GET", "/api/v1/tenant-users", ["tenantId": "site"], headers: key)
        let user = try #require(account["tenantUsers", 0, "_id"]?.string)
        let asked = try client.request(
            "POST", "/api/v1/tenant-users/\(user)/send-login-link",
            ["tenantId": "site", "redirectURL": "https://example.com/in"], headers: key)
        #expect(asked.isSuccess)
        let link = try #require(try self.user("login-link", "mod@example.com").output.split(separator: "token=").last)
            .trimmingCharacters(in: .newlines)
        let signedIn = try post("/auth/login-link", ["token": link], headers: [("accept", "text/html")])
        #expect(signedIn.header("location") == "https://example.com/in")
    }

    @Test func theCommandSaysWhatIsWrong() throws {
        try makeUser("ann@example.com")
        for words in [
            ["create", "ann@example.com", "--tenant", "site"], ["create", "no address", "--tenant", "site"],
            ["create", "b@example.com", "--tenant", "unknown"], ["create", "b@example.com"],
            ["create", "b@example.com", "--tenant", "site", "--role", "king"], ["login-link", "nobody@example.com"],
            ["reset-password", "nobody@example.com"], ["list"], ["dance"],
        ] {
            let run = try Command(
                ParleyProcess.binary(), ["user"] + words + ["--data", folder.path + "/data"], in: folder)
            #expect(run.status == 1, "\(words)")
            #expect(run.errors.hasPrefix("parley user: "), "\(words): \(run.errors)")
        }
        let short = try folder.write("short", "123456789\n")
        #expect(try user("reset-password", "ann@example.com", "--password-file", short).status == 1)
        #expect(try user("list", "--tenant", "site").output == "ann@example.com  owner  ann\n")
    }
}
