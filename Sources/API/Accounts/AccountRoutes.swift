import Crypto
import Domain
import HTTP1
import JSON
import Server
import Storage

/// Signing in and out of those who run a tenant (contract: admin 1.2, public 20).
enum AccountRoutes {
    static func register(on routes: inout Routes) {
        routes.add(.post, "/auth/login", "login", allowsCrossOrigin: false, work: .write(login))
        for method in [Method.get, .put] {
            routes.add(method, "/auth/logout", "logoutPublic", work: .write(logout))
        }
        routes.add(.get, "/auth/my-account", "myAccount", allowsCrossOrigin: false, read: myAccount)
        routes.add(.get, "/auth/login-link", "loginLinkPage", allowsCrossOrigin: false, read: linkPage)
        routes.add(.post, "/auth/login-link", "useLoginLink", allowsCrossOrigin: false, work: .write(useLink))
    }

    // MARK: In

    /// Hashing a password takes too long for a loop.
    private static let hashMilliseconds = 200
    /// What an unknown address is held against, so that it takes as long as a known one.
    private static let nobodysHash = PasswordHash.hash(Identifier.secret())

    private static func login(_ call: Call, _ session: inout Session) throws(APIError) -> WriteUnit {
        try session.requireTime(milliseconds: hashMilliseconds)
        try requireOwnPage(call)
        let form = try LoginForm(call)
        let account = try AccountSQL.find(email: form.email, in: &session)
        let isOwnAddress = try account.map { (account) throws(APIError) -> Bool in
            try AccountAddresses.holds(call, of: account, in: &session)
        }
        let address = call.clientAddress.key
        try call.services.logins.admit(form.email, from: address, isOwn: isOwnAddress == true, at: session.now)
        let known = try account.flatMap { (account) throws(APIError) -> String? in
            try AccountSQL.passwordHash(of: account.id, in: &session)
        }
        let isRight = PasswordHash.verify(form.password, known ?? nobodysHash)
        guard let account, known != nil, isRight else { return refuse(form, account, call) }
        call.services.logins.forgive(form.email, from: address)
        let isSecure = call.isSecure
        return { (session) throws(APIError) -> Reply in
            // The password may have been changed while this one was being looked at.
            guard try AccountSQL.passwordHash(of: account.id, in: &session) == known else { throw .loginRefused }
            try AccountAddresses.note(call, of: account, in: &session)
            try note(account, "signed in with a password", call, in: &session)
            return try signedIn(account.id, form.isFromBrowser, to: form.wanted, isSecure, in: &session)
        }
    }

    /// In the log of the account's tenant, by the account's id: addresses are not kept there.
    private static func note(
        _ account: Account, _ what: String, _ call: Call, in session: inout Session
    ) throws(APIError) {
        try AuditLog.note(
            .login, "User", "\(account.name) \(what).", from: .ui, by: (account.id, account.name), call,
            tenant: account.tenant, in: &session)
    }

    /// A browser gets the form again.
    private static func refuse(_ form: LoginForm, _ account: Account?, _ call: Call) -> WriteUnit {
        { (session) throws(APIError) -> Reply in
            if let account { try note(account, "was refused: wrong password", call, in: &session) }
            guard form.isFromBrowser else { return .refused(.loginRefused) }
            return AccountPage.signIn(
                email: form.email, fault: APIError.loginRefused.reason, wanted: form.wanted, status: 401)
        }
    }

    private static func signedIn(
        _ account: String, _ isFromBrowser: Bool, to wanted: String? = nil, _ isSecure: Bool,
        in session: inout Session
    ) throws(APIError) -> Reply {
        let token = try AccountSQL.beginSession(of: account, in: &session)
        let moderates = try AccountSQL.find(session: token, in: &session)?.mayModerate(in: &session) ?? false
        return answer(
            Account.sessionCookie(token, isSecure: isSecure), isFromBrowser,
            to: wanted ?? (moderates ? ModeratePageRoutes.path : accountPage))
    }

    private static let accountPage = "/auth/my-account"

    /// Where somebody wanted to go when they were asked to sign in: a page of ours, and no other.
    fileprivate static func wanted(_ target: String?) -> String? {
        guard let target, target.utf8.count <= 4000, target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        let isOurs = target == ModeratePageRoutes.path || target.hasPrefix(ModeratePageRoutes.path + "?")
        return isOurs ? target : nil
    }

    private static func answer(_ cookie: String?, _ isFromBrowser: Bool, to target: String = accountPage) -> Reply {
        var headers: HeaderFields = ["cache-control": "no-store"]
        if let cookie { headers.add("set-cookie", cookie) }
        if isFromBrowser {
            headers.add("location", target)
            return .response(Response(status: 303, headers: headers))
        }
        headers.add("content-type", jsonType)
        return .response(Response(status: 200, headers: headers, body: .bytes(Success().jsonBytes())))
    }

    /// Another site's page may not sign its visitors in here.
    private static func requireOwnPage(_ call: Call) throws(APIError) {
        guard call.isOwnPage else {
            throw APIError(403, "unauthorized", "Another site's page may not sign in here.", phrase: .notAllowed)
        }
    }

    // MARK: Links

    /// Programs that look at links in messages must not use them up, so that takes a button.
    private static func linkPage(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let token = call.text("token") ?? ""
        guard try AccountSQL.holdsLoginLink(token, in: &session) else {
            return AccountPage.uselessLink(APIError.uselessLink.reason, status: APIError.uselessLink.status)
        }
        return AccountPage.link(token: token)
    }

    private static func useLink(_ call: Call, _ session: inout Session) throws(APIError) -> WriteUnit {
        try requireOwnPage(call)
        let token = try FormBody(call).text("token")
        let (isFromBrowser, isSecure) = (call.isFromBrowser, call.isSecure)
        return { (session) throws(APIError) -> Reply in
            guard let link = try AccountSQL.useLoginLink(token, in: &session),
                let account = try AccountSQL.find(id: link.account, in: &session)
            else {
                guard isFromBrowser else { throw .uselessLink }
                return AccountPage.uselessLink(APIError.uselessLink.reason, status: APIError.uselessLink.status)
            }
            try AccountAddresses.note(call, of: account, in: &session)
            try note(account, "signed in with a link", call, in: &session)
            return try signedIn(account.id, isFromBrowser, to: link.redirect, isSecure, in: &session)
        }
    }

    // MARK: Out

    /// What another site's page makes a browser ask for ends nothing: the page that it leads to has a button.
    private static func logout(_ call: Call, _ session: inout Session) throws(APIError) -> WriteUnit {
        let isGet = call.request.head.method == .get
        let token = call.isOwnPage ? call.cookie(Account.cookie) : nil
        let cookie = call.isOwnPage ? Account.endedCookie(isSecure: call.isSecure) : nil
        let isFromBrowser = call.isFromBrowser && isGet
        return { (session) throws(APIError) -> Reply in
            if let token { try AccountSQL.endSession(token, in: &session) }
            guard token != nil || isFromBrowser else { return .success }
            return answer(cookie, isFromBrowser)
        }
    }

    private static func myAccount(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let wanted = wanted(call.text("to"))
        guard let token = call.cookie(Account.cookie), let account = try AccountSQL.find(session: token, in: &session)
        else { return AccountPage.signIn(email: "", fault: nil, wanted: wanted, status: 200) }
        guard let wanted else {
            return AccountPage.account(account, moderates: try account.mayModerate(in: &session))
        }
        return .response(Response(status: 303, headers: ["cache-control": "no-store", "location": wanted]))
    }
}

extension APIError {
    fileprivate static let loginRefused = APIError(
        401, "login-request-failure", "The address or the password is wrong.")
    fileprivate static let uselessLink = APIError(
        401, "login-request-failure", "This link was used already or is too old. Ask for another one.")
}

/// The form of `POST /auth/login`.
private struct LoginForm: Sendable {
    let email: String
    let password: String
    let isFromBrowser: Bool
    /// Where to go afterwards.
    let wanted: String?

    /// - Throws: `invalid-input` (400).
    init(_ call: Call) throws(APIError) {
        let form = try FormBody(call)
        email = form.text("username").trimmed.lowercased()
        password = form.text("password")
        isFromBrowser = call.isFromBrowser
        wanted = AccountRoutes.wanted(form.text("to"))
        guard !email.isEmpty, !password.isEmpty else { throw .invalidInput("username or password is missing.") }
        guard email.utf8.count <= 1000, password.utf8.count <= 1000 else {
            throw .invalidInput("username and password have at most 1000 bytes.")
        }
        guard form.text("mechanism").isEmpty || form.text("mechanism") == "password" else {
            throw .invalidInput("The mechanism must be password.")
        }
    }
}

/// A body of `application/x-www-form-urlencoded`.
private struct FormBody {
    private let fields: Query

    /// - Throws: `invalid-input` (400).
    init(_ call: Call) throws(APIError) {
        let raw = String(decoding: call.request.body, as: UTF8.self)
        guard let fields = Query(raw: raw, plusIsSpace: true) else {
            throw .invalidInput("The form is not valid UTF-8.")
        }
        self.fields = fields
    }

    /// Empty when it is missing.
    func text(_ name: String) -> String { fields[name] ?? "" }
}

extension Call {
    /// Whether the answer is for somebody to look at.
    fileprivate var isFromBrowser: Bool {
        request.head.headers["accept"]?.split(separator: ",").contains { $0.hasPrefix("text/html") } ?? false
    }
}
