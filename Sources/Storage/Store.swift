import Domain
import Reactor
import SQLite
import Synchronization

/// One data folder, opened: the writer, the offload threads, and read lanes for whoever needs one.
///
/// Use from any thread.
package final class Store: Sendable {
    /// Where changes go.
    package let writer: Writer
    /// Where long reads go.
    package let offload: Offload
    /// The database file.
    package let path: String
    /// What of it was lost while nobody had it open, a sentence; nil when nothing was, as far as can be told.
    package let damage: String?
    /// What its commits reached.
    package let changes = ChangeJournal()
    private let options: StoreOptions
    private let spareLane: SpareLane
    // Held until the store is closed; nil for a command beside the server.
    private let lock: Mutex<FolderLock?>

    /// Opens the database in `folder`, made if it is missing, and brings its tables up to date.
    ///
    /// `exclusive` is for the server: it keeps other servers out of the folder. A command that works beside a running
    /// server passes false; it then relies on SQLite's own locks, and refuses if the tables would have to change under
    /// the server. Throws a sentence that says what to do.
    package static func open(
        folder: String, exclusive: Bool = true, options: StoreOptions = StoreOptions(),
        afterCommit: @escaping AfterCommit = { _, release in release() }
    ) throws(StoreError) -> Store {
        try open(
            folder: folder, exclusive: exclusive, options: options, migrator: Migrator(), afterCommit: afterCommit)
    }

    /// As above, with migrations of a test's choice.
    static func open(
        folder: String, exclusive: Bool = true, options: StoreOptions = StoreOptions(), migrator: Migrator,
        afterCommit: @escaping AfterCommit = { _, release in release() }
    ) throws(StoreError) -> Store {
        try FolderLock.makeFolder(folder)
        let path = folder + "/parley.db"
        let lock = exclusive ? try FolderLock.acquire(folder: folder) : nil
        guard lock != nil || !exclusive else {
            throw StoreError("Another server uses the data folder \(folder). Stop it, or name another folder.")
        }
        let damage = lock == nil ? nil : LogDamage.find(at: path, now: options.clock())
        var isFresh = false
        if lock != nil, let fresh = migrator.fresh { isFresh = FreshDatabase.put(fresh, at: path) }
        let connection: Connection
        do {
            connection = try .writing(path, lockMilliseconds: options.lockMilliseconds)
            if isFresh { try migrator.date(connection) }
        } catch {
            throw StoreError(error, at: path)
        }
        // A command may make or change tables only while no server has the folder.
        var passingLock: FolderLock?
        try migrator.run(on: connection, path: path) { () throws(StoreError) in
            if exclusive { return true }
            passingLock = try FolderLock.acquire(folder: folder)
            return passingLock != nil
        }
        // A command that only reads must not touch the log beside a server, as a writer does that closes.
        let kept = Handover(exclusive ? connection : nil)
        return try withExtendedLifetime(passingLock) { () throws(StoreError) in
            try Store(
                path: path, options: options, lock: lock, connection: kept, damage: damage?.sentence,
                afterCommit: afterCommit)
        }
    }

    private init(
        path: String, options: StoreOptions, lock: FolderLock?, connection: Handover, damage: String?,
        afterCommit: @escaping AfterCommit
    ) throws(StoreError) {
        self.path = path
        self.options = options
        self.damage = damage
        self.lock = Mutex(lock)
        spareLane = SpareLane(path: path, clock: options.clock)
        do throws(SystemCallError) {
            offload = try Offload(path: path, options: options)
            do {
                writer = try Writer(
                    path: path, options: options, connection: connection, changes: changes, afterCommit: afterCommit)
            } catch {
                offload.close()
                throw error
            }
        } catch {
            throw StoreError("Cannot start the threads of the database: \(error). Allow this user more threads.")
        }
    }

    /// A way to read for one thread. Make it on the thread that uses it, or hand it there and keep no other reference.
    package func makeReadLane() throws(StoreError) -> sending ReadLane {
        do {
            return try ReadLane(path: path, clock: options.clock)
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Lends a reader for work that seldom runs: such works share one, so that idle ones hold none. Blocks nobody; when
    /// several run at once, each has its own. On any thread that may wait.
    package func withSpareLane<R>(_ body: (ReadLane) throws(APIError) -> R) throws(APIError) -> R {
        let lane: ReadLane
        do {
            lane = try spareLane.take()
        } catch {
            throw APIError(error)
        }
        defer { spareLane.giveBack(lane) }
        return try body(lane)
    }

    /// A thread for work that is done after the answer. Stop it before the store is closed.
    /// - Parameter failed: told, on that thread, of every step that threw.
    package func background(
        name: String, failed: @escaping @Sendable (APIError) -> Void, step: @escaping Background.Step
    ) throws(StoreError) -> Background {
        do {
            return try Background(
                name: name, reader: spareLane, writer: writer, failed: failed, step: step)
        } catch {
            throw StoreError("Cannot start the thread \"\(name)\": \(error). Allow this user more threads.")
        }
    }

    /// Finishes what waits, moves the log into the database, closes it and lets others have the folder. Units submitted later fail with
    /// `unavailable`. A second call does nothing.
    package func close() {
        offload.close()
        spareLane.close()
        writer.close()
        lock.withLock { $0 = nil }
    }
}
