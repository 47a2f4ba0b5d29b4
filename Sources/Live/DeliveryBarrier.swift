import Synchronization

/// Runs something once every loop has queued its part of a batch: the answers of requests wait for it, so that no
/// client sees the answer to a change before others were sent the change.
package final class DeliveryBarrier: Sendable {
    private let waiting: Atomic<Int>
    private let release: @Sendable () -> Void

    /// - Parameter parties: how many times `arrive` will be called, at least 1.
    package init(parties: Int, release: @escaping @Sendable () -> Void) {
        waiting = Atomic(parties)
        self.release = release
    }

    /// One party is done. Callable on any thread; the last one runs `release` on its own thread.
    package func arrive() {
        if waiting.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { release() }
    }
}
