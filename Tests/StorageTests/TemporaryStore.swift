import Domain
import Glibc
import Reactor
import Synchronization

@testable import Storage

/// A folder that is gone after the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/parley-storage-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) }!
    }

    deinit {
        for name in (try? names()) ?? [] { unlink(path + "/" + name) }
        rmdir(path)
    }

    func names() throws -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }
}

extension Migration {
    static let server = Migrator().migrations[0]

    /// Tables to write into. `reply` is checked only at COMMIT, which can therefore be made to fail.
    static let note = Migration(
        2, "note",
        Array(
            """
            CREATE TABLE note (id TEXT PRIMARY KEY NOT NULL, text TEXT, number INTEGER, amount REAL, data BLOB);
            CREATE TABLE reply (note_id TEXT NOT NULL REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED);
            """.utf8))
}

extension Migrator {
    static let test = Migrator(migrations: [.server, .note])
}

extension Store {
    /// A store with a table `note`.
    static func test(
        in folder: TemporaryFolder, exclusive: Bool = true, options: StoreOptions = StoreOptions(),
        afterCommit: @escaping AfterCommit = { _, release in release() }
    ) throws(StoreError) -> Store {
        try .open(
            folder: folder.path, exclusive: exclusive, options: options, migrator: .test, afterCommit: afterCommit)
    }
}

extension Session {
    mutating func insertNote(_ id: String) throws(APIError) {
        try run("INSERT INTO note (id) VALUES (?1)", .text(id))
    }

    mutating func notes() throws(APIError) -> [String] {
        try query("SELECT id FROM note ORDER BY id") { $0.text(0) }
    }
}

extension Session {
    mutating func announce(
        _ id: String, in room: RoomKey, to audience: Audience = .everyone, data: String = "{}"
    ) throws(APIError) {
        try emit(NewEvent(id: id, broadcastID: "b-\(id)", audience: audience) { _ in Array(data.utf8) }, to: room)
    }
}

extension Store {
    func insert(_ id: String) throws(APIError) {
        try writer.perform { session throws(APIError) in try session.insertNote(id) }
    }

    func announce(_ id: String, in room: RoomKey = .lobby) throws(APIError) {
        try writer.perform { session throws(APIError) in try session.announce(id, in: room) }
    }

    func insertLarge(_ id: String) throws(APIError) {
        try writer.perform { session throws(APIError) in
            try session.run("INSERT INTO note (id, data) VALUES (?1, zeroblob(100000))", .text(id))
        }
    }

    func notes() throws -> [String] {
        try makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in try session.notes() }
    }

    func log(of room: RoomKey, after stamp: Int64 = 0) throws -> [CommittedEvent] {
        try makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            try EventLog.page(room: room, after: stamp, upTo: .max, in: &session)
        }
    }
}

extension RoomKey {
    static let lobby = RoomKey(tenant: "acme", page: "lobby")
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// Holds the writer inside a unit of work until it is opened, so that what is submitted meanwhile makes one batch.
final class Gate: Sendable {
    private let key = WorkQueue<Bool>(capacity: 1)

    init(_ store: Store) {
        let entered = WorkQueue<Bool>(capacity: 1)
        store.writer.submit { [key] _ in
            _ = entered.push(true)
            _ = key.pop()
        } completion: { _ in
        }
        _ = entered.pop()
    }

    func open() {
        _ = key.push(true)
    }
}

/// Collects answers from other threads.
final class Answer<R: Sendable>: Sendable {
    private let results = Mutex<[Result<R, APIError>]>([])
    private let news = WorkQueue<Bool>(capacity: 100_000)

    var count: Int { results.withLock { $0.count } }

    func add(_ result: Result<R, APIError>) {
        results.withLock { $0.append(result) }
        _ = news.push(true)
    }

    func wait(for count: Int) -> [Result<R, APIError>] {
        while self.count < count { _ = news.pop() }
        return results.withLock { $0 }
    }
}

/// A wall clock that a test moves.
final class TestClock: Sendable {
    private let time: Mutex<Int64>

    init(_ start: Int64) {
        time = Mutex(start)
    }

    var options: StoreOptions {
        var options = StoreOptions()
        options.clock = { self.time.withLock { $0 } }
        return options
    }

    func advance(_ milliseconds: Int64) {
        time.withLock { $0 += milliseconds }
    }
}

/// Tells whether a file was written to.
struct FileStamp: Equatable {
    var size = 0
    var changed = ""

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        size = Int(status.st_size)
        changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
