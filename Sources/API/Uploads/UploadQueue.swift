import Domain
import Images
import Reactor
import Synchronization

/// One upload that waits for the decoder.
struct UploadJob: Sendable {
    /// Where it came from; addresses take turns.
    let client: ClientAddress
    /// Whether nobody waits for it any more.
    let isUnwanted: @Sendable () -> Bool
    /// Decodes; without a library, refuses.
    let run: @Sendable (ImageLibrary?) -> Void
    /// Answers without decoding.
    let refuse: @Sendable (APIError) -> Void
}

/// Uploads that wait for the decoder: one of each address in turn, however many an address has. `UploadGate` bounds them.
/// Any thread.
final class UploadQueue: Sendable {
    private struct State {
        /// Addresses that have something waiting, the next first.
        var turns: [ClientAddress] = []
        /// Oldest first; never empty.
        var jobs: [ClientAddress: [UploadJob]] = [:]
        var isClosed = false

        mutating func add(_ job: UploadJob) {
            if jobs[job.client] == nil { turns.append(job.client) }
            jobs[job.client, default: []].append(job)
        }

        mutating func takeNext() -> UploadJob? {
            guard !turns.isEmpty else { return nil }
            let client = turns.removeFirst()
            guard var own = jobs.removeValue(forKey: client) else { return nil }
            let job = own.removeFirst()
            if !own.isEmpty {
                jobs[client] = own
                turns.append(client)
            }
            return job
        }
    }

    // Guards what waits, which all loops and the decoder change.
    private let state = Mutex(State())
    /// One for each job, and one for the end.
    private let permits = Semaphore()

    /// False, and nothing added, once the queue is closed.
    func push(_ job: UploadJob) -> Bool {
        let isAdded = state.withLock { state in
            if !state.isClosed { state.add(job) }
            return !state.isClosed
        }
        if isAdded { permits.signal() }
        return isAdded
    }

    /// Waits for the next job that is wanted, and refuses those before it that are not. Nil once the queue is closed.
    func pop() -> UploadJob? {
        while true {
            permits.wait()
            let (job, isClosed) = state.withLock { ($0.takeNext(), $0.isClosed) }
            guard let job else {
                if isClosed { return nil }
                continue
            }
            guard job.isUnwanted() else { return job }
            job.refuse(.uploadAbandoned)
        }
    }

    /// Refuses what waits and what comes. A second call does nothing.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer {
                state.turns = []
                state.jobs = [:]
            }
            return state.turns.flatMap { state.jobs[$0] ?? [] }
        }
        permits.signal()
        for job in waiting { job.refuse(.restarting) }
    }
}

extension APIError {
    /// Nobody reads this.
    static let uploadAbandoned = APIError(503, "unavailable", "The client has gone.")

    static let restarting: APIError = {
        var error = APIError(503, "unavailable", "The server restarts.")
        error.retryAfter = 5
        return error
    }()
}
