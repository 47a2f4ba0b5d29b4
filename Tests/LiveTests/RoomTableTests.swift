import Storage
import Testing
import WebSocket

@testable import Live
@testable import Server

@Suite struct RoomTableTests {
    private func delivery(_ events: [CommittedEvent]) -> LiveDelivery {
        let entries = events.map {
            LiveDelivery.Entry(
                position: $0.position, audience: $0.audience, frame: SharedFrame(FrameEncoder.text($0.data)))
        }
        return LiveDelivery(parts: [.init(room: Frames.room, entries: entries)], barrier: nil)
    }

    /// The numbers that each socket got, by its slot.
    private func received(_ table: RoomTable, _ delivery: LiveDelivery) throws -> [UInt32: [Int64]] {
        var frames: [UInt32: [[UInt8]]] = [:]
        table.deliver(delivery) { batch, socket in frames[socket.slot, default: []] += batch.frames.map(\.plain) }
        return try frames.mapValues(Frames.numbers)
    }

    private func table(_ members: [RoomTable.Member]) -> RoomTable {
        var table = RoomTable()
        for (slot, member) in members.enumerated() { table.add(ConnectionID(0, slot), member, to: Frames.room) }
        return table
    }

    private let people: [RoomTable.Member] = [
        .init(identity: nil, isStaff: false, position: 0), .init(identity: "demo:a", isStaff: false, position: 0),
        .init(identity: "demo:b", isStaff: false, position: 0), .init(identity: "demo:m", isStaff: true, position: 0),
        .init(identity: "demo:a", isStaff: true, position: 0),
    ]

    @Test(
        arguments: [
            (Audience.everyone, [0, 1, 2, 3, 4]), (.author(identity: "demo:a"), [1, 3, 4]), (.moderators, [3, 4]),
            (.others(identity: "demo:a"), [0, 2]), (.author(identity: "demo:x"), [3, 4]),
            (.others(identity: "demo:x"), [0, 1, 2]),
            (.all([.others(identity: "demo:b"), .groups(["red"], author: "demo:b")]), []),
            (.all([.groups(["red"], author: "demo:b"), .everyone]), [2, 3, 4]),
            (.all([.groups(["red"], author: "demo:a"), .groups(["red"], author: "demo:b")]), [3, 4]),
        ] as [(Audience, [UInt32])])
    func `an event reaches its audience and nobody else`(audience: Audience, slots: [UInt32]) throws {
        let received = try received(table(people), delivery([Frames.event(1, Frames.room, audience)]))
        #expect(received == Dictionary(uniqueKeysWithValues: slots.map { ($0, [1]) }))
    }

    @Test func `a socket gets what happened after it opened and nothing before`() throws {
        let members = (0...4).map { RoomTable.Member(identity: nil, isStaff: false, position: $0) }
        let received = try received(table(members), delivery((1...3).map { Frames.event($0) }))
        #expect(received == [0: [1, 2, 3], 1: [2, 3], 2: [3]])
    }

    @Test func `audience and place filter together and keep the order`() throws {
        let events: [CommittedEvent] = [
            Frames.event(5), Frames.event(6, Frames.room, .moderators),
            Frames.event(7, Frames.room, .author(identity: "demo:a")),
            Frames.event(8), Frames.event(9, Frames.room, .others(identity: "demo:a")),
        ]
        let members: [RoomTable.Member] = [
            .init(identity: "demo:a", isStaff: false, position: 5), .init(identity: nil, isStaff: false, position: 4),
            .init(identity: "demo:m", isStaff: true, position: 6),
            .init(identity: "demo:m", isStaff: true, position: 9),
        ]
        #expect(try received(table(members), delivery(events)) == [0: [7, 8], 1: [5, 8, 9], 2: [7, 8]])
    }

    @Test func `who may see all of it shares one batch`() {
        var batches: [Int] = []
        table(people).deliver(delivery([Frames.event(1), Frames.event(2)])) { batch, _ in
            batches.append(batch.frames.count)
        }
        #expect(batches == [2, 2, 2, 2, 2])
    }

    @Test func `what is not logged reaches every socket`() {
        let members = [RoomTable.Member(identity: nil, isStaff: false, position: .max - 1)]
        let entry = LiveDelivery.Entry(position: .max, audience: .everyone, frame: SharedFrame([1]))
        var count = 0
        let delivery = LiveDelivery(parts: [.init(room: Frames.room, entries: [entry])], barrier: nil)
        table(members).deliver(delivery) { _, _ in count += 1 }
        #expect(count == 1)
    }

    @Test func `a whole tenant hears what is for the tenant, and no other`() throws {
        var table = RoomTable()
        table.add(ConnectionID(0, 0), people[0], to: RoomKey(tenant: "demo", page: "p2"))
        table.add(ConnectionID(0, 1), people[0], to: RoomKey(tenant: "demo2", page: "p"))
        table.add(ConnectionID(0, 2), people[1], to: Frames.room)
        let event = Frames.event(CommittedEvent.unlogged, RoomKey(tenant: "demo"))
        let part = LiveDelivery.RoomPart(
            room: event.room, entries: [.init(position: event.position, audience: .everyone, frame: SharedFrame([1]))])
        var slots: Set<UInt32> = []
        table.deliver(LiveDelivery(parts: [part], barrier: nil)) { _, id in slots.insert(id.slot) }
        #expect(slots == [0, 2])
    }

    @Test func `what is for a person goes to the sockets named, if they are still there`() throws {
        let room = RoomKey(tenant: "demo", person: "demo:a")
        let part = LiveDelivery.RoomPart(
            room: room, entries: [.init(position: .max, audience: .everyone, frame: SharedFrame([1]))]
        )
        .part(for: [ConnectionID(0, 0), ConnectionID(0, 77)])
        var slots: [UInt32] = []
        table(people).deliver(LiveDelivery(parts: [part], barrier: nil)) { _, id in slots.append(id.slot) }
        #expect(slots == [0])
    }

    @Test func `an event that is not logged hides no logged one`() throws {
        let members = [RoomTable.Member(identity: nil, isStaff: false, position: 8)]
        let events = [Frames.event(CommittedEvent.unlogged), Frames.event(8), Frames.event(9)]
        #expect(try received(table(members), delivery(events)) == [0: [CommittedEvent.unlogged, 9]])
    }

    @Test func `other rooms hear nothing`() throws {
        var table = RoomTable()
        table.add(ConnectionID(0, 0), people[0], to: RoomKey(tenant: "demo", page: "p2"))
        table.add(ConnectionID(0, 1), people[0], to: RoomKey(tenant: "demo2", page: "p"))
        #expect(try received(table, delivery([Frames.event(1)])).isEmpty)
    }

    @Test func `removing tells the room once`() {
        var table = table(people)
        #expect(table.remove(ConnectionID(0, 1)) == Frames.room)
        #expect(table.remove(ConnectionID(0, 1)) == nil)
        #expect(table.remove(ConnectionID(loop: 0, slot: 0, generation: 2)) == nil)
        #expect(table.remove(ConnectionID(1, 0)) == nil)
    }

    @Test(arguments: 1...20)
    func `random comings and goings leave exactly those who stayed`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var table = RoomTable()
        var present: [UInt32: Int64] = [:]
        for step in 0..<300 {
            if present.isEmpty || !random.once(in: 2) {
                let position = Int64(random.below(3))
                table.add(
                    ConnectionID(0, step), .init(identity: nil, isStaff: false, position: position), to: Frames.room)
                present[UInt32(step)] = position
            } else {
                let slot = random.pick(present.keys.sorted())
                present[slot] = nil
                try #require(table.remove(ConnectionID(0, Int(slot))) == Frames.room)
            }
            guard step % 10 == 0 else { continue }
            let expected = present.filter { $0.value < 2 }.mapValues { _ in [Int64(2)] }
            try #require(try received(table, delivery([Frames.event(2)])) == expected)
        }
    }
}

@Suite struct AudienceTests {
    @Test func `everybody hears exactly one of the two sides of a hidden comment`() {
        for identity in ["demo:a", "demo:b", nil] {
            for isStaff in [true, false] {
                let sides = [Audience.author(identity: "demo:a"), .others(identity: "demo:a")]
                #expect(sides.count { $0.includes(identity: identity, isStaff: isStaff) } == 1)
            }
        }
    }
}

@Suite struct DeliveryBarrierTests {
    @Test(arguments: [1, 2, 7])
    func `the last party to let go releases, once`(parties: Int) {
        let released = Tally()
        var held = [DeliveryBarrier](repeating: DeliveryBarrier { released.add() }, count: parties)
        while held.count > 1 { held.removeLast() }
        #expect(released.value == 0)
        held.removeLast()
        #expect(released.value == 1)
    }

    @Test func `parties may let go on any thread`() async {
        let released = Tally()
        await withTaskGroup { group in
            let barrier = DeliveryBarrier { released.add() }
            for _ in 0..<200 { group.addTask { withExtendedLifetime(barrier) {} } }
        }
        #expect(released.value == 1)
    }
}
