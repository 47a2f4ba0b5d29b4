import Domain
import JSON
import Storage

/// A moderator as a backend reads them (contract: admin 5.11); closed key set.
struct BackendModerator: JSONWritable, Sendable {
    let id: String
    let tenant: String
    let name: String?
    let userID: String?
    let hasAccepted: Bool
    let email: String?
    let groups: [String]?
    private let createdAt: Int64
    /// In the order of ``counters``.
    private let counts: [Int64]

    private static let counters: [StaticString] = [
        "markReviewedCount", "deletedCount", "markedSpamCount", "markedNotSpamCount", "approvedCount",
        "unApprovedCount", "editedCount", "bannedCount", "unFlaggedCount",
    ]

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("tenantId", tenant)
            json.member("name", orNull: name)
            json.member("userId", orNull: userID)
            json.member("acceptedInvite", hasAccepted)
            json.member("email", orNull: email)
            for (name, count) in zip(Self.counters, counts) { json.member(name, count) }
            // A secret, where there is one.
            json.member("verificationId", orNull: nil)
            json.member("createdAt", dateOrNull: createdAt)
            json.key("moderationGroupIds")
            if let groups { json.value(.array(groups.map { .string($0) })) } else { json.null() }
        }
    }

    // MARK: Storage

    private static let columns: StaticString = """
        id, tenant_id, name, user_id, has_accepted, email, moderation_groups, created_at, reviewed_count, deleted_count,
        spam_count, not_spam_count, approved_count, unapproved_count, edited_count, banned_count, unflagged_count
        """

    private init(_ row: borrowing Row) {
        id = row.text(0)
        tenant = row.text(1)
        name = row.textOrNil(2)
        userID = row.textOrNil(3)
        hasAccepted = row.bool(4)
        email = row.textOrNil(5)
        groups = row.textOrNil(6).map(JSONText.strings)
        createdAt = row.int64(7)
        var counts: [Int64] = []
        for place in Self.counters.indices { counts.append(row.int64(8 + place)) }
        self.counts = counts
    }

    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> BackendModerator? {
        try session.query(
            composed: ["SELECT", columns, "FROM moderator WHERE tenant_id = ?1 AND id = ?2"],
            [.text(tenant), .text(id)]
        ) { (row) throws(APIError) -> BackendModerator in BackendModerator(row) }.first
    }

    /// By when they came.
    static func list(
        skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [BackendModerator] {
        try session.query(
            composed: [
                "SELECT", columns, "FROM moderator WHERE tenant_id = ?1 ORDER BY created_at, id LIMIT ?2 OFFSET ?3",
            ],
            [.text(tenant), .int(limit), .int(skip)]
        ) { (row) throws(APIError) -> BackendModerator in BackendModerator(row) }
    }

    // MARK: Leaving

    /// Takes the row away, and with it what else lets the person or user moderate: at once, whatever was signed before.
    func delete(in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM moderator WHERE id = ?1", .text(id))
        let address = email?.lowercased()
        try session.run(
            """
            UPDATE person SET is_moderator = 0, payload_digest = NULL,
                              payload_signed_at = max(payload_signed_at + 1, ?4)
            WHERE tenant_id = ?1 AND is_simple = 0 AND (id = ?2 OR email_key = ?3) AND is_admin = 0
            """,
            .text(tenant), .text(userID), .text(address), .integer(session.now))
        let strong: AccountRoles = [.owner, .administrator]
        try session.run(
            """
            UPDATE account SET roles = roles & ~?4 WHERE tenant_id = ?1 AND (id = ?2 OR email = ?3) AND roles & ?5 = 0
            """,
            .text(tenant), .text(userID), .text(address), .integer(AccountRoles.moderation.rawValue),
            .integer(strong.rawValue))
        try session.run(
            """
            DELETE FROM account_session WHERE account_id IN (
                SELECT id FROM account WHERE tenant_id = ?1 AND (id = ?2 OR email = ?3) AND roles = 0)
            """,
            .text(tenant), .text(userID), .text(address))
        try session.run(
            """
            DELETE FROM account_login_link WHERE account_id IN (
                SELECT id FROM account WHERE tenant_id = ?1 AND (id = ?2 OR email = ?3) AND roles = 0)
            """,
            .text(tenant), .text(userID), .text(address))
        try session.run(
            """
            DELETE FROM login_letter WHERE account_id IN (
                SELECT id FROM account WHERE tenant_id = ?1 AND (id = ?2 OR email = ?3) AND roles = 0)
            """,
            .text(tenant), .text(userID), .text(address))
    }
}
