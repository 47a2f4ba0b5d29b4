import Domain
import SQLite

/// What a unit of work wants to be run at the end of its transaction.
struct LateStatement: Sendable {
    let sql: StaticString
    let values: [Value]

    func run(on connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }
}

/// The events of one unit of work, the stamps they took, and what it wants to be run late. Thrown away with the unit if it
/// fails.
struct Outbox {
    /// The stamps of committed and about to be committed units.
    let stamps: RoomStamps
    /// Milliseconds since 1970, not pushed ahead as ``Session/now`` is.
    let wallClock: Int64
    private(set) var events: [CommittedEvent] = []
    private(set) var ownStamps: [RoomKey: Int64] = [:]
    private(set) var lateStatements: [LateStatement] = []

    init(stamps: RoomStamps, wallClock: Int64) {
        self.stamps = stamps
        self.wallClock = wallClock
    }

    /// The stamp for the next event of a room: clients that resume from the last stamp they saw, some of them plus one,
    /// miss nothing when stamps are 2 apart.
    func nextStamp(of room: RoomKey, on connection: Connection) throws(SQLiteError) -> Int64 {
        guard room.scope == .page else { return wallClock }
        let last =
            if let own = ownStamps[room] { own } else { try stamps.last(of: room, on: connection) }
        return max(wallClock, last + 2)
    }

    mutating func append(_ statement: LateStatement) {
        lateStatements.append(statement)
    }

    mutating func append(_ event: CommittedEvent) {
        events.append(event)
        if event.room.scope == .page { ownStamps[event.room] = event.stamp }
    }
}

/// The newest stamp of each room that was lately announced to, so that not every event has to ask the log.
///
/// Belongs to the writer's thread.
final class RoomStamps {
    private var newest: [RoomKey: Int64] = [:]
    private let limit: Int

    init(limit: Int = 10_000) {
        self.limit = limit
    }

    var count: Int { newest.count }

    /// The newest stamp in the log, 0 for a silent room.
    func last(of room: RoomKey, on connection: Connection) throws(SQLiteError) -> Int64 {
        if let known = newest[room] { return known }
        let statement = try connection.statement(
            "SELECT max(stamp) FROM event_log WHERE tenant_id = ?1 AND room = ?2")
        defer { statement.reset() }
        try statement.bind(room.tenant, 1)
        try statement.bind(room.page, 2)
        let stamp = try statement.step() ? statement.int64(0) : 0
        note(stamp, for: room)
        return stamp
    }

    /// Takes over the stamps of a unit that kept its work.
    func keep(_ stamps: [RoomKey: Int64]) {
        for (room, stamp) in stamps { note(stamp, for: room) }
    }

    /// The log has changed under us, or lost what was noted: ask it again.
    func forgetAll() {
        newest.removeAll(keepingCapacity: true)
    }

    private func note(_ stamp: Int64, for room: RoomKey) {
        // What is forgotten here is read back from the log, also within a transaction.
        if newest.count >= limit, newest[room] == nil { forgetAll() }
        newest[room] = stamp
    }
}

extension Session {
    /// Announces an event to a room when this unit commits. A logged one is written to the event log in the same
    /// transaction; one that is not logged reaches the sockets that are open then, and nobody else.
    ///
    /// Throws `needsWrite` on a read lane, else as ``run(_:_:)``.
    package mutating func emit(_ event: NewEvent, to room: RoomKey) throws(APIError) {
        // No copy of the outbox is kept while it grows: all its events would be copied with each one.
        guard canWrite, let wallClock = outbox?.wallClock else { throw .needsWrite }
        if let failure { throw failure }
        do {
            let stamp = try outbox?.nextStamp(of: room, on: connection) ?? wallClock
            let data = event.body(stamp)
            let position =
                if event.isLogged, room.scope == .page {
                    try append(event, data, to: room, stamp: stamp, at: wallClock)
                } else { CommittedEvent.unlogged }
            outbox?.append(
                CommittedEvent(
                    position: position, room: room, stamp: stamp, publishedAt: wallClock,
                    audience: event.audience, broadcastID: event.broadcastID, id: event.id, data: data))
        } catch {
            throw failed(error)
        }
    }

    private func append(
        _ event: NewEvent, _ data: [UInt8], to room: RoomKey, stamp: Int64, at publishedAt: Int64
    ) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO event_log (id, tenant_id, room, stamp, published_at, broadcast_id, audience, identity, data)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        defer { statement.reset() }
        let audience = event.audience.columns
        try statement.bind(event.id, 1)
        try statement.bind(room.tenant, 2)
        try statement.bind(room.page, 3)
        try statement.bind(stamp, 4)
        try statement.bind(publishedAt, 5)
        try statement.bind(event.broadcastID, 6)
        try statement.bind(audience.kind, 7)
        try statement.bind(audience.identity, 8)
        try statement.bind(text: data, 9)
        while try statement.step() {}
        return connection.lastInsertRowID
    }
}
