/// How often something may happen by key: so often at once, and then at a steady pace.
package struct RateBucket: Sendable {
    private struct Level {
        /// Milliseconds' worth of what may still happen.
        var credit: Int64
        var at: Int64
    }

    private let interval: Int64
    private let capacity: Int64
    private let maximumKeys: Int
    private var levels: [String: Level] = [:]

    /// - Parameters:
    ///   - capacity: events at once.
    ///   - perMinute: events that come back in a minute.
    ///   - maximumKeys: keys remembered at most; past it, those that may do all again are dropped, then any.
    package init(capacity: Int, perMinute: Int, maximumKeys: Int = 100_000) {
        interval = max(1, 60_000 / Int64(max(1, perMinute)))
        self.capacity = Int64(capacity) * interval
        self.maximumKeys = maximumKeys
    }

    /// Counts one event.
    /// - Returns: milliseconds until this key may go on, when it may not now.
    package mutating func take(_ key: String, at now: Int64) -> Int64? {
        if levels.count >= maximumKeys, levels[key] == nil { makeRoom(now) }
        var level = levels[key] ?? Level(credit: capacity, at: now)
        level.credit = min(capacity, level.credit + max(0, now - level.at))
        level.at = max(level.at, now)
        defer { levels[key] = level }
        guard level.credit >= interval else { return interval - level.credit }
        level.credit -= interval
        return nil
    }

    private mutating func makeRoom(_ now: Int64) {
        levels = levels.filter { $0.value.credit + now - $0.value.at < capacity }
        while levels.count >= maximumKeys, let key = levels.keys.first { levels[key] = nil }
    }
}
