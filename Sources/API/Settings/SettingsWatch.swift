import Domain
import Live
import Storage
import Synchronization

/// Tells the loops of what other programs changed: settings, and events that they wrote. A request does not wait for
/// it, since it reads the version of its tenant with everything else.
package final class SettingsWatch: Sendable {
    /// Tells every loop.
    package typealias Broadcast = @Sendable (LoopMessage) -> Void

    private let hub: Hub
    private let writer: Writer
    private let broadcast: Broadcast
    // Written by the watch's thread only; nil before its first look.
    private let version = Mutex<Int64?>(nil)

    /// Watches for nothing by itself: a ``StoreWatch`` calls ``look(_:)``.
    package init(hub: Hub, writer: Writer, broadcast: @escaping Broadcast) {
        self.hub = hub
        self.writer = writer
        self.broadcast = broadcast
    }

    /// Runs after changes to the store, on the watch's thread.
    package func look(_ session: inout Session) throws(APIError) {
        let newest = try TenantSQL.newestVersion(in: &session)
        let seen = version.withLock { $0 } ?? newest
        let tenants = newest > seen ? try TenantSQL.changed(after: seen, in: &session) : []
        let lastPosition = try EventLog.lastPosition(in: &session)
        version.withLock { $0 = newest }
        if !tenants.isEmpty { broadcast(.settingsChanged(Set(tenants))) }
        // The writer announces what it finds in the log and did not write: it alone knows which that is. What it has
        // committed this moment and not published yet only costs an empty look.
        if lastPosition > hub.position { writer.submit(Self.nothing) { _ in } }
    }

    private static func nothing(_ session: inout Session) throws(APIError) {}
}
