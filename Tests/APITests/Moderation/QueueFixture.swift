import JSON
import TestSupport
import Testing

/// A tenant with comments in random states, and what lists of them must have, worked out the plain way.
struct QueueFixture {
    let site: Site
    let rows: [Row]

    /// A comment as it is stored.
    struct Row {
        let seq: Int
        let id: String
        let date: Int
        let isDeleted, isApproved, isSpam, isReviewed, isFlagged, isLocked: Bool
        let author: String
        let urlID: String
        let title: String
        let domain: String
        let address: String
        let groups: [String]
        let source: String

        var words: [Substring] { source.lowercased().split { !$0.isLetter && !$0.isNumber } }

        /// Whether the words of a filter let it through.
        func fits(_ filters: [String]) -> Bool {
            !isDeleted
                && filters.allSatisfy { word in
                    switch word {
                    case "needs-review": !isReviewed
                    case "reviewed": isReviewed
                    case "needs-approval": !isApproved
                    case "approved": isApproved
                    case "spam": isSpam
                    case "not-spam": !isSpam
                    case "flagged": isFlagged
                    case "locked": isLocked
                    case "banned": false
                    default: true
                    }
                }
        }
    }

    /// - Parameter copies: of one comment, so that some ways to find comments have too many.
    init(seed: UInt64, comments: Int = 220, copies: Int = 0) throws {
        var random = SeededGenerator(seed: seed)
        let site = try Site(pages: Self.pages(comments, &random))
        self.site = site
        try site.seed(["people": .array(["ann", "bob"].map { Self.person($0, of: site.tenant.id) })])
        try site.seed(["pages": .array(Self.peoplesPages(site.tenant.id, comments / 3, &random))])
        if copies > 0 { try site.execute(Self.copying(copies, site.tenant.id)) }
        try site.execute(Self.states(try site.table("SELECT seq FROM comment WHERE tenant_id = ?1"), &random))
        try site.execute(
            """
            INSERT INTO moderator (id, tenant_id, name, user_id, moderation_groups, created_at)
            VALUES ('\(site.tenant.id)-m', '\(site.tenant.id)', 'M', '\(site.tenant.id):moderator', '["g1","g3"]', 1)
            """)
        rows = try site.table(
            """
            SELECT c.seq, c.id, c.created_at, c.is_deleted, c.is_approved, c.is_spam, c.is_reviewed, c.flag_count > 0,
                   c.is_locked, c.author_key, g.url_id, g.title, c.domain, c.address_hash, c.moderation_groups, c.source
            FROM comment AS c JOIN page AS g ON g.id = c.page_id WHERE c.tenant_id = ?1
            ORDER BY c.created_at DESC, c.seq DESC
            """
        ).map(Row.init)
    }

    private static func person(_ id: String, of tenant: String) -> JSONValue {
        ["tenant": .string(tenant), "id": .string(id), "username": .string("Tester \(id)")]
    }

    // MARK: What is stored

    private static let vocabulary = ["alpha", "Alphabet", "beta", "gamma", "delta", "http://spam.test/x", "**bold**"]

    private static func text(_ random: inout SeededGenerator) -> JSONValue {
        .string((0...random.below(4)).map { _ in random.pick(vocabulary) }.joined(separator: " "))
    }

    private static func pages(_ count: Int, _ random: inout SeededGenerator) -> [JSONValue] {
        (0..<4).map { page in
            [
                "urlId": .string("page-\(page)"), "url": .string("https://host\(page % 2).test/\(page)"),
                "title": .string("Über Page \(page % 3)"),
                "comments": .array(
                    (0..<count / 6).map { _ in ["name": "Guest", "comment": text(&random)] }),
            ]
        }
    }

    private static func peoplesPages(
        _ tenant: String, _ count: Int, _ random: inout SeededGenerator
    ) -> [JSONValue] {
        (0..<2).map { page in
            [
                "tenant": .string(tenant), "urlId": .string("page-\(page)"),
                "comments": .array(
                    (0..<count / 2).map { _ in
                        ["author": .string(random.once(in: 3) ? "bob" : "ann"), "comment": text(&random)]
                    }),
            ]
        }
    }

    private static func copying(_ copies: Int, _ tenant: String) -> String {
        """
        INSERT INTO comment (id, tenant_id, page_id, commenter_name, source, html, url, created_at, score, user_id,
                             author_key)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(copies))
        SELECT 'copy-' || i || '-\(tenant)', '\(tenant)', (SELECT MIN(id) FROM page WHERE tenant_id = '\(tenant)'), 'x',
               'alpha copies beta ' || (i % 3), '', '', 1, 0, '\(tenant):ann', '\(tenant):ann'
        FROM n;
        INSERT INTO comment_search (rowid, place, words)
        SELECT seq, 'p' || page_id, source FROM comment WHERE tenant_id = '\(tenant)' AND id LIKE 'copy-%';
        """
    }

    /// Gives each comment a state, one of few moments, and facts to be found by.
    private static func states(_ rows: [[String]], _ random: inout SeededGenerator) -> String {
        let statements = rows.map { row in
            func bit(_ times: Int) -> Int { random.once(in: times) ? 1 : 0 }
            let groups = random.pick(["NULL", "NULL", "'[\"g1\"]'", "'[\"g2\"]'", "'[\"g2\",\"g3\"]'", "'[]'"])
            return """
                UPDATE comment SET is_deleted = \(bit(9)), is_approved = \(1 - bit(5)), is_spam = \(bit(6)),
                    is_reviewed = \(bit(2)), flag_count = \(bit(5) * 2), is_locked = \(bit(8)),
                    created_at = \(1_700_000_000_000 + random.below(60) * 1000), moderation_groups = \(groups),
                    domain = '\(random.pick(["host0.test", "host1.test"]))',
                    address_hash = \(random.pick(["NULL", "'a1'", "'a2'"]))
                WHERE seq = \(row[0]);
                """
        }
        // Deleted ones are not in the index.
        let rest = "DELETE FROM comment_search WHERE rowid IN (SELECT seq FROM comment WHERE is_deleted = 1);"
        return "BEGIN;\n" + (statements + [rest]).joined(separator: "\n") + "\nCOMMIT;"
    }

    /// All filters that name a state, or none of a kind.
    static var everyFilter: [[String]] {
        let kinds: [[String?]] = [
            [nil, "needs-review", "reviewed"], [nil, "needs-approval", "approved"], [nil, "spam", "not-spam"],
            [nil, "flagged"], [nil, "locked"],
        ]
        return kinds.reduce([[]]) { filters, kind in
            filters.flatMap { filter in kind.map { filter + [$0].compactMap { $0 } } }
        }
    }
}

extension QueueFixture.Row {
    init(_ cells: [String]) {
        seq = Int(cells[0])!
        id = cells[1]
        date = Int(cells[2])!
        isDeleted = cells[3] == "1"
        isApproved = cells[4] == "1"
        isSpam = cells[5] == "1"
        isReviewed = cells[6] == "1"
        isFlagged = cells[7] == "1"
        isLocked = cells[8] == "1"
        author = cells[9]
        urlID = cells[10]
        title = cells[11]
        domain = cells[12]
        address = cells[13]
        groups = (try? JSONValue.parse(cells[14]))?.array?.compactMap(\.string) ?? []
        source = cells[15]
    }
}

extension Reader {
    /// Calls an operation of moderation.
    func moderation(
        _ method: String = "GET", _ path: String, _ query: QueryItems = [:], body: JSONValue? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            method, "/auth/my-account/moderate-comments/mod_api/\(path)", ["tenantId": tenant, "sso": sso] + query,
            body: body, sourceLocation: sourceLocation)
    }
}
