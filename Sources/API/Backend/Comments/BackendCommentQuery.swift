import Domain
import HTTP1
import Storage

/// Which comments a site's backend asks for (contract: admin 5.1).
struct BackendCommentQuery: Sendable {
    /// Comments of one answer when the request names no limit, or everything.
    static let everything = 250
    static let usualLimit = 30
    static let maximumLimit = 1000
    private static let invalidPagination = "invalid-pagination-request"

    enum Slice: Sendable {
        case page(Int)
        case range(skip: Int, limit: Int)
    }

    /// nil is the whole tenant.
    let urlID: String?
    /// As given.
    let author: String?
    /// What tags are compared by; all of them must be there.
    let hashTags: [String]
    let parent: ListQuery.Parent
    let direction: SortDirection
    let slice: Slice
    let isTree: Bool
    let maximumDepth: Int?
    let skipChildren: Int
    let limitChildren: Int?
    /// Milliseconds, both ends included.
    let dates: (from: Int64, to: Int64)?

    /// - Throws: `missing-url-id`, `missing-date`, `invalid-…` (422).
    init(_ visit: BackendVisit) throws(APIError) {
        let call = visit.call
        author = call.text("userId")
        hashTags = call.query.all("hashTag").map(HashTags.normalised).filter { !$0.isEmpty }
        isTree = try visit.flag("asTree") ?? false
        let isNarrow = (author != nil || !hashTags.isEmpty) && !isTree
        urlID = call.text("urlId") == nil && isNarrow ? nil : try call.pageID()
        switch call.text("parentId") {
        case nil: parent = .any
        case "null": parent = .roots
        case let id?: parent = .comment(id)
        }
        if isTree, parent == .any {
            throw APIError(422, Self.invalidPagination, "With asTree there must be a parentId; null means the roots.")
        }
        direction = try Self.direction(call)
        slice = try Self.slice(visit)
        maximumDepth = try call.count("maxTreeDepth", code: "invalid-max-tree-depth")
        skipChildren = try call.count("skipChildren", code: "invalid-skip-children") ?? 0
        limitChildren = try call.count("limitChildren", code: "invalid-limit-children")
        dates = try Self.dates(call)
    }

    private static func direction(_ call: Call) throws(APIError) -> SortDirection {
        guard let word = call.text("direction") else { return .mostRelevant }
        guard let direction = SortDirection(rawValue: word) else {
            throw APIError(422, "invalid-direction", "The query parameter direction must be OF, NF or MR.")
        }
        return direction
    }

    /// By page, or by skip and limit.
    private static func slice(_ visit: BackendVisit) throws(APIError) -> Slice {
        let call = visit.call
        let hasSkip = call.text("skip") != nil
        let skip = try visit.skip()
        let limit = try visit.limit(usual: hasSkip ? usualLimit : everything, maximum: maximumLimit)
        guard let number = try call.integer("page", code: invalidPagination) else {
            return .range(skip: skip, limit: limit)
        }
        guard !hasSkip, call.text("limit") == nil, number >= -1 else {
            throw APIError(422, invalidPagination, "page must be -1 or more, and stands without skip and limit.")
        }
        return number == -1 ? .range(skip: 0, limit: everything) : .page(Int(min(number, 1_000_000)))
    }

    private static func dates(_ call: Call) throws(APIError) -> (from: Int64, to: Int64)? {
        let from = try call.integer("fromDate", code: "invalid-date")
        let to = try call.integer("toDate", code: "invalid-date")
        if from == nil, to == nil { return nil }
        guard let from, let to else {
            throw APIError(422, "missing-date", "fromDate and toDate stand together; one of them is missing.")
        }
        return (from, to)
    }

    /// Which rows of a level are meant.
    func range(pageSize: Int) -> (skip: Int, limit: Int) {
        switch slice {
        case .page(let number): (number * pageSize, pageSize)
        case .range(let skip, let limit): (skip, limit)
        }
    }

    func covers(_ moment: Int64) -> Bool { dates.map { $0.from <= moment && moment <= $0.to } ?? true }
}

enum BackendCommentSQL {
    /// Comments anywhere in the tenant that everybody sees, by author, tags or both. What stands below something hidden is
    /// hidden too, as it is on its page.
    static func find(
        _ query: BackendCommentQuery, _ range: (skip: Int, limit: Int), tenant: String, in session: inout Session
    ) throws(APIError) -> [Int64] {
        let (parent, isRoot): (String?, Bool) =
            switch query.parent {
            case .any: (nil, false)
            case .roots: (nil, true)
            case .comment(let id): (id, false)
            }
        return try session.query(
            """
            WITH found (seq) AS (
                SELECT seq FROM comment WHERE ?2 IS NOT NULL AND tenant_id = ?1 AND author_key IN (?2, ?1 || ':' || ?2)
                UNION
                SELECT comment_seq FROM comment_hash_tag WHERE ?2 IS NULL AND tag = ?3
            )
            SELECT c.seq FROM found JOIN comment AS c ON c.seq = found.seq
            WHERE c.tenant_id = ?1 AND c.is_approved = 1 AND c.is_spam = 0
              AND (c.parent_seq IS NULL OR NOT EXISTS (
                  WITH RECURSIVE above (seq) AS (
                      SELECT c.parent_seq
                      UNION ALL
                      SELECT p.parent_seq FROM above JOIN comment AS p ON p.seq = above.seq
                      WHERE p.parent_seq IS NOT NULL
                  )
                  SELECT 1 FROM above JOIN comment AS a ON a.seq = above.seq WHERE a.is_approved = 0 OR a.is_spam = 1))
              AND NOT EXISTS (SELECT 1 FROM json_each(?4) AS wanted WHERE NOT EXISTS (
                  SELECT 1 FROM comment_hash_tag AS t WHERE t.comment_seq = c.seq AND t.tag = wanted.value))
              AND (?5 IS NULL OR c.parent_id = ?5) AND (?6 = 0 OR c.parent_seq IS NULL)
              AND (?7 IS NULL OR c.created_at BETWEEN ?7 AND ?8)
            ORDER BY CASE ?9 WHEN 'MR' THEN c.score WHEN 'NF' THEN c.created_at ELSE -c.created_at END DESC,
                     CASE ?9 WHEN 'OF' THEN -c.seq ELSE c.seq END DESC
            LIMIT ?10 OFFSET ?11
            """,
            .text(tenant), .text(query.author), .text(query.hashTags.first), .list(query.hashTags), .text(parent),
            .bool(isRoot), .int(query.dates?.from), .int(query.dates?.to), .text(query.direction.rawValue),
            .int(range.limit), .int(range.skip)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }
}
