import Domain
import Storage

/// Where somebody who runs a tenant signed in from, as keyed hashes: whoever guesses their password elsewhere does not
/// lock them out there.
enum AccountAddresses {
    /// Addresses of one account.
    private static let most = 20

    static func holds(_ call: Call, of account: Account, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM account_address WHERE account_id = ?1 AND address_hash = ?2", .text(account.id),
            .text(hash(call, account))
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Keeps the address of a sign-in that was right.
    static func note(_ call: Call, of account: Account, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO account_address (account_id, address_hash, seen_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (account_id, address_hash) DO UPDATE SET seen_at = excluded.seen_at
            """,
            .text(account.id), .text(hash(call, account)), .integer(session.now))
        try session.run(
            """
            DELETE FROM account_address WHERE account_id = ?1 AND address_hash NOT IN (
                SELECT address_hash FROM account_address WHERE account_id = ?1 ORDER BY seen_at DESC LIMIT ?2)
            """,
            .text(account.id), .int(most))
    }

    private static func hash(_ call: Call, _ account: Account) -> String {
        call.services.addresses.of(call.clientAddress.key, tenant: account.tenant)
    }
}
