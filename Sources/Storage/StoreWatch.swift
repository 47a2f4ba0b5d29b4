import Domain
import Reactor
import Synchronization

/// Notices on a thread of its own that somebody changed the store: the writer, or another program beside the server.
/// While nothing changes it costs one look at a number each time.
package final class StoreWatch: Sendable {
    /// How often it looks, milliseconds.
    package static let interval = 250

    private let ticker: Ticker

    /// Begins to watch.
    /// - Parameter onChange: run once at the start, and after changes; when it throws, again with the next look. On the
    ///   watch's thread.
    package init(
        _ store: Store, milliseconds: Int = interval,
        onChange: @escaping @Sendable (inout Session) throws(APIError) -> Void
    ) throws(StoreError) {
        do {
            ticker = try Ticker(name: "watch", milliseconds: milliseconds) {
                var lane: ReadLane?
                var seen: Int64?
                return {
                    guard let open = lane ?? (try? store.makeReadLane()) else { return }
                    lane = open
                    guard let version = open.dataVersion(), version != seen else { return }
                    do {
                        try open.read(budgetMilliseconds: nil, onChange)
                        seen = version
                    } catch {
                        seen = nil
                    }
                }
            }
        } catch {
            throw StoreError(
                "Cannot start the thread that watches the database: \(error). Allow this user more threads.")
        }
    }

    /// Ends the thread. A second call does nothing.
    package func stop() { ticker.stop() }
}
