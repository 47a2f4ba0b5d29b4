import Domain
import Storage

/// Fills in the hosts of comments that are older than the column for them, newest first, in small units, each of which
/// notes how far it came.
package enum DomainBackfill {
    private static let key = "domain-backfill"
    /// Comments of one unit.
    private static let step: Int64 = 200

    private struct Part: Sendable {
        let hosts: [(seq: Int64, host: String)]
        /// Where the next one begins; nil at the end.
        let next: Int64?
    }

    /// Does one step. Waits for the writer: not for loops.
    /// - Returns: whether something may be left.
    package static func advance(_ store: Store, reading lane: ReadLane) throws(APIError) -> Bool {
        let part = try lane.read(budgetMilliseconds: nil) { session throws(APIError) in try next(in: &session) }
        guard let part else { return false }
        try store.writer.perform { session throws(APIError) in
            for entry in part.hosts {
                try session.run(
                    "UPDATE comment SET domain = ?2 WHERE seq = ?1 AND domain IS NULL", .integer(entry.seq),
                    .text(entry.host))
            }
            if let next = part.next {
                try ServerState.set(String(next), for: key, in: &session)
            } else {
                try session.run("DELETE FROM server_state WHERE key = ?1", .text(key))
            }
        }
        return part.next != nil
    }

    /// nil when all are done.
    private static func next(in session: inout Session) throws(APIError) -> Part? {
        guard let start = try ServerState.value(for: key, in: &session).flatMap(Int64.init) else { return nil }
        let rows = try session.query(
            "SELECT seq, url FROM comment WHERE seq <= ?1 AND domain IS NULL ORDER BY seq DESC LIMIT ?2",
            .integer(start), .integer(step)
        ) { (row) throws(APIError) -> (Int64, String) in (row.int64(0), row.text(1)) }
        let hosts = rows.compactMap { seq, url in WebAddress.host(url).map { (seq: seq, host: $0) } }
        return Part(hosts: hosts, next: rows.count == Int(step) ? rows.last.map { $0.0 - 1 } : nil)
    }
}
