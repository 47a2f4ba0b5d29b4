import Domain
import Storage

enum QueueSQL {
    /// How many comments a tenant has in each state.
    static func counts(tenant: String, in session: inout Session) throws(APIError) -> [(state: Int, count: Int)] {
        try session.query("SELECT state, count FROM comment_count WHERE tenant_id = ?1", .text(tenant)) {
            (row) throws(APIError) -> (state: Int, count: Int) in (row.int(0), row.int(1))
        }
    }

    /// Comments with the words, of all tenants.
    static func hits(_ expression: String, limit: Int, in session: inout Session) throws(APIError) -> [Int64] {
        try session.requireTime(milliseconds: CommentSearch.milliseconds)
        return try session.query(
            "SELECT rowid FROM comment_search WHERE comment_search MATCH ?1 LIMIT ?2",
            .text("words : (\(expression))"), .int(limit)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// Comments of others are left out one by one when they are no more than these.
    private static let mostOthers = 5000

    /// How many comments of a tenant have the words; nil where too many are others'. Only comments that lists have are in
    /// the index.
    static func hitCount(
        _ expression: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Int? {
        try session.requireTime(milliseconds: CommentSearch.milliseconds)
        let others = try session.first(
            "SELECT COALESCE(SUM(count), 0) FROM comment_count WHERE tenant_id <> ?1", .text(tenant)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        guard let others, others <= mostOthers else { return nil }
        let words = Value.text("words : (\(expression))")
        guard others > 0 else {
            return try session.first("SELECT COUNT(*) FROM comment_search WHERE comment_search MATCH ?1", words) {
                (row) throws(APIError) -> Int in row.int(0)
            }
        }
        return try session.first(
            """
            SELECT COUNT(*) FROM comment_search WHERE comment_search MATCH ?1 AND rowid NOT IN (
                SELECT seq FROM comment INDEXED BY comment_by_tenant WHERE tenant_id < ?2
                UNION ALL SELECT seq FROM comment INDEXED BY comment_by_tenant WHERE tenant_id > ?2)
            """,
            words, .text(tenant)
        ) { (row) throws(APIError) -> Int in row.int(0) }
    }

    // MARK: Pages and people

    /// Pages with this id, and whose title has each text; a text with a scheme is a whole address.
    static func pages(
        urlID: String?, _ texts: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [Int64] {
        if let urlID, texts.isEmpty {
            return try PageSQL.find(urlID, tenant: tenant, in: &session).map { [$0.id] } ?? []
        }
        let wanted = texts.map { PageText($0) }
        var pages: [Int64] = []
        try session.forEach(
            "SELECT id, url_id, url, title FROM page WHERE tenant_id = ?1 AND (?2 IS NULL OR url_id = ?2)",
            .text(tenant), .text(urlID)
        ) { (row) throws(APIError) in
            let (id, address, title) = (row.text(1), row.text(2), row.textOrNil(3) ?? "")
            if wanted.allSatisfy({ $0.fits(id: id, address: address, title: title) }) { pages.append(row.int64(0)) }
        }
        return pages
    }

    /// People with this id, and people and guests whose names have each text. An id may stand without its tenant.
    static func authors(
        id: String?, _ texts: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [String] {
        let ids = id.map { [$0, "\(tenant):\($0)", "anon:\($0)"] }
        guard let first = texts.first else { return ids ?? [] }
        // The first text by itself, because a look into a list for each of very many people takes long.
        return try session.query(
            """
            SELECT id FROM person AS p
            WHERE p.tenant_id = ?1 AND (?2 IS NULL OR p.id IN (SELECT value FROM json_each(?2)))
            AND (instr(p.username_key, ?4) > 0 OR instr(p.display_key, ?4) > 0) AND NOT EXISTS (
                SELECT 1 FROM json_each(?3) AS t
                WHERE instr(p.username_key, t.value) = 0 AND instr(p.display_key, t.value) = 0)
            UNION ALL
            SELECT id FROM guest AS g
            WHERE g.tenant_id = ?1 AND (?2 IS NULL OR g.id IN (SELECT value FROM json_each(?2)))
            AND instr(lower(g.name), ?4) > 0 AND NOT EXISTS (
                SELECT 1 FROM json_each(?3) AS t WHERE instr(lower(COALESCE(g.name, '')), t.value) = 0)
            """,
            .text(tenant), ids.map(Value.list) ?? .null, .list(texts.map { $0.lowercased() }),
            .text(first.lowercased())
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// So many comments that nobody is kept for are looked at, the newest.
    private static let mostUnowned = 5000

    /// Comments of authors without an account or a guest's id, whose names have each text.
    static func unowned(
        _ texts: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT seq FROM (
                SELECT seq, lower(commenter_name) AS name FROM comment INDEXED BY comment_by_author
                WHERE tenant_id = ?1 AND author_key IS NULL ORDER BY seq DESC LIMIT ?3) AS c
            WHERE NOT EXISTS (SELECT 1 FROM json_each(?2) AS t WHERE instr(c.name, t.value) = 0)
            """,
            .text(tenant), .list(texts.map { $0.lowercased() }), .int(mostUnowned)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    // MARK: Sizes

    static func size(
        address: String, tenant: String, limit: Int, in session: inout Session
    ) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM comment INDEXED BY comment_by_address
                WHERE tenant_id = ?1 AND address_hash = ?2 LIMIT ?3)
            """,
            .text(tenant), .text(address), .int(limit)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }

    static func size(
        exact text: String, tenant: String, limit: Int, in session: inout Session
    ) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM comment INDEXED BY comment_by_beginning
                WHERE tenant_id = ?1 AND substr(source, 1, 24) = substr(?2, 1, 24) LIMIT ?3)
            """,
            .text(tenant), .text(text), .int(limit)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }

    static func size(
        authors: [String], tenant: String, limit: Int, in session: inout Session
    ) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM comment INDEXED BY comment_by_author
                WHERE tenant_id = ?1 AND author_key IN (SELECT value FROM json_each(?2)) LIMIT ?3)
            """,
            .text(tenant), .list(authors), .int(limit)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }

    static func size(pages: [Int64], limit: Int, in session: inout Session) throws(APIError) -> Int {
        try session.first(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM comment INDEXED BY comment_thread
                WHERE page_id IN (SELECT value FROM json_each(?1)) LIMIT ?2)
            """,
            .text(JSONText.numbers(pages)), .int(limit)
        ) { (row) throws(APIError) -> Int in row.int(0) } ?? 0
    }
}

/// What a page is looked for by: part of its title, or its whole address or id.
private struct PageText {
    private let text: String
    private let canonical: String
    private let isAddress: Bool

    init(_ text: String) {
        isAddress = text.hasScheme
        self.text = isAddress ? text : text.lowercased()
        canonical = PageIdentity.canonical(text) ?? text
    }

    func fits(id: String, address: String, title: String) -> Bool {
        isAddress ? id == canonical || address == text || id == text : title.lowercased().holds(text)
    }
}

extension String {
    /// Whether it begins as an address does.
    fileprivate var hasScheme: Bool {
        let scheme = utf8.prefix { $0 != UInt8(ascii: ":") }
        return !scheme.isEmpty && utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    /// Whether the other text stands in it, byte for byte.
    func holds(_ other: String) -> Bool {
        let needle = other.utf8
        guard let first = needle.first else { return true }
        var rest = utf8[...]
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: needle) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
