import Domain
import Storage

/// Somebody who is to get a link to sign in. The link itself is made when it is sent, or when the operator asks for it:
/// nothing that waits opens a session.
package struct LoginLetter: Sendable {
    /// In lower case, as the account has it.
    package let email: String
    /// Who invites them to moderate; nil is no invitation.
    package let fromName: String?
    /// Milliseconds since 1970.
    package let createdAt: Int64

    /// Takes the place of a letter that waits.
    static func ask(
        for account: Account, fromName: String? = nil, redirect: String? = nil, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT OR REPLACE INTO login_letter (
                account_id, tenant_id, from_name, redirect_url, created_at, expires_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            .text(account.id), .text(account.tenant), .text(fromName), .text(redirect), .integer(session.now),
            .integer(session.now + Account.lifetime))
    }

    /// Those that wait, oldest first.
    package static func waiting(of tenant: String, in session: inout Session) throws(APIError) -> [LoginLetter] {
        try session.query(
            """
            SELECT a.email, l.from_name, l.created_at FROM login_letter AS l JOIN account AS a ON a.id = l.account_id
            WHERE l.tenant_id = ?1 AND l.expires_at > ?2 ORDER BY l.created_at, a.id
            """,
            .text(tenant), .integer(session.now)
        ) { (row) throws(APIError) -> LoginLetter in
            LoginLetter(email: row.text(0), fromName: row.textOrNil(1), createdAt: row.int64(2))
        }
    }

    /// Takes the letter of an account, whose link is being made.
    /// - Returns: where the link is to lead; nil is nowhere special.
    static func take(of account: String, in session: inout Session) throws(APIError) -> String? {
        let redirect = try session.first(
            "SELECT redirect_url FROM login_letter WHERE account_id = ?1 AND expires_at > ?2", .text(account),
            .integer(session.now)
        ) { (row) throws(APIError) -> String? in row.textOrNil(0) }
        try session.run("DELETE FROM login_letter WHERE account_id = ?1", .text(account))
        return redirect ?? nil
    }
}
