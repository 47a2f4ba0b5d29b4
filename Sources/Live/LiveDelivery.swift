import Server
import Storage

/// What a loop must send to the sockets it holds.
package struct LiveDelivery: Sendable {
    /// One event, framed once for all its receivers.
    struct Entry: Sendable {
        /// Place in the event log; `Int64.max` for events that are not logged.
        let position: Int64
        let audience: Audience
        let frame: [UInt8]
    }

    /// The events of one room, in order.
    struct RoomPart: Sendable {
        let room: RoomKey
        let entries: [Entry]
        /// All entries as one shared batch, for receivers who may see every one of them.
        let batch: FrameBatch
        /// Some entries are for some receivers only.
        let needsFilter: Bool
        let lowestPosition: Int64

        init(room: RoomKey, entries: [Entry]) {
            self.room = room
            self.entries = entries
            batch = FrameBatch(entries.map(\.frame))
            needsFilter = entries.contains { $0.audience != .everyone }
            lowestPosition = entries.first?.position ?? .max
        }
    }

    let parts: [RoomPart]
    /// Held until the loop has written its part; nil when nobody waits for it.
    package let barrier: DeliveryBarrier?
}
