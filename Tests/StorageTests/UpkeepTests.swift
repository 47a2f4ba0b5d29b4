import Domain
import SQLite
import Testing

@testable import Storage

@Suite struct UpkeepTests {
    let folder = TemporaryFolder()

    @Test func `a room keeps its newest events, up to the limit and what comes before the next count`() throws {
        var options = StoreOptions()
        options.eventsPerRoom = 200
        let store = try Store.test(in: folder, options: options)
        defer { store.close() }
        for _ in 0..<8 { try store.announceMany(100) }
        let positions = try store.log(of: .lobby).map(\.position)
        #expect(positions.count >= 200)
        #expect(positions.count < 200 + Int(Upkeep.countEvery))
        #expect(positions.last == 800, "the newest stays")
        #expect(positions == Array((positions.first ?? 0)...800), "only the oldest go")
    }

    @Test func `a quiet room loses nothing to a busy one`() throws {
        var options = StoreOptions()
        options.eventsPerRoom = 10
        let store = try Store.test(in: folder, options: options)
        defer { store.close() }
        let garden = RoomKey(tenant: "acme", page: "garden")
        for index in 0..<10 { try store.announce("\(index)", in: garden) }
        for _ in 0..<3 { try store.announceMany(100) }
        #expect(try store.log(of: .lobby).count < 300)
        #expect(try store.log(of: garden).count == 10)
    }

    @Test(arguments: [(1000, 2), (1001, 1)])
    func `events go when their time is over`(age: Int64, left: Int) throws {
        let clock = TestClock(1_000_000)
        var options = clock.options
        options.eventLifetimeMilliseconds = 1000
        let first = try Store.test(in: folder, options: options)
        try first.announce("old")
        first.close()
        clock.advance(age)
        // The check runs after the first batch of a store and then once a minute.
        let second = try Store.test(in: folder, options: options)
        try second.announce("new")
        second.close()
        let third = try Store.test(in: folder, options: options)
        defer { third.close() }
        #expect(try third.log(of: .lobby).count == left)
    }

    @Test(arguments: [(1000, 1), (1001, 0)])
    func `notices go when their time is over`(age: Int64, left: Int64) throws {
        let clock = TestClock(1_000_000)
        var options = clock.options
        options.noticeLifetimeMilliseconds = 1000
        let first = try Store.open(folder: folder.path, options: options)
        try first.writer.perform { session throws(APIError) in
            try session.run(
                "INSERT INTO tenant (id, name, created_at) VALUES ('acme', 'Acme', ?1)", .integer(session.now))
            try session.run(
                """
                INSERT INTO notice (id, tenant_id, owner_key, kind, is_of_votes, comment_seq, related_seq, created_at)
                VALUES ('n1', 'acme', 'acme:ann', 0, 0, 1, 1, ?1)
                """,
                .integer(session.now))
        }
        first.close()
        clock.advance(age)
        let second = try Store.open(folder: folder.path, options: options)
        try second.announce("anything")
        defer { second.close() }
        let count = try second.writer.perform { session throws(APIError) in
            try session.first("SELECT COUNT(*) FROM notice") { $0.int64(0) }
        }
        #expect(count == left)
    }

    @Test func `a long log is emptied as soon as no reader needs it, and no write fails meanwhile`() throws {
        var options = StoreOptions()
        options.logBytes = 200_000
        let store = try Store.test(in: folder, options: options)
        defer { store.close() }
        let log = store.path + "-wal"
        let lane = try store.makeReadLane()
        try lane.read(budgetMilliseconds: nil) { session throws(APIError) in
            _ = try session.notes()
            for index in 0..<5 { try store.insertLarge("held \(index)") }
            #expect(FileStamp(log).size > 200_000)
        }
        // The next try is a second after the one that failed: go on writing until it has come.
        var index = 0
        while FileStamp(log).size > 200_000 {
            try store.insert("\(index)")
            index += 1
        }
        #expect(FileStamp(log).size <= 200_000)
    }
}

extension Store {
    fileprivate func announceMany(_ count: Int) throws(APIError) {
        try writer.perform { session throws(APIError) in
            for index in 0..<count { try session.announce("\(index)", in: .lobby) }
        }
    }

    /// A connection beside the store's own.
    func testConnection() throws(SQLiteError) -> Connection {
        try .reading(path)
    }
}
