import Domain
import Storage

/// Which comments of a page a search names (contract: public 5.1: searchText, hashTags, userId).
enum CommentFilter {
    static func matches(_ query: ListQuery, page: Page, in session: inout Session) throws(APIError) -> Set<Int64> {
        var sets: [Set<Int64>] = []
        if let author = query.author { sets.append(try written(by: author, page, in: &session)) }
        for tag in query.hashTags { sets.append(try tagged(tag, page, in: &session)) }
        if let search = query.search { sets.append(try CommentSearch.matches(search, page: page.id, in: &session)) }
        guard var matches = sets.first else { return [] }
        for set in sets.dropFirst() { matches.formIntersection(set) }
        return matches
    }

    /// By wire id, or by the id that the site gave.
    static func written(
        by author: String, _ page: Page, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        Set(
            try session.query(
                """
                SELECT seq FROM comment
                WHERE tenant_id = ?1 AND author_key IN (?2, ?1 || ':' || ?2, 'anon:' || ?2) AND page_id = ?3
                """,
                .text(page.tenant), .text(author), .integer(page.id), row: seq))
    }

    static func tagged(_ tag: String, _ page: Page, in session: inout Session) throws(APIError) -> Set<Int64> {
        Set(
            try session.query(
                """
                SELECT c.seq FROM comment AS c JOIN comment_hash_tag AS t ON t.comment_seq = c.seq
                WHERE c.page_id = ?1 AND t.tag = ?2
                """,
                .integer(page.id), .text(tag), row: seq))
    }

    private static func seq(_ row: borrowing Row) throws(APIError) -> Int64 { row.int64(0) }
}
