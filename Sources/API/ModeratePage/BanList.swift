import Domain
import JSON
import Storage

/// The bans that are in force, the latest first. Whoever is bound to groups is told of their own, which are those that
/// they may lift.
enum BanList {
    /// Characters of what is looked for at most.
    private static let longestSearch = 500

    static func list(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let count = try ListPlace.count(visit.call)
        let place = try ListPlace(visit.call)
        let words = visit.call.text("text-search")?.composed.trimmed ?? ""
        guard words.unicodeScalars.count <= longestSearch else {
            throw .invalidInput("The search has more than \(longestSearch) characters.")
        }
        let choice = Choice(
            tenant: visit.tenant.id, imposer: visit.moderator.groups == nil ? nil : visit.moderator.key,
            words: words.isEmpty ? nil : words)
        let found = try choice.find(before: place, limit: count + 1, in: &session)
        let total = try choice.count(in: &session)
        let shown = Array(found.prefix(count))
        let next = found.count > count ? shown.last?.place.text : nil
        return .json(
            Answer { json in
                json.member("bannedUsers", shown)
                json.member("totalCount", total)
                json.member("nextAfter", orNull: next)
            })
    }
}

/// Which bans are asked for.
private struct Choice {
    let tenant: String
    /// Only those of this moderator; nil is everybody's.
    let imposer: String?
    /// What stands in a name, an address, a reason or what was written, without regard to the case of ASCII letters.
    let words: String?

    private static let source: StaticString = """
        FROM ban AS b LEFT JOIN account AS a ON a.id = b.banned_by AND a.tenant_id = b.tenant_id
        LEFT JOIN person AS p ON p.tenant_id = b.tenant_id AND p.id = b.banned_by
        WHERE b.tenant_id = ?1 AND (b.until IS NULL OR b.until > ?2) AND (?3 IS NULL OR b.banned_by = ?3)
          AND (?4 IS NULL OR EXISTS (
              SELECT 1 FROM json_each(json_array(
                  b.username, b.email, b.reason, b.comment_text, a.name, p.display_name, p.username)) AS text
              WHERE instr(lower(text.value), lower(?4))))
        """

    func find(before place: ListPlace, limit: Int, in session: inout Session) throws(APIError) -> [ListedBan] {
        try session.query(
            composed: [
                """
                SELECT b.id, b.tenant_id, b.created_at, b.banned_by, b.comment_text, b.username, b.is_shadow, b.until,
                       b.user_key, b.email, b.email_key, b.email_domain, b.address_hash, b.reason,
                       COALESCE(a.name, NULLIF(p.display_name, ''), p.username)
                """,
                Self.source,
                "AND (b.created_at, b.id) < (?5, ?6) ORDER BY b.created_at DESC, b.id DESC LIMIT ?7",
            ],
            values(session.now) + [.integer(place.time), .text(place.key), .int(limit)]
        ) { (row) throws(APIError) -> ListedBan in ListedBan(ban: try BanSQL.ban(row), imposer: row.textOrNil(14)) }
    }

    func count(in session: inout Session) throws(APIError) -> Int {
        try session.query(composed: ["SELECT COUNT(*)", Self.source], values(session.now)) {
            (row) throws(APIError) -> Int in row.int(0)
        }.first ?? 0
    }

    private func values(_ now: Int64) -> [Value] { [.text(tenant), .integer(now), .text(imposer), .text(words)] }
}

private struct ListedBan: JSONWritable, Sendable {
    let ban: Ban
    /// Name of the moderator; nil when nobody is known of it any more.
    let imposer: String?

    var place: ListPlace { ListPlace(time: ban.createdAt, key: ban.id) }

    func write(to json: inout JSONWriter) {
        json.object { json in
            ban.writeMembers(to: &json)
            json.member("bannedByName", orNull: imposer)
        }
    }
}
