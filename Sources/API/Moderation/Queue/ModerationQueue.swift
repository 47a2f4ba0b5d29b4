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
    private let found: QueueLookups
    /// The way that reads the fewest rows.
    private let way: QueueWay

    /// Looks up what the filter names.
    /// - Throws: `needsOffload` on a loop when words are looked for.
    init(_ filter: ModerationFilter, tenant: String, in session: inout Session) throws(APIError) {
        self.tenant = tenant
        self.filter = filter
        found = try QueueLookups(filter, tenant: tenant, in: &session)
        way = found.isEmpty ? .byDate : try .best(for: filter, found, tenant: tenant, in: &session)
    }

    /// Numbers of the comments, in order.
    func seqs(
        after place: Place? = nil, skip: Int = 0, limit: Int, oldestFirst: Bool = false, in session: inout Session
    ) throws(APIError) -> [Int64] {
        guard !found.isEmpty else { return [] }
        var parts = ["SELECT c.seq"] + way.source + conditions
        if place != nil {
            parts.append(
                oldestFirst
                    ? "AND (c.created_at, c.seq) > (?11, ?12)" : "AND (c.created_at, c.seq) < (?11, ?12)")
        }
        parts.append(oldestFirst ? "ORDER BY c.created_at, c.seq" : "ORDER BY c.created_at DESC, c.seq DESC")
        parts.append("LIMIT ?13 OFFSET ?14")
        return try session.query(composed: parts, values(place, limit: limit, skip: skip)) {
            (row) throws(APIError) -> Int64 in row.int64(0)
        }
    }

    /// How many there are.
    func count(in session: inout Session) throws(APIError) -> Int {
        guard !found.isEmpty else { return 0 }
        if filter.isOfStatesOnly {
            return try QueueSQL.counts(tenant: tenant, in: &session).reduce(0) { sum, entry in
                filter.includes(state: entry.state) ? sum + entry.count : sum
            }
        }
        // With the placeholders of the list, so that both are bound alike.
        let parts = ["SELECT COUNT(*) FROM (SELECT 1"] + way.source + conditions + ["LIMIT ?13 OFFSET ?14)"]
        let counts = try session.query(composed: parts, values(nil, limit: -1, skip: 0)) {
            (row) throws(APIError) -> Int in row.int(0)
        }
        return counts.first ?? 0
    }

    // MARK: The statement

    private var conditions: [StaticString] {
        // Pages are a tenant's; without asking again, their index is enough.
        let first: StaticString =
            way.isOfPages ? "WHERE c.is_deleted = 0" : "WHERE c.tenant_id = ?1 AND c.is_deleted = 0"
        return [first] + stateConditions + findConditions + (found.text?.conditions ?? [])
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

    private func values(_ place: Place?, limit: Int, skip: Int) -> [Value] {
        let text = found.text
        return [
            .text(tenant), .text(found.written), .text(found.pages.map(JSONText.numbers)),
            .text(found.domain), .text(filter.addressHash), filter.groups.map(Value.list) ?? .null,
            .text(text?.candidates.map(JSONText.numbers)), .text(text?.expression),
            .text(text.map { JSONText.list($0.pieces) }), .text(filter.search.exact), .int(place?.createdAt),
            .int(place?.seq), .int(limit), .int(skip),
        ]
    }
}
