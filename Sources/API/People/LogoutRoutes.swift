import Domain
import HTTP1
import JSON
import Server
import Storage

/// The end of an account's session (contract: public 20). Sign-on has nothing on the server that could end.
enum LogoutRoutes {
    static func register(on routes: inout Routes) {
        routes.add(
            .put, "/auth/logout", "logoutPublic",
            work: .write { (call, _) throws(APIError) -> WriteUnit in
                guard let token = call.cookie(Account.cookie) else {
                    return { (_) throws(APIError) -> Reply in .success }
                }
                let isSecure = call.isSecure
                return { (session) throws(APIError) -> Reply in
                    try AccountSQL.endSession(token, in: &session)
                    return forgotten(isSecure: isSecure)
                }
            })
    }

    private static func forgotten(isSecure: Bool) -> Reply {
        let cookie = "\(Account.cookie)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        let headers: HeaderFields = ["content-type": jsonType, "set-cookie": isSecure ? cookie + "; Secure" : cookie]
        return .response(Response(status: 200, headers: headers, body: .bytes(Success().jsonBytes())))
    }
}
