import Domain
import Storage

/// What becomes of users of tenants after they were made.
extension AccountSQL {
    /// Whether somebody else of the tenant has the name, without regard to case.
    static func isTaken(
        _ name: String, by account: String?, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM account WHERE tenant_id = ?1 AND name = ?2 COLLATE NOCASE AND id IS NOT ?3", .text(tenant),
            .text(name), .text(account)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// A tenant without an owner is out of everybody's hands.
    /// - Throws: `unauthorized` (403).
    package static func requireAnotherOwner(
        than account: Account, in session: inout Session
    ) throws(APIError) {
        guard account.roles.contains(.owner) else { return }
        let other = try session.first(
            "SELECT 1 FROM account WHERE tenant_id = ?1 AND id <> ?2 AND roles & ?3 <> 0 LIMIT 1",
            .text(account.tenant), .text(account.id), .integer(AccountRoles.owner.rawValue)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        guard other != nil else {
            throw APIError(
                403, "unauthorized", "This is the last owner of the tenant. Make another user owner first.",
                phrase: .notAllowed)
        }
    }

    /// Links to sign in that went to another address end.
    static func update(
        _ account: Account, email: String, name: String, roles: AccountRoles, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "UPDATE account SET email = ?2, name = ?3, roles = ?4 WHERE id = ?1", .text(account.id),
            .text(email.lowercased()), .text(name), .integer(roles.rawValue))
        guard email.lowercased() != account.email else { return }
        try session.run("DELETE FROM account_login_link WHERE account_id = ?1", .text(account.id))
        try session.run("DELETE FROM login_letter WHERE account_id = ?1", .text(account.id))
    }

    /// What somebody may do from now on; open sessions know it with their next request.
    package static func setRoles(
        _ roles: AccountRoles, of account: Account, in session: inout Session
    ) throws(APIError) {
        if !roles.contains(.owner) { try requireAnotherOwner(than: account, in: &session) }
        try update(account, email: account.email, name: account.name, roles: roles, in: &session)
    }

    /// Removes somebody with their sessions and links. As moderators they need a new invitation.
    package static func delete(_ account: Account, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM account WHERE id = ?1", .text(account.id))
        try session.run(
            "UPDATE moderator SET user_id = NULL, has_accepted = 0 WHERE tenant_id = ?1 AND user_id = ?2",
            .text(account.tenant), .text(account.id))
    }
}
