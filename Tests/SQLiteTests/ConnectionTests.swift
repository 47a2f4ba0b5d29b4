import SQLite
import Testing

@Suite struct ConnectionTests {
    @Test func `a script runs every statement`() throws {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        try connection.execute(
            script: "CREATE TABLE t (a); -- note\n INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);\n-- end")
        let statement = try connection.statement("SELECT count(*) FROM t")
        #expect(try statement.step())
        #expect(statement.int64(0) == 2)
    }
}
