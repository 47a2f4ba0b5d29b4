import Domain
import SQLite
import Testing

@testable import Storage

/// What a commit reaches, as whoever keeps answers is told.
@Suite struct ChangeJournalTests {
    let folder = TemporaryFolder()

    private static let page: Int64 = 1

    /// A store whose `note` reaches by row, and whose `reply` reaches the note that changes with it.
    private func store(_ note: ChangeReach = .row) throws -> Store {
        var options = StoreOptions()
        options.reach = [TableReach("note", note), TableReach("reply", .anotherRow), TableReach("event_log", .none)]
        let store = try Store.test(in: folder, options: options)
        try store.insert("first")
        return store
    }

    /// Whether an answer about the first row is still good after `change`.
    private func survives(
        _ store: Store, isKnown: Bool = false, _ change: () throws -> Void
    ) throws -> Bool {
        let lane = try store.makeReadLane()
        func mark() throws -> ChangeMark {
            try lane.read(budgetMilliseconds: nil) { _ throws(APIError) in }
            return try #require(lane.changeMark())
        }
        let then = try #require(store.changes.moment(at: try mark()))
        try change()
        return store.changes.moment(
            at: try mark(), unchangedSince: then, ChangeJournal.Subject(row: Self.page, isKnown: isKnown)) != nil
    }

    @Test func `only changes of its own row reach an answer`() throws {
        let store = try store()
        defer { store.close() }
        #expect(try survives(store) { try store.insert("second") })
        #expect(try survives(store) { try store.announce("heard") })
        #expect(
            try !survives(store) {
                try store.writer.perform { session throws(APIError) in
                    _ = try session.run("UPDATE note SET number = 2 WHERE id = 'first'")
                }
            })
        #expect(
            try !survives(store) {
                try store.writer.perform { session throws(APIError) in
                    _ = try session.run("DELETE FROM note WHERE id = 'first'")
                }
            })
    }

    @Test func `a table of which nothing is known reaches all answers`() throws {
        let store = try store()
        defer { store.close() }
        #expect(
            try !survives(store) {
                try store.writer.perform { session throws(APIError) in
                    _ = try session.run("INSERT INTO server_state (key, value) VALUES ('x', 'y')")
                }
            })
        #expect(try survives(store) {})
    }

    @Test func `a row that belongs to another reaches all where that other one does not change`() throws {
        let store = try store()
        defer { store.close() }
        #expect(
            try survives(store) {
                try store.writer.perform { session throws(APIError) in
                    try session.insertNote("second")
                    try session.run("INSERT INTO reply (note_id) VALUES ('second')")
                }
            })
        #expect(
            try !survives(store) {
                try store.writer.perform { session throws(APIError) in
                    _ = try session.run("INSERT INTO reply (note_id) VALUES ('second')")
                }
            })
        // Each unit of a batch for itself.
        #expect(
            try !survives(store) {
                let gate = Gate(store)
                store.writer.submit { session throws(APIError) in
                    try session.insertNote("third")
                } completion: { _ in
                }
                store.writer.submit { session throws(APIError) in
                    _ = try session.run("INSERT INTO reply (note_id) VALUES ('third')")
                } completion: { _ in
                }
                gate.open()
                try store.insert("fourth")
            })
    }

    @Test func `some changes reach only those who are known`() throws {
        let store = try store(.known)
        defer { store.close() }
        #expect(try survives(store) { try store.insert("second") })
        #expect(try !survives(store, isKnown: true) { try store.insert("third") })
    }

    @Test func `what another program commits reaches all answers`() throws {
        let store = try store()
        defer { store.close() }
        let other = try Store.test(in: folder, exclusive: false)
        defer { other.close() }
        #expect(try !survives(store) { try other.insert("second") })
        try store.insert("third")
        #expect(
            try !survives(store) {
                try other.insert("fourth")
                try store.insert("between")
            })
        #expect(try survives(store) { try store.insert("fifth") })
    }

    @Test func `when too many rows have changed, all have`() throws {
        let store = try store()
        defer { store.close() }
        func change(_ count: Int) throws {
            try store.writer.perform { session throws(APIError) in
                for number in 0..<count { try session.insertNote("\(session.now) \(number)") }
            }
        }
        // The first row is one of them.
        #expect(try survives(store) { try change(ChangeJournal.rowLimit - 1) })
        #expect(try !survives(store) { try change(1) })
    }
}
