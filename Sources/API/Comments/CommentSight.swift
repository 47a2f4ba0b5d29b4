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
        try audiences(of: [comment], on: page, tenant, in: &session)[comment] ?? .everyone
    }

    /// As above, for comments of one page and what stands above them; none where nothing is hidden.
    static func audiences(
        of comments: [Int64], on page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> [Int64: Audience] {
        let limitsByGroups = tenant.settings(of: page).limitsByGroups
        if !limitsByGroups, try !hasHidden(page, in: &session) { return [:] }
        var audiences: [Int64: Audience] = [:]
        for link in try lines(of: comments, in: &session) {
            // What stands below one that is gone is about to go.
            let above = link.parent.map { audiences[$0] ?? .moderators } ?? .everyone
            let circle = link.circle(limitsByGroups)
            audiences[link.seq] = circle == .everyone ? above : .all([above, circle])
        }
        return audiences
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
        var (seen, unseen): (Set<Int64>, Set<Int64>) = ([], [])
        for link in try lines(of: comments, in: &session) {
            // What stands below one that is gone is about to go.
            let isBelowSeen = link.parent.map(seen.contains) ?? true
            if isBelowSeen, !link.isSpam, caller.belongs(to: link.circle(limitsByGroups)) {
                seen.insert(link.seq)
            } else {
                unseen.insert(link.seq)
            }
        }
        return unseen
    }

    /// Whether there may be comments on the page that the caller does not see. Walking up costs the depth of threads, so
    /// it is done only where something is hidden at all.
    static func mayHide(_ page: Page, from caller: Caller, in session: inout Session) throws(APIError) -> Bool {
        if caller.groups != nil, caller.tenant.settings(of: page).limitsByGroups { return true }
        return try hasHidden(page, in: &session)
    }

    // MARK: Below a comment

    /// A comment below another.
    struct Descendant: Sendable {
        let seq: Int64
        /// Who hears of it.
        let audience: Audience
        /// Nothing between the two hides it, nor does it itself.
        let isShown: Bool
    }

    /// Who would hear of a comment if nothing but what stands above hid it.
    static func audience(
        ifShown comment: Int64, on page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Audience {
        let limitsByGroups = tenant.settings(of: page).limitsByGroups
        var audience = Audience.everyone
        for link in try lines(of: [comment], in: &session) {
            audience = .all([audience, link.circle(limitsByGroups, isShown: link.seq == comment)])
        }
        return audience
    }

    /// Those of the comments that stand below another, which may be gone already, parents before their children.
    /// - Parameter above: who hears of that one.
    static func descendants(
        of comment: Int64, heardBy above: Audience, among comments: [Int64], on page: Page, _ tenant: Tenant,
        in session: inout Session
    ) throws(APIError) -> [Descendant] {
        let limitsByGroups = tenant.settings(of: page).limitsByGroups
        var known = [comment: Descendant(seq: comment, audience: above, isShown: true)]
        let wanted = Set(comments)
        var found: [Descendant] = []
        for link in try lines(of: comments, in: &session) where link.seq != comment {
            guard let parent = link.parent.flatMap({ known[$0] }) else { continue }
            let descendant = link.descendant(of: parent, limitsByGroups)
            known[link.seq] = descendant
            if wanted.contains(link.seq) { found.append(descendant) }
        }
        return found
    }

    /// All comments that stand below another, which may be gone already, parents before their children. Takes time in
    /// their number, so it is for the lane of a reader that may take it.
    /// - Parameter above: who hears of that one.
    static func descendants(
        of comment: Int64, heardBy above: Audience, on page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> [Descendant] {
        let limitsByGroups = tenant.settings(of: page).limitsByGroups
        var known = [comment: Descendant(seq: comment, audience: above, isShown: true)]
        var found: [Descendant] = []
        try session.forEach(
            """
            WITH RECURSIVE below (seq) AS (
                SELECT seq FROM comment WHERE parent_seq = ?1
                UNION ALL
                SELECT c.seq FROM below JOIN comment AS c ON c.parent_seq = below.seq
            )
            SELECT c.seq, c.parent_seq, c.is_approved, c.is_spam, c.author_key, p.group_ids
            FROM below JOIN comment AS c ON c.seq = below.seq
            LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id
            ORDER BY c.seq
            """,
            .integer(comment)
        ) { (row) throws(APIError) in
            let link = Link(row)
            guard let parent = link.parent.flatMap({ known[$0] }) else { return }
            let descendant = link.descendant(of: parent, limitsByGroups)
            known[link.seq] = descendant
            found.append(descendant)
        }
        return found
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

        func descendant(of parent: Descendant, _ limitsByGroups: Bool) -> Descendant {
            let circle = circle(limitsByGroups)
            return Descendant(
                seq: seq, audience: circle == .everyone ? parent.audience : .all([parent.audience, circle]),
                isShown: parent.isShown && isApproved && !isSpam)
        }

        /// What is not approved is for its author and moderators, spam for moderators.
        /// - Parameter isShown: whatever hides it does not count.
        func circle(_ limitsByGroups: Bool, isShown: Bool = false) -> Audience {
            if isSpam, !isShown { return .moderators }
            guard isApproved || isShown else { return .author(identity: author) }
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
        // Left to itself, the planner looks at every comment of the page.
        try session.first(
            """
            SELECT 1 WHERE EXISTS (
                SELECT 1 FROM comment INDEXED BY comment_hidden
                WHERE page_id = ?1 AND (is_approved = 0 OR is_spam = 1))
              OR EXISTS (
                SELECT 1 FROM long_task WHERE tenant_id = ?2 AND kind = 'removing' AND detail ->> 'page' = ?1)
            """,
            .integer(page.id), .text(page.tenant)
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
