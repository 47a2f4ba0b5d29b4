import Reactor
import SQLite
import Synchronization

/// A reader for works that seldom run: each takes it for a while, and one is kept meanwhile. Whoever finds it taken waits
/// a little, and then gets another one. A connection holds half a megabyte and takes milliseconds to open.
///
/// `@unchecked`: a lane is only touched by whoever took it, and changes hands under the mutex.
final class SpareLane: @unchecked Sendable {
    /// How long somebody waits for others, milliseconds.
    private static let patience = 50

    private let path: String
    private let clock: @Sendable () -> Int64
    private let mutex = Mutex(())
    private let isBack = Semaphore()
    private var kept: ReadLane?
    private var waiting = 0
    private var taken = 0
    private var isClosed = false

    init(path: String, clock: @escaping @Sendable () -> Int64) {
        self.path = path
        self.clock = clock
    }

    /// The one that is kept, or a new one.
    func take() throws(SQLiteError) -> ReadLane {
        let mustWait = mutex.withLock { _ in
            guard kept == nil, taken > 0 else { return false }
            waiting += 1
            return true
        }
        if mustWait {
            _ = isBack.wait(milliseconds: Self.patience)
            mutex.withLock { _ in waiting -= 1 }
        }
        let lane = mutex.withLock { _ in
            defer { kept = nil }
            taken += 1
            return kept.map(Holding.init)
        }
        if let lane { return lane.lane }
        do {
            return try ReadLane(path: path, clock: clock)
        } catch {
            mutex.withLock { _ in taken -= 1 }
            throw error
        }
    }

    /// Whoever calls it lets go of the lane.
    func giveBack(_ lane: ReadLane) {
        let lane = Holding(lane: lane)
        mutex.withLock { _ in
            taken -= 1
            if !isClosed, kept == nil { kept = lane.lane }
            if waiting > 0 { isBack.signal() }
        }
    }

    /// Keeps none any more.
    func close() {
        mutex.withLock { _ in
            isClosed = true
            kept = nil
        }
    }

    /// `@unchecked`: on its way between two owners.
    private struct Holding: @unchecked Sendable {
        let lane: ReadLane
    }
}
