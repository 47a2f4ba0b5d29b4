import Reactor

/// Threads that make outgoing calls, so that those who wait for other servers hold up nobody else. One for each purpose:
/// a provider that is slow must not keep the calls of another waiting. Usable on any thread.
package final class OutboundLane: Sendable {
    private struct Job: Sendable {
        let run: @Sendable (OutboundClient) -> Void
    }

    private let client: OutboundClient
    private let queue: WorkQueue<Job>
    private let threads: [Thread]

    /// - Parameters:
    ///   - name: of the threads.
    ///   - threads: calls at once, at least 1.
    ///   - queueLimit: jobs that may wait.
    /// - Throws: when the system has no room for the threads.
    package init(
        _ client: OutboundClient, name: String, threads count: Int, queueLimit: Int
    ) throws(SystemCallError) {
        let queue = WorkQueue<Job>(capacity: queueLimit)
        var threads: [Thread] = []
        do {
            for index in 0..<count {
                threads.append(
                    try Thread(name: "\(name)-\(index)") { while let job = queue.pop() { job.run(client) } })
            }
        } catch {
            queue.close()
            for thread in threads { thread.join() }
            throw error
        }
        self.client = client
        self.queue = queue
        self.threads = threads
    }

    /// Queues a job, which runs on a thread of the lane.
    /// - Returns: false, and nothing queued, when too many wait or the lane is closed.
    package func submit(_ job: @escaping @Sendable (OutboundClient) -> Void) -> Bool {
        queue.push(Job(run: job))
    }

    /// Ends the calls that run, lets those that wait fail, and ends the threads. All lanes of a client end with the
    /// first one. A second call does nothing.
    package func close() {
        queue.close()
        client.stopCalls()
        for thread in threads { thread.join() }
    }
}
