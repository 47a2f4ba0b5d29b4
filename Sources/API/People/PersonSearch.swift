import Domain
import JSON
import Storage

/// Somebody whom a search found, as the tenant shows names (contract: public 12); closed key set.
struct FoundPerson: JSONWritable, Sendable {
    let id: String
    let username: String
    let displayName: String?
    let avatar: String?
    /// How well the name matches: 0 is best.
    let rank: Int

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("name", username)
            json.member("displayName", ifPresent: displayName)
            json.member("avatarSrc", orNull: avatar)
            json.member("type", "sso")
        }
    }
}

/// Looks people up by the beginning of their name: the name shown before the login name, letters in the very case
/// before others. Left out are the searcher, whom the searcher blocked, people of other groups, and private profiles.
struct PersonSearch {
    /// People of a section at most.
    static let limit = 10

    private let tenant: Tenant
    private let format: CommenterName.Format
    private let page: Int64?
    private let prefix: String
    private let searcher: String?
    private let searcherGroups: [String]?
    private let mentionGroups: [String]

    /// - Parameters:
    ///   - page: row id; nil for a page where nothing was ever written.
    ///   - prefix: beginning of a name; empty is everybody.
    ///   - groups: those that the page asks for; empty is any.
    init(_ caller: Caller, page: Int64?, prefix: String, groups: [String]) {
        tenant = caller.tenant
        format = caller.settings.nameFormat
        self.page = page
        self.prefix = prefix.composed
        searcher = caller.key
        searcherGroups = caller.person?.groupIDs
        mentionGroups = groups
    }

    /// Nothing of a name was given.
    var isOpen: Bool { prefix.isEmpty }

    /// Those who wrote on the page, the latest first.
    func onPage(in session: inout Session) throws(APIError) -> [FoundPerson] {
        guard let page else { return [] }
        return try session.query(
            """
            SELECT p.id, p.username, p.display_name, p.avatar,
                CASE WHEN substr(COALESCE(NULLIF(p.display_name, ''), p.username), 1, ?5) = ?4 THEN 0
                     WHEN substr(p.username, 1, ?5) = ?4 THEN 1
                     WHEN substr(p.display_key, 1, ?7) = ?6 THEN 2 ELSE 3 END AS rank
            FROM (SELECT user_id, MAX(seq) AS latest FROM comment
                  WHERE page_id = ?2 AND user_id IS NOT NULL AND is_approved = 1 AND is_spam = 0 AND is_deleted = 0
                  GROUP BY user_id) AS found
            CROSS JOIN person AS p ON p.tenant_id = ?1 AND p.id = found.user_id
            WHERE (substr(p.display_key, 1, ?7) = ?6 OR substr(p.username_key, 1, ?7) = ?6)
              AND p.id <> ?3 AND COALESCE(p.is_activity_private, 0) = 0
              AND NOT EXISTS (SELECT 1 FROM block AS b
                              WHERE b.tenant_id = ?1 AND b.blocker_key = ?3 AND b.blocked_key = p.id)
              AND (?8 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?8))))
              AND (?9 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?9))))
            ORDER BY rank, found.latest DESC LIMIT ?10
            """,
            .text(tenant.id), .integer(page), .text(searcher ?? ""), .text(prefix), length(prefix), .text(key),
            length(key), own, asked, .int(Self.limit), row: found)
    }

    /// Everybody of the tenant. Of very many, those who come first in the alphabet are looked at.
    func onSite(in session: inout Session) throws(APIError) -> [FoundPerson] {
        try session.query(
            """
            SELECT p.id, p.username, p.display_name, p.avatar,
                CASE WHEN substr(COALESCE(NULLIF(p.display_name, ''), p.username), 1, ?5) = ?4 THEN 0
                     WHEN substr(p.username, 1, ?5) = ?4 THEN 1
                     WHEN substr(p.display_key, 1, ?7) = ?6 THEN 2 ELSE 3 END AS rank
            FROM (SELECT id FROM (SELECT id FROM person WHERE tenant_id = ?1 AND display_key >= ?6 AND display_key < ?2
                                  ORDER BY display_key, id LIMIT 2000)
                  UNION
                  SELECT id FROM (SELECT id FROM person WHERE tenant_id = ?1 AND username_key >= ?6 AND username_key < ?2
                                  ORDER BY username_key, id LIMIT 2000)) AS found
            CROSS JOIN person AS p ON p.tenant_id = ?1 AND p.id = found.id
            WHERE p.id <> ?3 AND COALESCE(p.is_activity_private, 0) = 0
              AND NOT EXISTS (SELECT 1 FROM block AS b
                              WHERE b.tenant_id = ?1 AND b.blocker_key = ?3 AND b.blocked_key = p.id)
              AND (?8 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?8))))
              AND (?9 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?9))))
            ORDER BY rank, p.display_key, p.id LIMIT ?10
            """,
            .text(tenant.id), .text(key + "\u{10FFFF}"), .text(searcher ?? ""), .text(prefix), length(prefix),
            .text(key), length(key), own, asked, .int(Self.limit), row: found)
    }

    /// Administrators and moderators, the account's owner included.
    func moderators(in session: inout Session) throws(APIError) -> [FoundPerson] {
        try session.query(
            """
            SELECT p.id, p.username, p.display_name, p.avatar,
                CASE WHEN substr(COALESCE(NULLIF(p.display_name, ''), p.username), 1, ?5) = ?4 THEN 0
                     WHEN substr(p.username, 1, ?5) = ?4 THEN 1
                     WHEN substr(p.display_key, 1, ?7) = ?6 THEN 2 ELSE 3 END AS rank
            FROM (SELECT id FROM person WHERE tenant_id = ?1 AND (is_admin = 1 OR is_moderator = 1)
                  UNION
                  SELECT id FROM person WHERE tenant_id = ?1 AND email_key = ?2) AS found
            CROSS JOIN person AS p ON p.tenant_id = ?1 AND p.id = found.id
            WHERE p.is_simple = 0 AND (substr(p.display_key, 1, ?7) = ?6 OR substr(p.username_key, 1, ?7) = ?6)
              AND p.id <> ?3 AND COALESCE(p.is_activity_private, 0) = 0
              AND NOT EXISTS (SELECT 1 FROM block AS b
                              WHERE b.tenant_id = ?1 AND b.blocker_key = ?3 AND b.blocked_key = p.id)
              AND (?8 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?8))))
              AND (?9 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?9))))
            ORDER BY rank, p.display_key, p.id LIMIT ?10
            """,
            .text(tenant.id), .text(tenant.ownerEmail?.lowercased()), .text(searcher ?? ""), .text(prefix),
            length(prefix), .text(key), length(key), own, asked, .int(Self.limit), row: found)
    }

    /// Several sections as one list: each person once, the best matches first.
    static func merged(_ sections: [FoundPerson]...) -> [FoundPerson] {
        var seen: Set<String> = []
        let distinct = sections.joined().filter { seen.insert($0.id).inserted }
        let ranks = distinct.map(\.rank)
        let order = distinct.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        return order.prefix(limit).map { distinct[$0] }
    }

    private var key: String { prefix.lowercased() }

    /// As the database counts.
    private func length(_ text: String) -> Value { .integer(Int64(text.unicodeScalars.count)) }

    private var own: Value { searcherGroups.map { .list($0) } ?? .null }

    private var asked: Value { mentionGroups.isEmpty ? .null : .list(mentionGroups) }

    private func found(_ row: borrowing Row) throws(APIError) -> FoundPerson {
        let displayName = row.textOrNil(2).flatMap { $0.isEmpty ? nil : CommenterName.formatted($0, as: format) }
        return FoundPerson(
            id: row.text(0), username: CommenterName.formatted(row.text(1), as: format), displayName: displayName,
            avatar: row.textOrNil(3), rank: row.int(4))
    }
}
