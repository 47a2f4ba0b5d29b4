import Domain
import HTTP1
import Server

/// Somebody who runs a tenant and signs in here.
package struct Account: Sendable {
    /// Names the cookie of a session.
    static let cookie = "parley.sid"
    /// Sessions and links to sign in live 30 days, milliseconds.
    static let lifetime: Int64 = 30 * 24 * 3600 * 1000

    /// Unique in the store.
    package let id: String
    /// Id of the one tenant that it is for.
    package let tenant: String
    /// As others see it.
    package let name: String
    /// In lower case; unique in the store.
    package let email: String
    /// What it may do there.
    package let roles: AccountRoles

    /// The header that gives a browser its session. It goes with requests of our own pages only.
    static func sessionCookie(_ token: String, isSecure: Bool) -> String {
        cookie(token, seconds: lifetime / 1000, isSecure: isSecure)
    }

    /// The header that takes the session away.
    static func endedCookie(isSecure: Bool) -> String { cookie("", seconds: 0, isSecure: isSecure) }

    private static func cookie(_ value: String, seconds: Int64, isSecure: Bool) -> String {
        "\(cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
