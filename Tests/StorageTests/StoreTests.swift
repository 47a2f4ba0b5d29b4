import Domain
import Glibc
import SQLite
import Testing

@testable import Storage

@Suite struct StoreTests {
    let folder = TemporaryFolder()

    @Test func `a missing folder is made, a missing parent is not`() throws {
        let inner = folder.path + "/data"
        let store = try Store.open(folder: inner)
        store.close()
        for name in ["parley.db", "parley.lock"] { #expect(unlink(inner + "/" + name) == 0) }
        #expect(rmdir(inner) == 0, "nothing else is left in the folder after closing")
        let error = #expect(throws: StoreError.self) { try Store.open(folder: folder.path + "/no/data") }
        #expect(error?.description.contains("Cannot make the data folder \(folder.path)/no/data") == true)
    }

    @Test func `a second server is refused until the first has closed`() throws {
        let first = try Store.test(in: folder)
        let error = #expect(throws: StoreError.self) { try Store.test(in: folder) }
        #expect(
            error?.description
                == "Another server uses the data folder \(folder.path). Stop it, or name another folder.")
        first.close()
        let second = try Store.test(in: folder)
        second.close()
    }

    @Test func `a program that is just being started does not keep a closed folder`() throws {
        let first = try Store.test(in: folder)
        let copy = try #require(copyOfLock())
        defer { close(copy) }
        first.close()
        let second = try Store.test(in: folder)
        second.close()
    }

    /// What a process has between its fork and its exec.
    private func copyOfLock() -> CInt? {
        for descriptor in 0..<CInt(1024) {
            var target = [CChar](repeating: 0, count: 4096)
            let length = max(0, readlink("/proc/self/fd/\(descriptor)", &target, target.count))
            let path = String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
            if path.hasSuffix(folder.path + "/parley.lock") { return dup(descriptor) }
        }
        return nil
    }

    @Test func `a command works beside the server`() throws {
        let server = try Store.test(in: folder)
        defer { server.close() }
        let command = try Store.open(folder: folder.path, exclusive: false, migrator: .test)
        try command.insert("from the command")
        command.close()
        try server.insert("from the server")
        #expect(try server.notes() == ["from the command", "from the server"])
    }

    @Test func `a command makes the tables when there is no server, and leaves the folder free`() throws {
        let command = try Store.open(folder: folder.path, exclusive: false, migrator: .test)
        defer { command.close() }
        try command.insert("a")
        let server = try Store.test(in: folder)
        defer { server.close() }
        #expect(try server.notes() == ["a"])
    }

    @Test func `a command newer than the running server is refused`() throws {
        let server = try Store.open(folder: folder.path, migrator: Migrator(migrations: [.server]))
        defer { server.close() }
        let error = #expect(throws: StoreError.self) {
            try Store.open(folder: folder.path, exclusive: false, migrator: .test)
        }
        #expect(error?.description.contains("Restart the server with this version first.") == true)
    }

    @Test func `tenants of before have a version, and each change gives them a new one`() throws {
        let all = Migrator().migrations
        try Store.open(folder: folder.path, migrator: Migrator(migrations: Array(all.prefix(13)))).close()
        let connection = try Connection(path: folder.path + "/parley.db", access: .readWrite)
        try connection.enforceForeignKeys()
        try connection.execute(
            script: """
                INSERT INTO tenant (id, name, created_at) VALUES ('a', 'a', 1);
                INSERT INTO tenant (id, name, settings, created_at) VALUES ('b', 'b', '{"readonly":true}', 1);
                """)
        try Store.open(folder: folder.path, migrator: Migrator(migrations: all)).close()
        let versions = { () throws -> [Int64] in
            let statement = try connection.prepare("SELECT version FROM tenant_change ORDER BY tenant_id")
            var versions: [Int64] = []
            while try statement.step() { versions.append(statement.int64(0)) }
            return versions
        }
        var seen = try Set(versions())
        #expect(seen.count == 2)
        for change in [
            "UPDATE tenant SET name = 'new' WHERE id = 'a'", "UPDATE tenant SET owner_email = 'o' WHERE id = 'a'",
            "UPDATE tenant SET domains = '[1]' WHERE id = 'a'",
            "UPDATE tenant SET allows_simple_sso = 0 WHERE id = 'a'",
            "UPDATE tenant SET settings = '{}}' WHERE id = 'a'",
            "INSERT INTO api_key (tenant_id, key, created_at) VALUES ('a', 'K', 1)",
            "UPDATE api_key SET expires_at = 1", "DELETE FROM api_key",
            "INSERT INTO setting_rule (tenant_id, domain, page, settings) VALUES ('a', '', 'x', '{}')",
            "UPDATE setting_rule SET settings = '{ }'", "DELETE FROM setting_rule",
        ] {
            try connection.execute(script: change)
            #expect(try seen.insert(versions()[0]).inserted, "\(change)")
        }
        let before = try versions()
        try connection.execute(script: "UPDATE tenant SET name = name")
        #expect(try versions() == before)
        try connection.execute(script: "DELETE FROM tenant WHERE id = 'a'")
        #expect(try versions() == [before[1]])
    }

    @Test func `a file that is no database is refused with advice`() throws {
        let file = try #require(fopen(folder.path + "/parley.db", "w"))
        fputs(String(repeating: "not a database ", count: 100), file)
        fclose(file)
        let error = #expect(throws: StoreError.self) { try Store.test(in: folder) }
        #expect(error?.description.contains("The file is not a database. Move it away, or restore a backup.") == true)
    }

    @Test(
        arguments: [
            (Int32(10), "Put the folder on a sound local disk"), (266, "Put the folder on a sound local disk"),
            (13, "Free some space on its disk"), (8, "Give this user the right to write"), (7, "more memory"),
            (14, "Check that the folder exists"), (15, "Put the folder on a local disk"), (5, "End that program"),
            (1, "https://sqlite.org/rescode.html"),
        ])
    func `whatever the disk refuses, the message says what to do next`(_ code: Int32, _ advice: String) {
        let error = StoreError(SQLiteError(extendedCode: code, message: "no"), at: "/data/parley.db")
        #expect(error.description.hasPrefix("Cannot use the database /data/parley.db: SQLite \(code): no. "))
        #expect(error.description.contains(advice))
    }

    @Test func `a migration that does not fit on the disk says what to do and changes nothing`() throws {
        let path = folder.path + "/parley.db"
        let connection = try Connection(path: path, access: .readWrite)
        try Migrator(migrations: [.server]).run(on: connection, path: path) { true }
        try connection.execute(script: "PRAGMA max_page_count = 1")
        let error = #expect(throws: StoreError.self) { try Migrator.test.run(on: connection, path: path) { true } }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("Migration 0002_note of \(path) failed and changed nothing: SQLite 13"))
        #expect(text.hasSuffix("Free some space on its disk, or raise the quota of this user."))
        try connection.execute(script: "PRAGMA max_page_count = 1000")
        try Migrator.test.run(on: connection, path: path) { true }
        try connection.execute("INSERT INTO note (id) VALUES ('a')")
    }

    @Test func `a migration that is wrong is to be reported`() throws {
        let broken = Migration(2, "broken", Array("CREATE TABLE one (id); CREATE TABLE one (id);".utf8))
        let error = #expect(throws: StoreError.self) {
            try Store.open(folder: folder.path, migrator: Migrator(migrations: [.server, broken]))
        }
        #expect(error?.description.hasSuffix("or report the failure.") == true)
        try Store.test(in: folder).close()
    }

    @Test func `facts about the server outlive it`() throws {
        let first = try Store.open(folder: folder.path)
        try first.writer.perform { session throws(APIError) in
            try ServerState.set("one", for: "secret", in: &session)
            try ServerState.set("two", for: "secret", in: &session)
        }
        first.close()
        let second = try Store.open(folder: folder.path)
        defer { second.close() }
        let values = try second.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            [
                try ServerState.value(for: "secret", in: &session), try ServerState.value(for: "other", in: &session),
            ]
        }
        #expect(values == ["two", nil])
    }

    @Test func `the health check is a commit`() throws {
        let store = try Store.open(folder: folder.path)
        defer { store.close() }
        let before = FileStamp(store.path + "-wal")
        try store.writer.perform { session throws(APIError) in try Health.check(&session) }
        #expect(FileStamp(store.path + "-wal") != before)
    }
}

@Suite struct MigratorTests {
    let folder = TemporaryFolder()

    private func open(_ migrations: [Migration]) throws {
        try Store.open(folder: folder.path, migrator: Migrator(migrations: migrations)).close()
    }

    private func refusal(_ migrations: [Migration]) throws -> String {
        let error = #expect(throws: StoreError.self) { try open(migrations) }
        return try #require(error).description
    }

    @Test func `the migrations of this program are numbered upwards from one`() {
        let migrations = Migrator().migrations
        #expect(migrations.map(\.number) == Set(migrations.map(\.number)).sorted())
        #expect(migrations.first?.title == "0001_server")
        #expect(migrations.first?.sql.contains("CREATE TABLE event_log") == true)
    }

    @Test func `opening again applies what is new and nothing twice`() throws {
        try open([.server])
        try open([.server, .note])
        try open([.server, .note])
        let connection = try Connection(path: folder.path + "/parley.db", access: .readOnly)
        let statement = try connection.prepare("SELECT number || name || length(sha256) FROM schema_migration")
        #expect(try statement.step())
        #expect(statement.text(0) == "1server64")
        #expect(try statement.step())
        #expect(statement.text(0) == "2note64")
        #expect(try !statement.step())
    }

    @Test func `a migration that was changed is refused by name`() throws {
        try open([.server, .note])
        let changed = Migration(2, "note", Array("CREATE TABLE other (id TEXT)".utf8))
        #expect(try refusal([.server, changed]).contains("Migration 0002_note is not the one that was applied"))
    }

    @Test func `a database newer than the program is refused`() throws {
        try open([.server, .note])
        let sentence = try refusal([.server])
        #expect(sentence.contains("newer version of this program (it has 2 migrations, this version knows 1)"))
    }

    @Test func `a gap in the history is refused`() throws {
        try open([.server, .note])
        try edit("DELETE FROM schema_migration WHERE number = 1")
        #expect(try refusal([.server, .note]).contains("lacks migration 1 but has migration 2"))
    }

    @Test func `a number may be left out`() throws {
        let later = Migration(7, "later", Array("CREATE TABLE later (id TEXT)".utf8))
        try open([.server, .note, later])
        try open([.server, .note, later])
        let between = Migration(5, "between", Array("CREATE TABLE between_them (id TEXT)".utf8))
        #expect(try refusal([.server, .note, between, later]).contains("lacks migration 5 but has migration 7"))
    }

    @Test func `a migration that fails changes nothing and can be tried again`() throws {
        let broken = Migration(2, "note", Array("CREATE TABLE half (id TEXT); CREATE TABLE half (id TEXT);".utf8))
        #expect(try refusal([.server, broken]).contains("Migration 0002_note of"))
        try open([.server, Migration(2, "note", Array("CREATE TABLE half (id TEXT)".utf8))])
    }

    private func edit(_ sql: String) throws {
        try Connection(path: folder.path + "/parley.db", access: .readWrite).execute(script: sql)
    }
}
