import Domain
import Storage
import Synchronization

/// How many comments readers see on pages. Kept with the page's version, as everything that is computed from a page.
/// Usable on any thread.
package final class PageCounts: Sendable {
    // Guards the numbers, which all loops share.
    private let kept = Mutex<[Int64: (version: Int64, totals: CommentTotals)]>([:])
    private let capacity: Int

    /// - Parameter capacity: pages at most.
    package init(capacity: Int = 100_000) { self.capacity = capacity }

    func find(
        _ pages: [Page], _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [Int64: Int] {
        try totals(of: pages, threads, in: &session).mapValues(\.all)
    }

    func totals(
        of pages: [Page], _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [Int64: CommentTotals] {
        var numbers: [Int64: CommentTotals] = [:]
        var missing: [Page] = []
        kept.withLock { kept in
            for page in pages {
                if let known = kept[page.id], known.version == page.version {
                    numbers[page.id] = known.totals
                } else {
                    missing.append(page)
                }
            }
        }
        guard !missing.isEmpty else { return numbers }
        let counted = try Self.count(missing, threads, in: &session)
        let capacity = capacity
        kept.withLock { kept in
            // Numbers are cheap to count again; what is old is not worth looking for.
            if kept.count + missing.count > capacity { kept = [:] }
            for page in missing { kept[page.id] = (page.version, counted[page.id] ?? CommentTotals()) }
        }
        return numbers.merging(counted) { $1 }
    }

    private static func count(
        _ pages: [Page], _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [Int64: CommentTotals] {
        let ids = Value.text(JSONText.numbers(pages.map(\.id)))
        var numbers: [Int64: CommentTotals] = [:]
        try session.forEach(
            """
            SELECT c.page_id, COUNT(*), SUM(c.parent_seq IS NULL)
            FROM json_each(?1) AS wanted CROSS JOIN comment AS c ON c.page_id = wanted.value
            WHERE c.is_approved = 1 AND c.is_spam = 0 AND c.is_deleted = 0 GROUP BY c.page_id
            """,
            ids
        ) { (row) throws(APIError) in numbers[row.int64(0)] = CommentTotals(all: row.int(1), roots: row.int(2)) }
        // What stands below something hidden is hidden too; that is rare enough to be looked at as a thread.
        let entangled = Set(
            try session.query(
                """
                SELECT DISTINCT c.page_id FROM json_each(?1) AS wanted
                CROSS JOIN comment AS c ON c.page_id = wanted.value
                WHERE (c.is_approved = 0 OR c.is_spam = 1)
                  AND EXISTS (SELECT 1 FROM comment AS reply WHERE reply.parent_seq = c.seq)
                """,
                ids
            ) { (row) throws(APIError) -> Int64 in row.int64(0) })
        for page in pages where entangled.contains(page.id) {
            let index = try threads.index(of: page, viewer: .reader, direction: .newestFirst, in: &session)
            numbers[page.id] = CommentTotals(all: index.totalCount, roots: index.rootCount)
        }
        return numbers
    }
}
