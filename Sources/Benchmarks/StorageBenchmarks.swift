import Domain
import Glibc
import Reactor
import Storage

/// The store on a real file, every commit on the disk. `PARLEY_BENCHMARK_FOLDER` names the folder's parent, by default
/// `/var/tmp`.
enum StorageBenchmarks {
    static var all: [Benchmark] {
        [
            withStore("storage/insert, 1 submitter", operations: 500) { store, count in
                try insert(count, submitters: 1, into: store)
            },
            withStore("storage/insert, 64 submitters", operations: 20_000) { store, count in
                try insert(count, submitters: 64, into: store)
            },
            withStore("storage/insert and emit, 64 submitters", operations: 20_000) { store, count in
                try insert(count, submitters: 64, announcing: true, into: store)
            },
            withStore("storage/unit without changes", operations: 20_000) { store, count in
                try submit(count, submitters: 64, to: store) { _ in }
            },
            withLane("storage/read 1 row", operations: 100_000, readOne),
            withLane("storage/read 30 rows of 5 columns", operations: 10_000, readPage),
            withLane("storage/read 30 rows without String", operations: 10_000, readBytes),
        ]
    }

    /// The loop's budget is 2 ms; here a neighbour that takes the processor must not end the measurement.
    private static let budgetMilliseconds = 10_000

    private static func withStore(
        _ name: String, operations: Int, _ run: @escaping (Store, _ operations: Int) throws -> Void
    ) -> Benchmark {
        Benchmark(name, operations: operations) { measure in
            let parent = getenv("PARLEY_BENCHMARK_FOLDER").map { String(cString: $0) } ?? "/var/tmp"
            let folder = parent + "/parley-benchmark-\(getpid())"
            let store = try Store.open(folder: folder)
            defer {
                store.close()
                for name in ["parley.db", "parley.db-wal", "parley.db-shm", "parley.lock"] {
                    unlink(folder + "/" + name)
                }
                rmdir(folder)
            }
            try fill(store)
            try measure { try run(store, $0) }
        }
    }

    private static func withLane(
        _ name: String, operations: Int, _ run: @escaping (_ operations: Int, ReadLane) throws -> Void
    ) -> Benchmark {
        withStore(name, operations: operations) { store, count in try run(count, try store.makeReadLane()) }
    }

    private static func fill(_ store: Store) throws {
        try store.writer.perform { session throws(APIError) in
            try session.run(
                """
                CREATE TABLE benchmark_row (
                    id INTEGER PRIMARY KEY, page INTEGER, author TEXT, body TEXT, votes INTEGER, created_at INTEGER)
                """)
            try session.run(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
                INSERT INTO benchmark_row (page, author, body, votes, created_at)
                SELECT i / 30, 'author ' || i, printf('%.300c', 'x'), i % 7, i FROM n
                """)
            try session.run("CREATE INDEX benchmark_row_page ON benchmark_row (page, created_at)")
        }
    }

    /// Keeps so many units under way, as that many clients do who wait for each answer, until all are answered.
    private static func submit(
        _ count: Int, submitters: Int, to store: Store,
        _ unit: @escaping @Sendable (inout Session) throws(APIError) -> Void
    ) throws {
        let answers = WorkQueue<Result<Void, APIError>>(capacity: submitters)
        func submitOne() {
            store.writer.submit(unit) { _ = answers.push($0) }
        }
        var submitted = min(count, submitters)
        for _ in 0..<submitted { submitOne() }
        var answered = 0
        while answered < count {
            for answer in answers.popAll() {
                try answer.get()
                answered += 1
                guard submitted < count else { continue }
                submitted += 1
                submitOne()
            }
        }
    }

    private static func insert(_ count: Int, submitters: Int, announcing: Bool = false, into store: Store) throws {
        let data = Array(#"{"type":"new-comment","comment":{"commentHTML":"some text"}}"#.utf8)
        try submit(count, submitters: submitters, to: store) { session throws(APIError) in
            try session.run(
                "INSERT INTO benchmark_row (page, author, body, votes, created_at) VALUES (-1, ?1, ?2, 0, ?3)",
                "author", "a body of some length, as comments have", .int(session.now))
            guard announcing else { return }
            try session.emit(
                NewEvent(id: "event", broadcastID: "broadcast") { _ in data }, to: RoomKey(tenant: "t", page: "p"))
        }
    }

    private static func readOne(_ count: Int, on lane: ReadLane) throws {
        for index in 1...count {
            try lane.read(budgetMilliseconds: budgetMilliseconds) { session throws(APIError) in
                let row = try session.first("SELECT author FROM benchmark_row WHERE id = ?1", .int(index)) {
                    $0.text(0)
                }
                precondition(row != nil)
            }
        }
    }

    private struct Line {
        let id: Int64
        let author: String
        let body: String
        let votes: Int
        let createdAt: Int64
    }

    private static func readPage(_ count: Int, on lane: ReadLane) throws {
        for index in 1...count {
            try lane.read(budgetMilliseconds: budgetMilliseconds) { session throws(APIError) in
                let lines = try session.query(
                    """
                    SELECT id, author, body, votes, created_at FROM benchmark_row
                    WHERE page = ?1 ORDER BY created_at LIMIT 30
                    """, .int(1 + index % 6000)
                ) {
                    Line(
                        id: $0.int64(0), author: $0.text(1), body: $0.text(2), votes: $0.int(3), createdAt: $0.int64(4))
                }
                precondition(lines.count == 30)
            }
        }
    }

    private static func readBytes(_ count: Int, on lane: ReadLane) throws {
        var bytes = 0
        for index in 1...count {
            try lane.read(budgetMilliseconds: budgetMilliseconds) { session throws(APIError) in
                try session.forEach(
                    """
                    SELECT id, author, body, votes, created_at FROM benchmark_row
                    WHERE page = ?1 ORDER BY created_at LIMIT 30
                    """, .int(1 + index % 6000)
                ) { row in
                    bytes &+= Int(row.int64(0)) &+ row.int(3) &+ row.int(4)
                    bytes &+= row.withUTF8(1) { $0.count } &+ row.withUTF8(2) { $0.count }
                }
            }
        }
        precondition(bytes != 0)
    }
}
