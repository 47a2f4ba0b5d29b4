import Domain
import Reactor
import SQLite

/// Threads for reads that take long: exports, searches, whatever outran an event loop's budget. Also for other blocking
/// work, which may leave its session alone.
///
/// Use from any thread.
package final class Offload: Sendable {
    private let queue: WorkQueue<OffloadUnit>
    private let threads: [Thread]

    init(path: String, options: StoreOptions) throws(SystemCallError) {
        let queue = WorkQueue<OffloadUnit>(capacity: options.offloadQueueLimit)
        var threads: [Thread] = []
        do {
            for index in 0..<options.offloadThreads {
                threads.append(try Thread(name: "offload-\(index)") { Self.work(queue, path, options) })
            }
        } catch {
            queue.close()
            for thread in threads { thread.join() }
            throw error
        }
        self.queue = queue
        self.threads = threads
    }

    /// Units that wait at this moment.
    package var waiting: Int { queue.count }

    /// Queues a unit of work that reads. `completion` is called once, on an offload thread; when the queue is full or
    /// closed at once, here, with `unavailable`. A unit that tries to change something ends with `needsWrite`.
    package func submit<R: Sendable>(
        _ unit: @escaping @Sendable (inout Session) throws(APIError) -> R,
        completion: @escaping @Sendable (Result<R, APIError>) -> Void
    ) {
        let work = OffloadUnit(
            perform: { lane, budget in
                completion(Self.attempt(unit, on: lane, budgetMilliseconds: budget))
            },
            fail: { completion(.failure($0)) })
        guard queue.push(work) else {
            completion(.failure(.unavailable("The offload queue is full or closed.")))
            return
        }
    }

    /// Finishes what waits and ends the threads. A second call does nothing.
    package func close() {
        queue.close()
        for thread in threads { thread.join() }
    }

    private static func attempt<R>(
        _ unit: (inout Session) throws(APIError) -> R, on lane: ReadLane, budgetMilliseconds: Int
    ) -> Result<R, APIError> {
        do throws(APIError) {
            return .success(try lane.read(budgetMilliseconds: budgetMilliseconds, unit))
        } catch {
            // Running it here again would end the same way.
            guard error.reroute == .offload else { return .failure(error) }
            return .failure(.unavailable("A read took longer than \(budgetMilliseconds) ms and was ended."))
        }
    }

    private static func work(_ queue: WorkQueue<OffloadUnit>, _ path: String, _ options: StoreOptions) {
        var lane: ReadLane?
        while let unit = queue.pop() {
            do throws(SQLiteError) {
                let ready = if let lane { lane } else { try ReadLane(path: path, clock: options.clock) }
                lane = ready
                unit.perform(ready, options.offloadBudgetMilliseconds)
            } catch {
                unit.fail(APIError(error))
            }
        }
    }
}

/// A unit of work whose result type is forgotten.
private struct OffloadUnit: Sendable {
    let perform: @Sendable (ReadLane, _ budgetMilliseconds: Int) -> Void
    let fail: @Sendable (APIError) -> Void
}
