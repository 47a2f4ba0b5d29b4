import Domain
import Glibc
import Reactor
import Synchronization

/// Work that is done after the answer, on a thread of its own. What it changes goes through the writer in
/// small units, one at a time, so that requests get their turns in between. What is to be done stands in the database:
/// nothing is lost when the process ends.
///
/// Use from any thread.
package final class Background: Sendable {
    /// Does a part. Runs on the thread of this work; may wait for the writer.
    ///
    /// Gives true when there may be more to do. What it throws is reported, and the step is tried again a second later.
    package typealias Step = @Sendable (ReadLane, Writer) throws(APIError) -> Bool

    // One wake-up waits at most: it stands for all that came before it is taken.
    private let wakeUps: WorkQueue<Void>
    private let isStopping: StopFlag
    private let thread: Thread

    init(
        name: String, reader: SpareLane, writer: Writer,
        failed: @escaping @Sendable (APIError) -> Void, step: @escaping Step
    ) throws(SystemCallError) {
        let wakeUps = WorkQueue<Void>(capacity: 1)
        let isStopping = StopFlag()
        self.wakeUps = wakeUps
        self.isStopping = isStopping
        thread = try Thread(name: name) {
            let loop = BackgroundLoop(
                reader: reader, writer: writer, isStopping: isStopping, failed: failed, step: step)
            while wakeUps.pop() != nil { loop.run() }
        }
    }

    /// Says that there is something to do. A unit of work may call it: what the unit wrote is found, because the work
    /// begins after its commit.
    package func wake() { _ = wakeUps.push(()) }

    /// Ends the thread after the part that it is at. A second call does nothing.
    package func stop() {
        isStopping.value.store(true, ordering: .relaxed)
        wakeUps.close()
        thread.join()
    }
}

/// An atomic that several owners share.
private final class StopFlag: Sendable {
    let value = Atomic(false)
}

/// What the thread does. Made on it, never leaves it.
private struct BackgroundLoop {
    /// Before the next try after a failure, microseconds.
    private static let pause: UInt32 = 1_000_000

    let reader: SpareLane
    let writer: Writer
    let isStopping: StopFlag
    let failed: @Sendable (APIError) -> Void
    let step: Background.Step

    /// Steps until there is nothing more to do.
    func run() {
        var lane: ReadLane?
        defer { if let lane { reader.giveBack(lane) } }
        var isCommitted = false
        var hasMore = true
        while hasMore, !isStopping.value.load(ordering: .relaxed) {
            do throws(APIError) {
                // Whoever woke us may not be committed yet; the writer comes to this unit after that.
                if !isCommitted { try writer.perform(Self.nothing) }
                isCommitted = true
                let open = if let lane { lane } else { try takeLane() }
                lane = open
                hasMore = try step(open, writer)
            } catch {
                guard !isStopping.value.load(ordering: .relaxed) else { return }
                failed(error)
                usleep(Self.pause)
            }
        }
    }

    private static func nothing(_ session: inout Session) throws(APIError) {}

    private func takeLane() throws(APIError) -> ReadLane {
        do {
            return try reader.take()
        } catch {
            throw APIError(error)
        }
    }
}
