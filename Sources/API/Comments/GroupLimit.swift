import Domain
import Storage

/// Keeps comments of people with groups from those who share none of them (contract: public 4.4,
/// `limitCommentsByGroups`). Single comments are asked of `CommentSight`.
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
}

extension ThreadIndex {
    /// The same thread without these comments and what stands below them.
    func without(_ hidden: Set<Int64>, viewer: ThreadViewer, direction: SortDirection) -> ThreadIndex {
        guard !hidden.isEmpty else { return self }
        return ThreadIndex(nodes.filter { !hidden.contains($0.seq) }, viewer: viewer, direction: direction)
    }
}
