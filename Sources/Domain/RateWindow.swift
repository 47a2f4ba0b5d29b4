/// How often something may happen in a sliding window, counted by key.
package struct RateWindow: Sendable {
    private let limit: Int
    private let milliseconds: Int64
    private let maximumKeys: Int
    private var moments: [String: [Int64]] = [:]

    /// - Parameters:
    ///   - limit: events a key may have within `milliseconds`.
    ///   - maximumKeys: keys remembered at most; past it, those whose window has ended are dropped, then any.
    package init(limit: Int, milliseconds: Int64, maximumKeys: Int = 100_000) {
        self.limit = limit
        self.milliseconds = milliseconds
        self.maximumKeys = maximumKeys
    }

    /// Milliseconds until this key may go on; nil when it may now.
    /// - Parameter limit: overrides the limit of the window for this look.
    package func wait(_ key: String, at now: Int64, limit override: Int? = nil) -> Int64? {
        let limit = override ?? limit
        guard limit > 0 else { return milliseconds }
        guard let recent = moments[key]?.filter({ $0 > now - milliseconds }), recent.count >= limit else { return nil }
        return max(1, recent[recent.count - limit] + milliseconds - now)
    }

    /// Counts one event.
    package mutating func note(_ key: String, at now: Int64) {
        if moments.count >= maximumKeys, moments[key] == nil { makeRoom(now) }
        var recent = moments[key, default: []]
        recent.removeAll { $0 <= now - milliseconds }
        recent.append(now)
        moments[key] = recent
    }

    /// Counts nothing of a key any more.
    package mutating func forget(_ key: String) { moments[key] = nil }

    private mutating func makeRoom(_ now: Int64) {
        moments = moments.filter { ($0.value.last ?? 0) > now - milliseconds }
        while moments.count >= maximumKeys, let key = moments.keys.first { moments[key] = nil }
    }
}
