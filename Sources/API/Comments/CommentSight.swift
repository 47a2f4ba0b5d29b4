import Domain
import Live
import Storage

/// Who sees a comment at all: who belongs to the circle of everything from it up to its root (contract: public 4.4). For
/// everybody else it is not there.
enum CommentSight {
    /// Who hears of a comment, in its thread or in the bell.
    static func audience(
        of comment: Int64, on page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Audience {
        let limitsByGroups = tenant.settings(of: page).limitsByGroups
        if !limitsByGroups, try !hasHidden(page, in: &session) { return .everyone }
        return .all(try lines(of: [comment], in: &session).map { $0.circle(limitsByGroups) })
    }

    /// Those of the comments that the caller does not see: on pages that are closed to the caller, all.
    static func unseen(
        _ comments: [Int64], by caller: Caller, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        var pages: [Int64: [Int64]] = [:]
        try session.forEach(
            "SELECT page_id, seq FROM comment WHERE seq IN (SELECT value FROM json_each(?1))",
            .text(JSONText.numbers(comments))
        ) { (row) throws(APIError) in pages[row.int64(0), default: []].append(row.int64(1)) }
        var unseen: Set<Int64> = []
        for (id, comments) in pages {
            guard let page = try PageSQL.find(id: id, in: &session), caller.mayRead(page) else {
                unseen.formUnion(comments)
                continue
            }
            unseen.formUnion(try self.unseen(comments, on: page, by: caller, in: &session))
        }
        return unseen
    }

    /// As above, for comments of one page that the caller may read, with what hides them.
    static func unseen(
        _ comments: [Int64], on page: Page, by caller: Caller, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        guard try mayHide(page, from: caller, in: &session) else { return [] }
        let limitsByGroups = caller.tenant.settings(of: page).limitsByGroups
        var unseen: Set<Int64> = []
        for link in try lines(of: comments, in: &session) {
            let isBelowUnseen = link.parent.map(unseen.contains) ?? false
            guard isBelowUnseen || link.isSpam || !caller.belongs(to: link.circle(limitsByGroups)) else { continue }
            unseen.insert(link.seq)
        }
        return unseen
    }

    /// Whether there may be comments on the page that the caller does not see. Walking up costs the depth of threads, so
    /// it is done only where something is hidden at all.
    static func mayHide(_ page: Page, from caller: Caller, in session: inout Session) throws(APIError) -> Bool {
        if caller.groups != nil, caller.tenant.settings(of: page).limitsByGroups { return true }
        return try hasHidden(page, in: &session)
    }

    // MARK: Storage

    /// A comment of a line that leads up to a root.
    private struct Link {
        let seq: Int64
        let parent: Int64?
        let isApproved: Bool
        let isSpam: Bool
        /// Wire id.
        let author: String
        /// The author's groups; empty is none.
        let groups: [String]

        init(_ row: borrowing Row) {
            seq = row.int64(0)
            parent = row.int64OrNil(1)
            isApproved = row.bool(2)
            isSpam = row.bool(3)
            author = row.text(4)
            groups = row.textOrNil(5).map(JSONText.strings) ?? []
        }

        /// What is not approved is for its author and moderators, spam for moderators.
        func circle(_ limitsByGroups: Bool) -> Audience {
            if isSpam { return .moderators }
            guard isApproved else { return .author(identity: author) }
            return limitsByGroups && !groups.isEmpty ? .groups(groups, author: author) : .everyone
        }
    }

    /// The comments and everything above them, parents before their children.
    private static func lines(of comments: [Int64], in session: inout Session) throws(APIError) -> [Link] {
        try session.query(
            """
            WITH RECURSIVE line (seq, parent_seq) AS (
                SELECT seq, parent_seq FROM comment WHERE seq IN (SELECT value FROM json_each(?1))
                UNION
                SELECT above.seq, above.parent_seq FROM line JOIN comment AS above ON above.seq = line.parent_seq
            )
            SELECT c.seq, c.parent_seq, c.is_approved, c.is_spam, c.author_key, p.group_ids
            FROM line JOIN comment AS c ON c.seq = line.seq
            LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id
            ORDER BY c.seq
            """,
            .text(JSONText.numbers(comments))
        ) { (row) throws(APIError) -> Link in Link(row) }
    }

    private static func hasHidden(_ page: Page, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM comment WHERE page_id = ?1 AND (is_approved = 0 OR is_spam = 1) LIMIT 1", .integer(page.id)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}

extension Caller {
    /// Whether the caller hears what such an audience hears.
    func belongs(to audience: Audience) -> Bool { audience.includes(identity: key, isStaff: isStaff, groups: groups) }
}

extension CommentSQL {
    /// The comment with this id, as far as the caller sees it and everything above it.
    /// - Throws: `not-found` (404).
    static func requireVisible(
        _ id: String, to caller: Caller, in session: inout Session
    ) throws(APIError) -> CommentRecord {
        let comment = try require(id, tenant: caller.tenant.id, in: &session)
        guard let page = try PageSQL.find(id: comment.pageID, in: &session),
            try !CommentSight.unseen([comment.seq], on: page, by: caller, in: &session).contains(comment.seq)
        else { throw .commentNotFound }
        return comment
    }

    /// Whether readers see anything directly below the comment.
    static func hasVisibleReplies(_ seq: Int64, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM comment WHERE parent_seq = ?1 AND is_approved = 1 AND is_spam = 0 LIMIT 1", .integer(seq)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}
