import Synchronization

/// What one event loop answered: how often, with which status, and how long it took. The loop counts, whoever asks for
/// the metrics reads; usable on any thread.
final class RequestCounts: Sendable {
    /// Of one operation.
    struct Row: Sendable {
        /// How often each status was answered.
        var statuses: [Int: Int] = [:]
        /// Answers by the first of ``RequestCounts/bounds`` that they were within; the last counts the others.
        var buckets = [Int](repeating: 0, count: RequestCounts.bounds.count + 1)
        /// Microseconds of all answers together.
        var sum = 0

        mutating func add(_ other: Row) {
            statuses.merge(other.statuses, uniquingKeysWith: +)
            for (index, count) in other.buckets.enumerated() { buckets[index] += count }
            sum += other.sum
        }
    }

    /// Microseconds.
    static let bounds = [
        100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    ]

    // Guards the rows, which the loop changes and others read.
    private let rows = Mutex<[String: Row]>([:])

    /// Counts one answer.
    func note(_ operation: String, status: Int, microseconds: Int) {
        let bucket = Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        rows.withLock { rows in
            rows[operation, default: Row()].statuses[status, default: 0] += 1
            rows[operation]?.buckets[bucket] += 1
            rows[operation]?.sum += microseconds
        }
    }

    /// All that was counted, by operation.
    var all: [String: Row] { rows.withLock { $0 } }
}

/// Knows the counts of every loop and what else operators may read (``MetricsRoutes``). Usable on any thread.
package final class Metrics: Sendable {
    /// What a part of the server tells of itself at the moment.
    package typealias Gauges = @Sendable (inout MetricsText) -> Void

    private struct Parts {
        var loops: [RequestCounts] = []
        var gauges: [Gauges] = []
    }

    /// Opens `GET /metrics`; nil closes it.
    let token: String?
    // Guards the parts, which are added at start.
    private let parts = Mutex(Parts())

    /// - Parameter token: what readers must show; nil when nobody may read.
    package init(token: String?) { self.token = token }

    /// For one more loop.
    func makeCounts() -> RequestCounts {
        let counts = RequestCounts()
        parts.withLock { $0.loops.append(counts) }
        return counts
    }

    /// One more part of the server is asked, on the thread of whoever reads.
    package func add(_ gauges: @escaping Gauges) { parts.withLock { $0.gauges.append(gauges) } }

    /// Everything but what the database tells.
    func write(to text: inout MetricsText) {
        let (loops, gauges) = parts.withLock { ($0.loops, $0.gauges) }
        var rows: [String: RequestCounts.Row] = [:]
        for (name, row) in loops.flatMap(\.all) { rows[name, default: RequestCounts.Row()].add(row) }
        text.requests(rows)
        for gauge in gauges { gauge(&text) }
    }
}
