import Server
import Storage

/// What a loop must send to the sockets it holds.
package struct LiveDelivery: Sendable {
    /// One event, framed once for all its receivers.
    struct Entry: Sendable {
        /// Place in the event log; `Int64.max` for events that are not logged.
        let position: Int64
        let audience: Audience
        let frame: SharedFrame
    }

    /// The events of one room, in order.
    struct RoomPart: Sendable {
        let room: RoomKey
        /// A person's sockets on this loop; nil for the rooms of pages and tenants, whose sockets the loop knows.
        let sockets: [ConnectionID]?
        let entries: [Entry]
        /// All entries as one shared batch, for receivers who may see every one of them.
        let batch: FrameBatch
        /// Some entries are for some receivers only.
        let needsFilter: Bool
        let lowestPosition: Int64

        init(room: RoomKey, entries: [Entry]) {
            self.room = room
            sockets = nil
            self.entries = entries
            batch = FrameBatch(entries.map(\.frame))
            needsFilter = entries.contains { $0.audience != .everyone }
            lowestPosition = entries.lazy.map(\.position).min() ?? .max
        }

        private init(_ whole: RoomPart, for sockets: [ConnectionID]) {
            room = whole.room
            self.sockets = sockets
            entries = whole.entries
            batch = whole.batch
            needsFilter = whole.needsFilter
            lowestPosition = whole.lowestPosition
        }

        /// The same events, for these sockets only.
        func part(for sockets: [ConnectionID]) -> RoomPart { RoomPart(self, for: sockets) }
    }

    let parts: [RoomPart]
    /// Held until the loop has written its part; nil when nobody waits for it.
    package let barrier: DeliveryBarrier?
}
