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

    /// More comments with the words than these are not collected; those of the way are asked for them instead.
    private static let mostCandidates = 2000
    /// A count reads so many comments of a way for their words rather than ask the index.
    private static let mostCounted = 2000

    private let tenant: String
    private let filter: ModerationFilter
    private let found: QueueLookups
    /// The way that reads the fewest rows, apart from words.
    private let way: QueueWay

    /// What is read of the comments that fit.
    private struct Part {
        var place: Place?
        var skip = 0
        var limit = Int.max
        var oldestFirst = false
    }

    /// Looks up what the filter names.
    init(_ filter: ModerationFilter, tenant: String, in session: inout Session) throws(APIError) {
        self.tenant = tenant
        self.filter = filter
        found = try QueueLookups(filter, tenant: tenant, in: &session)
        way = found.isEmpty ? .byDate : try .best(for: filter, found, tenant: tenant, in: &session)
    }

    /// Numbers of the comments, in order.
    /// - Throws: `needsOffload` on a loop when words are looked for.
    func seqs(
        after place: Place? = nil, skip: Int = 0, limit: Int, oldestFirst: Bool = false, in session: inout Session
    ) throws(APIError) -> [Int64] {
        guard !found.isEmpty else { return [] }
        let part = Part(place: place, skip: skip, limit: limit, oldestFirst: oldestFirst)
        if let matcher = found.text?.matcher, let seqs = try walk(part, matcher, in: &session) { return seqs }
        let (way, candidates) = try wordWay(in: &session)
        guard candidates?.isEmpty != true else { return [] }
        let statement = ["SELECT c.seq"] + body(way) + order(part) + ["LIMIT ?13 OFFSET ?14"]
        return try session.query(composed: statement, values(part.place, candidates, limit: limit, skip: skip)) {
            (row) throws(APIError) -> Int64 in row.int64(0)
        }
    }

    /// How many there are.
    /// - Throws: `needsOffload` on a loop when words are looked for.
    func count(in session: inout Session) throws(APIError) -> Int {
        guard !found.isEmpty else { return 0 }
        if filter.isOfStatesOnly {
            return try QueueSQL.counts(tenant: tenant, in: &session).reduce(0) { sum, entry in
                filter.includes(state: entry.state) ? sum + entry.count : sum
            }
        }
        if let matcher = found.text?.matcher, let size = way.size, size <= Self.mostCounted,
            let seqs = try walk(Part(), matcher, in: &session)
        {
            return seqs.count
        }
        if let expression = found.text?.expression, isOfWordsOnly,
            let count = try QueueSQL.hitCount(expression, tenant: tenant, in: &session)
        {
            return count
        }
        var (way, candidates) = try wordWay(in: &session)
        guard candidates?.isEmpty != true else { return 0 }
        if found.text?.expression != nil, candidates == nil, self.way.isOfAll { way = .byWords }
        // With the placeholders of the list, so that both are bound alike.
        let parts = ["SELECT COUNT(*) FROM (SELECT 1"] + body(way) + ["LIMIT ?13 OFFSET ?14)"]
        let counts = try session.query(composed: parts, values(nil, candidates, limit: -1, skip: 0)) {
            (row) throws(APIError) -> Int in row.int(0)
        }
        return counts.first ?? 0
    }

    /// Whether nothing but words of the index is asked for.
    private var isOfWordsOnly: Bool {
        var rest = filter
        rest.search.terms = []
        return rest.isEmpty && found.text?.pieces.isEmpty == true
    }

    // MARK: Words

    /// Reads the comments in order and finds the words in each, until there are enough.
    /// - Returns: nil when that leads too far.
    private func walk(
        _ part: Part, _ matcher: WordMatcher, in session: inout Session
    ) throws(APIError) -> [Int64]? {
        try session.requireTime(milliseconds: CommentSearch.milliseconds)
        var progress = WalkProgress(
            wanted: part.limit == Int.max ? nil : part.skip + part.limit,
            total: way.size == nil ? try QueueSQL.counts(tenant: tenant, in: &session).reduce(0) { $0 + $1.count } : nil
        )
        let statement =
            ["SELECT c.seq, (SELECT s.words FROM comment_search AS s WHERE s.rowid = c.seq)"]
            + body(way) + order(part) + ["LIMIT ?13 OFFSET ?14"]
        var seqs: [Int64] = []
        try session.walk(composed: statement, values(part.place, nil, limit: -1, skip: 0)) {
            (row) throws(APIError) -> Bool in
            let isFound = row.withUTF8(1, matcher.matches)
            progress.note(isFound)
            if isFound, progress.found > part.skip { seqs.append(row.int64(0)) }
            return !progress.isEnough && !progress.leadsTooFar
        }
        return progress.leadsTooFar && !progress.isEnough ? nil : seqs
    }

    /// By which way comments with the words are read, and their numbers where they are few.
    private func wordWay(in session: inout Session) throws(APIError) -> (QueueWay, [Int64]?) {
        guard let expression = found.text?.expression else { return (way, nil) }
        let hits = try QueueSQL.hits(expression, limit: Self.mostCandidates + 1, in: &session)
        return hits.count > Self.mostCandidates ? (way.withWords, nil) : (.byNumbers, hits)
    }

    // MARK: The statement

    private func body(_ way: QueueWay) -> [StaticString] {
        // Pages are a tenant's; without asking again, their index is enough.
        let first: StaticString =
            way.isOfPages ? "WHERE c.is_deleted = 0" : "WHERE c.tenant_id = ?1 AND c.is_deleted = 0"
        return way.source + [first] + way.conditions + stateConditions + findConditions
            + (found.text?.conditions ?? [])
    }

    private func order(_ part: Part) -> [StaticString] {
        switch (part.place == nil, part.oldestFirst) {
        case (true, true): ["ORDER BY c.created_at, c.seq"]
        case (true, false): ["ORDER BY c.created_at DESC, c.seq DESC"]
        case (false, true): ["AND (c.created_at, c.seq) > (?11, ?12) ORDER BY c.created_at, c.seq"]
        case (false, false): ["AND (c.created_at, c.seq) < (?11, ?12) ORDER BY c.created_at DESC, c.seq DESC"]
        }
    }

    /// States stand as literals, by which SQLite knows that a partial index serves.
    private var stateConditions: [StaticString] {
        var parts: [StaticString] = []
        if let isReviewed = filter.isReviewed {
            parts.append(isReviewed ? "AND c.is_reviewed = 1" : "AND c.is_reviewed = 0")
        }
        if let isApproved = filter.isApproved {
            parts.append(isApproved ? "AND c.is_approved = 1" : "AND c.is_approved = 0")
        }
        if let isSpam = filter.isSpam { parts.append(isSpam ? "AND c.is_spam = 1" : "AND c.is_spam = 0") }
        if filter.isBanned == true {
            parts.append(
                """
                AND c.seq IN (
                    SELECT b.comment_seq FROM comment_ban AS b
                    WHERE b.tenant_id = ?1 AND (b.until IS NULL OR b.until > strftime('%s', 'now') * 1000))
                """)
        }
        if let isLocked = filter.isLocked { parts.append(isLocked ? "AND c.is_locked = 1" : "AND c.is_locked = 0") }
        if filter.isFlagged { parts.append("AND c.flag_count > 0") }
        return parts
    }

    private var findConditions: [StaticString] {
        var parts: [StaticString] = []
        if found.authors != nil, found.unowned.isEmpty {
            parts.append("AND c.author_key IN (SELECT value FROM json_each(?2, '$.authors'))")
        } else if found.authors != nil {
            parts.append(
                """
                AND (c.author_key IN (SELECT value FROM json_each(?2, '$.authors'))
                    OR c.seq IN (SELECT value FROM json_each(?2, '$.comments')))
                """)
        }
        if found.pages != nil { parts.append("AND c.page_id IN (SELECT value FROM json_each(?3))") }
        if found.domain != nil { parts.append("AND c.domain = ?4") }
        if filter.addressHash != nil { parts.append("AND c.address_hash = ?5") }
        if filter.groups != nil {
            parts.append(
                """
                AND c.moderation_groups IS NOT NULL AND EXISTS (
                    SELECT 1 FROM json_each(c.moderation_groups) AS g
                    WHERE g.value IN (SELECT value FROM json_each(?6)))
                """)
        }
        return parts
    }

    private func values(_ place: Place?, _ candidates: [Int64]?, limit: Int, skip: Int) -> [Value] {
        let text = found.text
        return [
            .text(tenant), .text(found.written), .text(found.pages.map(JSONText.numbers)),
            .text(found.domain), .text(filter.addressHash), filter.groups.map(Value.list) ?? .null,
            .text(candidates.map(JSONText.numbers)), .text(text?.expression),
            .text(text.map { JSONText.list($0.pieces) }), .text(filter.search.exact), .int(place?.createdAt),
            .int(place?.seq), .int(limit), .int(skip),
        ]
    }
}

/// How far a walk for comments with some words came, and whether it is worth going on.
private struct WalkProgress {
    /// A walk may always come so far, as soon as it finds something.
    private static let mostAnyway = 2000
    /// So many are read before the first must be found.
    private static let fewest = 200

    /// So many are enough; nil is all of them.
    let wanted: Int?
    /// Among how many; nil where the walk goes to the end.
    let total: Int?
    private(set) var read = 0
    private(set) var found = 0

    init(wanted: Int?, total: Int?) {
        self.wanted = wanted
        self.total = total
    }

    mutating func note(_ isFound: Bool) {
        read += 1
        if isFound { found += 1 }
    }

    var isEnough: Bool { wanted.map { found >= $0 } ?? false }

    /// Whether, at this rate, more comments would be read than it takes to collect those with the words from the index:
    /// to read one takes about as long as to collect eight.
    var leadsTooFar: Bool {
        guard let total, let wanted, read >= Self.fewest else { return false }
        guard found > 0 else { return true }
        return Double(read) * Double(wanted) / Double(found)
            > max(Double(Self.mostAnyway), Double(found) / Double(read) * Double(total) / 8)
    }
}
