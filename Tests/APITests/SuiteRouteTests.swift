import Bytes
import Crypto
import JSON
import TestSupport
import Testing

/// The routes for test suites of client libraries (contract: public 23).
@Suite struct SuiteRouteTests {
    private static func address(_ prefix: String = "suite") -> String {
        "\(prefix)-\(Hex.encode(SecureRandom.bytes(6)))@fctest.com"
    }

    private static func signUp(_ form: String, cookie: String? = nil) throws -> Answer {
        let type = ("content-type", "application/x-www-form-urlencoded")
        return try SeededServer.shared().client().send(
            "POST", "/auth/tenant-signup", headers: [type] + (cookie.map { [("cookie", $0)] } ?? []),
            body: Array(form.utf8))
    }

    private static func byEmail(_ method: String, _ email: String, key: String? = ParleyProcess.suiteKey) throws
        -> Answer
    {
        try SeededServer.shared().client().request(
            method, "/test-e2e/api/tenant/by-email/\(email)", ["API_KEY": key])
    }

    private static func cookie(_ answer: Answer) throws -> String {
        String(try #require(answer.header("set-cookie")).prefix { $0 != ";" })
    }

    private static func secretPage(_ cookie: String?) throws -> Answer {
        try SeededServer.shared().client().request(
            "GET", "/auth/my-account/api-secret", headers: cookie.map { [("cookie", $0)] } ?? [])
    }

    @Test(arguments: ["@", "%40"])
    func aSignUpMakesATenantWithAKey(_ at: String) throws {
        let email = Self.address("ios+tag")
        // One suite sends the form as it is, another encodes it.
        let sent = at == "@" ? email : email.replacing("@", with: at).replacing("+", with: "%2B")
        let answer = try Self.signUp(
            "username=ios&email=\(sent)&companyName=ios&domains=ios.example.com&packageId=adv&noTracking=true")
        #expect((200..<400).contains(answer.status))
        let cookie = try #require(answer.header("set-cookie"))
        #expect(cookie.contains("Path=/") && cookie.contains("HttpOnly"))
        let tenant = try #require(try Self.byEmail("GET", sent)["tenant", "_id"]?.string)
        #expect(tenant.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        let page = try Self.secretPage(Self.cookie(answer))
        #expect(page.status == 200 && page.header("content-type")?.hasPrefix("text/html") == true)
        let key = try #require(page.text.firstMatch(of: /value="([A-Z0-9]+)"/)?.1)
        #expect(key.count >= 16)
        let reader = Reader(
            try SeededServer.shared().client(), tenant: tenant, page: "page", sso: SSO.secure(.author, key: String(key))
        )
        #expect(try reader.post("Hello").isSuccess)
    }

    @Test func aTakenAddressIsRefusedAndAFreedOneIsNot() throws {
        let email = Self.address()
        let form = "username=a&email=\(email)&companyName=a&domains=a.example.com"
        let first = try Self.signUp(form)
        let old = try #require(try Self.byEmail("GET", email)["tenant", "_id"]?.string)
        #expect((400..<500).contains(try Self.signUp(form).status))
        #expect((400..<500).contains(try Self.signUp(form.replacing(email, with: email.uppercased())).status))
        #expect(try Self.byEmail("DELETE", email).status == 200)
        #expect([200, 404].contains(try Self.byEmail("DELETE", email).status))
        #expect(try Self.byEmail("GET", email).status == 404)
        #expect(
            try SeededServer.shared().client().request("GET", "/comments/\(old)", ["urlId": "page"]).code
                == "invalid-tenant")
        // The cookie of the tenant that is gone comes along, and counts for nothing.
        let stale = try Self.cookie(first)
        #expect(try Self.secretPage(stale).status == 401)
        let second = try Self.signUp(form, cookie: stale)
        let fresh = try Self.cookie(second)
        #expect(fresh != stale)
        #expect(try Self.secretPage(fresh).status == 200)
        #expect(try Self.secretPage("\(stale); \(fresh)").status == 200)
        #expect(try Self.byEmail("GET", email)["tenant", "_id"]?.string != old)
    }

    @Test(arguments: ["", "username=a", "email=", "email=nonsense", "email=%FF@fctest.com"])
    func aSignUpNeedsAnAddress(_ form: String) throws {
        let answer = try Self.signUp(form)
        #expect(answer.status == 400 && answer.code == "invalid-input")
        #expect(answer.header("set-cookie") == nil)
    }

    @Test func theKeyMustBeRight() throws {
        let email = Self.address()
        _ = try Self.signUp("username=a&email=\(email)&companyName=a&domains=a.example.com")
        for key in [nil, "", "wrong", ParleyProcess.suiteKey + "x"] {
            #expect(try Self.byEmail("GET", email, key: key).status == 401)
            #expect(try Self.byEmail("DELETE", email, key: key).status == 401)
        }
        #expect(try Self.byEmail("GET", email).status == 200)
        #expect(try Self.byEmail("GET", Self.address("nobody")).status == 404)
    }

    @Test func theSecretIsForTheSignedIn() throws {
        for cookie in [nil, "parley.sid=made-up", "other=1"] {
            let answer = try Self.secretPage(cookie)
            #expect(answer.status == 401 && !answer.text.contains("value="))
        }
    }

    @Test func withoutAKeyThereAreNoSuchRoutes() throws {
        let client = try SeededServer.proxied().client()
        for (method, path) in [
            ("POST", "/auth/tenant-signup"), ("GET", "/auth/my-account/api-secret"),
            ("GET", "/test-e2e/api/tenant/by-email/a@fctest.com"),
            ("DELETE", "/test-e2e/api/tenant/by-email/a@fctest.com"),
        ] {
            #expect(try client.request(method, path, ["API_KEY": ""]).status == 404, "\(path)")
        }
    }

    // MARK: The end of a session

    @Test func aLogOutEndsTheSession() throws {
        let signUp = try Self.signUp("username=a&email=\(Self.address())&companyName=a&domains=a.example.com")
        let cookie = try Self.cookie(signUp)
        let logOut = { (cookie: String?) in
            try SeededServer.shared().client().request(
                "PUT", "/auth/logout", headers: cookie.map { [("cookie", $0)] } ?? [])
        }
        #expect(try Self.secretPage(cookie).status == 200)
        let answer = try logOut(cookie)
        #expect(answer.isSuccess && answer.json == ["status": "success"])
        let gone = try #require(answer.header("set-cookie"))
        #expect(gone.hasPrefix(cookie.prefix { $0 != "=" } + "=;") && gone.contains("Max-Age=0"))
        #expect(try Self.secretPage(cookie).status == 401)
        #expect(try logOut(cookie).isSuccess, "once more is no fault")
        for cookie in [nil, "other=1", "parley.sid="] { #expect(try logOut(cookie).isSuccess) }
        #expect(try logOut(nil).header("set-cookie") == nil)
    }
}
