import Glibc
import SQLite
import Testing

@Suite struct ConnectionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", access: .readWrite, statementLimit: 3)
    }

    private func number(_ sql: String) throws -> Int64 {
        let statement = try connection.prepare(sql)
        #expect(try statement.step())
        return statement.int64(0)
    }

    @Test func `a script runs every statement and skips comments`() throws {
        try connection.execute(
            script:
                "CREATE TABLE t (a); -- one; two\n INSERT INTO t VALUES (';');\n/* ; */ INSERT INTO t VALUES (2)\n-- end"
        )
        #expect(try number("SELECT count(*) FROM t") == 2)
        try connection.execute(script: "")
        try connection.execute(script: "-- nothing yet\n")
    }

    @Test func `a script stops at the first statement that fails`() throws {
        #expect(throws: SQLiteError.self) {
            try connection.execute(script: "CREATE TABLE t (a); INSERT INTO u VALUES (1); CREATE TABLE v (a)")
        }
        #expect(try number("SELECT count(*) FROM sqlite_schema") == 1)
    }

    @Test func `an error has its extended code, its sentence and its statement, without the values`() throws {
        try connection.execute(script: "CREATE TABLE t (a UNIQUE, b CHECK (b > 0), c PRIMARY KEY) WITHOUT ROWID")
        let statement = try connection.prepare("INSERT INTO t VALUES (?1, ?2, ?3)")
        func insert(_ a: Int64, _ b: Int64, _ c: Int64) throws(SQLiteError) {
            defer { statement.reset() }
            try statement.bind(a, 1)
            try statement.bind(b, 2)
            try statement.bind(c, 3)
            _ = try statement.step()
        }
        try insert(1, 1, 1)
        let unique = try #require(throws: SQLiteError.self) { try insert(1, 1, 2) }
        #expect(unique.extendedCode == 2067)
        #expect(unique.code == .constraint)
        #expect(unique.isUniqueViolation)
        #expect(unique.description == "SQLite 2067: UNIQUE constraint failed: t.a [INSERT INTO t VALUES (?1, ?2, ?3)]")
        let key = try #require(throws: SQLiteError.self) { try insert(2, 1, 1) }
        #expect(key.isUniqueViolation)
        let check = try #require(throws: SQLiteError.self) { try insert(3, 0, 3) }
        #expect(check.code == .constraint)
        #expect(!check.isUniqueViolation)
        try insert(4, 1, 4)
    }

    @Test func `SQL that cannot be understood is refused with itself`() throws {
        let error = try #require(throws: SQLiteError.self) { try connection.prepare("SELEC 1") }
        #expect(error.sql == "SELEC 1")
        #expect(throws: SQLiteError.self) { try connection.prepare("-- only a comment") }
    }

    @Test func `a read-only connection does not write, and needs a file`() throws {
        let path = "/tmp/parley-sqlite-\(getpid())-readonly.db"
        let missing = try #require(throws: SQLiteError.self) { try Connection(path: path, access: .readOnly) }
        #expect(missing.code == .cannotOpen)
        defer { unlink(path) }
        let writer = try Connection(path: path, access: .readWrite)
        try writer.execute(script: "CREATE TABLE t (a)")
        let reader = try Connection(path: path, access: .readOnly)
        let refused = try #require(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
        #expect(refused.code == .readOnly)
    }

    @Test func `the cache gives the same statement for the same literal`() throws {
        func one() throws -> Statement { try connection.statement("SELECT 1") }
        #expect(try one() === one())
        #expect(connection.cachedStatements == 1)
    }

    @Test func `the cache holds its limit and drops what was unused for longest`() throws {
        func one() throws -> Statement { try connection.statement("SELECT 1") }
        func two() throws -> Statement { try connection.statement("SELECT 2") }
        let (first, second) = (try one(), try two())
        _ = try connection.statement("SELECT 3")
        #expect(connection.cachedStatements == 3)
        #expect(try one() === first)
        _ = try connection.statement("SELECT 4")
        #expect(connection.cachedStatements == 3)
        #expect(try one() === first)
        #expect(try two() !== second)
    }

    @Test func `a statement outlives its connection`() throws {
        var statement: Statement?
        do {
            let short = try Connection(path: ":memory:", access: .readWrite)
            short.setBudget(milliseconds: 60_000)
            statement = try short.prepare(
                "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) SELECT max(n) FROM c")
        }
        #expect(try statement?.step() == true)
        #expect(statement?.int64(0) == 5000)
    }

    @Test func `a budget ends a statement that runs away, and only that`() throws {
        func runAway() throws {
            _ = try number(
                "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000000) SELECT max(n) FROM c"
            )
        }
        connection.setBudget(milliseconds: 0)
        let error = try #require(throws: SQLiteError.self) { try runAway() }
        #expect(error.code == .interrupted)
        connection.setBudget(milliseconds: nil)
        #expect(
            try number(
                "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9999) SELECT max(n) FROM c")
                == 9999)
    }

    @Test func `changes are counted without and with those of foreign keys`() throws {
        try connection.enforceForeignKeys()
        try connection.execute(
            script: """
                CREATE TABLE a (id PRIMARY KEY);
                CREATE TABLE b (a REFERENCES a (id) ON DELETE CASCADE);
                INSERT INTO a VALUES (1); INSERT INTO b VALUES (1), (1), (1);
                """)
        let before = connection.totalChanges
        try connection.execute("DELETE FROM a")
        #expect(connection.changes == 1)
        #expect(connection.totalChanges == before + 4)
    }

    @Test func `a memory database cannot have a write-ahead log, and says so`() throws {
        let error = try #require(throws: SQLiteError.self) { try connection.useWriteAheadLog() }
        #expect(error.code == .cannotLog && error.message == "the journal mode stays memory")
    }
}
