import Domain
import SQLite

/// Reads on the calling thread, through a connection of its own that cannot change anything. Not Sendable: each event
/// loop and each offload thread has one.
package final class ReadLane {
    private let path: String
    private let clock: @Sendable () -> Int64
    // Nil after a failure that a new connection may cure.
    private var connection: Connection?
    private let memory = LaneMemory()

    init(path: String, clock: @escaping @Sendable () -> Int64) throws(SQLiteError) {
        self.path = path
        self.clock = clock
        connection = try .reading(path)
    }

    /// Runs a unit of work in one read transaction: all its statements see the same moment, and see everything the
    /// writer has answered before.
    ///
    /// Throws `needsOffload` if its statements take longer than the budget, `needsWrite` if it tries to change
    /// something; otherwise what the unit throws. A nil budget never ends.
    package func read<R>(
        budgetMilliseconds: Int?, _ unit: (inout Session) throws(APIError) -> R
    ) throws(APIError) -> R {
        let connection = try begin()
        connection.setBudget(milliseconds: budgetMilliseconds)
        defer { end(connection) }
        var session = Session(
            reading: connection, now: clock(), budgetMilliseconds: budgetMilliseconds, memory: memory)
        let result = try unit(&session)
        if let failure = session.failure { throw failure }
        return result
    }

    /// The moment of the database: as long as it is the same, reads give the same. Nil when that cannot be told now.
    package func changeMark() -> ChangeMark? { connection?.changeMark() }

    /// A number that differs from the last time when anybody, also another program, committed in between. Nil when the
    /// database cannot be read now.
    func dataVersion() -> Int64? {
        do {
            let connection =
                if let open = self.connection { open } else { try Connection.reading(path) }
            self.connection = connection
            return try connection.dataVersion()
        } catch {
            connection = nil
            return nil
        }
    }

    private func begin() throws(APIError) -> Connection {
        do {
            let connection =
                if let open = self.connection { open } else { try Connection.reading(path) }
            self.connection = connection
            try connection.execute("BEGIN DEFERRED")
            return connection
        } catch {
            connection = nil
            throw APIError(error)
        }
    }

    private func end(_ connection: Connection) {
        connection.setBudget(milliseconds: nil)
        do {
            // Nothing was changed, so this only ends the snapshot; SQLite has no cheaper word for it.
            try connection.execute("ROLLBACK")
        } catch {
            self.connection = nil
        }
    }
}
