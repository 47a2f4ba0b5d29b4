import JSON
import TestSupport
import Testing

/// The moderators' page, the way there, and what its socket hears.
@Suite struct ModeratePageTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    // MARK: The page

    @Test func whoIsNotSignedInIsAskedToAndComesBackWithTheFilter() throws {
        let answer = try desk.ask("GET", "/moderate", nil, ["filter": "spam", "text-search": "a b"])
        #expect(answer.status == 303)
        let target = try #require(answer.header("location"))
        #expect(target == "/auth/my-account?to=%2Fmoderate%3Ffilter%3Dspam%26text-search%3Da%2520b")
        let form = try desk.client().request("GET", target, [:])
        #expect(form.text.contains(#"name="to" value="/moderate?filter=spam&amp;text-search=a%20b""#))
        let session = try desk.session("ann@example.com")
        let there = try desk.client().request("GET", target, [:], headers: [("cookie", session)])
        #expect(there.status == 303)
        #expect(there.header("location") == "/moderate?filter=spam&text-search=a%20b")
    }

    @Test func signingInLeadsToThePageThatWasWantedAndToNoOther() throws {
        try desk.makeUser("ann@example.com", password: Desk.password)
        let text = ("accept", "text/html")
        for (wanted, target) in [
            ("/moderate?filter=spam", "/moderate?filter=spam"), ("/moderate", "/moderate"), ("", "/moderate"),
            ("https://evil.example/", "/moderate"), ("//evil.example", "/moderate"), ("/moderated", "/moderate"),
            ("/moderate/../auth/logout", "/moderate"), ("/moderate?\r\nx: y", "/moderate"),
            ("/moderate?" + String(repeating: "x", count: 4000), "/moderate"),
        ] {
            let answer = try desk.post(
                "/auth/login",
                ["username": "ann@example.com", "password": Desk.password, "mechanism": "password", "to": wanted],
                headers: [text])
            #expect(answer.status == 303)
            #expect(answer.header("location") == target, "\(wanted)")
        }
        let refused = try desk.post(
            "/auth/login",
            ["username": "ann@example.com", "password": "wrong password", "to": "/moderate?filter=spam"],
            headers: [text])
        #expect(refused.status == 401)
        #expect(refused.text.contains(#"name="to" value="/moderate?filter=spam""#), "a wrong password forgets the way")
    }

    @Test func thePageRunsNothingButItsOwnScript() throws {
        let session = try desk.session("ann@example.com", name: "\"Ann\" & co")
        let page = try desk.ask("GET", "/moderate", session)
        #expect(page.status == 200)
        #expect(page.header("content-type") == "text/html; charset=utf-8")
        #expect(page.header("cache-control") == "no-store")
        let policy = try #require(page.header("content-security-policy"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "))
        #expect(!policy.contains("unsafe"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!page.text.contains("<script>") && !page.text.contains(" onclick") && !page.text.contains("style="))
        #expect(page.text.contains("&quot;Ann&quot; &amp; co"))
        #expect(!page.text.contains("{{"))
        #expect(page.text.contains(#"data-tenant="site""#))
        for (path, type) in [("page.js", "text/javascript; charset=utf-8"), ("page.css", "text/css; charset=utf-8")] {
            let file = try desk.ask("GET", "/moderate/\(path)", nil)
            #expect(file.status == 200)
            #expect(file.header("content-type") == type)
            #expect(file.header("x-content-type-options") == "nosniff")
            let tag = try #require(file.header("etag"))
            let known = try desk.ask("GET", "/moderate/\(path)", nil, headers: [("if-none-match", tag)])
            #expect(known.status == 304)
            #expect(known.text.isEmpty)
        }
    }

    // MARK: The socket

    @Test func aModeratorHearsOfEveryChangeByIdAlone() throws {
        let live = try desk.listen(try desk.session("ann@example.com", role: "moderator"))
        let id = try desk.reader(.bob).posted("Hello")
        let news = try live.settled()
        #expect(news.map(\.type) == ["moderation"])
        #expect(news.first?["commentIds"] == .array([.string(id)]))
        let names = Set(news.first?.object?.members.map(\.name) ?? [])
        #expect(names == ["type", "timestamp", "broadcastId", "commentIds"])
        let admin = try desk.reader(.admin)
        for path in [
            "set-comment-review-status/\(id)?reviewed=true", "set-comment-approval-status/\(id)?approved=false",
            "set-comment-spam-status/\(id)?spam=true", "set-comment-spam-status/\(id)?spam=false",
            "flag-comment/\(id)", "un-flag-comment/\(id)", "remove-comment/\(id)", "restore-deleted-comment/\(id)",
        ] {
            try admin.decide(path)
            #expect(try live.settled().map { $0["commentIds"] } == [.array([.string(id)])], "\(path)")
            try admin.decide(path)
            let isRepeated = try live.settled().isEmpty
            #expect(isRepeated, "\(path) said twice is told twice")
        }
        for verb in ["pin", "lock", "unlock"] {
            #expect(try admin.mark(id, verb).isSuccess)
            #expect(try live.settled().count == 1, "\(verb)")
        }
        #expect(try desk.reader(.bob).edit(id, "Other words").isSuccess)
        #expect(try live.settled().count == 1)
        let reply = try desk.reader(.carol).posted("A reply", replyingTo: id)
        #expect(try live.settled().count == 1)
        #expect(try desk.reader(.bob).delete(id).isSuccess)
        let gone = try live.settled().flatMap { $0["commentIds"]?.array ?? [] }
        #expect(Set(gone.compactMap(\.string)) == [id, reply])
    }

    @Test func aBanAndItsEndAreTold() throws {
        let live = try desk.listen(try desk.session("ann@example.com"))
        let id = try desk.reader(.bob).posted("Hello")
        _ = try live.settled()
        let admin = try desk.reader(.admin)
        let answer = try admin.client.request(
            "POST", "/auth/my-account/moderate-comments/ban-user/from-comment/\(id)",
            ["tenantId": admin.tenant, "sso": admin.sso, "banEmail": "true"])
        #expect(try live.settled().map { $0["commentIds"]?.array?.count } == [0, 1])
        let undo = try admin.client.request(
            "POST", "/auth/my-account/moderate-comments/ban-user/undo", ["tenantId": admin.tenant, "sso": admin.sso],
            body: ["changelog": try #require(answer["changelog"])])
        #expect(undo.isSuccess)
        #expect(try live.settled().map { $0["commentIds"]?.array?.count } == [0])
    }

    @Test func noReadersSocketHearsModerators() throws {
        let admin = try desk.reader(.admin)
        let sockets = [try desk.reader(.bob).listen(), try desk.reader(nil).listen(), try admin.listen()]
        let moderator = try desk.listen(try desk.session("ann@example.com"))
        let id = try desk.reader(.carol).posted("Hello")
        try admin.decide("set-comment-review-status/\(id)?reviewed=true")
        for socket in sockets { #expect(try socket.settled().map(\.type) == ["new-comment"]) }
        let heard = try moderator.settled()
        #expect(heard.map(\.type) == ["moderation", "moderation"], "a moderator's socket hears what is for readers")
    }

    @Test func onlyModeratorsOfTheTenantMayListen() throws {
        let session = try desk.session("ann@example.com")
        func status(_ query: QueryItems, _ headers: [(String, String)] = []) throws -> String {
            do {
                _ = try WebSocketClient(port: desk.server.port, path: Desk.live, query, headers: headers)
                return "open"
            } catch ConnectionFault.unexpected(let text) {
                return String(text.dropFirst("status ".count).prefix(3))
            }
        }
        let cookie = ("cookie", session)
        let own = ("origin", "http://127.0.0.1:\(desk.server.port)")
        #expect(try status(["tenantId": "site"]) == "401")
        #expect(try status(["tenantId": "site"], [("cookie", "parley.sid=guess")]) == "401")
        #expect(try status(["tenantId": "none"], [cookie]) == "404")
        #expect(try status(["tenantId": "other"], [cookie]) == "403")
        #expect(try status(["tenantId": "site"], [cookie, ("origin", "https://evil.example")]) == "403")
        #expect(try status(["tenantId": "site"], [cookie, own]) == "open")
        #expect(try status([:], [cookie]) == "open")

        let admin = try desk.reader(.admin)
        #expect(try status(["tenantId": "site", "sso": admin.sso]) == "401", "who was never seen")
        _ = try admin.comments()
        #expect(try status(["tenantId": "site", "sso": admin.sso]) == "open")
        let bob = try desk.reader(.bob)
        _ = try bob.comments()
        #expect(try status(["tenantId": "site", "sso": bob.sso]) == "403")
        let simple = bob.signedOn(SSO.simple(.admin))
        _ = try simple.comments()
        #expect(try status(["tenantId": "site", "sso": simple.sso]) == "403")
        #expect(try status(["tenantId": "site", "sso": "{"]) == "401")
        #expect(try desk.ask("GET", Desk.live, session, ["tenantId": "site"]).status == 426)
        #expect(try desk.ask("GET", "/auth/logout", session).isSuccess)
        #expect(try status(["tenantId": "site"], [cookie]) == "401")
    }

    @Test func aModeratorHasTwentySocketsAtMost() throws {
        let session = try desk.session("ann@example.com")
        let open = try (0..<20).map { _ in try desk.listen(session) }
        #expect(throws: ConnectionFault.self) { try desk.listen(session) }
        #expect(open.count == 20)
    }

    // MARK: Pins and locks

    @Test func aSessionPinsAndLocks() throws {
        let session = try desk.session("ann@example.com", role: "moderator")
        let bob = try desk.reader(.bob)
        let id = try bob.posted("Hello")
        func mark(_ verb: String, _ cookie: String?, tenant: String = "site", origin: String? = nil) throws -> Answer {
            try desk.ask(
                "POST", "/comments/\(tenant)/\(id)/\(verb)", cookie, ["broadcastId": "b"],
                headers: origin.map { [("origin", $0)] } ?? [])
        }
        #expect(try mark("pin", nil).code == "not-logged-in")
        #expect(try mark("pin", "parley.sid=guess").code == "not-logged-in")
        #expect(try mark("pin", session, tenant: "other").status == 403)
        #expect(try mark("pin", session, origin: "http://127.0.0.1:1").status == 403)
        #expect(try bob.comment(id)?["isPinned"] != true)
        #expect(try mark("pin", session).isSuccess)
        #expect(try bob.comment(id)?["isPinned"] == true)
        #expect(try mark("lock", session).isSuccess)
        #expect(try bob.comment(id)?["isLocked"] == true)
        #expect(try mark("unlock", session).isSuccess)
        #expect(try mark("unpin", session).isSuccess)
        #expect(try bob.comment(id)?["isPinned"] != true)
    }
}

/// A server with two tenants and people who run the first one.
private struct Desk {
    static let password = "correct horse battery"
    static let live = "/auth/my-account/moderate-comments/live"

    let folder: Folder
    let server: ParleyProcess
    private let tenant: ParleyProcess.Tenant

    init() throws {
        folder = try Folder()
        server = try ParleyProcess(
            .data(folder.path + "/data"), environment: ["PARLEY_LOOPS": "2", "PARLEY_TENANTS": "site:KEY,other:KEY2"])
        tenant = try #require(server.tenants.first { $0.id == "site" })
    }

    func client() throws -> HTTPClient { try server.client() }

    func reader(_ person: Person?) throws -> Reader { try server.reader(person, of: tenant, at: "page") }

    private func user(_ words: [String]) throws -> String {
        let run = try Command(ParleyProcess.binary(), ["user"] + words + ["--data", folder.path + "/data"], in: folder)
        try #require(run.status == 0, "\(run.errors)")
        return run.output
    }

    func makeUser(_ email: String, password: String) throws {
        _ = try user(["create", email, "--tenant", "site"])
        _ = try user(["reset-password", email, "--password-file", try folder.write("password", password + "\n")])
    }

    /// Makes a user and signs them in.
    /// - Returns: `name=value` of the cookie.
    func session(_ email: String, name: String = "Ann", role: String = "owner") throws -> String {
        _ = try user(["create", email, "--tenant", "site", "--name", name, "--role", role])
        let link = try user(["login-link", email])
        let token = try #require(link.split(separator: "token=").last).filter { !$0.isNewline }
        let answer = try post("/auth/login-link", ["token": String(token)])
        return String(try #require(answer.header("set-cookie")).prefix { $0 != ";" })
    }

    func post(_ path: String, _ fields: QueryItems, headers: [(String, String)] = []) throws -> Answer {
        let type = ("content-type", "application/x-www-form-urlencoded")
        return try client().send("POST", path, headers: [type] + headers, body: Array(fields.text.dropFirst().utf8))
    }

    func ask(
        _ method: String, _ path: String, _ cookie: String?, _ query: QueryItems = [:],
        headers: [(String, String)] = []
    ) throws -> Answer {
        try client().request(method, path, query, headers: (cookie.map { [("cookie", $0)] } ?? []) + headers)
    }

    /// Opens the moderators' socket with a session.
    func listen(_ session: String) throws -> WebSocketClient {
        try WebSocketClient(port: server.port, path: Self.live, ["tenantId": "site"], headers: [("cookie", session)])
    }
}
