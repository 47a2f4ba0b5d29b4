import Glibc
import SQLite

/// What the writer does between batches, after their answers: small steps, so that no batch waits long for them, and
/// failures are left for the next time, because no write may fail for the sake of tidiness.
struct Upkeep {
    private let path: String
    private let options: StoreOptions
    private var fullRooms: Set<RoomKey> = []
    private var nextAgeCheck: Int64 = 0
    private var nextLogCheck: Int64 = 0

    /// Rows deleted in one step.
    static let stepRows: Int64 = 512
    /// One in so many events has its room counted. Each count may delete four times as many rows, so a room stays near
    /// its limit however fast it grows, and nothing has to be remembered over a restart.
    static let countEvery: Int64 = 128

    init(path: String, options: StoreOptions) {
        self.path = path
        self.options = options
    }

    /// Does what is due after a batch that announced `events`.
    mutating func run(after events: [CommittedEvent], on connection: Connection) {
        for event in events where event.isLogged && event.position % Self.countEvery == 0 {
            fullRooms.insert(event.room)
        }
        if let room = fullRooms.popFirst(), (try? trim(room, on: connection)) == Self.stepRows {
            fullRooms.insert(room)
        }
        let now = Clock.monotonicMicroseconds
        if now >= nextAgeCheck {
            let events = try? trimOldEvents(on: connection)
            let notices = try? trimOldNotices(on: connection)
            nextAgeCheck = max(events ?? 0, notices ?? 0) == Self.stepRows ? now : now + 60_000_000
        }
        if now >= nextLogCheck, logSize > options.logBytes { shortenLog(at: now, on: connection) }
    }

    /// Deletes the oldest events of a room that has too many. Returns how many.
    private func trim(_ room: RoomKey, on connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            DELETE FROM event_log WHERE position IN (
                SELECT position FROM event_log
                WHERE tenant_id = ?1 AND room = ?2 AND stamp <= (
                    SELECT stamp FROM event_log
                    WHERE tenant_id = ?1 AND room = ?2
                    ORDER BY stamp DESC LIMIT 1 OFFSET ?3)
                ORDER BY stamp LIMIT ?4)
            """)
        defer { statement.reset() }
        try statement.bind([.text(room.tenant), .text(room.page), .int(options.eventsPerRoom), .int(Self.stepRows)])
        return try deleted(by: statement, on: connection)
    }

    /// Deletes events past their time, looking only at the oldest positions. Returns how many.
    private func trimOldEvents(on connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            DELETE FROM event_log WHERE published_at < ?1 AND position IN (
                SELECT position FROM event_log ORDER BY position LIMIT ?2)
            """)
        defer { statement.reset() }
        try statement.bind([.int(options.clock() - options.eventLifetimeMilliseconds), .int(Self.stepRows)])
        return try deleted(by: statement, on: connection)
    }

    /// Deletes notices past their time, looking only at the lowest numbers. Returns how many.
    private func trimOldNotices(on connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            DELETE FROM notice WHERE created_at < ?1 AND seq IN (SELECT seq FROM notice ORDER BY seq LIMIT ?2)
            """)
        defer { statement.reset() }
        try statement.bind([.int(options.clock() - options.noticeLifetimeMilliseconds), .int(Self.stepRows)])
        return try deleted(by: statement, on: connection)
    }

    private func deleted(by statement: Statement, on connection: Connection) throws(SQLiteError) -> Int64 {
        let before = connection.totalChanges
        while try statement.step() {}
        return Int64(connection.totalChanges - before)
    }

    private var logSize: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// A reader that still needs the log is not waited for: the next try is a second later.
    private mutating func shortenLog(at now: Int64, on connection: Connection) {
        connection.setBusyTimeout(milliseconds: 0)
        defer { connection.setBusyTimeout(milliseconds: options.lockMilliseconds) }
        do {
            try connection.truncateWriteAheadLog()
        } catch {
            nextLogCheck = now + 1_000_000
        }
    }
}
