import Domain
import Storage

/// Keeps comments of people with groups from those who share none of them (contract: public 4.4,
/// `limitCommentsByGroups`).
enum GroupLimit {
    /// The comments of a page that the caller may not see, as numbers. What stands below them goes with them.
    static func hidden(from caller: Caller, on page: Page, in session: inout Session) throws(APIError) -> Set<Int64> {
        guard let own = caller.groups, caller.tenant.settings(of: page).limitsByGroups else { return [] }
        let mine = Set(own)
        var hidden: Set<Int64> = []
        try session.forEach(
            """
            SELECT c.seq, c.user_id, p.group_ids FROM comment AS c
            JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id
            WHERE c.page_id = ?1 AND p.group_ids IS NOT NULL
            """,
            .integer(page.id)
        ) { (row) throws(APIError) in
            let groups = JSONText.strings(row.text(2))
            guard !groups.isEmpty, row.text(1) != caller.key, mine.isDisjoint(with: groups) else { return }
            hidden.insert(row.int64(0))
        }
        return hidden
    }

    /// The comments of several pages that the caller may not see, as numbers.
    static func hidden(
        from caller: Caller, onPages pages: Set<Int64>, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        guard caller.groups != nil, caller.tenant.rules.mayHold(\.limitsByGroups) else { return [] }
        var hidden: Set<Int64> = []
        for id in pages {
            guard let page = try PageSQL.find(id: id, in: &session) else { continue }
            hidden.formUnion(try self.hidden(from: caller, on: page, in: &session))
        }
        return hidden
    }

    /// Whether the caller may not see the comment, or something above it.
    static func hides(
        _ comment: CommentRecord, from caller: Caller, in session: inout Session
    ) throws(APIError) -> Bool {
        guard caller.groups != nil, let page = try PageSQL.find(id: comment.pageID, in: &session) else { return false }
        let hidden = try hidden(from: caller, on: page, in: &session)
        guard !hidden.isEmpty else { return false }
        let above = try session.query(
            """
            WITH RECURSIVE above (seq, parent_seq) AS (
                SELECT seq, parent_seq FROM comment WHERE seq = ?1
                UNION
                SELECT c.seq, c.parent_seq FROM comment AS c JOIN above ON c.seq = above.parent_seq
            )
            SELECT seq FROM above
            """,
            .integer(comment.seq)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        return above.contains(where: hidden.contains)
    }

    /// Groups of the author that an event about the comment is for; nil is everybody.
    static func groups(
        of comment: CommentRecord, _ settings: WidgetSettings, in session: inout Session
    ) throws(APIError) -> [String]? {
        guard settings.limitsByGroups, let author = comment.userID else { return nil }
        let groups = try PersonSQL.find(author, tenant: comment.tenant, in: &session)?.person.groupIDs
        return groups?.isEmpty == true ? nil : groups
    }
}
