import Domain
import Glibc
import Reactor
import SQLite
import Synchronization

/// What the writer's thread does. Not Sendable: made on that thread, never leaves it.
final class WriterLoop {
    private let path: String
    private let options: StoreOptions
    private let afterCommit: AfterCommit
    private let batches: BatchCounts
    private let changes: ChangeJournal
    private let notes: ChangeNotes
    private let stamps = RoomStamps()
    private let memory = LaneMemory()
    private var upkeep: Upkeep
    // Nil before there is something to do, and after a failure that a new connection may cure.
    private var connection: Connection?
    private var dataVersion: Int64 = 0
    private var lastNow: Int64 = 0
    /// The newest event that was announced, or was there before; nil before the first batch.
    private var lastPosition: Int64?

    /// - Parameter connection: to begin with; without one the first batch opens its own.
    init(
        path: String, options: StoreOptions, connection: Connection?, batches: BatchCounts,
        changes: ChangeJournal, afterCommit: @escaping AfterCommit
    ) {
        self.path = path
        self.connection = connection
        self.changes = changes
        notes = ChangeNotes(options.reach)
        self.batches = batches
        self.options = options
        self.afterCommit = afterCommit
        upkeep = Upkeep(path: path, options: options)
        if let connection { prepare(connection) }
    }

    /// Runs units until the queue is closed and empty, then closes the database.
    func run(_ queue: WorkQueue<WriteUnit>) {
        while case let units = queue.popAll(), !units.isEmpty {
            var waiting = units[...]
            while !waiting.isEmpty { runBatch(from: &waiting) }
            // Whoever writes alone waits for nobody.
            if units.count > 1, queue.count < options.gatheredUnits { usleep(options.gatherMicroseconds) }
        }
        // With a reader in its way the log stays as it is; the next start finds and uses it.
        try? connection?.truncateWriteAheadLog()
        connection = nil
    }

    /// Takes a first part of `waiting`, runs it as one transaction and answers it.
    private func runBatch(from waiting: inout ArraySlice<WriteUnit>) {
        let all = waiting
        var batch = Batch()
        do {
            let connection = try begin()
            let deadline = Clock.monotonicMicroseconds + options.batchMicroseconds
            repeat {
                try run(waiting.removeFirst(), in: &batch, on: connection)
            } while !waiting.isEmpty && batch.count < options.batchUnits && Clock.monotonicMicroseconds < deadline
            for statement in batch.lateStatements { try statement.run(on: connection) }
            try connection.execute("COMMIT")
            noteReach(on: connection)
            batches.note(units: batch.count)
            announce(batch)
            let changed = connection.totalChanges
            upkeep.run(after: batch.events, on: connection)
            if connection.totalChanges != changed { noteReach(on: connection) }
            // A failure costs nothing but time: the log stays longer, and the next commit tries again.
            if connection.logPages >= options.logPages { try? connection.checkpoint() }
        } catch {
            // If it cannot even begin, the next attempt would wait for the same lock or disk: refuse all that wait.
            if waiting.count == all.count { waiting = all.suffix(0) }
            batches.noteFailure()
            recover(from: error)
            for unit in all[..<waiting.startIndex] { unit.fail(.unavailable(error.description)) }
        }
    }

    private func begin() throws(SQLiteError) -> Connection {
        let connection = try openConnection()
        try connection.execute("BEGIN IMMEDIATE")
        let version = try connection.dataVersion()
        if version != dataVersion {
            // Another program wrote, perhaps events.
            stamps.forgetAll()
            try announceForeignEvents(on: connection)
            dataVersion = version
        }
        changes.begin(at: connection.changeMark())
        return connection
    }

    /// Tells what was committed, if nobody else has committed since: then the mark is that of somebody else's commit.
    private func noteReach(on connection: Connection) {
        let mark = connection.changeMark()
        let isOurs = (try? connection.dataVersion()) == dataVersion
        changes.note(notes.take(), isOurs ? mark : nil)
    }

    /// Announces the events that other programs committed. Nobody else can write now, so what is in the log and was not
    /// announced is theirs; each is announced once, before anything that this batch adds.
    private func announceForeignEvents(on connection: Connection) throws(SQLiteError) {
        var session = Session(reading: connection, now: options.clock(), memory: memory)
        do {
            guard var last = lastPosition else {
                lastPosition = try EventLog.lastPosition(in: &session)
                return
            }
            while case let events = try EventLog.after(last, in: &session), let newest = events.last {
                afterCommit(events) {}
                last = newest.position
                lastPosition = last
            }
        } catch {
            throw SQLiteError(
                extendedCode: SQLiteError.Code.aborted.rawValue, message: error.detail ?? error.reason)
        }
    }

    private func openConnection() throws(SQLiteError) -> Connection {
        if let connection { return connection }
        let new = try Connection.writing(path, lockMilliseconds: options.lockMilliseconds)
        prepare(new)
        connection = new
        return new
    }

    private func prepare(_ connection: Connection) {
        connection.observeRows(notes)
        connection.countLogPages()
    }

    /// Runs one unit in a savepoint of its own. Throws if that leaves no sound transaction around it.
    private func run(_ unit: WriteUnit, in batch: inout Batch, on connection: Connection) throws(SQLiteError) {
        try connection.execute("SAVEPOINT unit")
        let before = connection.totalChanges
        let wallClock = options.clock()
        let now = max(wallClock, lastNow + 1)
        var session = Session(
            writing: connection, now: now, outbox: Outbox(stamps: stamps, wallClock: wallClock), memory: memory)
        let outcome = attempt(unit, &session)
        notes.endUnit()
        guard !connection.isAutocommit else { throw lost(because: outcome) }
        switch outcome {
        case .success(let answer):
            try connection.execute("RELEASE unit")
            if connection.totalChanges != before { lastNow = now }
            if let outbox = session.outbox {
                stamps.keep(outbox.ownStamps)
                batch.events += outbox.events
                batch.lateStatements += outbox.lateStatements
            }
            batch.answers.append(answer)
        case .failure(let error):
            try connection.execute("ROLLBACK TO unit")
            try connection.execute("RELEASE unit")
            memory.forgetAll()
            batch.answers.append { unit.fail(error) }
        }
    }

    private func attempt(_ unit: WriteUnit, _ session: inout Session) -> Result<@Sendable () -> Void, APIError> {
        do throws(APIError) {
            return .success(try unit.perform(&session))
        } catch {
            // There is no other lane that could do what the writer cannot.
            guard error.reroute != nil else { return .failure(error) }
            return .failure(.internal("A unit of work asked the writer for another lane."))
        }
    }

    private func lost(because outcome: Result<@Sendable () -> Void, APIError>) -> SQLiteError {
        var reason = "a unit of work ended the transaction"
        if case .failure(let error) = outcome { reason = error.detail ?? error.reason }
        return SQLiteError(extendedCode: SQLiteError.Code.aborted.rawValue, message: reason)
    }

    private func announce(_ batch: Batch) {
        if let last = batch.events.last(where: \.isLogged) { lastPosition = last.position }
        let answers = Answers(batch.answers)
        afterCommit(batch.events) { answers.release() }
    }

    /// Leaves a connection that can begin again, or none.
    private func recover(from error: SQLiteError) {
        stamps.forgetAll()
        memory.forgetAll()
        changes.note(notes.take(), nil)
        guard let connection else { return }
        if !connection.isAutocommit { try? connection.execute("ROLLBACK") }
        switch error.code {
        case .busy, .full, .constraint: if !connection.isAutocommit { self.connection = nil }
        default: self.connection = nil
        }
    }
}

/// What one transaction holds until it is on the disk.
private struct Batch {
    var events: [CommittedEvent] = []
    var lateStatements: [LateStatement] = []
    var answers: [@Sendable () -> Void] = []

    var count: Int { answers.count }
}

/// Answers that go out once.
private final class Answers: Sendable {
    private let waiting: Mutex<[@Sendable () -> Void]>

    init(_ answers: [@Sendable () -> Void]) {
        waiting = Mutex(answers)
    }

    func release() {
        let answers = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for answer in answers { answer() }
    }
}
