import Domain
import Testing

@testable import Storage

@Suite struct EventLogTests {
    let folder = TemporaryFolder()
    let clock = TestClock(1000)
    let garden = RoomKey(tenant: "acme", page: "garden")

    @Test func `stamps of a room are two apart at least, each room by itself`() throws {
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        try store.writer.perform { session throws(APIError) in
            try session.announce("1", in: .lobby)
            try session.announce("2", in: .lobby)
        }
        try store.announce("3")
        try store.announce("4", in: garden)
        clock.advance(5)
        try store.announce("5")
        clock.advance(5)
        try store.announce("6")
        #expect(try store.log(of: .lobby).map(\.stamp) == [1000, 1002, 1004, 1006, 1010])
        #expect(try store.log(of: garden).map(\.stamp) == [1000])
        #expect(try store.log(of: .lobby).map(\.publishedAt) == [1000, 1000, 1000, 1005, 1010])
    }

    @Test func `the body is made with the stamp that is stored`() throws {
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        for _ in 0..<2 {
            try store.writer.perform { session throws(APIError) in
                let event = NewEvent(id: "e", broadcastID: "b") { Array("{\"timestamp\":\($0),\"ö\":1}".utf8) }
                try session.emit(event, to: .lobby)
            }
        }
        let texts = try store.log(of: .lobby).map { String(decoding: $0.data, as: UTF8.self) }
        #expect(texts == [#"{"timestamp":1000,"ö":1}"#, #"{"timestamp":1002,"ö":1}"#])
    }

    @Test func `only logged events of pages are in the log, and the stamps of a page stay in order`() throws {
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        try store.writer.perform { session throws(APIError) in
            try session.announce("1", in: .lobby)
            let event = NewEvent(id: "2", broadcastID: "b", isLogged: false) { stamp in Array("\(stamp)".utf8) }
            try session.emit(event, to: .lobby)
            try session.announce("3", in: .lobby)
            try session.announce("4", in: RoomKey(tenant: "acme", person: "acme:a"))
            try session.announce("5", in: RoomKey(tenant: "acme"))
        }
        #expect(try store.log(of: .lobby).map(\.id) == ["1", "3"])
        #expect(try store.log(of: .lobby).map(\.stamp) == [1000, 1004])
        let all = try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            try EventLog.tenant("acme", after: 0, upTo: .max, in: &session)
        }
        #expect(all.map(\.id) == ["1", "3"])
    }

    @Test func `stamps go on after a restart, even if the clock fell back`() throws {
        let before = try Store.test(in: folder, options: clock.options)
        try before.announce("1")
        before.close()
        clock.advance(-500)
        let after = try Store.test(in: folder, options: clock.options)
        defer { after.close() }
        try after.announce("2")
        #expect(try after.log(of: .lobby).map(\.stamp) == [1000, 1002])
    }

    @Test func `a unit that fails takes no stamp`() throws {
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        try store.announce("1")
        #expect(throws: APIError.self) {
            try store.writer.perform { session throws(APIError) in
                try session.announce("lost", in: .lobby)
                throw APIError(403, "not-allowed", "No.")
            }
        }
        try store.announce("2")
        #expect(try store.log(of: .lobby).map(\.stamp) == [1000, 1002])
    }

    @Test func `stamps go on after another program announced something`() throws {
        let server = try Store.test(in: folder, options: clock.options)
        defer { server.close() }
        let command = try Store.open(folder: folder.path, exclusive: false, options: clock.options, migrator: .test)
        defer { command.close() }
        try server.announce("1")
        try command.announce("2")
        try server.announce("3")
        #expect(try server.log(of: .lobby).map(\.stamp) == [1000, 1002, 1004])
    }

    @Test func `stamps are right when more rooms speak than are remembered`() throws {
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        let connection = try store.testConnection()
        let stamps = RoomStamps(limit: 2)
        try store.announce("1")
        #expect(try stamps.last(of: .lobby, on: connection) == 1000)
        stamps.keep([garden: 7, RoomKey(tenant: "acme", page: "attic"): 8])
        #expect(stamps.count <= 2)
        #expect(try stamps.last(of: .lobby, on: connection) == 1000)
    }

    @Test func `what is announced after a commit is what the log holds`() throws {
        let heard = Answer<[CommittedEvent]>()
        let store = try Store.test(in: folder) { events, release in
            if !events.isEmpty { heard.add(.success(events)) }
            release()
        }
        defer { store.close() }
        let audiences: [Audience] = [
            .everyone, .author(identity: "u1"), .moderators, .others(identity: "u1"),
            .groups(["a", "b"], author: "u1"),
            .all([.others(identity: "u1"), .groups(["a", "b"], author: ""), .author(identity: "u2")]),
        ]
        try store.writer.perform { session throws(APIError) in
            for (index, audience) in audiences.enumerated() {
                try session.announce("\(index)", in: .lobby, to: audience)
            }
        }
        let events = try #require(try heard.wait(for: 1).first?.get())
        #expect(events.map(\.audience) == audiences)
        #expect(events.map(\.broadcastID) == ["b-0", "b-1", "b-2", "b-3", "b-4", "b-5"])
        #expect(events.map(\.position) == [1, 2, 3, 4, 5, 6])
        #expect(try store.log(of: .lobby) == events)
    }

    @Test func `a page starts behind the stamp and ends at the moment, the position and the limit`() throws {
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        for id in ["1", "2", "3", "4"] {
            try store.announce(id)
            clock.advance(10)
        }
        // Stamps and moments 1000, 1010, 1020, 1030; positions 1 to 4.
        func ids(
            after: Int64 = 0, upTo: Int64 = .max, maxPosition: Int64? = nil, limit: Int = 2000, maxBytes: Int = 1000
        ) throws -> [String] {
            try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
                try EventLog.page(
                    room: .lobby, after: after, upTo: upTo, maxPosition: maxPosition, limit: limit, maxBytes: maxBytes,
                    in: &session
                ).map(\.id)
            }
        }
        #expect(try ids() == ["1", "2", "3", "4"])
        #expect(try ids(after: 1009) == ["2", "3", "4"])
        #expect(try ids(after: 1010) == ["3", "4"])
        #expect(try ids(upTo: 1020) == ["1", "2", "3"])
        #expect(try ids(upTo: 1019) == ["1", "2"])
        #expect(try ids(maxPosition: 3) == ["1", "2", "3"])
        #expect(try ids(maxPosition: 0) == [])
        #expect(try ids(limit: 2) == ["1", "2"])
        #expect(try ids(maxBytes: 4) == ["1", "2"])
        #expect(try ids(maxBytes: 5) == ["1", "2"])
        #expect(try ids(maxBytes: 6) == ["1", "2", "3"])
        #expect(try ids(maxBytes: 1) == ["1"], "one event is given however long it is")
    }

    @Test func `a tenant's log has all its rooms and no others`() throws {
        let store = try Store.test(in: folder, options: clock.options)
        defer { store.close() }
        try store.announce("1", in: garden)
        try store.announce("other", in: RoomKey(tenant: "other", page: "garden"))
        try store.announce("2", in: .lobby)
        let (ids, last) = try store.makeReadLane().read(budgetMilliseconds: nil) { session throws(APIError) in
            let events = try EventLog.tenant("acme", after: 0, upTo: .max, in: &session)
            return (events.map(\.id), try EventLog.lastPosition(in: &session))
        }
        #expect(ids == ["1", "2"])
        #expect(last == 3)
    }
}
