import Domain
import Reactor
import Synchronization
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
        #expect(try store.notes() == ["a"])
    }

    @Test func `what a unit takes back leaves no row and no event, and it goes on`() throws {
        let heard = Mutex<[String]>([])
        let store = try Store.test(in: folder) { events, release in
            heard.withLock { $0 += events.map(\.id) }
            release()
        }
        defer { store.close() }
        let kept = try store.writer.perform { session throws(APIError) in
            try session.insertNote("first")
            try session.announce("first event", in: .lobby)
            let seen = try session.notes()
            try session.rewind()
            #expect(try session.notes().isEmpty)
            try session.insertNote("second")
            try session.announce("second event", in: .lobby)
            return seen
        }
        #expect(kept == ["first"])
        #expect(try store.notes() == ["second"])
        #expect(heard.withLock { $0 } == ["second event"])
        #expect(try store.log(of: .lobby).map(\.id) == ["second event"])
        try store.insert("third")
        #expect(try store.notes() == ["second", "third"])
    }

    @Test func `many submitters at once are all answered, and every row is there`() throws {
        let batches = Mutex(0)
        let store = try Store.test(in: folder) { _, release in
            batches.withLock { $0 += 1 }
            release()
        }
        defer { store.close() }
        let submitters = try (0..<8).map { submitter in
            try Thread(name: "submitter") {
                for index in 0..<100 {
                    let id = "\(submitter)-\(index)"
                    let result = Result { try store.writer.perform { s throws(APIError) in try s.insertNote(id) } }
                    #expect(throws: Never.self) { try result.get() }
                }
            }
        }
        for submitter in submitters { submitter.join() }
        #expect(try store.notes().count == 800)
        #expect(batches.withLock { $0 } < 800, "some units must have shared a transaction")
    }

    @Test func `a failing unit takes nothing of its batch with it and leaves no row and no event`() throws {
        let heard = Mutex<[String]>([])
        let store = try Store.test(in: folder) { events, release in
            heard.withLock { $0 += events.map(\.id) }
            release()
        }
        defer { store.close() }
        let gate = Gate(store)
        let answers = Answer<Int>()
        for index in 0..<4 {
            store.writer.submit { session throws(APIError) in
                try session.insertNote("\(index)")
                try session.announce("event \(index)", in: .lobby)
                if index == 2 { throw APIError(403, "not-allowed", "No.") }
                return index
            } completion: {
                answers.add($0)
            }
        }
        gate.open()
        let results = answers.wait(for: 4)
        #expect(results.map { try? $0.get() } == [0, 1, nil, 3])
        #expect(results[2].failure?.code == "not-allowed")
        #expect(try store.notes() == ["0", "1", "3"])
        #expect(heard.withLock { $0 } == ["event 0", "event 1", "event 3"])
        #expect(try store.log(of: .lobby).map(\.id) == ["event 0", "event 1", "event 3"])
    }

    @Test func `a unit may catch a refused statement and go on`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.writer.perform { session throws(APIError) in
            try session.insertNote("a")
            do throws(APIError) {
                try session.insertNote("a")
            } catch {
                guard error.code == "conflict" else { throw error }
                try session.insertNote("b")
            }
        }
        #expect(try store.notes() == ["a", "b"])
    }

    @Test func `a second row with the same key is a conflict`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.insert("a")
        let error = try #require(throws: APIError.self) { try store.insert("a") }
        #expect(error.status == 409)
        #expect(error.code == "conflict")
        #expect(!error.reason.contains("note"), "the reason must not tell of tables")
    }

    @Test(arguments: [APIError.needsWrite, .needsOffload])
    func `a unit that asks the writer for another lane is an internal error`(_ reroute: APIError) throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        let error = try #require(throws: APIError.self) {
            try store.writer.perform { _ throws(APIError) in throw reroute }
        }
        #expect(error.code == "internal-error")
        #expect(error.reroute == nil)
    }

    @Test func `answers leave only when the batch is released, and once`() throws {
        let releases = Mutex<[@Sendable () -> Void]>([])
        let committed = WorkQueue<Bool>(capacity: 10)
        let store = try Store.test(in: folder) { _, release in
            releases.withLock { $0.append(release) }
            _ = committed.push(true)
        }
        defer { store.close() }
        let answers = Answer<Int>()
        store.writer.submit { session throws(APIError) in
            try session.insertNote("a")
            return 1
        } completion: {
            answers.add($0)
        }
        #expect(committed.pop() == true)
        #expect(try store.notes() == ["a"], "it is committed before it is answered")
        #expect(answers.count == 0)
        let release = try #require(releases.withLock { $0.first })
        release()
        release()
        #expect(answers.count == 1)
    }

    @Test func `now rises from one changing unit to the next, even if the clock stands or falls back`() throws {
        let clock = TestClock(1_000_000)
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        var moments: [Int64] = []
        for step: Int64 in [0, 0, 500, -2000, 0] {
            clock.advance(step)
            moments.append(
                try store.writer.perform { session throws(APIError) in
                    try session.run("INSERT INTO note (id) VALUES (?1)", .text("\(session.now)"))
                    return session.now
                })
        }
        #expect(moments == [1_000_000, 1_000_001, 1_000_500, 1_000_501, 1_000_502])
    }

    @Test func `the queue takes as many units as it may hold and refuses the next at once`() throws {
        var options = StoreOptions()
        options.writeQueueLimit = 3
        let store = try Store.test(in: folder, options: options)
        defer { store.close() }
        let gate = Gate(store)
        let answers = Answer<Int>()
        for index in 0..<4 {
            store.writer.submit { _ in
                index
            } completion: {
                answers.add($0)
            }
        }
        #expect(answers.count == 1, "the fourth is answered while the first three wait")
        #expect(answers.wait(for: 1).first?.failure?.code == "unavailable")
        gate.open()
        #expect(answers.wait(for: 4).dropFirst().map { try? $0.get() } == [0, 1, 2])
    }

    @Test func `the queue of a server holds ten thousand units`() {
        #expect(StoreOptions().writeQueueLimit == 10_000)
        #expect(StoreOptions().batchUnits == 256)
        #expect(StoreOptions().batchMicroseconds == 5000)
    }

    @Test(arguments: [(4, 1), (5, 2)])
    func `a transaction takes units up to its limit`(units: Int, batches: Int) throws {
        var options = StoreOptions()
        options.batchUnits = 4
        options.batchMicroseconds = 60_000_000
        let sizes = Mutex<[Int]>([])
        let store = try Store.test(in: folder, options: options) { events, release in
            if !events.isEmpty { sizes.withLock { $0.append(events.count) } }
            release()
        }
        let gate = Gate(store)
        let answers = Answer<Int>()
        for index in 0..<units {
            store.writer.submit { session throws(APIError) in
                try session.announce("\(index)", in: .lobby)
                return index
            } completion: {
                answers.add($0)
            }
        }
        gate.open()
        _ = answers.wait(for: units)
        store.close()
        #expect(sizes.withLock { $0.count } == batches)
    }

    @Test func `a transaction ends when its time is over`() throws {
        var options = StoreOptions()
        options.batchMicroseconds = 0
        let batches = Mutex(0)
        let store = try Store.test(in: folder, options: options) { _, release in
            batches.withLock { $0 += 1 }
            release()
        }
        let gate = Gate(store)
        for _ in 0..<3 {
            store.writer.submit { _ in
            } completion: { _ in
            }
        }
        gate.open()
        store.close()
        #expect(batches.withLock { $0 } == 4, "the gate and three units, one transaction each")
    }

    @Test func `units that change nothing do not touch the log on the disk`() throws {
        let store = try Store.test(in: folder)
        defer { store.close() }
        try store.insert("a")
        let before = FileStamp(store.path + "-wal")
        for _ in 0..<3 { try store.writer.perform { s throws(APIError) in #expect(try s.notes() == ["a"]) } }
        #expect(FileStamp(store.path + "-wal") == before)
        try store.insert("b")
        #expect(FileStamp(store.path + "-wal") != before)
    }

    @Test func `closing commits what waits, empties the log and refuses what comes later`() throws {
        let store = try Store.test(in: folder)
        let lane = try store.makeReadLane()
        let gate = Gate(store)
        let answers = Answer<Int>()
        for index in 0..<10 {
            store.writer.submit { session throws(APIError) in
                try session.insertNote("\(index)")
                return index
            } completion: {
                answers.add($0)
            }
        }
        gate.open()
        store.close()
        #expect(answers.count == 10)
        #expect(FileStamp(store.path + "-wal").size == 0)
        let late = #expect(throws: APIError.self) { try store.insert("late") }
        #expect(late?.code == "unavailable")
        store.close()
        #expect(try lane.read(budgetMilliseconds: nil) { s throws(APIError) in try s.notes().count } == 10)
    }
}
