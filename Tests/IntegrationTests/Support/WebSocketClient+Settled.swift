import Bytes
import Crypto
import JSON
import TestSupport
import WebSocket

extension WebSocketClient {
    /// Every event that the server had sent when it answers a Ping: with the frames of a change queued before its
    /// answer, all events of all changes that were answered.
    /// - Parameter presence: whether what comes when it likes is wanted too: who is here, and the bell.
    func settled(presence: Bool = false, by deadline: Deadline = .usual) throws -> [JSONValue] {
        let mark = SecureRandom.bytes(8)
        try ping(mark)
        var events: [JSONValue] = []
        while true {
            let event: MessageEvent = try next(by: deadline)
            switch event {
            case .text(let bytes):
                let event = try JSONValue.parse(bytes)
                if presence || !event.comesWhenItLikes { events.append(event) }
            case .pong(let payload) where payload == mark:
                return events
            case .ping, .pong: continue
            default: throw ConnectionFault.unexpected("\(event)")
            }
        }
    }

    /// The events that can be read without waiting.
    func atHand() throws -> [JSONValue] {
        var events: [JSONValue] = []
        while true {
            do {
                guard case .text(let bytes) = try next(by: Deadline(.zero)) else { continue }
                let event = try JSONValue.parse(bytes)
                if !event.comesWhenItLikes { events.append(event) }
            } catch ConnectionFault.timedOut {
                return events
            }
        }
    }

    /// The next presence event for which a condition holds, and those before it.
    func presence(
        by deadline: Deadline = .usual, through isLast: (JSONValue) -> Bool
    ) throws -> [JSONValue] {
        try events(by: deadline) { $0.type == "p-u" && isLast($0) }.filter { $0.type == "p-u" }
    }
}

extension JSONValue {
    fileprivate var comesWhenItLikes: Bool { ["p-u", "notification", "notification-update"].contains(type) }
}
