import Domain
import Reactor
import Synchronization
import Testing

@testable import Storage

@Suite struct ReadLaneTests {
    let folder = TemporaryFolder()

    @Test func `a reader sees every write that was answered before`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let lane = try store.makeReadLane()
        for count in 1...50 {
            try store.insert("\(count)")
            let seen = try lane.read(budgetMilliseconds: 1000) { s throws(APIError) in try s.notes().count }
            #expect(seen == count)
        }
    }

    @Test func `all statements of a unit see the same moment`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.insert("a")
        let lane = try store.makeReadLane()
        try lane.read(budgetMilliseconds: nil) { session throws(APIError) in
            let before = try session.notes()
            try store.insert("b")
            #expect(try session.notes() == before)
        }
        #expect(try lane.read(budgetMilliseconds: nil) { s throws(APIError) in try s.notes() } == ["a", "b"])
    }

    @Test func `work that cannot be interrupted asks for a lane with enough time`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let lane = try store.makeReadLane()
        let ask = { (budget: Int?) throws in
            try lane.read(budgetMilliseconds: budget) { s throws(APIError) in try s.requireTime(milliseconds: 100) }
        }
        #expect(throws: APIError.needsOffload) { try ask(99) }
        try ask(100)
        try ask(nil)
        try store.writer.perform { s throws(APIError) in try s.requireTime(milliseconds: 100) }
    }

    enum Attempt: CaseIterable {
        case run, returning, emit, healthCheck

        func make(in session: inout Session) throws(APIError) {
            switch self {
            case .run: try session.insertNote("a")
            case .returning:
                _ = try session.query("INSERT INTO note (id) VALUES ('a') RETURNING id") { $0.text(0) }
            case .emit: try session.announce("e", in: .lobby)
            case .healthCheck: try Health.check(&session)
            }
        }
    }

    @Test(arguments: Attempt.allCases)
    func `a read that tries to write asks for the writer and changes nothing`(_ attempt: Attempt) throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let lane = try store.makeReadLane()
        let error = #expect(throws: APIError.self) {
            try lane.read(budgetMilliseconds: nil) { s throws(APIError) in try attempt.make(in: &s) }
        }
        #expect(error == .needsWrite)
        #expect(try store.notes().isEmpty)
        #expect(try store.log(of: .lobby).isEmpty)
    }

    @Test func `a read past its budget asks for offload, and the lane reads on`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let lane = try store.makeReadLane()
        let error = #expect(throws: APIError.self) {
            try lane.read(budgetMilliseconds: 2) { s throws(APIError) in try s.runAway() }
        }
        #expect(error == .needsOffload)
        #expect(try lane.read(budgetMilliseconds: 1000) { s throws(APIError) in try s.notes() } == [])
    }

    @Test func `a unit that hides the end of its budget does not get away with it`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let lane = try store.makeReadLane()
        var caught: [APIError] = []
        let error = #expect(throws: APIError.self) {
            try lane.read(budgetMilliseconds: 2) { session throws(APIError) in
                do throws(APIError) { try session.runAway() } catch { caught.append(error) }
                do throws(APIError) { _ = try session.notes() } catch { caught.append(error) }
            }
        }
        #expect(caught == [.needsOffload, .needsOffload])
        #expect(error == .needsOffload)
    }

    @Test func `an error of the unit passes through and the lane reads on`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let lane = try store.makeReadLane()
        let refusal = APIError(404, "not-found", "There is no such page.")
        let error = #expect(throws: APIError.self) {
            try lane.read(budgetMilliseconds: nil) { session throws(APIError) in
                _ = try session.notes()
                throw refusal
            }
        }
        #expect(error == refusal)
        try store.insert("a")
        #expect(try lane.read(budgetMilliseconds: nil) { s throws(APIError) in try s.notes() } == ["a"])
    }

    @Test func `readers on many threads see no half of a unit while the writer works`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let torn = Mutex(0)
        let readers = try (0..<2).map { _ in
            try Thread(name: "reader") {
                for _ in 0..<200 {
                    let count = try? store.notes().count
                    if count?.isMultiple(of: 2) != true { torn.withLock { $0 += 1 } }
                }
            }
        }
        for index in 0..<100 {
            try store.writer.perform { session throws(APIError) in
                try session.insertNote("\(index) left")
                try session.insertNote("\(index) right")
            }
        }
        for reader in readers { reader.join() }
        #expect(torn.withLock { $0 } == 0)
        #expect(try store.notes().count == 200)
    }
}

extension Session {
    /// Counts for minutes.
    mutating func runAway() throws(APIError) {
        _ = try first(
            """
            WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 1000000000)
            SELECT max(n) FROM counter
            """
        ) { $0.int(0) }
    }
}
