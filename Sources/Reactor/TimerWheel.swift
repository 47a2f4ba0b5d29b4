/// Names a timer from when it is armed until it fires or is cancelled, and nothing afterwards.
package struct TimerID: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
}

/// Many timers that mostly never fire. Arming and removing take constant time whatever their number; a timer is due up
/// to one tick late and never early.
///
/// A wheel of buckets, one per tick. A timer farther away than one turn stays in its bucket and is looked at once per
/// turn. A value without a clock: the caller says what time it is, in milliseconds that never go back.
package struct TimerWheel<Payload> {
    private struct Entry {
        var deadline: Int64
        var payload: Payload
        var bucket: Int
        var previous: Int32
        var next: Int32
    }

    private static var none: Int32 { -1 }
    private let tick: Int64
    private let mask: Int64
    /// The first entry of each bucket's list.
    private var heads: [Int32]
    /// One bit for each bucket that has entries.
    private var occupied: [UInt64]
    private var entries: [Entry?] = []
    private var generations: [UInt32] = []
    private var free: [Int32] = []
    /// The first tick that has not been looked at.
    private var currentTick: Int64

    /// `tickMilliseconds` long ticks, and a power of two of `buckets`, at least 64.
    package init(now: Int64, tickMilliseconds: Int = 4, buckets: Int = 4096) {
        precondition(buckets >= 64 && buckets & (buckets - 1) == 0 && tickMilliseconds > 0)
        tick = Int64(tickMilliseconds)
        mask = Int64(buckets - 1)
        heads = Array(repeating: Self.none, count: buckets)
        occupied = Array(repeating: 0, count: buckets / 64)
        currentTick = now / tick
    }

    /// How many timers are armed.
    package var count: Int { entries.count - free.count }

    /// Arms a timer for the time `deadline`. One in the past is due at the next tick.
    package mutating func arm(deadline: Int64, _ payload: Payload) -> TimerID {
        // Rounded up, so that the deadline has passed when the tick of its bucket begins.
        let bucket = Int(max((deadline + tick - 1) / tick, currentTick) & mask)
        let index = free.popLast() ?? Int32(entries.count)
        if index == entries.count {
            entries.append(nil)
            generations.append(0)
        }
        let next = heads[bucket]
        entries[Int(index)] = Entry(
            deadline: deadline, payload: payload, bucket: bucket, previous: Self.none, next: next)
        if next != Self.none { entries[Int(next)]?.previous = index }
        heads[bucket] = index
        occupied[bucket / 64] |= 1 << UInt64(bucket % 64)
        return TimerID(index: index, generation: generations[Int(index)])
    }

    /// Disarms a timer and returns what it carried; nil when it was removed before.
    @discardableResult
    package mutating func remove(_ timer: TimerID) -> Payload? {
        let index = Int(timer.index)
        guard index < entries.count, generations[index] == timer.generation, let entry = entries[index] else {
            return nil
        }
        if entry.next != Self.none { entries[Int(entry.next)]?.previous = entry.previous }
        if entry.previous != Self.none {
            entries[Int(entry.previous)]?.next = entry.next
        } else {
            heads[entry.bucket] = entry.next
            if entry.next == Self.none { occupied[entry.bucket / 64] &= ~(1 << UInt64(entry.bucket % 64)) }
        }
        entries[index] = nil
        generations[index] &+= 1
        free.append(timer.index)
        return entry.payload
    }

    /// The timers whose time has come, earliest first. They are named once; remove each when its turn comes, so that one
    /// that fires can still cancel the others.
    package mutating func due(now: Int64) -> [TimerID] {
        let last = now / tick
        guard last >= currentTick else { return [] }
        var due: [(deadline: Int64, timer: TimerID)] = []
        for step in 0...min(last - currentTick, mask) {
            var index = heads[Int((currentTick + step) & mask)]
            while index != Self.none, let entry = entries[Int(index)] {
                if entry.deadline <= now {
                    due.append((entry.deadline, TimerID(index: index, generation: generations[Int(index)])))
                }
                index = entry.next
            }
        }
        currentTick = last + 1
        due.sort { $0.deadline < $1.deadline }
        return due.map(\.timer)
    }

    /// The earliest time at which `due` may have something; nil when no timer is armed. It is too early by whole turns
    /// when the timers in that bucket are farther away.
    package var nextDeadline: Int64? {
        guard count > 0 else { return nil }
        let start = Int(currentTick & mask)
        // One word more than there are: the first is looked at again for the buckets before the start.
        for step in 0...occupied.count {
            let wordIndex = (start / 64 + step) % occupied.count
            var word = occupied[wordIndex]
            if step == 0 { word &= ~0 << UInt64(start % 64) }
            guard word != 0 else { continue }
            let bucket = Int64(wordIndex * 64 + word.trailingZeroBitCount)
            return (currentTick + ((bucket - Int64(start)) & mask)) * tick
        }
        return nil
    }
}
