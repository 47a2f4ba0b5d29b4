import JSON
import Server
import Storage
import Testing

@testable import Live
@testable import Server

@Suite struct HubTests {
    private let inboxes = Inboxes()
    private let hub: Hub
    private let room = Frames.room
    private let other = RoomKey(tenant: "demo", page: "p2")

    init() {
        let inboxes = inboxes
        hub = Hub(position: 10) { inboxes.put($0, $1) }
    }

    @discardableResult
    private func join(
        _ loop: Int, _ slot: Int, _ room: RoomKey? = nil, identity: String? = nil, token: String = "", at now: Int64 = 0
    ) -> Int64 {
        hub.join(ConnectionID(loop, slot), room: room ?? self.room, identity: identity, token: token, at: now)
    }

    private func publish(_ events: CommittedEvent...) -> Tally {
        let released = Tally()
        hub.publish(events) { released.add() }
        return released
    }

    // MARK: Publishing

    @Test func `each loop with the room gets the events once and the last one releases`() throws {
        join(0, 1)
        join(0, 2)
        join(1, 1)
        join(2, 1, other)
        let released = publish(Frames.event(11), Frames.event(12))
        #expect(inboxes.loops == [0, 1])
        for loop in [0, 1] {
            #expect(released.value == 0)
            let deliveries = inboxes.take(loop)
            #expect(deliveries.count == 1)
            let part = try #require(deliveries.first?.parts.first)
            #expect(try Frames.numbers(part.entries.map(\.frame.plain)) == [11, 12])
            #expect(part.lowestPosition == 11)
        }
        #expect(released.value == 1)
    }

    @Test func `a loop gets the parts of its rooms only`() throws {
        join(0, 1)
        join(1, 1, other)
        join(2, 1)
        join(2, 2, other)
        _ = publish(Frames.event(11), Frames.event(12, other), Frames.event(13))
        let rooms = [0, 1, 2].map {
            inboxes.take($0).flatMap(\.parts).map { [$0.room.page] + $0.entries.map { "\($0.position)" } }
        }
        #expect(rooms == [[["p", "11", "13"]], [["p2", "12"]], [["p", "11", "13"], ["p2", "12"]]])
    }

    @Test func `with nobody there the release comes at once`() {
        #expect(publish().value == 1)
        #expect(publish(Frames.event(11)).value == 1)
        join(0, 1)
        hub.leave(ConnectionID(0, 1), at: 1)
        #expect(publish(Frames.event(12)).value == 1)
        #expect(inboxes.loops.isEmpty)
    }

    @Test func `a loop hears of a room until its last socket there is closed`() {
        join(0, 1)
        join(0, 2)
        hub.leave(ConnectionID(0, 1), at: 1)
        hub.leave(ConnectionID(0, 1), at: 1)
        _ = publish(Frames.event(11))
        #expect(inboxes.take(0).count == 1)
        hub.leave(ConnectionID(0, 2), at: 2)
        _ = publish(Frames.event(12))
        #expect(inboxes.take(0).isEmpty)
    }

    // MARK: Places in the log

    @Test func `a socket starts at the last event whose receivers were decided`() {
        #expect(join(0, 1) == 10)
        _ = publish(Frames.event(11, other), Frames.event(12, other))
        #expect(join(0, 2) == 12)
        _ = publish(Frames.event(11))
        #expect(join(0, 3) == 12)
    }

    @Test func `the watermark is the place of the newest socket of the client`() {
        join(0, 1, token: "t")
        #expect(hub.watermark(room: room, identity: nil, token: "t") == 10)
        _ = publish(Frames.event(15))
        #expect(hub.watermark(room: room, identity: nil, token: "t") == 10)
        join(1, 1, token: "t")
        join(1, 2, token: "u")
        #expect(hub.watermark(room: room, identity: nil, token: "t") == 15)
        #expect(hub.watermark(room: other, identity: nil, token: "t") == nil)
        #expect(hub.watermark(room: room, identity: nil, token: "v") == nil)
        join(2, 1, token: "")
        #expect(hub.watermark(room: room, identity: nil, token: "") == nil)
        hub.leave(ConnectionID(1, 1), at: 0)
        #expect(hub.watermark(room: room, identity: nil, token: "t") == 10)
        hub.leave(ConnectionID(0, 1), at: 0)
        #expect(hub.watermark(room: room, identity: nil, token: "t") == nil)
    }

    @Test func `somebody proven is found by the identity, not by the token`() {
        join(0, 1, identity: "demo:a", token: "t")
        #expect(hub.watermark(room: room, identity: "demo:a", token: "t") == 10)
        #expect(hub.watermark(room: room, identity: nil, token: "t") == nil)
        #expect(hub.watermark(room: room, identity: nil, token: "demo:a") == nil)
    }

    // MARK: Rooms that are no pages

    @Test func `what is for a person reaches all sockets of that person in the tenant`() throws {
        join(0, 1, identity: "demo:a")
        join(0, 2, identity: "demo:b")
        join(0, 3, other, identity: "demo:a")
        join(1, 1, identity: "demo:a")
        join(2, 1, RoomKey(tenant: "demo2", page: "p"), identity: "demo:a")
        join(2, 2, token: "demo:a")
        let person = RoomKey(tenant: "demo", person: "demo:a")
        _ = publish(Frames.event(CommittedEvent.unlogged, person))
        let sockets = (0...2).map { loop in
            inboxes.take(loop).flatMap(\.parts).flatMap { $0.sockets ?? [] }.map(\.slot).sorted()
        }
        #expect(sockets == [[1, 3], [1], []])
    }

    @Test func `what is for a tenant reaches every loop with one of its sockets`() {
        join(0, 1)
        join(1, 1, other)
        join(2, 1, RoomKey(tenant: "demo2", page: "p"))
        _ = publish(Frames.event(CommittedEvent.unlogged, RoomKey(tenant: "demo")))
        #expect(inboxes.loops == [0, 1])
    }

    @Test func `what is not logged moves nobody's place in the log`() {
        _ = publish(Frames.event(11), Frames.event(CommittedEvent.unlogged))
        #expect(join(0, 1) == 11)
        _ = publish(Frames.event(CommittedEvent.unlogged))
        #expect(join(0, 2) == 11)
    }

    // MARK: Who is where

    @Test func `an identity leads to the room of its newest socket`() {
        join(0, 1, identity: "t")
        #expect(hub.room(of: "t", tenant: "demo") == room)
        for slot in 2..<12 {
            let newest = RoomKey(tenant: "demo", page: "p\(slot)")
            join(slot % 3, slot, newest, identity: "t")
            #expect(hub.room(of: "t", tenant: "demo") == newest)
        }
        #expect(hub.room(of: "t", tenant: "demo2") == nil)
        #expect(hub.room(of: "u", tenant: "demo") == nil)
        hub.leave(ConnectionID(2, 11), at: 0)
        #expect(hub.room(of: "t", tenant: "demo") == RoomKey(tenant: "demo", page: "p10"))
    }

    @Test func `presence is true from the moment the socket opens`() {
        join(0, 1, identity: "a")
        join(1, 1, identity: "a")
        join(1, 2)
        #expect(hub.online(["a", "b"], in: room) == [true, false])
        #expect(hub.online(["a"], in: other) == [false])
        #expect(hub.online([], in: room) == [])
        #expect(hub.socketCount(of: "a", in: room) == 2)
        #expect(hub.socketCount == 3)
        hub.leave(ConnectionID(0, 1), at: 0)
        #expect(hub.online(["a"], in: room) == [true])
        hub.leave(ConnectionID(1, 1), at: 0)
        #expect(hub.online(["a"], in: room) == [false])
        #expect(hub.socketCount(of: "a", in: room) == 0)
        #expect(hub.socketCount == 1)
    }

    // MARK: Announcements

    @Test func `who is there is told when it is due, to every loop of the room`() throws {
        #expect(hub.announcePresence(at: 0) == nil)
        join(0, 1, identity: "a", at: 100)
        join(1, 1, identity: "b", at: 200)
        join(2, 1, other, identity: "c", at: 340)
        #expect(hub.announcePresence(at: 349) == 1)
        #expect(inboxes.loops.isEmpty)
        #expect(hub.announcePresence(at: 350) == 240)
        #expect(inboxes.loops == [0, 1])
        let part = try #require(inboxes.take(0).first?.parts.first)
        let frame = try Frames.object(part.entries[0].frame.plain)
        #expect(frame["uj"] == .array([.string("a"), .string("b")]))
        #expect(part.entries.count == 1)
        #expect(part.lowestPosition == .max)
        #expect(inboxes.take(1).count == 1)
        #expect(hub.announcePresence(at: 590) == nil)
        #expect(inboxes.loops == [2])
    }

    @Test func `an empty room is forgotten after its grace`() {
        join(0, 1, identity: "a")
        hub.leave(ConnectionID(0, 1), at: 100)
        #expect(hub.announcePresence(at: 250) == 850)
        #expect(hub.announcePresence(at: 1100) == nil)
        #expect(inboxes.loops.isEmpty)
        join(0, 2, identity: "a", at: 2000)
        #expect(hub.announcePresence(at: 2250) == nil)
        #expect(inboxes.take(0).count == 1)
    }

    @Test func `an announcement that is overdue is never less than a millisecond away`() {
        join(0, 1, identity: "a", at: 0)
        #expect(hub.announcePresence(at: 249) == 1)
        hub.leave(ConnectionID(0, 1), at: 0)
        #expect(hub.announcePresence(at: 999) == 1)
    }
}
