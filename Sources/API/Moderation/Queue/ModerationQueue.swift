import Domain
import Storage

/// The comments of a tenant that fit a filter, newest first (contract: admin 6.1). Placeholders of deleted comments are
/// left out.
struct ModerationQueue: Sendable {
    /// Behind which comment a part begins.
    struct Place: Sendable {
        let createdAt: Int64
        let seq: Int64
    }

    private let tenant: String
    private let filter: ModerationFilter
    /// What the text finds; nil where no text is looked for.
    private var text: TextMatch?
    /// Pages that fit; nil is any.
    private var pages: [Int64]?
    /// Authors that fit; nil is any.
    private var authors: [String]?
    private var isEmpty = false

    /// Looks up what the filter names.
    /// - Throws: `needsOffload` on a loop when words are looked for.
    init(_ filter: ModerationFilter, tenant: String, in session: inout Session) throws(APIError) {
        self.tenant = tenant
        self.filter = filter
        let search = filter.search
        text = try TextMatch(search, in: &session)
        if filter.urlID != nil || !search.pages.isEmpty {
            pages = try QueueSQL.pages(urlID: filter.urlID, search.pages, tenant: tenant, in: &session)
        }
        if filter.userID != nil || !search.users.isEmpty {
            authors = try QueueSQL.authors(id: filter.userID, search.users, tenant: tenant, in: &session)
        }
        let hosts = Set(search.domains + [filter.domain].compactMap { $0 })
        isEmpty =
            filter.isContradictory || hosts.count > 1 || pages?.isEmpty == true || authors?.isEmpty == true
            || text?.candidates?.isEmpty == true
    }

    /// Numbers of the comments, in order.
    func seqs(
        after place: Place? = nil, skip: Int = 0, limit: Int, oldestFirst: Bool = false, in session: inout Session
    ) throws(APIError) -> [Int64] {
        guard !isEmpty else { return [] }
        var parts = try ["SELECT c.seq"] + source(in: &session) + conditions
        if place != nil {
            parts.append(
                oldestFirst
                    ? "AND (c.created_at, c.seq) > (?12, ?13)" : "AND (c.created_at, c.seq) < (?12, ?13)")
        }
        parts.append(oldestFirst ? "ORDER BY c.created_at, c.seq" : "ORDER BY c.created_at DESC, c.seq DESC")
        parts.append("LIMIT ?14 OFFSET ?15")
        return try session.query(composed: parts, values(place, limit: limit, skip: skip)) {
            (row) throws(APIError) -> Int64 in row.int64(0)
        }
    }

    /// How many there are.
    func count(in session: inout Session) throws(APIError) -> Int {
        guard !isEmpty else { return 0 }
        if filter.isOfStatesOnly {
            return try QueueSQL.counts(tenant: tenant, in: &session).reduce(0) { sum, entry in
                filter.includes(state: entry.state) ? sum + entry.count : sum
            }
        }
        let parts =
            try ["SELECT COUNT(*) FROM (SELECT 1"] + source(in: &session) + conditions + ["LIMIT ?14 OFFSET ?15)"]
        let counts = try session.query(composed: parts, values(nil, limit: -1, skip: 0)) {
            (row) throws(APIError) -> Int in row.int(0)
        }
        return counts.first ?? 0
    }

    // MARK: The statement

    /// The way that reads the fewest rows.
    private func source(in session: inout Session) throws(APIError) -> [StaticString] {
        if text?.candidates != nil {
            return ["FROM json_each(?7) AS wanted CROSS JOIN comment AS c ON c.seq = wanted.value"]
        }
        if filter.addressHash != nil { return ["FROM comment AS c INDEXED BY comment_by_address"] }
        if authors != nil { return ["FROM comment AS c INDEXED BY comment_by_author"] }
        if let pages, pages.count <= 20 { return ["FROM comment AS c INDEXED BY comment_thread"] }
        return ["FROM comment AS c INDEXED BY", try rarest(in: &session)]
    }

    /// The index of the rarest state that the filter asks for.
    private func rarest(in session: inout Session) throws(APIError) -> StaticString {
        let indexes: [(isWanted: Bool, bit: Int, isSet: Bool, name: StaticString)] = [
            (filter.isSpam == true, 2, true, "comment_spam"), (filter.isFlagged, 8, true, "comment_flagged"),
            (filter.isLocked == true, 16, true, "comment_locked_of_tenant"),
            (filter.isApproved == false, 1, false, "comment_unapproved"),
            (filter.isReviewed == false, 4, false, "comment_unreviewed"),
        ]
        let wanted = indexes.filter(\.isWanted)
        guard !wanted.isEmpty else { return "comment_by_date" }
        let counts = try QueueSQL.counts(tenant: tenant, in: &session)
        func size(_ bit: Int, _ isSet: Bool) -> Int {
            counts.reduce(0) { ($1.state & bit != 0) == isSet ? $0 + $1.count : $0 }
        }
        return wanted.min { size($0.bit, $0.isSet) < size($1.bit, $1.isSet) }?.name ?? "comment_by_date"
    }

    /// States stand as literals, by which SQLite knows that a partial index serves.
    private var conditions: [StaticString] {
        var parts: [StaticString] = ["WHERE c.tenant_id = ?1 AND c.is_deleted = 0"]
        if let isReviewed = filter.isReviewed {
            parts.append(isReviewed ? "AND c.is_reviewed = 1" : "AND c.is_reviewed = 0")
        }
        if let isApproved = filter.isApproved {
            parts.append(isApproved ? "AND c.is_approved = 1" : "AND c.is_approved = 0")
        }
        if let isSpam = filter.isSpam { parts.append(isSpam ? "AND c.is_spam = 1" : "AND c.is_spam = 0") }
        if let isLocked = filter.isLocked { parts.append(isLocked ? "AND c.is_locked = 1" : "AND c.is_locked = 0") }
        if filter.isFlagged { parts.append("AND c.flag_count > 0") }
        if authors != nil { parts.append("AND c.author_key IN (SELECT value FROM json_each(?2))") }
        if pages != nil { parts.append("AND c.page_id IN (SELECT value FROM json_each(?3))") }
        if domain != nil { parts.append("AND c.domain = ?4") }
        if filter.addressHash != nil { parts.append("AND c.address_hash = ?5") }
        if filter.groups != nil {
            parts.append(
                """
                AND EXISTS (
                    SELECT 1 FROM json_each(c.moderation_groups) AS g
                    WHERE g.value IN (SELECT value FROM json_each(?6)))
                """)
        }
        if let text { parts += text.conditions }
        return parts
    }

    private var domain: String? { filter.domain ?? filter.search.domains.first }

    private func values(_ place: Place?, limit: Int, skip: Int) -> [Value] {
        [
            .text(tenant), authors.map(Value.list) ?? .null, .text(pages.map(JSONText.numbers)), .text(domain),
            .text(filter.addressHash), filter.groups.map(Value.list) ?? .null,
            .text(text?.candidates.map(JSONText.numbers)), .text(text?.expression),
            .text(text.map { JSONText.list($0.phrases) }), .text(filter.search.exact), .null, .int(place?.createdAt),
            .int(place?.seq), .int(limit), .int(skip),
        ]
    }
}

/// How the words of a search are found.
private struct TextMatch: Sendable {
    /// More hits than these are not collected; the comments are walked in their order instead.
    private static let mostCandidates = 2000

    /// In the syntax of the index; nil when nothing of the search is a word.
    let expression: String?
    /// What must stand in the source as it is, in lower case.
    let phrases: [String]
    /// Numbers of the comments with the words; nil where there are too many.
    let candidates: [Int64]?
    private let isExact: Bool

    /// Nil when no text is looked for.
    init?(_ search: ModerationSearch, in session: inout Session) throws(APIError) {
        guard !search.terms.isEmpty || search.exact != nil else { return nil }
        isExact = search.exact != nil
        let quoted = search.exact.map { "\"" + $0.filter { $0 != "\"" } + "\"" }
        let query = SearchQuery((search.terms + [quoted].compactMap { $0 }).joined(separator: " "))
        guard let query, !query.isEmpty else {
            expression = nil
            phrases = search.phrases.map { $0.lowercased() }
            candidates = search.terms.isEmpty ? nil : []
            return
        }
        expression = query.expression
        // SQLite knows the case of ASCII letters only; for others the index has to do.
        phrases = search.phrases.filter { $0.utf8.allSatisfy { $0 < 0x80 } }.map { $0.lowercased() }
        let hits = try QueueSQL.hits(query.expression, limit: Self.mostCandidates + 1, in: &session)
        candidates = hits.count > Self.mostCandidates ? nil : hits
    }

    var conditions: [StaticString] {
        var parts: [StaticString] = []
        if candidates == nil, expression != nil {
            parts.append(
                """
                AND EXISTS (SELECT 1 FROM comment_search AS s WHERE s.comment_search MATCH 'words : (' || ?8 || ')'
                            AND s.rowid = c.seq)
                """)
        }
        if !phrases.isEmpty {
            parts.append(
                "AND NOT EXISTS (SELECT 1 FROM json_each(?9) AS p WHERE instr(lower(c.source), p.value) = 0)")
        }
        if isExact { parts.append("AND c.source = ?10") }
        return parts
    }
}

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

    /// Pages with this id, and whose title has each text; a text with a scheme is a whole address.
    static func pages(
        urlID: String?, _ texts: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT g.id FROM page AS g
            WHERE g.tenant_id = ?1 AND (?2 IS NULL OR g.url_id = ?2) AND NOT EXISTS (
                SELECT 1 FROM json_each(?3) AS t
                WHERE CASE WHEN instr(t.value, '://') > 0 THEN t.value NOT IN (g.url, g.url_id)
                      ELSE instr(lower(COALESCE(g.title, '')), lower(t.value)) = 0 END)
            """,
            .text(tenant), .text(urlID), .list(texts)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// People with this id, and people and guests whose names have each text.
    static func authors(
        id: String?, _ texts: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [String] {
        guard !texts.isEmpty else { return [id].compactMap { $0 } }
        return try session.query(
            """
            SELECT id FROM person AS p
            WHERE p.tenant_id = ?1 AND (?2 IS NULL OR p.id = ?2) AND NOT EXISTS (
                SELECT 1 FROM json_each(?3) AS t
                WHERE instr(p.username_key, t.value) = 0 AND instr(p.display_key, t.value) = 0)
            UNION ALL
            SELECT id FROM guest AS g
            WHERE g.tenant_id = ?1 AND (?2 IS NULL OR g.id = ?2) AND NOT EXISTS (
                SELECT 1 FROM json_each(?3) AS t WHERE instr(lower(COALESCE(g.name, '')), t.value) = 0)
            """,
            .text(tenant), .text(id), .list(texts.map { $0.lowercased() })
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}
