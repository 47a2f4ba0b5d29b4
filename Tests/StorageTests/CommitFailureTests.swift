import Domain
import Synchronization
import Testing

@testable import Storage

@Suite struct CommitFailureTests {
    let folder = TemporaryFolder()

    @Test func `a commit that fails fails every unit of its batch, and the writer goes on`() throws {
        let heard = Mutex<[String]>([])
        let store = try Store.test(in: folder) { events, release in
            heard.withLock { $0 += events.map(\.id) }
            release()
        }
        defer { store.close() }
        let gate = Gate(store)
        let answers = Answer<Int>()
        for index in 0..<3 {
            store.writer.submit { session throws(APIError) in
                try session.insertNote("\(index)")
                try session.announce("event \(index)", in: .lobby)
                if index == 1 { try session.run("INSERT INTO reply (note_id) VALUES ('nobody')") }
                if index == 2 { throw APIError(403, "not-allowed", "No.") }
                return index
            } completion: {
                answers.add($0)
            }
        }
        gate.open()
        let codes = answers.wait(for: 3).map { $0.failure?.code }
        #expect(codes == ["unavailable", "unavailable", "unavailable"])
        #expect(heard.withLock { $0.isEmpty })
        #expect(try store.notes().isEmpty)
        try store.insert("later")
        #expect(try store.notes() == ["later"])
    }

    @Test func `stamps of a batch that failed are taken again`() throws {
        let clock = TestClock(1000)
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        try store.announce("first")
        #expect(throws: APIError.self) {
            try store.writer.perform { session throws(APIError) in
                try session.announce("lost", in: .lobby)
                try session.run("INSERT INTO reply (note_id) VALUES ('nobody')")
            }
        }
        try store.announce("second")
        #expect(try store.log(of: .lobby).map(\.stamp) == [1000, 1002])
    }

    @Test func `a full database is unavailable until there is room again`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        // SQLite takes the present size as the least possible limit.
        try store.writer.perform { session throws(APIError) in try session.run("PRAGMA max_page_count = 1") }
        let error = #expect(throws: APIError.self) { try store.insertLarge("a") }
        #expect(error?.status == 503)
        #expect(error?.code == "unavailable")
        #expect(error?.retryAfter == 2)
        #expect(try store.notes().isEmpty)
        try store.writer.perform { session throws(APIError) in try session.run("PRAGMA max_page_count = 100000") }
        try store.insertLarge("a")
        #expect(try store.notes() == ["a"])
    }

    @Test func `a unit that ends the transaction fails with its batch, and the writer goes on`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let error = #expect(throws: APIError.self) {
            try store.writer.perform { session throws(APIError) in
                try session.insertNote("a")
                try session.run("ROLLBACK")
                return
            }
        }
        #expect(error?.code == "unavailable")
        try store.insert("b")
        #expect(try store.notes() == ["b"])
    }

    @Test func `writes are refused while another program holds the lock, and taken afterwards`() throws {
        var options = StoreOptions()
        options.lockMilliseconds = 10
        let store = try Store.test(in: folder, options: options)
        defer { store.close() }
        let other = try Store.open(folder: folder.path, exclusive: false, migrator: .test)
        defer { other.close() }
        let gate = Gate(other)
        #expect(throws: APIError.self) { try store.insert("a") }
        gate.open()
        try store.insert("b")
        #expect(try store.notes() == ["b"])
    }
}
