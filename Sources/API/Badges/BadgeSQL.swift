import Domain
import Storage

/// The badges of a tenant.
package enum BadgeSQL {
    /// All of them, oldest first.
    package static func all(tenant: String, in session: inout Session) throws(APIError) -> [Badge] {
        try session.query(
            """
            SELECT b.id, b.tenant_id, b.created_by, b.created_at, b.is_enabled, b.type, b.threshold, b.veteran_millis,
                   b.name, b.url_id, b.replaces, (SELECT COUNT(*) FROM user_badge AS u WHERE u.badge_id = b.id),
                   b.description, b.label, b.image, b.background_color, b.border_color, b.text_color, b.css_class
            FROM badge AS b WHERE b.tenant_id = ?1 ORDER BY b.created_at, b.id
            """,
            .text(tenant), row: badge
        ).compactMap { $0 }
    }

    /// The badge with this id.
    package static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Badge? {
        try session.first(
            """
            SELECT b.id, b.tenant_id, b.created_by, b.created_at, b.is_enabled, b.type, b.threshold, b.veteran_millis,
                   b.name, b.url_id, b.replaces, (SELECT COUNT(*) FROM user_badge AS u WHERE u.badge_id = b.id),
                   b.description, b.label, b.image, b.background_color, b.border_color, b.text_color, b.css_class
            FROM badge AS b WHERE b.id = ?1 AND b.tenant_id = ?2
            """,
            .text(id), .text(tenant), row: badge) ?? nil
    }

    private static func badge(_ row: borrowing Row) throws(APIError) -> Badge? {
        guard let type = BadgeType(rawValue: row.int(5)) else { return nil }
        return Badge(
            id: row.text(0), tenant: row.text(1), createdBy: row.text(2), createdAt: row.int64(3),
            isEnabled: row.bool(4), type: type, threshold: row.int64(6), veteranMilliseconds: row.int64OrNil(7),
            name: row.text(8), face: BadgeFace(row, from: 12), urlID: row.textOrNil(9), replaces: row.textOrNil(10),
            uses: row.int64(11))
    }

    /// Makes a badge.
    /// - Parameters:
    ///   - creator: who runs the command.
    ///   - threshold: how much of it earns the badge; years for ``BadgeType/veteran``.
    ///   - page: canonical page id, for a badge that is shown there only.
    ///   - replaced: id of a badge that its holders do not show any more once they have this one.
    /// Whoever may have earned it already is looked at once they are listed: ``listAuthors(of:after:in:)``.
    /// - Returns: its id.
    package static func insert(
        _ name: String, _ type: BadgeType, _ face: BadgeFace, threshold: Int64, page: String?,
        replacing replaced: String?,
        by creator: String, tenant: String, in session: inout Session
    ) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: session.now)
        try session.run(
            """
            INSERT INTO badge (
                id, tenant_id, created_by, created_at, type, threshold, veteran_millis, name, description, label, image,
                background_color, border_color, text_color, css_class, url_id, replaces)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """,
            .text(id), .text(tenant), .text(creator), .integer(session.now), .int(type.rawValue), .integer(threshold),
            .int(type == .veteran ? veteranMilliseconds(threshold) : nil), .text(name), .text(face.description),
            .text(face.label),
            .text(face.image), .text(face.backgroundColor), .text(face.borderColor), .text(face.textColor),
            .text(face.cssClass), .text(page), .text(replaced))
        return id
    }

    /// Years at most that somebody can be asked to have been there.
    package static let mostYears: Int64 = 1000

    private static func veteranMilliseconds(_ years: Int64) -> Int64 {
        let (product, isTooMuch) = years.multipliedReportingOverflow(by: 365 * 24 * 3_600_000)
        return isTooMuch ? .max : product
    }

    /// People of one unit.
    private static let unitSize = 200

    /// Notes that somebody may have earned a badge already: some of those who wrote, in the order of their ids. On the
    /// writer.
    /// - Parameter place: the last of the former unit; empty at the beginning.
    /// - Returns: the last of this one; nil at the end.
    package static func listAuthors(
        of tenant: String, after place: String, in session: inout Session
    ) throws(APIError) -> String? {
        let authors = try session.query(
            """
            SELECT DISTINCT author_key FROM comment WHERE tenant_id = ?1 AND author_key > ?2 ORDER BY author_key LIMIT ?3
            """,
            .text(tenant), .text(place), .int(unitSize)
        ) { (row) throws(APIError) -> String in row.text(0) }
        try session.run(
            """
            INSERT INTO badge_check (tenant_id, user_key) SELECT ?1, value FROM json_each(?2) WHERE true
            ON CONFLICT (tenant_id, user_key) DO UPDATE SET changes = changes + 1
            """,
            .text(tenant), .list(authors))
        return authors.count == unitSize ? authors.last : nil
    }

    /// Lets a badge be given again, or to nobody else; who has it keeps it.
    /// - Returns: whether there is such a badge.
    package static func setEnabled(
        _ id: String, _ isEnabled: Bool, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.run(
            "UPDATE badge SET is_enabled = ?3 WHERE id = ?1 AND tenant_id = ?2", .text(id), .text(tenant),
            .bool(isEnabled)) > 0
    }

    /// Takes a badge away from some of those who have it. On the writer.
    /// - Returns: whether there may be more.
    package static func takeAway(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        let holders = try session.query(
            "SELECT user_key FROM user_badge WHERE badge_id = ?1 AND tenant_id = ?2 LIMIT ?3", .text(id), .text(tenant),
            .int(holdersOfUnit)
        ) { (row) throws(APIError) -> String in row.text(0) }
        try session.run(
            """
            UPDATE page SET version = version + 1
            WHERE id IN (
                SELECT c.page_id FROM json_each(?2) AS holder
                CROSS JOIN comment AS c ON c.tenant_id = ?1 AND c.author_key = holder.value)
            """,
            .text(tenant), .list(holders))
        try session.run(
            """
            DELETE FROM user_badge
            WHERE badge_id = ?1 AND tenant_id = ?2 AND user_key IN (SELECT value FROM json_each(?3))
            """,
            .text(id), .text(tenant), .list(holders))
        return holders.count == holdersOfUnit
    }

    /// Holders that one unit takes a badge from: each may have written on many pages.
    private static let holdersOfUnit = 50

    /// Removes a badge, for good; first take it away from everybody.
    /// - Returns: whether there was such a badge.
    package static func delete(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.run("DELETE FROM badge WHERE id = ?1 AND tenant_id = ?2", .text(id), .text(tenant)) > 0
    }
}

/// The badges that people have.
enum UserBadgeSQL {
    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> UserBadge? {
        try session.first(
            """
            SELECT id, tenant_id, user_key, badge_id, type, threshold, veteran_millis, is_displayed, received_at, url_id,
                   description, label, image, background_color, border_color, text_color, css_class
            FROM user_badge_record WHERE id = ?1 AND tenant_id = ?2
            """,
            .text(id), .text(tenant), row: userBadge)
    }

    /// Those of one person, oldest first.
    static func all(of user: String, tenant: String, in session: inout Session) throws(APIError) -> [UserBadge] {
        try session.query(
            """
            SELECT id, tenant_id, user_key, badge_id, type, threshold, veteran_millis, is_displayed, received_at, url_id,
                   description, label, image, background_color, border_color, text_color, css_class
            FROM user_badge_record WHERE tenant_id = ?1 AND user_key = ?2 ORDER BY received_at, id
            """,
            .text(tenant), .text(user), row: userBadge)
    }

    /// What a list is narrowed by; nil is everything.
    struct Filter: Sendable {
        var user: String?
        var badge: String?
        var type: Int64?
        var isDisplayed: Bool?
    }

    /// Newest first.
    static func list(
        _ filter: Filter, skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [UserBadge] {
        try session.query(
            """
            SELECT id, tenant_id, user_key, badge_id, type, threshold, veteran_millis, is_displayed, received_at, url_id,
                   description, label, image, background_color, border_color, text_color, css_class
            FROM user_badge_record
            WHERE tenant_id = ?1 AND (?2 IS NULL OR user_key = ?2) AND (?3 IS NULL OR badge_id = ?3)
              AND (?4 IS NULL OR type = ?4) AND (?5 IS NULL OR is_displayed = ?5)
            ORDER BY received_at DESC, id DESC LIMIT ?6 OFFSET ?7
            """,
            .text(tenant), .text(filter.user), .text(filter.badge), .int(filter.type), .bool(filter.isDisplayed),
            .int(limit), .int(skip), row: userBadge)
    }

    private static func userBadge(_ row: borrowing Row) throws(APIError) -> UserBadge {
        UserBadge(
            id: row.text(0), tenant: row.text(1), userKey: row.text(2), badgeID: row.text(3), type: row.int(4),
            threshold: row.int64(5), veteranMilliseconds: row.int64(6), isDisplayed: row.bool(7),
            receivedAt: row.int64(8), face: BadgeFace(row, from: 10), urlID: row.textOrNil(9))
    }

    static func insert(
        _ badge: String, to user: String, isDisplayed: Bool, tenant: String, in session: inout Session
    ) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: session.now)
        try session.run(
            """
            INSERT INTO user_badge (id, tenant_id, user_key, badge_id, is_displayed, received_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            .text(id), .text(tenant), .text(user), .text(badge), .bool(isDisplayed), .integer(session.now))
        return id
    }

    static func setDisplayed(_ id: String, _ isDisplayed: Bool, in session: inout Session) throws(APIError) {
        try session.run("UPDATE user_badge SET is_displayed = ?2 WHERE id = ?1", .text(id), .bool(isDisplayed))
    }

    static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM user_badge WHERE id = ?1", .text(id))
    }

    /// Gives comments the badges that their authors show there. Costs one look-up where nobody has any.
    static func attach(to records: inout [CommentRecord], in session: inout Session) throws(APIError) {
        guard let tenant = records.first?.tenant, try exist(tenant: tenant, in: &session) else { return }
        var shown: [Int64: [ShownBadge]] = [:]
        try session.forEach(
            """
            SELECT c.seq, u.badge_id, u.type, u.description, u.label, u.image, u.background_color, u.border_color,
                   u.text_color, u.css_class
            FROM json_each(?1) AS wanted
            CROSS JOIN comment AS c ON c.seq = wanted.value
            JOIN user_badge_record AS u
                ON u.tenant_id = c.tenant_id AND u.user_key = c.author_key AND u.is_displayed = 1
            WHERE u.url_id IS NULL OR u.url_id = (SELECT p.url_id FROM page AS p WHERE p.id = c.page_id)
            ORDER BY c.seq, u.received_at, u.id
            """,
            .text(JSONText.numbers(records.map(\.seq)))
        ) { (row) throws(APIError) in
            guard shown[row.int64(0), default: []].count < ShownBadge.limit else { return }
            let badge = ShownBadge(id: row.text(1), type: row.int(2), face: BadgeFace(row, from: 3))
            shown[row.int64(0), default: []].append(badge)
        }
        guard !shown.isEmpty else { return }
        for index in records.indices { records[index].badges = shown[records[index].seq] ?? [] }
    }

    private static func exist(tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first("SELECT 1 FROM user_badge WHERE tenant_id = ?1 LIMIT 1", .text(tenant)) {
            (row) throws(APIError) -> Int in row.int(0)
        } != nil
    }
}
