import Foundation
import Synchronization
import TestSupport

/// Runs something on threads at the same time. The runner's own threads are few, and these block on sockets.
enum Crowd {
    private final class Faults: Sendable {
        // Guards the list that all threads add to.
        private let faults = Mutex<[any Error]>([])

        func add(_ fault: any Error) { faults.withLock { $0.append(fault) } }

        var first: (any Error)? { faults.withLock { $0.first } }
    }

    /// Runs `body` on so many threads and waits for all of them.
    /// - Throws: the first error of any of them.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        try start(count, body)()
    }

    /// Runs `body` on so many threads.
    /// - Returns: waits for all of them, and throws the first error.
    static func start(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> () throws -> Void {
        let group = DispatchGroup()
        let faults = Faults()
        for index in 0..<count {
            group.enter()
            let thread = Thread {
                do { try body(index) } catch { faults.add(error) }
                group.leave()
            }
            thread.start()
        }
        return {
            group.wait()
            if let fault = faults.first { throw fault }
        }
    }
}

/// What threads gather together.
final class Gathered<Element: Sendable>: Sendable {
    // Guards the list that all threads add to.
    private let elements = Mutex<[Element]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    func add(_ element: Element) {
        elements.withLock { $0.append(element) }
        arrivals.signal()
    }

    var all: [Element] { elements.withLock { $0 } }

    /// Waits for so many more elements.
    /// - Throws: `ConnectionFault.timedOut` when they do not come.
    func wait(for count: Int) throws {
        for _ in 0..<count {
            guard arrivals.wait(timeout: .now() + 60) == .success else { throw ConnectionFault.timedOut }
        }
    }
}
