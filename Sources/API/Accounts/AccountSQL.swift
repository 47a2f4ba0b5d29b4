import Domain
import Storage

enum AccountSQL {
    static func tenant(ofEmail email: String, in session: inout Session) throws(APIError) -> String? {
        try session.first("SELECT tenant_id FROM account WHERE email = ?1", .text(email.lowercased())) {
            (row) throws(APIError) -> String in row.text(0)
        }
    }

    /// Whose session the token opens.
    static func find(session token: String, in session: inout Session) throws(APIError) -> Account? {
        try session.first(
            """
            SELECT a.id, a.tenant_id, a.name, a.email
            FROM account_session AS s JOIN account AS a ON a.id = s.account_id
            WHERE s.token_hash = ?1 AND s.expires_at > ?2
            """,
            .text(Identifier.hash(ofSecret: token)), .integer(session.now)
        ) { (row) throws(APIError) -> Account in
            Account(id: row.text(0), tenant: row.text(1), name: row.text(2), email: row.text(3))
        }
    }

    static func find(id: String, tenant: String, in session: inout Session) throws(APIError) -> Account? {
        try session.first(
            "SELECT id, tenant_id, name, email FROM account WHERE id = ?1 AND tenant_id = ?2", .text(id), .text(tenant)
        ) { (row) throws(APIError) -> Account in
            Account(id: row.text(0), tenant: row.text(1), name: row.text(2), email: row.text(3))
        }
    }

    /// Whether any tenant has such an account.
    static func exists(_ id: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM account WHERE id = ?1", .text(id)) { (row) throws(APIError) -> Int in
            row.int(0)
        } != nil
    }

    /// - Returns: the id of the new account.
    static func insert(
        email: String, name: String, tenant: String, in session: inout Session
    ) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: session.now)
        try session.run(
            "INSERT INTO account (id, tenant_id, email, name, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            .text(id), .text(tenant), .text(email), .text(name), .integer(session.now))
        return id
    }

    static func endSession(_ token: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM account_session WHERE token_hash = ?1", .text(Identifier.hash(ofSecret: token)))
    }

    static func beginSession(
        _ token: String, account: String, until: Int64, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "INSERT INTO account_session (token_hash, account_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
            .text(Identifier.hash(ofSecret: token)), .text(account), .integer(session.now), .integer(until))
    }
}
