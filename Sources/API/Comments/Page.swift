import Domain
import Storage

/// One thread: everything said under one canonical page id of a tenant.
struct Page: Sendable {
    let id: Int64
    let tenant: String
    /// Canonical page id.
    let urlID: String
    let isClosed: Bool
    /// nil is everybody, empty nobody.
    let groupIDs: [String]?
    /// Differs after every change to a comment of the page.
    let version: Int64
    /// Differs after views of its comments were counted.
    let viewVersion: Int64

    var room: RoomKey { RoomKey(tenant: tenant, page: urlID) }
}

/// What a request says of a page beside its id.
struct PageFacts: Sendable, Equatable {
    /// Empty when nothing is said.
    let url: String
    /// nil when nothing is said.
    let title: String?

    /// - Parameters:
    ///   - url: as sent: some clients send what is no address, such as the page's id; what a browser would run is nothing.
    ///   - title: as sent.
    init(url: String? = nil, title: String? = nil) {
        self.url = url.flatMap { WebAddress.runsScript($0) ? nil : $0.cut(to: 2000) } ?? ""
        let line = title?.composed.line.cut(to: 500) ?? ""
        self.title = line.isEmpty ? nil : line
    }
}

enum PageSQL {
    /// The page, nil when nothing was ever written there.
    static func find(_ urlID: String, tenant: String, in session: inout Session) throws(APIError) -> Page? {
        try session.first(
            """
            SELECT id, tenant_id, url_id, is_closed, group_ids, version, view_version FROM page
            WHERE tenant_id = ?1 AND url_id = ?2
            """,
            .text(tenant), .text(urlID), row: page)
    }

    /// The page with this row id.
    static func find(id: Int64, in session: inout Session) throws(APIError) -> Page? {
        try session.first(
            "SELECT id, tenant_id, url_id, is_closed, group_ids, version, view_version FROM page WHERE id = ?1",
            .integer(id), row: page)
    }

    private static func page(_ row: borrowing Row) throws(APIError) -> Page {
        Page(
            id: row.int64(0), tenant: row.text(1), urlID: row.text(2), isClosed: row.bool(3),
            groupIDs: row.textOrNil(4).map(JSONText.strings), version: row.int64(5), viewVersion: row.int64(6))
    }

    /// The page, made when it is new. What the caller says of it counts where nothing was known; to replace what is
    /// known takes somebody signed on securely, since everybody sees it.
    static func findOrInsert(
        _ urlID: String, _ facts: PageFacts = PageFacts(), from caller: Caller, touches: Bool = false,
        in session: inout Session
    ) throws(APIError) -> Page {
        let isSigned = caller.person.map { !$0.isSimple } ?? false
        return try findOrInsert(
            urlID, facts, replacesKnown: isSigned, touches: touches, tenant: caller.tenant.id, in: &session)
    }

    /// The page, made when it is new.
    /// - Parameters:
    ///   - replacesKnown: a title or address replaces the one known.
    ///   - touches: a comment of it changes, too.
    static func findOrInsert(
        _ urlID: String, _ facts: PageFacts = PageFacts(), replacesKnown: Bool, touches: Bool = false, tenant: String,
        in session: inout Session
    ) throws(APIError) -> Page {
        guard urlID != LiveRoomName.feed else {
            throw APIError(422, "missing-url-id", "\(urlID) is the room of the feed and no page.")
        }
        let page = try session.first(
            """
            INSERT INTO page (tenant_id, url_id, url, title, version, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5)
            ON CONFLICT (tenant_id, url_id) DO UPDATE SET
                url = CASE WHEN excluded.url <> '' AND (?6 OR page.url = '') THEN excluded.url ELSE page.url END,
                title = CASE WHEN ?6 THEN COALESCE(excluded.title, page.title)
                             ELSE COALESCE(page.title, excluded.title) END,
                updated_at = excluded.updated_at, is_removed = 0, version = page.version + ?7
            RETURNING id, tenant_id, url_id, is_closed, group_ids, version, view_version
            """,
            .text(tenant), .text(urlID), .text(facts.url), .text(facts.title), .integer(session.now),
            .bool(replacesKnown), .bool(touches), row: page)
        guard let page else {
            throw .internal("a page that was just written is not there")
        }
        return page
    }

    /// Notes that a comment of the page changed.
    static func touch(_ id: Int64, in session: inout Session) throws(APIError) {
        try session.run("UPDATE page SET version = version + 1 WHERE id = ?1", .integer(id))
    }
}
