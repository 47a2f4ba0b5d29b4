import Domain
import RichText
import Storage

/// Brings comments into the index that are older than it, newest first, in small units, each of which notes how far it
/// came: whenever the server stops, the next one goes on there.
package enum SearchBackfill {
    private static let key = "search-backfill"
    /// Comments of one unit.
    private static let step: Int64 = 50

    private struct Text: Sendable {
        let seq: Int64
        let words: String
    }

    /// Does one step. Waits for the writer: not for loops.
    /// - Returns: whether something may be left.
    package static func advance(_ store: Store, reading lane: ReadLane) throws(APIError) -> Bool {
        let found = try lane.read(budgetMilliseconds: nil) { session throws(APIError) in try next(in: &session) }
        guard let found else { return false }
        try store.writer.perform { session throws(APIError) in
            for text in found { try insert(text, in: &session) }
            if let last = found.last {
                try ServerState.set(String(last.seq - 1), for: key, in: &session)
            } else {
                try session.run("DELETE FROM server_state WHERE key = ?1", .text(key))
            }
        }
        return !found.isEmpty
    }

    /// The next comments with their words; nil when all are in the index.
    private static func next(in session: inout Session) throws(APIError) -> [Text]? {
        guard let start = try ServerState.value(for: key, in: &session).flatMap(Int64.init) else { return nil }
        let sources = try session.query(
            "SELECT seq, source FROM comment WHERE seq <= ?1 ORDER BY seq DESC LIMIT ?2",
            .integer(start), .integer(step)
        ) { (row) throws(APIError) -> (Int64, String) in (row.int64(0), row.text(1)) }
        return sources.map { seq, source in
            Text(seq: seq, words: SearchText.indexed(CommentRenderer.render(source).plainText))
        }
    }

    /// Unless the comment is gone, or was edited since, which brought it in already.
    private static func insert(_ text: Text, in session: inout Session) throws(APIError) {
        try session.atEnd(
            """
            INSERT INTO comment_search (rowid, place, words)
            SELECT seq, 'p' || page_id, ?2 FROM comment
            WHERE seq = ?1 AND is_deleted = 0 AND NOT EXISTS (SELECT 1 FROM comment_search WHERE rowid = ?1)
            """,
            .integer(text.seq), .text(text.words))
    }
}
