import Domain
import Storage

/// Which comments of a page a search names (contract: public 5.1: searchText, hashTags, userId).
enum CommentFilter {
    static func matches(_ query: ListQuery, page: Page, in session: inout Session) throws(APIError) -> Set<Int64> {
        var sets: [Set<Int64>] = []
        if let author = query.author { sets.append(try written(by: author, page, in: &session)) }
        for tag in query.hashTags { sets.append(try tagged(tag, page, in: &session)) }
        if let text = query.searchText { sets.append(try containing(text, page, in: &session)) }
        guard var matches = sets.first else { return [] }
        for set in sets.dropFirst() { matches.formIntersection(set) }
        return matches
    }

    /// By wire id, or by the id that the site gave.
    private static func written(
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

    private static func tagged(_ tag: String, _ page: Page, in session: inout Session) throws(APIError) -> Set<Int64> {
        Set(
            try session.query(
                """
                SELECT c.seq FROM comment AS c JOIN comment_hash_tag AS t ON t.comment_seq = c.seq
                WHERE c.page_id = ?1 AND t.tag = ?2
                """,
                .integer(page.id), .text(tag), row: seq))
    }

    private static func containing(
        _ text: String, _ page: Page, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        let wanted = text.composed.lowercased()
        let texts = try session.query(
            "SELECT seq, source FROM comment WHERE page_id = ?1 AND is_deleted = 0", .integer(page.id)
        ) { (row) throws(APIError) -> (Int64, String) in (row.int64(0), row.text(1)) }
        return Set(texts.filter { $0.1.composed.lowercased().firstRange(of: wanted) != nil }.map(\.0))
    }

    private static func seq(_ row: borrowing Row) throws(APIError) -> Int64 { row.int64(0) }
}

/// Tags as they are kept and compared: lower case, without `#` (contract: public 7.6).
enum HashTags {
    static let maximumCount = 50
    static let maximumLength = 100

    static func normalised(_ tag: String) -> String {
        let bare = tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
        return bare.composed.lowercased().cut(to: maximumLength)
    }

    static func replace(_ tags: [String], of comment: Int64, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM comment_hash_tag WHERE comment_seq = ?1", .integer(comment))
        guard !tags.isEmpty else { return }
        try session.run(
            """
            INSERT INTO comment_hash_tag (comment_seq, tag) SELECT ?1, value FROM json_each(?2) WHERE true
            ON CONFLICT (comment_seq, tag) DO NOTHING
            """,
            .integer(comment), .text(JSONText.list(tags.map(normalised))))
    }
}
