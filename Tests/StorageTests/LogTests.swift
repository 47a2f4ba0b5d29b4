import Domain
import Glibc
import SQLite
import Testing

@testable import Storage

/// The write-ahead log while somebody writes without a pause.
@Suite struct LogTests {
    private static let pages = 4000
    let folder = TemporaryFolder()

    private func size(_ name: String) -> Int {
        var status = stat()
        return stat(folder.path + "/" + name, &status) == 0 ? Int(status.st_size) : 0
    }

    @Test func `it is moved into the database after the answers, and begins anew`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        // Each takes more than 25 pages.
        let count = 2 * Self.pages / 25
        for number in 0..<count { try store.insertLarge("note \(number)") }
        let all = count * 25 * 4096
        #expect(size("parley.db-wal") < all * 3 / 4)
        #expect(size("parley.db") > all / 4)
        #expect(try store.notes().count == count)
    }

    @Test func `a reader of an old moment keeps the log, and reads on`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.insert("first")
        let lane = try store.makeReadLane()
        let count = 2 * Self.pages / 25
        let (before, after) = try lane.read(budgetMilliseconds: nil) { session throws(APIError) in
            let before = try session.notes()
            for number in 0..<count { try store.insertLarge("note \(number)") }
            return (before, try session.notes())
        }
        #expect(before == ["first"] && after == before)
        #expect(try store.notes().count == count + 1)
        // With the reader gone it begins anew.
        let grown = size("parley.db-wal")
        for number in 0..<count { try store.insertLarge("later \(number)") }
        #expect(size("parley.db-wal") < grown + count * 25 * 4096)
    }
}
