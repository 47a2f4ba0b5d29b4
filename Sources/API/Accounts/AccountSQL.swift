import Domain
import Storage

/// Users of tenants, their sessions and their links to sign in. Secrets are kept as hashes.
package enum AccountSQL {
    static func tenant(ofEmail email: String, in session: inout Session) throws(APIError) -> String? {
        try find(email: email, in: &session)?.tenant
    }

    /// The account of an address, without regard to case.
    package static func find(email: String, in session: inout Session) throws(APIError) -> Account? {
        try session.first(
            "SELECT id, tenant_id, name, email, roles FROM account WHERE email = ?1", .text(email.lowercased()),
            row: account)
    }

    /// Whose session the token opens.
    static func find(session token: String, in session: inout Session) throws(APIError) -> Account? {
        try session.first(
            """
            SELECT a.id, a.tenant_id, a.name, a.email, a.roles
            FROM account_session AS s JOIN account AS a ON a.id = s.account_id
            WHERE s.token_hash = ?1 AND s.expires_at > ?2
            """,
            .text(Identifier.hash(ofSecret: token)), .integer(session.now), row: account)
    }

    /// The accounts of a tenant, oldest first.
    package static func all(of tenant: String, in session: inout Session) throws(APIError) -> [Account] {
        try session.query(
            "SELECT id, tenant_id, name, email, roles FROM account WHERE tenant_id = ?1 ORDER BY created_at, id",
            .text(tenant), row: account)
    }

    private static func account(_ row: borrowing Row) throws(APIError) -> Account {
        Account(
            id: row.text(0), tenant: row.text(1), name: row.text(2), email: row.text(3),
            roles: AccountRoles(rawValue: row.int64(4)))
    }

    /// The account with this id.
    static func find(id: String, tenant: String, in session: inout Session) throws(APIError) -> Account? {
        try session.first(
            "SELECT id, tenant_id, name, email, roles FROM account WHERE id = ?1 AND tenant_id = ?2", .text(id),
            .text(tenant), row: account)
    }

    /// The account with this id, of whatever tenant.
    static func find(id: String, in session: inout Session) throws(APIError) -> Account? {
        try session.first(
            "SELECT id, tenant_id, name, email, roles FROM account WHERE id = ?1", .text(id), row: account)
    }

    /// Whether any tenant has such an account.
    static func exists(_ id: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM account WHERE id = ?1", .text(id)) { (row) throws(APIError) -> Int in
            row.int(0)
        } != nil
    }

    /// - Returns: the id of the new account.
    @discardableResult
    package static func insert(
        email: String, name: String, roles: AccountRoles, tenant: String, in session: inout Session
    ) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: session.now)
        try session.run(
            "INSERT INTO account (id, tenant_id, email, name, roles, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            .text(id), .text(tenant), .text(email.lowercased()), .text(name), .integer(roles.rawValue),
            .integer(session.now))
        return id
    }

    // MARK: Passwords

    /// Nil for an account that has none yet.
    static func passwordHash(of account: String, in session: inout Session) throws(APIError) -> String? {
        try session.first("SELECT password_hash FROM account WHERE id = ?1", .text(account)) {
            (row) throws(APIError) -> String? in row.textOrNil(0)
        } ?? nil
    }

    /// Sets a password; whoever was signed in with the former one is signed out.
    package static func setPassword(
        hash: String, of account: String, in session: inout Session
    ) throws(APIError) {
        try session.run("UPDATE account SET password_hash = ?2 WHERE id = ?1", .text(account), .text(hash))
        try session.run("DELETE FROM account_session WHERE account_id = ?1", .text(account))
        try session.run("DELETE FROM account_login_link WHERE account_id = ?1", .text(account))
    }

    // MARK: Sessions

    /// Signs in.
    /// - Returns: the token of the new session.
    static func beginSession(of account: String, in session: inout Session) throws(APIError) -> String {
        let token = Identifier.secret()
        try session.run(
            "INSERT INTO account_session (token_hash, account_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
            .text(Identifier.hash(ofSecret: token)), .text(account), .integer(session.now),
            .integer(session.now + Account.lifetime))
        try session.run(
            "UPDATE account SET last_login_at = ?2, login_count = login_count + 1 WHERE id = ?1", .text(account),
            .integer(session.now))
        try session.run("DELETE FROM account_session WHERE expires_at <= ?1", .integer(session.now))
        return token
    }

    static func endSession(_ token: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM account_session WHERE token_hash = ?1", .text(Identifier.hash(ofSecret: token)))
    }

    // MARK: Links

    /// Makes a link that signs in once, in answer to a letter that waits, if any.
    /// - Returns: its token.
    package static func makeLoginLink(of account: String, in session: inout Session) throws(APIError) -> String {
        let token = Identifier.secret()
        let redirect = try LoginLetter.take(of: account, in: &session)
        try session.run(
            """
            INSERT INTO account_login_link (token_hash, account_id, redirect_url, created_at, expires_at)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            .text(Identifier.hash(ofSecret: token)), .text(account), .text(redirect), .integer(session.now),
            .integer(session.now + Account.lifetime))
        return token
    }

    /// Whether a link would sign somebody in. It stays.
    static func holdsLoginLink(_ token: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM account_login_link WHERE token_hash = ?1 AND expires_at > ?2",
            .text(Identifier.hash(ofSecret: token)), .integer(session.now)
        ) { (row) throws(APIError) -> Bool in true } ?? false
    }

    /// Uses a link up.
    /// - Returns: the id of the account, and where the link leads; nil for a link that was used, is too old, or never
    ///   was.
    static func useLoginLink(
        _ token: String, in session: inout Session
    ) throws(APIError) -> (account: String, redirect: String?)? {
        let found = try session.query(
            "DELETE FROM account_login_link WHERE token_hash = ?1 RETURNING account_id, redirect_url, expires_at",
            .text(Identifier.hash(ofSecret: token))
        ) { (row) throws(APIError) -> (String, String?, Int64) in (row.text(0), row.textOrNil(1), row.int64(2)) }
        guard let (account, redirect, end) = found.first, end > session.now else { return nil }
        return (account, redirect)
    }
}
