import Reactor

/// Names one connection from its start to its end, and no other one ever after. Any thread may hold it; only the loop
/// `loop` knows what it names.
package struct ConnectionID: Hashable, Sendable {
    /// The index of the event loop that owns the connection.
    package let loop: UInt16
    /// The place in that loop's table, which later connections use again.
    package let slot: UInt32
    /// Tells apart the connections that had the same place.
    package let generation: UInt32

    /// Puts a name together, for tests of what routes by it.
    package init(loop: UInt16, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }

    init(loop: UInt16, key: SlotKey) {
        self.init(loop: loop, slot: key.slot, generation: key.generation)
    }

    var key: SlotKey { SlotKey(slot: slot, generation: generation) }
}

/// Names one request and its answer.
package struct ExchangeID: Hashable, Sendable {
    /// The connection the request came on.
    package let connection: ConnectionID
    /// Counts the connection's requests from 0.
    package let sequence: UInt32

    /// Puts a name together, for tests of what routes by it.
    package init(connection: ConnectionID, sequence: UInt32) {
        self.connection = connection
        self.sequence = sequence
    }
}
