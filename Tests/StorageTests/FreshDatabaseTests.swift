import Glibc
import SQLite
import Testing

@testable import Storage

/// The file that a first start begins with, against the migrations that it stands for.
@Suite struct FreshDatabaseTests {
    let folder = TemporaryFolder()
    private let known = Migrator()

    private var path: String { folder.path + "/parley.db" }

    private func open(_ migrator: Migrator = Migrator()) throws {
        try Store.open(folder: folder.path, migrator: migrator).close()
    }

    private func rows(_ sql: String) throws -> [String] {
        let statement = try Connection(path: path, access: .readOnly).prepare(sql)
        var rows: [String] = []
        while try statement.step() { rows.append(statement.text(0)) }
        return rows
    }

    private func schema() throws -> [String] {
        try rows("SELECT type || ' ' || name || ': ' || COALESCE(sql, '') FROM sqlite_schema ORDER BY 1")
    }

    private func history() throws -> [String] {
        try rows("SELECT number || ' ' || name || ' ' || sha256 FROM schema_migration ORDER BY number")
    }

    private func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    @Test func `it holds what all migrations make, one after the other`() throws {
        try open()
        let other = TemporaryFolder()
        try Store.open(folder: other.path, migrator: Migrator(migrations: known.migrations)).close()
        let connection = try Connection(path: other.path + "/parley.db", access: .readOnly)
        for sql in [
            "SELECT type || ' ' || name || ': ' || COALESCE(sql, '') FROM sqlite_schema ORDER BY 1",
            "SELECT number || ' ' || name || ' ' || sha256 FROM schema_migration ORDER BY number",
            "SELECT name || ' ' || seq FROM sqlite_sequence ORDER BY 1",
        ] {
            let statement = try connection.prepare(sql)
            var expected: [String] = []
            while try statement.step() { expected.append(statement.text(0)) }
            #expect(try rows(sql) == expected, "run Migrations/make-fresh")
        }
    }

    @Test func `its tables are empty but for its history, which is of today`() throws {
        let before = Clock.wallMilliseconds
        try open()
        let tables = try rows(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'
            AND name NOT LIKE 'comment_search%' AND name NOT LIKE 'sqlite%'
            """)
        #expect(tables.count > 50)
        for table in tables where table != "schema_migration" {
            #expect(try rows("SELECT COUNT(*) FROM \"\(table)\"") == ["0"], "\(table)")
        }
        #expect(try rows("SELECT COUNT(*) FROM schema_migration WHERE applied_at < \(before)") == ["0"])
    }

    @Test func `a start that was killed before the file had its name is begun again`() throws {
        try write(String(repeating: "half a database ", count: 1000), to: path + ".new")
        try open()
        #expect(try folder.names().sorted() == ["parley.db", "parley.lock"])
        #expect(try history().count == known.migrations.count)
    }

    @Test func `a start that was killed after the file had its name goes on`() throws {
        #expect(FreshDatabase.put(try #require(known.fresh), at: path))
        #expect(try folder.names() == ["parley.db"])
        try open()
        #expect(try history().count == known.migrations.count)
    }

    @Test func `a start that was killed between two migrations goes on with the next`() throws {
        try open(Migrator(migrations: Array(known.migrations.prefix(9))))
        try open()
        #expect(try history().count == known.migrations.count)
    }

    @Test func `a database that is there is never replaced`() throws {
        try open(.test)
        #expect(!FreshDatabase.put(try #require(known.fresh), at: path))
        #expect(try history().count == 2)
        #expect(try !folder.names().contains("parley.db.new"))
    }

    @Test(arguments: ["-wal", "-journal"])
    func `what is left of a database that is gone does not come into the new one`(leftover: String) throws {
        try write(String(repeating: "rest ", count: 10_000), to: path + leftover)
        #expect(!FreshDatabase.put(try #require(known.fresh), at: path))
        try open()
        #expect(try history().count == known.migrations.count)
    }

    @Test func `a file that lacks the newest migrations gets them`() throws {
        let newest = Migration(9999, "newest", Array("CREATE TABLE newest (id TEXT)".utf8))
        try open(Migrator(migrations: known.migrations + [newest], fresh: known.fresh))
        #expect(try history().count == known.migrations.count + 1)
        #expect(try schema().contains("table newest: CREATE TABLE newest (id TEXT)"))
    }

    @Test func `a database of such a file is checked like any other`() throws {
        try open()
        let fewer = Migrator(migrations: Array(known.migrations.dropLast()), fresh: known.fresh)
        let newer = #expect(throws: StoreError.self) { try open(fewer) }
        #expect(newer?.description.contains("made by a newer version of this program") == true)
        var changed = known.migrations
        changed[3] = Migration(changed[3].number, changed[3].name, Array("SELECT 1".utf8))
        let other = #expect(throws: StoreError.self) { try open(Migrator(migrations: changed, fresh: known.fresh)) }
        #expect(other?.description.contains("is not the one that was applied") == true)
    }

    @Test func `without room for the file the tables are made step by step`() throws {
        // A folder in its place cannot be removed as a file can.
        #expect(mkdir(path + ".new", 0o700) == 0)
        defer { rmdir(path + ".new") }
        try open()
        #expect(try history().count == known.migrations.count)
    }
}
