import Foundation
import Synchronization
import TestSupport

/// Something that runs on a thread of its own while the test goes on.
final class Background<Value: Sendable>: Sendable {
    // Guards the outcome, which one thread writes and another reads.
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread { [self] in
            let result = Result { try body() }
            outcome.withLock { $0 = result }
            isDone.signal()
        }.start()
    }

    /// Waits for its end, once.
    func value() throws -> Value {
        guard isDone.wait(timeout: .now() + 60) == .success, let result = outcome.withLock({ $0 }) else {
            throw ConnectionFault.timedOut
        }
        return try result.get()
    }
}
