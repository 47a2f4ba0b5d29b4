import Synchronization

/// A bounded first-in, first-out queue from many threads to one or more worker threads that sleep while it is empty.
package final class WorkQueue<Item: Sendable>: Sendable {
    private struct State {
        /// The oldest items, last one first, so that taking one costs the same however many wait.
        var oldestLast: [Item] = []
        /// The items that came after those, in order.
        var arrived: [Item] = []
        var sleepers = 0
        var isClosed = false

        var count: Int { oldestLast.count + arrived.count }

        mutating func takeAll() -> [Item] {
            defer {
                oldestLast = []
                arrived = []
            }
            return oldestLast.isEmpty ? arrived : oldestLast.reversed() + arrived
        }

        mutating func takeFirst() -> Item? {
            if oldestLast.isEmpty {
                oldestLast = arrived.reversed()
                arrived = []
            }
            return oldestLast.popLast()
        }
    }

    private let state = Mutex(State())
    /// One permit for each sleeper that was told to look again.
    private let wakeUps = Semaphore()
    /// How many items may wait.
    package let capacity: Int

    /// `capacity` is a count of items, at least 1.
    package init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    /// Adds an item and wakes a sleeping worker. False, and nothing added, when the queue is full or closed. Any thread.
    package func push(_ item: Item) -> Bool {
        let (isAccepted, wakes) = state.withLock { state in
            guard !state.isClosed, state.count < capacity else { return (false, false) }
            state.arrived.append(item)
            guard state.sleepers > 0 else { return (true, false) }
            state.sleepers -= 1
            return (true, true)
        }
        if wakes { wakeUps.signal() }
        return isAccepted
    }

    /// Waits until something is there and takes all of it, oldest first. Empty once the queue is closed and drained.
    package func popAll() -> [Item] {
        wait { state in
            let items = state.takeAll()
            return items.isEmpty ? nil : items
        } ?? []
    }

    /// Waits until something is there and takes the oldest. Nil once the queue is closed and drained.
    package func pop() -> Item? {
        wait { $0.takeFirst() }
    }

    /// How many items wait at this moment. Any thread.
    package var count: Int {
        state.withLock { $0.count }
    }

    /// Refuses further items and wakes all workers; what is queued can still be popped. Any thread, also again.
    package func close() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = 0 }
            state.isClosed = true
            return state.sleepers
        }
        for _ in 0..<sleepers { wakeUps.signal() }
    }

    /// Whoever sleeps was counted under the lock, and whoever is counted off gets exactly one permit: no wake-up is lost,
    /// and none is left over. A woken worker looks again, because another may have been faster.
    private func wait<Taken: Sendable>(_ take: @Sendable (inout State) -> Taken?) -> Taken? {
        while true {
            let (taken, isClosed) = state.withLock { state -> (Taken?, Bool) in
                let taken = take(&state)
                if taken == nil, !state.isClosed { state.sleepers += 1 }
                return (taken, state.isClosed)
            }
            if taken != nil || isClosed { return taken }
            wakeUps.wait()
        }
    }
}
