import Domain
import Server
import Synchronization

/// Bounds what the bodies of uploads take together while they are received, wait and are decoded. Any thread.
final class UploadGate: Sendable {
    private struct Entry {
        let client: ClientAddress
        /// Monotonic milliseconds.
        let since: Int64
        var bytes = 0
        var isReceived = false
        /// Whether its place was given to another; what it has received still counts.
        var isEvicted = false

        /// Bytes for each second.
        func pace(at now: Int64) -> Int { bytes * 1000 / Int(max(1, now - since)) }
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var next = 0
        var bytes = 0
        var perClient: [ClientAddress: Int] = [:]
        /// Entries that were not evicted.
        var count = 0

        mutating func leave(_ client: ClientAddress) {
            count -= 1
            let others = perClient[client, default: 1] - 1
            perClient[client] = others > 0 ? others : nil
        }
    }

    /// Uploads at one time.
    static let maximumCount = 64
    /// Uploads at one time from one address, but this machine's, where a proxy may be.
    static let maximumPerClient = 8
    /// Bytes that all of them hold.
    static let maximumBytes = 128 << 20
    /// When all places are taken, the slowest sender loses its place, if it is slower than so many bytes a second,
    private static let leastPace = 16 << 10
    /// and had so many milliseconds to show it.
    private static let trial: Int64 = 2000

    // Guards the counts, which all loops and whoever drops the last copy of a body change.
    private let state = Mutex(State())

    /// A share for one body; nil when there are too many.
    /// - Parameter now: monotonic milliseconds.
    func enter(_ client: ClientAddress, at now: Int64) -> Lease? {
        let id = state.withLock { state -> Int? in
            let own = state.perClient[client, default: 0]
            guard client.isLoopback || own < Self.maximumPerClient else { return nil }
            guard state.count < Self.maximumCount || Self.evictSlowest(&state, now) else { return nil }
            state.count += 1
            state.perClient[client, default: 0] += 1
            state.entries[state.next] = Entry(client: client, since: now)
            defer { state.next += 1 }
            return state.next
        }
        return id.map { Lease(self, $0) }
    }

    /// Whether there is a place now.
    private static func evictSlowest(_ state: inout State, _ now: Int64) -> Bool {
        let candidates = state.entries.filter { _, entry in
            !entry.isReceived && !entry.isEvicted && now - entry.since >= trial && entry.pace(at: now) < leastPace
        }
        let slowest = candidates.min { $0.value.pace(at: now) < $1.value.pace(at: now) }
        guard let slowest else { return false }
        state.entries[slowest.key]?.isEvicted = true
        state.leave(slowest.value.client)
        return true
    }

    private func take(_ bytes: Int, _ id: Int) -> Bool {
        state.withLock { state in
            guard state.entries[id]?.isEvicted == false, state.bytes + bytes <= Self.maximumBytes else { return false }
            state.bytes += bytes
            state.entries[id]?.bytes += bytes
            return true
        }
    }

    private func received(_ id: Int) { state.withLock { $0.entries[id]?.isReceived = true } }

    private func leave(_ id: Int) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: id) else { return }
            state.bytes -= entry.bytes
            if !entry.isEvicted { state.leave(entry.client) }
        }
    }

    /// One body's share, given back with its end.
    final class Lease: BodyLease {
        private let gate: UploadGate
        private let id: Int
        private let abandoned = Atomic(false)

        fileprivate init(_ gate: UploadGate, _ id: Int) {
            self.gate = gate
            self.id = id
        }

        deinit { gate.leave(id) }

        /// Whether nobody waits for the answer any more.
        var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

        func take(_ bytes: Int) -> Bool { gate.take(bytes, id) }

        func received() { gate.received(id) }

        func clientLeft() { abandoned.store(true, ordering: .relaxed) }
    }
}
