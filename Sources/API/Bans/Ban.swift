import Domain
import JSON
import Storage

/// Somebody who may not write (contract: admin 6.6, public 22.8).
struct Ban: Sendable {
    let id: String
    let tenant: String
    let createdAt: Int64
    /// The moderator's key.
    let bannedBy: String
    let commentText: String
    let username: String?
    let isShadow: Bool
    /// Milliseconds since 1970; nil is for ever.
    let until: Int64?
    /// As moderators read it.
    let email: String?
    let choice: IdentityChoice
    let reason: String?

    var hasEmailWildcard: Bool { choice.emailDomain != nil }

    /// In the words of clients, which have none for bans that end.
    var type: String { isShadow ? "perma-shadow" : "perma" }

    /// The members that all forms of a ban have.
    func writeSharedMembers(to json: inout JSONWriter) {
        json.member("_id", id)
        json.member("banType", type)
        json.member("bannedUntil", dateOrNull: until)
        json.member("hasEmailWildcard", hasEmailWildcard)
        json.member("userId", orNull: choice.key)
        json.member("email", orNull: email)
        json.member("ipHash", orNull: choice.addressHash)
        json.member("banReason", ifPresent: reason)
    }

    /// As a changelog has it; closed key set.
    func write(to json: inout JSONWriter) { json.object(writeMembers) }

    func writeMembers(to json: inout JSONWriter) {
        writeSharedMembers(to: &json)
        json.member("tenantId", tenant)
        json.member("username", orNull: username)
        json.key("createdAt")
        json.date(milliseconds: createdAt)
        json.member("bannedByUserId", bannedBy)
        json.member("bannedCommentText", commentText)
    }

    /// By which of its identities the ban hits somebody, in the words of clients, with what is kept of each.
    func matches(_ identities: Identities) -> [(on: String, value: String)] {
        var matches: [(on: String, value: String)] = []
        if let key = choice.key, key == identities.key { matches.append(("userId", key)) }
        if let email = choice.emailKey, email == identities.emailKey { matches.append(("email", email)) }
        if let domain = choice.emailDomain, domain == identities.emailDomain {
            matches.append(("email-wildcard", "*@" + domain))
        }
        if let hash = choice.addressHash, hash == identities.addressHash { matches.append(("IP", hash)) }
        return matches
    }
}

extension JSONWriter {
    /// A date member, null for none.
    mutating func member(_ name: StaticString, dateOrNull date: Int64?) {
        key(name)
        guard let date else { return null() }
        self.date(milliseconds: date)
    }
}

enum BanSQL {
    static func exists(tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM ban WHERE tenant_id = ?1 LIMIT 1", .text(tenant)) {
            (row) throws(APIError) -> Int in row.int(0)
        } != nil
    }

    /// Bans that are in force.
    static func count(tenant: String, in session: inout Session) throws(APIError) -> Int64 {
        try session.first(
            "SELECT COUNT(*) FROM ban WHERE tenant_id = ?1 AND (until IS NULL OR until > ?2)", .text(tenant),
            .integer(session.now)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    /// Bans in force that hit any of the identities, oldest first.
    static func matching(
        _ identities: Identities, tenant: String, in session: inout Session
    ) throws(APIError) -> [Ban] {
        try session.query(
            """
            SELECT b.id, b.tenant_id, b.created_at, b.banned_by, b.comment_text, b.username, b.is_shadow, b.until,
                   b.user_key, b.email, b.email_key, b.email_domain, b.address_hash, b.reason
            FROM ban AS b
            WHERE b.id IN (
                SELECT id FROM ban WHERE tenant_id = ?1 AND user_key = ?2
                UNION ALL SELECT id FROM ban WHERE tenant_id = ?1 AND email_key = ?3
                UNION ALL SELECT id FROM ban WHERE tenant_id = ?1 AND email_domain = ?4
                UNION ALL SELECT id FROM ban WHERE tenant_id = ?1 AND address_hash = ?5)
              AND (b.until IS NULL OR b.until > ?6)
            ORDER BY b.created_at, b.id
            """,
            .text(tenant), .text(identities.key), .text(identities.emailKey), .text(identities.emailDomain),
            .text(identities.addressHash), .integer(session.now), row: ban)
    }

    /// Bans of exactly these identities, whether they are still in force or not.
    static func same(_ choice: IdentityChoice, tenant: String, in session: inout Session) throws(APIError) -> [Ban] {
        try session.query(
            """
            SELECT id, tenant_id, created_at, banned_by, comment_text, username, is_shadow, until, user_key, email,
                   email_key, email_domain, address_hash, reason
            FROM ban
            WHERE id IN (
                SELECT id FROM ban WHERE tenant_id = ?1 AND user_key = ?2
                UNION ALL SELECT id FROM ban WHERE tenant_id = ?1 AND email_key = ?3
                UNION ALL SELECT id FROM ban WHERE tenant_id = ?1 AND email_domain = ?4
                UNION ALL SELECT id FROM ban WHERE tenant_id = ?1 AND address_hash = ?5)
              AND user_key IS ?2 AND email_key IS ?3 AND email_domain IS ?4 AND address_hash IS ?5
            ORDER BY created_at, id
            """,
            .text(tenant), .text(choice.key), .text(choice.emailKey), .text(choice.emailDomain),
            .text(choice.addressHash), row: ban)
    }

    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Ban? {
        try session.first(
            """
            SELECT id, tenant_id, created_at, banned_by, comment_text, username, is_shadow, until, user_key, email,
                   email_key, email_domain, address_hash, reason
            FROM ban WHERE id = ?1 AND tenant_id = ?2
            """,
            .text(id), .text(tenant), row: ban)
    }

    /// Of a row whose columns are in the order of the statements here.
    static func ban(_ row: borrowing Row) throws(APIError) -> Ban {
        Ban(
            id: row.text(0), tenant: row.text(1), createdAt: row.int64(2), bannedBy: row.text(3),
            commentText: row.text(4), username: row.textOrNil(5), isShadow: row.bool(6), until: row.int64OrNil(7),
            email: row.textOrNil(9),
            choice: IdentityChoice(
                key: row.textOrNil(8), emailKey: row.textOrNil(10), emailDomain: row.textOrNil(11),
                addressHash: row.textOrNil(12)),
            reason: row.textOrNil(13))
    }

    /// Adds the ban, or makes the one with its id like it.
    static func save(_ ban: Ban, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO ban (
                id, tenant_id, created_at, banned_by, comment_text, username, is_shadow, until, user_key, email,
                email_key, email_domain, address_hash, reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            ON CONFLICT (id) DO UPDATE SET
                banned_by = excluded.banned_by, comment_text = excluded.comment_text, username = excluded.username,
                is_shadow = excluded.is_shadow, until = excluded.until, user_key = excluded.user_key,
                email = excluded.email, email_key = excluded.email_key, email_domain = excluded.email_domain,
                address_hash = excluded.address_hash, reason = excluded.reason
            WHERE ban.tenant_id = excluded.tenant_id
            """,
            .text(ban.id), .text(ban.tenant), .integer(ban.createdAt), .text(ban.bannedBy), .text(ban.commentText),
            .text(ban.username), .bool(ban.isShadow), .int(ban.until), .text(ban.choice.key), .text(ban.email),
            .text(ban.choice.emailKey), .text(ban.choice.emailDomain), .text(ban.choice.addressHash),
            .text(ban.reason))
    }

    /// Keeps how the ban is now, for whoever takes back what is about to happen to it.
    static func remember(_ id: String, tenant: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM ban_before WHERE tenant_id = ?2 AND id = ?1", .text(id), .text(tenant))
        try session.run(
            "INSERT INTO ban_before SELECT * FROM ban WHERE tenant_id = ?2 AND id = ?1", .text(id), .text(tenant))
    }

    /// Makes a ban what it was before it was replaced or changed.
    /// - Parameter imposer: only a ban of this moderator; nil is anybody's.
    /// - Returns: whether anything was remembered of it.
    @discardableResult
    static func restore(
        _ id: String, by imposer: String? = nil, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        let isKnown = try session.first(
            "SELECT 1 FROM ban_before WHERE tenant_id = ?2 AND id = ?1 AND (?3 IS NULL OR banned_by = ?3)", .text(id),
            .text(tenant), .text(imposer)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        guard isKnown != nil else { return false }
        try delete(id, tenant: tenant, in: &session)
        try session.run(
            "INSERT INTO ban SELECT * FROM ban_before WHERE tenant_id = ?2 AND id = ?1", .text(id), .text(tenant))
        try session.run("DELETE FROM ban_before WHERE tenant_id = ?2 AND id = ?1", .text(id), .text(tenant))
        return true
    }

    /// - Returns: whether there was such a ban.
    @discardableResult
    static func delete(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.run("DELETE FROM ban WHERE id = ?1 AND tenant_id = ?2", .text(id), .text(tenant)) > 0
    }
}
