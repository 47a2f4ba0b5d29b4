import Domain
import JSON
import Storage

/// Looks people up by the beginning of their name as the page shows it: the name shown before the login name, letters
/// in the very case before others. Left out are the searcher, whom the searcher blocked, people of other groups, and
/// private profiles.
struct PersonSearch {
    /// Whom a search looks at.
    enum Section: String {
        /// Those who wrote on the page, the latest first.
        case page
        /// Everybody of the tenant. Of very many, those who come first in the alphabet are looked at.
        case site
        /// Administrators and moderators, the account's owner included.
        case staff
    }

    /// People of a section at most.
    static let limit = 10

    private let tenant: Tenant
    private let format: CommenterName.Format
    private let page: Int64?
    private let prefix: String
    private let key: String
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
        key = self.prefix.lowercased()
        searcher = caller.key
        searcherGroups = caller.person?.groupIDs
        mentionGroups = groups
    }

    /// Nothing of a name was given.
    var isOpen: Bool { prefix.isEmpty }

    /// The best matches of a section.
    func find(_ section: Section, in session: inout Session) throws(APIError) -> [FoundPerson] {
        let stem = CommenterName.stem(ofShown: key, as: format)
        // The latest ten of a page need no look at the others.
        let rows = isOpen && section == .page ? Self.limit : -1
        var best = BestMatches(Self.limit, isAlphabetical: section != .page)
        try session.forEach(
            """
            SELECT p.id, p.username, p.display_name, p.avatar
            FROM (SELECT user_id AS id, MAX(seq) AS latest FROM comment
                  WHERE ?2 = 'page' AND page_id = ?3
                    AND user_id IS NOT NULL AND is_approved = 1 AND is_spam = 0 AND is_deleted = 0
                  GROUP BY user_id
                  UNION ALL
                  SELECT id, 0 FROM (
                      SELECT id FROM (
                          SELECT id FROM person
                          WHERE ?2 = 'site' AND tenant_id = ?1 AND display_key >= ?4 AND display_key < ?5
                          ORDER BY display_key, id LIMIT 2000)
                      UNION
                      SELECT id FROM (
                          SELECT id FROM person
                          WHERE ?2 = 'site' AND tenant_id = ?1 AND username_key >= ?4 AND username_key < ?5
                          ORDER BY username_key, id LIMIT 2000)
                      UNION
                      SELECT id FROM person
                      WHERE ?2 = 'staff' AND tenant_id = ?1 AND (is_admin = 1 OR is_moderator = 1) AND is_simple = 0
                      UNION
                      SELECT id FROM person
                      WHERE ?2 = 'staff' AND tenant_id = ?1 AND email_key = ?6 AND is_simple = 0)) AS found
            CROSS JOIN person AS p ON p.tenant_id = ?1 AND p.id = found.id
            WHERE (p.display_key >= ?4 AND p.display_key < ?5 OR p.username_key >= ?4 AND p.username_key < ?5)
              AND p.id <> ?7 AND COALESCE(p.is_activity_private, 0) = 0
              AND NOT EXISTS (SELECT 1 FROM block AS b
                              WHERE b.tenant_id = ?1 AND b.blocker_key = ?7 AND b.blocked_key = p.id)
              AND (?8 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?8))))
              AND (?9 IS NULL OR p.group_ids IS NULL OR EXISTS (
                   SELECT 1 FROM json_each(p.group_ids) AS g WHERE g.value IN (SELECT value FROM json_each(?9))))
            ORDER BY found.latest DESC, p.id LIMIT ?10
            """,
            .text(tenant.id), .text(section.rawValue), .integer(page ?? 0), .text(stem), .text(stem + "\u{10FFFF}"),
            .text(tenant.ownerEmail?.lowercased()), .text(searcher ?? ""),
            searcherGroups.map { .list($0) } ?? .null, mentionGroups.isEmpty ? .null : .list(mentionGroups),
            .int(rows)
        ) { (row) throws(APIError) in note(row, &best) }
        return best.people
    }

    private func note(_ row: borrowing Row, _ best: inout BestMatches) {
        let username = CommenterName.formatted(row.text(1), as: format)
        let displayName = row.textOrNil(2).flatMap { $0.isEmpty ? nil : CommenterName.formatted($0, as: format) }
        guard let rank = rank(username: username, displayName: displayName) else { return }
        best.add(rank: rank, shownName: displayName ?? username) {
            FoundPerson(
                id: row.text(0), username: username, displayName: displayName, avatar: row.textOrNil(3), rank: rank)
        }
    }

    /// Nil for names that do not begin so where they are shown.
    private func rank(username: String, displayName: String?) -> Int? {
        let shownName = displayName ?? username
        if shownName.utf8.starts(with: prefix.utf8) { return 0 }
        if username.utf8.starts(with: prefix.utf8) { return 1 }
        if shownName.lowercased().utf8.starts(with: key.utf8) { return 2 }
        return username.lowercased().utf8.starts(with: key.utf8) ? 3 : nil
    }

    /// Several sections as one list: each person once, the best matches first.
    static func merged(_ sections: [FoundPerson]...) -> [FoundPerson] {
        var seen: Set<String> = []
        let distinct = sections.joined().filter { seen.insert($0.id).inserted }
        let ranks = distinct.map(\.rank)
        let order = distinct.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        return order.prefix(limit).map { distinct[$0] }
    }
}
