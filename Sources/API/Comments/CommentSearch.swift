import Domain
import Storage

/// The index of words. It is a table of its own beside the comments; whatever writes, deletes or moves comments changes it
/// in the same transaction, at its end: the index writes a piece of itself for each savepoint that touches it.
enum CommentSearch {
    /// Reads that take longer leave the loop: the index looks up its words without a pause for others.
    static let milliseconds = 100

    static func insert(
        _ seq: Int64, page: Int64, words: String, in session: inout Session
    ) throws(APIError) {
        try session.atEnd(
            "INSERT INTO comment_search (rowid, place, words) VALUES (?1, 'p' || ?2, ?3)",
            .integer(seq), .integer(page), .text(words))
    }

    /// After the text of a comment was replaced.
    static func replace(_ seq: Int64, words: String, in session: inout Session) throws(APIError) {
        try session.atEnd("DELETE FROM comment_search WHERE rowid = ?1", .integer(seq))
        try session.atEnd(
            """
            INSERT INTO comment_search (rowid, place, words)
            SELECT seq, 'p' || page_id, ?2 FROM comment WHERE seq = ?1 AND is_deleted = 0
            """,
            .integer(seq), .text(words))
    }

    /// After comments were brought to another page.
    static func move(_ seqs: [Int64], to page: Int64, in session: inout Session) throws(APIError) {
        try session.atEnd(
            "UPDATE comment_search SET place = 'p' || ?2 WHERE rowid IN (SELECT value FROM json_each(?1))",
            .text(JSONText.numbers(seqs)), .integer(page))
    }

    /// Notes in the trash what a search finds comments by, before they go.
    /// - Parameter seqs: a JSON list.
    static func keepWords(_ seqs: Value, in session: inout Session) throws(APIError) {
        try session.atEnd(
            """
            UPDATE trash SET words = (SELECT words FROM comment_search WHERE rowid = seq)
            WHERE seq IN (SELECT value FROM json_each(?1))
            """,
            seqs)
    }

    /// Before or after comments were deleted or emptied.
    static func remove(_ seqs: [Int64], in session: inout Session) throws(APIError) {
        try session.atEnd(
            "DELETE FROM comment_search WHERE rowid IN (SELECT value FROM json_each(?1))",
            .text(JSONText.numbers(seqs)))
    }

    /// Before all comments of a tenant go with it.
    static func remove(tenant: String, in session: inout Session) throws(APIError) {
        let seqs = try session.query("SELECT seq FROM comment WHERE tenant_id = ?1", .text(tenant)) {
            (row) throws(APIError) -> Int64 in row.int64(0)
        }
        if !seqs.isEmpty { try remove(seqs, in: &session) }
    }

    /// Comments of the page in which all of the query stands, hidden ones included.
    static func matches(
        _ query: SearchQuery, page: Int64, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        guard !query.isEmpty else { return [] }
        try session.requireTime(milliseconds: milliseconds)
        if let matcher = WordMatcher(query),
            try QueueSQL.size(pages: [page], limit: mostRead + 1, in: &session) <= mostRead
        {
            return try matches(matcher, page: page, in: &session)
        }
        return Set(
            try session.query(
                "SELECT rowid FROM comment_search WHERE comment_search MATCH ?1",
                .text("place : \"p\(page)\" AND words : (\(query.expression))")
            ) { (row) throws(APIError) -> Int64 in row.int64(0) })
    }

    /// Pages with more comments are left to the index, which looks up every word that begins as one of the query does,
    /// in all comments there are.
    private static let mostRead = 3000

    private static func matches(
        _ matcher: WordMatcher, page: Int64, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        var found: Set<Int64> = []
        try session.forEach(
            """
            SELECT c.seq, (SELECT s.words FROM comment_search AS s WHERE s.rowid = c.seq)
            FROM comment AS c INDEXED BY comment_thread WHERE c.page_id = ?1 AND c.is_deleted = 0
            """,
            .integer(page)
        ) { (row) throws(APIError) in
            if row.withUTF8(1, matcher.matches) { found.insert(row.int64(0)) }
        }
        return found
    }
}
