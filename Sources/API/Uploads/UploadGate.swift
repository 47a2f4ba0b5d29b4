import Server
import Synchronization

/// Bounds what the bodies of uploads take together while they are received, wait and are decoded. Any thread.
final class UploadGate: Sendable {
    private struct State {
        var count = 0
        var bytes = 0
        var perAddress: [String: Int] = [:]
    }

    /// Uploads at one time.
    static let maximumCount = 64
    /// Uploads at one time from one address, but this machine's, where a proxy may be.
    static let maximumPerAddress = 8
    /// Bytes that all of them hold.
    static let maximumBytes = 128 << 20

    // Guards the counts, which all loops and whoever drops the last copy of a body change.
    private let state = Mutex(State())

    /// A share for one body; nil when there are too many.
    func enter(address: String) -> Lease? {
        let isLocal = TrustedProxies.isLoopback(address)
        let isAdmitted = state.withLock { state in
            let own = state.perAddress[address, default: 0]
            guard state.count < Self.maximumCount, isLocal || own < Self.maximumPerAddress else { return false }
            state.count += 1
            state.perAddress[address] = own + 1
            return true
        }
        return isAdmitted ? Lease(self, address) : nil
    }

    private func take(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard state.bytes + bytes <= Self.maximumBytes else { return false }
            state.bytes += bytes
            return true
        }
    }

    private func leave(_ address: String, _ bytes: Int) {
        state.withLock { state in
            state.count -= 1
            state.bytes -= bytes
            let others = state.perAddress[address, default: 1] - 1
            state.perAddress[address] = others > 0 ? others : nil
        }
    }

    /// One body's share, given back with its end.
    final class Lease: BodyLease {
        private let gate: UploadGate
        private let address: String
        private let taken = Atomic(0)

        fileprivate init(_ gate: UploadGate, _ address: String) {
            self.gate = gate
            self.address = address
        }

        deinit { gate.leave(address, taken.load(ordering: .acquiring)) }

        func take(_ bytes: Int) -> Bool {
            guard gate.take(bytes) else { return false }
            taken.wrappingAdd(bytes, ordering: .acquiringAndReleasing)
            return true
        }
    }
}
