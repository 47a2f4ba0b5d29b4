import Synchronization

/// How many units of work the writer committed at once. The writer counts; readable on any thread.
package final class BatchCounts: Sendable {
    /// What was counted since the start.
    package struct Counts: Sendable {
        /// Batches by the first of ``BatchCounts/bounds`` that their units were within; the last counts the others.
        package var buckets = [Int](repeating: 0, count: BatchCounts.bounds.count + 1)
        /// Units of all batches together.
        package var units = 0
        /// Batches that could not be committed.
        package var failures = 0
    }

    /// Units of work.
    package static let bounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]

    // Guards the counts, which the writer changes and others read.
    private let counts = Mutex(Counts())

    /// All so far.
    package var all: Counts { counts.withLock { $0 } }

    func note(units: Int) {
        let bucket = Self.bounds.firstIndex { units <= $0 } ?? Self.bounds.count
        counts.withLock { counts in
            counts.buckets[bucket] += 1
            counts.units += units
        }
    }

    func noteFailure() { counts.withLock { $0.failures += 1 } }
}
