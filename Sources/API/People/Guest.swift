import Domain
import Storage

/// Somebody without sign-on who left a name.
struct Guest: Sendable {
    /// Wire id, `anon:<random>`.
    let id: String
    let name: String?
    let email: String?
}

enum GuestSQL {
    /// Sessions live a year after they were last used.
    static let lifetime: Int64 = 365 * 24 * 3600 * 1000

    /// The guest whose session this is.
    static func find(token: String, tenant: String, in session: inout Session) throws(APIError) -> Guest? {
        try session.first(
            "SELECT id, name, email FROM guest WHERE tenant_id = ?1 AND token_hash = ?2 AND last_seen_at > ?3",
            .text(tenant), .text(Identifier.hash(ofSecret: token)), .integer(session.now - lifetime)
        ) { (row) throws(APIError) -> Guest in
            Guest(id: row.text(0), name: row.textOrNil(1), email: row.textOrNil(2))
        }
    }

    /// The guest with this wire id.
    static func find(id: String, tenant: String, in session: inout Session) throws(APIError) -> Guest? {
        try session.first(
            "SELECT id, name, email FROM guest WHERE tenant_id = ?1 AND id = ?2", .text(tenant), .text(id)
        ) { (row) throws(APIError) -> Guest in
            Guest(id: row.text(0), name: row.textOrNil(1), email: row.textOrNil(2))
        }
    }

    /// Tenants that know a guest of this wire id.
    static func tenants(of id: String, in session: inout Session) throws(APIError) -> [String] {
        try session.query("SELECT tenant_id FROM guest WHERE id = ?1", .text(id)) {
            (row) throws(APIError) -> String in row.text(0)
        }
    }

    /// The tenant that began a session.
    static func tenant(ofSession token: String, in session: inout Session) throws(APIError) -> String? {
        try session.first(
            """
            SELECT t.id FROM tenant AS t CROSS JOIN guest AS g ON g.tenant_id = t.id AND g.token_hash = ?1 LIMIT 1
            """,
            .text(Identifier.hash(ofSecret: token))
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Begins a session.
    /// - Returns: the guest and the token, which is not kept.
    static func create(
        name: String?, email: String?, tenant: String, in session: inout Session
    ) throws(APIError) -> (guest: Guest, token: String) {
        let guest = Guest(id: Identifier.guest(), name: name, email: email)
        let token = Identifier.secret()
        try session.run(
            """
            INSERT INTO guest (tenant_id, id, token_hash, name, email, created_at, last_seen_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
            """,
            .text(tenant), .text(guest.id), .text(Identifier.hash(ofSecret: token)), .text(name), .text(email),
            .integer(session.now))
        return (guest, token)
    }

    /// Keeps a session alive, under a name that may have changed.
    static func touch(
        _ guest: Guest, name: String?, email: String?, tenant: String, in session: inout Session
    ) throws(APIError) -> Guest {
        let renamed = Guest(id: guest.id, name: name ?? guest.name, email: email ?? guest.email)
        try session.run(
            "UPDATE guest SET last_seen_at = ?3, name = ?4, email = ?5 WHERE tenant_id = ?1 AND id = ?2",
            .text(tenant), .text(guest.id), .integer(session.now), .text(renamed.name), .text(renamed.email))
        return renamed
    }
}
