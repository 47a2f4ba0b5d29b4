import Domain
import Storage

/// Whom a tenant lets moderate by rows of their own, invited or named (contract: admin 5.11). A value that is made once
/// for each change of the tenant.
struct ModeratorRoster: Sendable {
    struct Entry: Sendable {
        let id: String
        /// Wire id of a person, or id of an account.
        let userID: String?
        /// Whether the row alone makes a moderator; otherwise it only binds and counts one.
        let hasAccepted: Bool
        /// Sees comments that share one of these groups; nil is all.
        let groups: [String]?
    }

    private var byUser: [String: Entry] = [:]
    /// In lower case.
    private var byAddress: [String: Entry] = [:]

    /// The row that names somebody: by id, else by address.
    /// - Parameter email: proved by a signature or an account.
    func entry(user: String, email: String?) -> Entry? { byUser[user] ?? email.flatMap { byAddress[$0.lowercased()] } }

    init(tenant: String, in session: inout Session) throws(APIError) {
        try session.forEach(
            """
            SELECT id, user_id, has_accepted, moderation_groups, email FROM moderator WHERE tenant_id = ?1
            ORDER BY created_at DESC, id DESC
            """,
            .text(tenant)
        ) { (row) throws(APIError) in
            let entry = Entry(
                id: row.text(0), userID: row.textOrNil(1), hasAccepted: row.bool(2),
                groups: row.textOrNil(3).map(JSONText.strings))
            if let user = entry.userID { byUser[user] = entry }
            if let email = row.textOrNil(4)?.lowercased() { byAddress[email] = entry }
        }
    }
}

enum ModeratorSQL {
    /// Whether this is somebody who runs the tenant or accepted to moderate it, by wire id or address.
    static func isStaff(
        _ user: String?, email: String?, of tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Bool {
        if let email, tenant.ownerEmail?.lowercased() == email.lowercased() { return true }
        return try session.first(
            """
            SELECT 1 FROM account WHERE tenant_id = ?1 AND email = ?2 AND roles <> 0
            UNION ALL
            SELECT 1 FROM moderator WHERE tenant_id = ?1 AND email_key = ?2 AND has_accepted = 1
            UNION ALL
            SELECT 1 FROM moderator WHERE tenant_id = ?1 AND user_id = ?3 AND has_accepted = 1
            """,
            .text(tenant.id), .text(email?.lowercased()), .text(user)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Counts an act of somebody who has a row (contract: admin 6.3).
    static func count(
        _ act: ModeratorAct, by moderator: Moderator, in session: inout Session
    ) throws(APIError) {
        guard let id = moderator.rowID else { return }
        try session.run(
            """
            UPDATE moderator SET
                reviewed_count = reviewed_count + (?2 = 'reviewed'), deleted_count = deleted_count + (?2 = 'deleted'),
                spam_count = spam_count + (?2 = 'spam'), not_spam_count = not_spam_count + (?2 = 'not-spam'),
                approved_count = approved_count + (?2 = 'approved'),
                unapproved_count = unapproved_count + (?2 = 'unapproved'),
                edited_count = edited_count + (?2 = 'edited'), banned_count = banned_count + (?2 = 'banned'),
                unflagged_count = unflagged_count + (?2 = 'unflagged')
            WHERE id = ?1
            """,
            .text(id), .text(act.rawValue))
    }
}

/// What is counted of a moderator.
enum ModeratorAct: String, Sendable {
    case reviewed, deleted, spam, approved, unapproved, edited, banned, unflagged
    case notSpam = "not-spam"
}
