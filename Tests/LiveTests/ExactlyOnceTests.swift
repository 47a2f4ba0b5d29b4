import Server
import Storage
import Synchronization
import Testing

@testable import Live
@testable import Server

/// Several loops, sockets that come and go, and a writer that publishes: every socket gets each event after its place in
/// the log once and in order, and what is before it stands in the log.
@Suite struct ExactlyOnceTests {
    private static let loops = 3
    private static let lastEvent: Int64 = 600

    /// A loop as the server runs it: all its work is done on one thread, one step at a time.
    private struct Loop {
        let number: Int
        let hub: Hub
        let inboxes: Inboxes
        var random: SeededGenerator
        var table = RoomTable()
        var open: [ConnectionID: (start: Int64, got: [Int64])] = [:]
        var opened = 0
        /// Whether each socket that closed got a run of events without gaps from its start on.
        var areRunsWhole = true

        init(_ number: Int, _ hub: Hub, _ inboxes: Inboxes, seed: UInt64) {
            self.number = number
            self.hub = hub
            self.inboxes = inboxes
            random = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
        }

        mutating func step() {
            switch random.below(4) {
            case 0:
                opened += 1
                let socket = ConnectionID(number, opened)
                let start = hub.join(socket, room: Frames.room, identity: nil, token: "", at: 0)
                table.add(socket, .init(identity: nil, isStaff: false, position: start), to: Frames.room)
                open[socket] = (start, [])
            case 1:
                guard open.count > 3, let socket = open.keys.randomElement(using: &random) else { return }
                close(socket)
            default: deliver()
            }
        }

        mutating func deliver() {
            for delivery in inboxes.take(number) {
                let numbers = delivery.parts.flatMap(\.entries).map(\.position)
                table.deliver(delivery) { batch, socket in
                    // Only ends of a delivery can be missing, for all of them are for everyone.
                    open[socket]?.got += numbers.suffix(batch.frames.count)
                }
            }
        }

        mutating func close(_ socket: ConnectionID) {
            hub.leave(socket, at: 0)
            table.remove(socket)
            guard let (start, got) = open.removeValue(forKey: socket) else { return }
            areRunsWhole = areRunsWhole && got == Array((start + 1)..<(start + 1 + Int64(got.count)))
        }

        /// After the last event: what is open has everything up to it.
        mutating func finish() -> Bool {
            deliver()
            let isComplete = open.values.allSatisfy {
                $0.got == Array(($0.start + 1)..<(ExactlyOnceTests.lastEvent + 1))
            }
            for socket in open.keys { close(socket) }
            return isComplete && areRunsWhole
        }
    }

    private static func batches(_ random: inout SeededGenerator) -> [[CommittedEvent]] {
        var batches: [[CommittedEvent]] = []
        var position: Int64 = 1
        while position <= lastEvent {
            let end = min(lastEvent, position + Int64(random.below(4)))
            batches.append((position...end).map { Frames.event($0) })
            position = end + 1
        }
        return batches
    }

    @Test(arguments: 1...20)
    func `in any order of steps`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let inboxes = Inboxes()
        let hub = Hub(position: 0) { inboxes.put($0, $1) }
        var loops = (0..<Self.loops).map { Loop($0, hub, inboxes, seed: seed) }
        let released = Tally()
        let batches = Self.batches(&random)
        for batch in batches {
            for _ in 0..<random.below(12) { loops[random.below(Self.loops)].step() }
            hub.publish(batch) { released.add() }
        }
        let areWhole = loops.indices.map { loops[$0].finish() }
        #expect(areWhole == [true, true, true])
        #expect(released.value == batches.count)
        #expect(hub.socketCount == 0)
    }

    @Test(arguments: 1...4)
    func `on threads of their own`(seed: UInt64) async {
        let inboxes = Inboxes()
        let hub = Hub(position: 0) { inboxes.put($0, $1) }
        let released = Tally()
        let published = Tally()
        var random = SeededGenerator(seed: seed)
        let batches = Self.batches(&random)
        let areWhole = await withTaskGroup { group in
            group.addTask {
                for batch in batches {
                    hub.publish(batch) { released.add() }
                    await Task.yield()
                }
                published.add()
                return true
            }
            for number in 0..<Self.loops {
                group.addTask {
                    var loop = Loop(number, hub, inboxes, seed: seed)
                    while published.value == 0 {
                        loop.step()
                        await Task.yield()
                    }
                    return loop.finish()
                }
            }
            return await group.allSatisfy(\.self)
        }
        #expect(areWhole)
        #expect(released.value == batches.count)
    }
}
