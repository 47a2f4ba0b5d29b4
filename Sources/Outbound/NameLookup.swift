import CLinux
import Glibc
import Reactor
import Synchronization

/// Looks names up on threads of their own, because the system's resolver knows no time limit: one that takes too long
/// is left alone and ends by itself. Usable on any thread.
final class NameLookup: Sendable {
    /// Look-ups that run at once at most, those left alone included.
    private static let limit = 32

    // Guards the number of look-ups that run.
    private let running = Mutex(0)
    private let resolve: @Sendable (String, UInt16) -> [SocketAddress]

    /// - Parameter resolve: blocks.
    init(_ resolve: @escaping @Sendable (String, UInt16) -> [SocketAddress]) { self.resolve = resolve }

    /// - Throws: `unknownHost`, `timedOut`, `unavailable`.
    func addresses(of host: String, port: UInt16, _ patience: Patience) throws(OutboundError) -> [SocketAddress] {
        let numeric = SocketAddress.all(host: host, port: port, isNumeric: true)
        guard numeric.isEmpty else { return numeric }
        let answer = try begin(host, port)
        try patience.wait(for: .reading, on: answer.counter)
        let addresses = answer.addresses.withLock { $0 }
        guard !addresses.isEmpty else { throw .unknownHost }
        return addresses
    }

    private func begin(_ host: String, _ port: UInt16) throws(OutboundError) -> Answer {
        let isFull = running.withLock { running in
            if running >= Self.limit { return true }
            running += 1
            return false
        }
        guard !isFull else { throw .unavailable }
        do throws(SystemCallError) {
            let answer = try Answer()
            _ = try Thread(name: "name-lookup") { [self] in
                answer.give(resolve(host, port))
                running.withLock { $0 -= 1 }
            }
            return answer
        } catch {
            running.withLock { $0 -= 1 }
            throw .unavailable
        }
    }

    /// Shared by the thread that looks up and the one that waits; the last of them closes the counter.
    private final class Answer: Sendable {
        // Guards the addresses, which one thread writes and another reads.
        let addresses = Mutex<[SocketAddress]>([])
        /// Readable once they are there.
        let counter: Int32

        init() throws(SystemCallError) { counter = try Syscall.makeEventCounter() }

        deinit { Syscall.close(counter) }

        func give(_ found: [SocketAddress]) {
            addresses.withLock { $0 = found }
            Syscall.raise(counter)
        }
    }
}
