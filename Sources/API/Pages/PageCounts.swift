import Domain
import Storage
import Synchronization

/// How many comments readers see on pages. Kept with the page's version, as everything that is computed from a page.
/// Usable on any thread.
package final class PageCounts: Sendable {
    // Guards the numbers, which all loops share.
    private let kept = Mutex<[Int64: (version: Int64, count: Int)]>([:])
    private let capacity: Int

    /// - Parameter capacity: pages at most.
    package init(capacity: Int = 100_000) { self.capacity = capacity }

    func find(
        _ pages: [Page], _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [Int64: Int] {
        var numbers: [Int64: Int] = [:]
        var missing: [Page] = []
        kept.withLock { kept in
            for page in pages {
                if let known = kept[page.id], known.version == page.version {
                    numbers[page.id] = known.count
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
            for page in missing { kept[page.id] = (page.version, counted[page.id] ?? 0) }
        }
        return numbers.merging(counted) { $1 }
    }

    private static func count(
        _ pages: [Page], _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [Int64: Int] {
        let ids = Value.text(JSONText.numbers(pages.map(\.id)))
        var numbers: [Int64: Int] = [:]
        try session.forEach(
            """
            SELECT c.page_id, COUNT(*) FROM json_each(?1) AS wanted CROSS JOIN comment AS c ON c.page_id = wanted.value
            WHERE c.is_approved = 1 AND c.is_spam = 0 AND c.is_deleted = 0 GROUP BY c.page_id
            """,
            ids
        ) { (row) throws(APIError) in numbers[row.int64(0)] = row.int(1) }
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
            numbers[page.id] = try threads.index(
                of: page, viewer: .reader, direction: .newestFirst, in: &session
            ).totalCount
        }
        return numbers
    }
}
