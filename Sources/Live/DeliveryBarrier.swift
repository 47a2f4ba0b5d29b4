/// Runs something once every loop has written its part of a batch: the answers of requests wait for it, so that no
/// client sees the answer to a change before others were sent the change.
///
/// Every part holds it, and the last one to let go runs `release`, on its own thread. A part that is dropped because its
/// loop has ended lets go too, and keeps nobody waiting.
package final class DeliveryBarrier: Sendable {
    private let release: @Sendable () -> Void

    /// - Parameter release: run once, on any thread.
    package init(release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}
