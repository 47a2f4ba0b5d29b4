import Synchronization

/// Runs a closure at a steady pace on a thread of its own.
package final class Ticker: Sendable {
    private let bell: Mailbox<Void>
    private let isStopped: Stop
    private let thread: Thread

    private final class Stop: Sendable {
        let flag = Atomic(false)
    }

    /// Starts at once.
    /// - Parameters:
    ///   - milliseconds: from the end of one run to the beginning of the next.
    ///   - makeBody: run first, on the thread: what it makes stays there.
    /// - Throws: when the system has no room for another thread or descriptor.
    package init(
        name: String, milliseconds: Int, _ makeBody: @escaping @Sendable () -> () -> Void
    ) throws(SystemCallError) {
        let bell = try Mailbox<Void>()
        let stop = Stop()
        self.bell = bell
        isStopped = stop
        thread = try Thread(name: name) {
            let body = makeBody()
            while !stop.flag.load(ordering: .acquiring) {
                body()
                Syscall.waitForInput(on: bell.descriptor, milliseconds: milliseconds)
            }
        }
    }

    /// Ends after the run that is under way, and waits for it. A second call does nothing; never from the thread itself.
    package func stop() {
        isStopped.flag.store(true, ordering: .releasing)
        bell.post(())
        thread.join()
    }
}
