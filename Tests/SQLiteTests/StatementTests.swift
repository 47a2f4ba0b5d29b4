import SQLite
import Testing

@Suite struct StatementTests {
    let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", access: .readWrite)
    }

    private func row(_ sql: String, _ bind: (Statement) throws -> Void = { _ in }) throws -> Statement {
        let statement = try connection.prepare(sql)
        try bind(statement)
        #expect(try statement.step())
        return statement
    }

    @Test(arguments: ["", "a", "naïve 日本語 👩‍👩‍👧", "NUL \0 inside", String(repeating: "x", count: 100_000)])
    func `text comes back as it went in`(_ text: String) throws {
        let row = try row("SELECT ?1, typeof(?1)") { try $0.bind(text, 1) }
        #expect(row.text(0) == text)
        #expect(row.blob(0) == Array(text.utf8))
        #expect(row.withUTF8(0) { $0.count } == text.utf8.count)
        #expect(row.text(1) == "text")
        let bytes = try self.row("SELECT ?1, typeof(?1)") { try $0.bind(text: Array(text.utf8), 1) }
        #expect(bytes.text(0) == text)
        #expect(bytes.text(1) == "text")
    }

    @Test(arguments: [[], [0], [255, 0, 254], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]])
    func `bytes come back as they went in`(_ bytes: [UInt8]) throws {
        let row = try row("SELECT ?1, typeof(?1)") { try $0.bind(bytes, 1) }
        #expect(row.blob(0) == bytes)
        #expect(!row.isNull(0))
        #expect(row.text(1) == "blob")
    }

    @Test(arguments: [0, 1, -1, .max, .min] as [Int64])
    func `integers come back as they went in`(_ value: Int64) throws {
        #expect(try row("SELECT ?1") { try $0.bind(value, 1) }.int64(0) == value)
    }

    @Test(arguments: [0, -0.5, 1e300, .infinity, .leastNonzeroMagnitude] as [Double])
    func `floating-point numbers come back as they went in`(_ value: Double) throws {
        #expect(try row("SELECT ?1") { try $0.bind(value, 1) }.double(0) == value)
    }

    @Test func `NULL and NaN are NULL, and read as nothing`() throws {
        let row = try row("SELECT ?1, ?2") { statement in
            try statement.bindNull(1)
            try statement.bind(Double.nan, 2)
        }
        for column in 0..<2 {
            #expect(row.isNull(column))
            #expect(row.int64(column) == 0)
            #expect(row.double(column) == 0)
            #expect(row.text(column) == "")
            #expect(row.blob(column) == [])
            #expect(row.withUTF8(column) { $0.count } == 0)
        }
    }

    @Test func `text that is not UTF-8 is repaired in a String and left alone as bytes`() throws {
        let row = try row("SELECT CAST(x'61ff62' AS TEXT)")
        #expect(row.text(0) == "a\u{fffd}b")
        #expect(row.blob(0) == [0x61, 0xff, 0x62])
    }

    @Test func `a number lends its digits`() throws {
        let row = try row("SELECT 12345")
        #expect(row.withUTF8(0) { span in (0..<span.count).map { span[$0] } } == Array("12345".utf8))
    }

    @Test func `a position that does not exist is refused`() throws {
        let statement = try connection.prepare("SELECT ?1")
        #expect(statement.parameterCount == 1)
        for position in [0, 2] {
            #expect(throws: SQLiteError.self) { try statement.bind(Int64(1), position) }
        }
    }

    @Test func `reset forgets the values`() throws {
        let statement = try row("SELECT ?1") { try $0.bind("secret", 1) }
        #expect(statement.isRunning)
        statement.reset()
        #expect(!statement.isRunning)
        #expect(try statement.step())
        #expect(statement.isNull(0))
    }

    @Test func `a statement knows whether it writes`() throws {
        try connection.execute(script: "CREATE TABLE t (a)")
        #expect(try connection.prepare("SELECT * FROM t").isReadOnly)
        #expect(try connection.prepare("BEGIN").isReadOnly)
        #expect(try !connection.prepare("INSERT INTO t VALUES (1) RETURNING a").isReadOnly)
        #expect(try connection.prepare("SELECT 1, 2 FROM t").columnCount == 2)
    }
}
