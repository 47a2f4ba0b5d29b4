import Domain
import Reactor
import SQLite

/// Called on the writer's thread after each commit, with what was announced in it, in order. `release` answers every
/// unit of the batch and must be called in the end; further calls do nothing.
package typealias AfterCommit =
    @Sendable (
        _ events: [CommittedEvent], _ release: @escaping @Sendable () -> Void
    ) -> Void

/// The one place where the store is changed: units of work queue up for one thread, which runs them in batches, each
/// batch one transaction on the disk before any of its units is answered.
///
/// Use from any thread.
package final class Writer: Sendable {
    private let queue: WorkQueue<WriteUnit>
    private let thread: Thread
    /// How its batches went.
    package let batches = BatchCounts()

    init(
        path: String, options: StoreOptions, connection: Handover, changes: ChangeJournal,
        afterCommit: @escaping AfterCommit
    ) throws(SystemCallError) {
        let queue = WorkQueue<WriteUnit>(capacity: options.writeQueueLimit)
        self.queue = queue
        thread = try Thread(name: "writer") { [batches] in
            WriterLoop(
                path: path, options: options, connection: connection.take(), batches: batches, changes: changes,
                afterCommit: afterCommit
            ).run(queue)
        }
    }

    /// Units that wait at this moment.
    package var waiting: Int { queue.count }

    /// Queues a unit of work. `completion` is called once: after the commit, or with the unit's own error when it threw
    /// (nothing of it was kept), or with `unavailable` when the batch could not be committed. On the writer's thread,
    /// unless the queue is full or closed: then at once, here, with `unavailable`.
    package func submit<R: Sendable>(
        _ unit: @escaping @Sendable (inout Session) throws(APIError) -> R,
        completion: @escaping @Sendable (Result<R, APIError>) -> Void
    ) {
        let work = WriteUnit(
            perform: { session throws(APIError) in
                let result = try unit(&session)
                return { completion(.success(result)) }
            },
            fail: { completion(.failure($0)) })
        guard queue.push(work) else {
            completion(.failure(.unavailable("The queue of the writer is full or closed.")))
            return
        }
    }

    /// Runs a unit of work and waits for its commit. For commands and tests: never call it on an event loop or on the
    /// writer's own thread.
    @discardableResult
    package func perform<R: Sendable>(
        _ unit: @escaping @Sendable (inout Session) throws(APIError) -> R
    ) throws(APIError) -> R {
        let answer = WorkQueue<Result<R, APIError>>(capacity: 1)
        submit(unit) { result in
            _ = answer.push(result)
        }
        guard let result = answer.pop() else { throw .internal("The writer gave no answer.") }
        return try result.get()
    }

    /// Commits what waits, moves the log into the database, closes it and ends the thread. A second call does nothing.
    package func close() {
        queue.close()
        thread.join()
    }
}

/// A unit of work whose result type is forgotten.
struct WriteUnit: Sendable {
    /// Does the work; what it returns answers with success.
    let perform: @Sendable (inout Session) throws(APIError) -> @Sendable () -> Void
    /// Answers with a failure.
    let fail: @Sendable (APIError) -> Void
}

/// Takes a connection from the thread that made it to the one that uses it.
///
/// `@unchecked`: guarded by construction. Whoever makes it lets go of the connection, and then starts the one thread that
/// takes it.
final class Handover: @unchecked Sendable {
    private var connection: Connection?

    init(_ connection: Connection?) {
        self.connection = connection
    }

    /// Nil when there was none, or it was taken before.
    func take() -> Connection? {
        defer { connection = nil }
        return connection
    }
}
