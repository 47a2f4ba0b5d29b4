import Domain
import Reactor
import Testing

@testable import Storage

@Suite struct WriterTests {
    let folder = TemporaryFolder()

    @Test func `a unit that returns is kept and its result arrives`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let changed = try store.writer.perform { session throws(APIError) in
            try session.run("INSERT INTO note (id, number) VALUES (?1, ?2)", "a", .int(3))
        }
        #expect(changed == 1)
        let lane = try store.makeReadLane()
        let number = try lane.read(budgetMilliseconds: nil) { session throws(APIError) in
            try session.first("SELECT number FROM note WHERE id = ?1", "a") { $0.int(0) }
        }
        #expect(number == 3)
    }
}
