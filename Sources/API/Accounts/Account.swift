import Domain
import Storage

/// Somebody who runs a tenant and signs in here.
struct Account: Sendable {
    /// Names the cookie of a session.
    static let cookie = "parley.sid"
    /// Sessions live 30 days, milliseconds.
    static let sessionLifetime: Int64 = 30 * 24 * 3600 * 1000

    let id: String
    let tenant: String
    let name: String
    let email: String
}
