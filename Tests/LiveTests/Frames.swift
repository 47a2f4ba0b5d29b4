import JSON
import Server
import Storage
import Synchronization
import Testing
import WebSocket

@testable import Live

/// What the tests send and how they read it.
enum Frames {
    struct Unreadable: Error {
        var message: MessageEvent
    }

    static let room = RoomKey(tenant: "demo", page: "p")

    /// The JSON object in a server's text frame.
    static func object(_ frame: [UInt8]) throws -> JSONObject {
        var assembler = MessageAssembler(role: .client)
        var position = 0
        let message = assembler.next(frame.span, &position)
        guard case .text(let text) = message, position == frame.count else {
            throw Unreadable(message: message)
        }
        return try #require(try JSONValue.parse(text).object)
    }

    static func event(
        _ position: Int64, _ room: RoomKey = room, _ audience: Audience = .everyone
    ) -> CommittedEvent {
        CommittedEvent(
            position: position, room: room, stamp: position &* 2, publishedAt: 0, audience: audience, broadcastID: "",
            id: "\(position)", data: Array(#"{"n":\#(position)}"#.utf8))
    }

    /// The `n` of each frame made by `event`.
    static func numbers(_ frames: [[UInt8]]) throws -> [Int64] {
        try frames.map { try #require(try object($0)["n"]?.integer) }
    }
}

/// Counts on any thread.
final class Tally: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .acquiring) }
    func add() { count.add(1, ordering: .acquiringAndReleasing) }
}

/// What a hub hands to its loops.
final class Inboxes: Sendable {
    private let deliveries: Mutex<[Int: [LiveDelivery]]> = Mutex([:])

    func put(_ loop: Int, _ delivery: LiveDelivery) {
        deliveries.withLock { $0[loop, default: []].append(delivery) }
    }

    /// Everything for a loop since the last call.
    func take(_ loop: Int) -> [LiveDelivery] {
        deliveries.withLock { $0.removeValue(forKey: loop) ?? [] }
    }

    /// Loops for which something is waiting.
    var loops: [Int] { deliveries.withLock { $0.keys.sorted() } }
}

extension ConnectionID {
    init(_ loop: Int, _ slot: Int) { self.init(loop: UInt16(loop), slot: UInt32(slot), generation: 1) }
}
