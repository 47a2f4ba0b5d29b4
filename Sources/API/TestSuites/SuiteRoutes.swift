import Bytes
import Crypto
import Domain
import HTTP1
import JSON
import Server
import Storage

/// What test suites of the client libraries use to get a tenant of their own (contract: public 23). Registered only
/// when the operator named a key for them.
enum SuiteRoutes {
    static func register(on routes: inout Routes) {
        routes.add(
            .post, "/auth/tenant-signup", "tenantSignup",
            work: .write { (call, _) throws(APIError) -> WriteUnit in
                let form = try SignupForm(call)
                return { (session) throws(APIError) -> Reply in
                    try signUp(form, isSecure: call.request.isSecure, &session)
                }
            })
        routes.add(.get, "/auth/my-account/api-secret", "accountApiSecret", allowsCrossOrigin: false, read: apiSecret)
        routes.add(.get, "/test-e2e/api/tenant/by-email/{email}", "suiteTenant", read: tenantByEmail)
        routes.add(
            .delete, "/test-e2e/api/tenant/by-email/{email}", "suiteDeleteTenant",
            work: .write { (call, _) throws(APIError) -> WriteUnit in
                try requireSuiteKey(call)
                return { (session) throws(APIError) -> Reply in
                    guard let tenant = try AccountSQL.tenant(ofEmail: call.parameter("email"), in: &session) else {
                        throw noSuchTenant
                    }
                    try TenantSQL.delete(tenant, in: &session)
                    return .success
                }
            })
    }

    private static let noSuchTenant = APIError(404, "not-found", "No tenant belongs to this address.")

    private static func requireSuiteKey(_ call: Call) throws(APIError) {
        guard let key = call.text("API_KEY"), call.services.suiteKeys.contains(where: { Secret.equal($0, key) }) else {
            throw APIError(401, "invalid-api-key", "The query parameter API_KEY is not the key for test suites.")
        }
    }

    private static func tenantByEmail(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        try requireSuiteKey(call)
        guard let tenant = try AccountSQL.tenant(ofEmail: call.parameter("email"), in: &session) else {
            throw noSuchTenant
        }
        return .json(
            Answer { json in
                json.key("tenant")
                json.object { $0.member("_id", tenant) }
            })
    }

    private static func signUp(
        _ form: SignupForm, isSecure: Bool, _ session: inout Session
    ) throws(APIError) -> Reply {
        guard try AccountSQL.tenant(ofEmail: form.email, in: &session) == nil else {
            throw APIError(422, "user-exists", "This address already has an account.")
        }
        let tenant = Hex.encode(SecureRandom.bytes(8))
        try TenantSQL.insert(
            id: tenant, name: form.company, ownerEmail: form.email, domains: form.domains, in: &session)
        try TenantSQL.addKey(Identifier.apiKey(), to: tenant, in: &session)
        let account = try AccountSQL.insert(
            email: form.email, name: form.name, roles: .owner, tenant: tenant, in: &session)
        let token = try AccountSQL.beginSession(of: account, in: &session)
        var headers: HeaderFields = ["content-type": "text/html; charset=utf-8", "cache-control": "no-store"]
        headers.add("set-cookie", Account.sessionCookie(token, isSecure: isSecure))
        let page = "<!doctype html><title>Parley</title><p>Welcome. Your tenant is <code>\(tenant)</code>.</p>"
        return .response(Response(status: 200, headers: headers, body: .bytes(Array(page.utf8))))
    }

    /// The suites take the first attribute `value="…"` that is made of capitals and digits.
    private static func apiSecret(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        guard let token = call.cookie(Account.cookie),
            let tenant = try AccountSQL.find(session: token, in: &session)?.tenant,
            let key = try TenantSQL.find(tenant, in: &session)?.keys.first
        else { throw .notLoggedIn }
        let page = """
            <!doctype html><title>API secret</title>
            <label>API secret <input readonly value="\(key)"></label>
            """
        let headers: HeaderFields = ["content-type": "text/html; charset=utf-8", "cache-control": "no-store"]
        return .response(Response(status: 200, headers: headers, body: .bytes(Array(page.utf8))))
    }
}

/// A sign-up form. Some suites do not percent-encode it, so a plus sign in the address is a plus sign.
private struct SignupForm: Sendable {
    let email: String
    let name: String
    let company: String
    let domains: [String]

    init(_ call: Call) throws(APIError) {
        let raw = String(decoding: call.request.body, as: UTF8.self)
        guard let literal = Query(raw: raw, plusIsSpace: false), let spaced = Query(raw: raw, plusIsSpace: true) else {
            throw .invalidInput("The form is not valid UTF-8.")
        }
        email = (literal["email"] ?? "").trimmed.lowercased()
        guard EmailAddress.isValid(email) else { throw .invalidInput("email is missing or no e-mail address.") }
        name = CommenterName.cleaned(spaced["username"] ?? "").cut(to: CommenterName.guestLimit)
        let company = CommenterName.cleaned(spaced["companyName"] ?? "").cut(to: CommenterName.guestLimit)
        self.company = company.isEmpty ? email : company
        domains = (spaced["domains"] ?? "").split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    }
}
