import API
import Live
import Server
import Storage
import Synchronization

/// Leads commits to the hub, which is made after the store.
final class CommitRelay: Sendable {
    // Guards the hub's arrival; it is set once, before the first event.
    private let hub = Mutex<Hub?>(nil)

    func attach(_ hub: Hub) { self.hub.withLock { $0 = hub } }

    /// Runs on the writer's thread after each commit.
    @Sendable func publish(_ events: [CommittedEvent], _ release: @escaping @Sendable () -> Void) {
        guard let hub = hub.withLock({ $0 }) else { return release() }
        hub.publish(events, release: release)
    }
}

/// Leads deliveries to loops, which are made after the hub.
final class LoopDirectory: Sendable {
    // Guards the handles' arrival; they are set once, before the first socket.
    private let handles = Mutex<[LoopHandle<LoopMessage>]>([])

    func attach(_ handles: [LoopHandle<LoopMessage>]) { self.handles.withLock { $0 = handles } }

    @Sendable func post(_ loop: Int, _ delivery: LiveDelivery) {
        let handle = handles.withLock { $0.indices.contains(loop) ? $0[loop] : nil }
        handle?.post(.deliver(delivery))
    }

    @Sendable func broadcast(_ message: LoopMessage) {
        for handle in handles.withLock({ $0 }) { handle.post(message) }
    }
}
