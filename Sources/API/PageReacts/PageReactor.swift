import Domain
import HTTP1
import JSON
import Server

/// Who reacts: somebody signed on, else whom the cookie names, else a guest's session, else whoever has this address and
/// program (contract: public 15). Some clients keep no cookies, and must find their reactions again.
struct PageReactor: Sendable {
    /// Cookies live a year, seconds.
    private static let cookieLifetime: Int64 = 365 * 24 * 3600

    /// Wire id, or one of the same form made of what is known.
    let key: String
    /// Only for people.
    let userID: String?
    /// For an answer to a stranger: makes the identity last when the address changes.
    private let cookie: String?

    init(_ visit: Visit, _ caller: Caller) {
        if let person = caller.person {
            key = person.id
            userID = person.id
            cookie = nil
            return
        }
        userID = nil
        let (tenant, strangers) = (visit.tenant.id, visit.call.services.strangers)
        let name = "parley.visitor." + tenant
        if let token = visit.call.cookie(name), let known = strangers.identity(of: token, tenant: tenant) {
            key = known
            cookie = nil
        } else if let guest = caller.guest {
            key = guest.id
            cookie = nil
        } else {
            key = strangers.derived(
                tenant: tenant, address: visit.call.clientAddress.key,
                agent: visit.call.request.head.headers["user-agent"] ?? "")
            cookie = visit.call.embeddableCookie(
                name, strangers.token(for: key, tenant: tenant), path: "/page-reacts", seconds: Self.cookieLifetime)
        }
    }

    /// A success that gives a stranger their cookie.
    func answer(code: String?) -> Response {
        let body = Answer { $0.member("code", ifPresent: code) }
        var response = Response(
            status: 200, headers: ["content-type": jsonType], body: .bytes(body.jsonBytes(capacity: 64)))
        if let cookie { response.headers.add("set-cookie", cookie) }
        return response
    }
}
