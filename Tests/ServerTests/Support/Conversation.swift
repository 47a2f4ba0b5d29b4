import Testing
import WebSocket

@testable import Server

/// What a client sends on a socket that echoes, and all that must come back.
struct Conversation: CustomTestStringConvertible {
    enum Answer: Equatable {
        case text([UInt8])
        case binary([UInt8])
        case pong([UInt8])
        /// The last: the connection ends after it.
        case close(UInt16?)

        var isMessage: Bool {
            switch self {
            case .text, .binary: true
            case .pong, .close: false
            }
        }
    }

    var testDescription: String
    var bytes: [UInt8]
    var answers: [Answer]
    /// Pings are answered once all that came with them was looked at, so the order is that of the pieces.
    private var isOrdered = true

    init(_ name: String, _ bytes: [UInt8], _ answers: Answer...) {
        testDescription = name
        self.bytes = bytes
        self.answers = answers
    }

    /// The same, with answers in any order.
    var reordered: Conversation {
        var copy = self
        copy.isOrdered = false
        return copy
    }

    private var endsWithClose: Bool {
        if case .close? = answers.last { true } else { false }
    }

    /// Holds the conversation on a new connection.
    /// - Parameter pieceBytes: how much is sent at once.
    func hold(_ server: TestServer, pieceBytes: Int, headers: String = Client.webSocketHeaders) throws {
        let client = try server.connect()
        #expect(try client.get("/ws", headers).status == 101)
        let id = try server.waitForSocket()
        do {
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                try client.send(Array(bytes[start..<min(start + pieceBytes, bytes.count)]))
            }
        } catch  where endsWithClose {
            // The server may have hung up before the end.
        }
        var left = answers
        while !left.isEmpty {
            let answer = try Self.answer(client.readFrame())
            let place = try #require(isOrdered ? 0 : left.firstIndex(of: answer))
            #expect(answer == left.remove(at: place))
        }
        if endsWithClose {
            #expect(try client.readToEnd() == [])
        } else {
            // Whatever else came would come before this.
            try client.send(.ping, [UInt8]("the end".utf8))
            #expect(try Self.answer(client.readFrame()) == .pong([UInt8]("the end".utf8)))
        }
        client.close()
        var messages = 0
        server.wait { seen in
            switch seen {
            case .text, .binary: messages += 1
            default: break
            }
            return seen == .closed(id)
        }
        #expect(messages == answers.count(where: \.isMessage))
    }

    private static func answer(_ frame: (opcode: Opcode, payload: [UInt8])) throws -> Answer {
        switch frame.opcode {
        case .text: .text(frame.payload)
        case .binary: .binary(frame.payload)
        case .pong: .pong(frame.payload)
        case .close where frame.payload.isEmpty: .close(nil)
        case .close: .close(UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1]))
        case .ping, .continuation: throw Client.Failure(description: "an odd frame: \(frame)")
        }
    }
}

/// Lists conversations line by line, so that the compiler looks at each alone.
@resultBuilder enum Conversations {
    static func buildExpression(_ conversation: Conversation) -> [Conversation] { [conversation] }
    static func buildBlock(_ parts: [Conversation]...) -> [Conversation] { parts.flatMap(\.self) }
    static func buildArray(_ parts: [[Conversation]]) -> [Conversation] { parts.flatMap(\.self) }
}

/// A client's frame from its first byte on, also one that no encoder would write.
/// - Parameters:
///   - lengthBytes: 0, 2 or 8; nil is as short as possible.
///   - claims: another length than that of the payload.
func rawFrame(_ first: UInt8, _ payload: [UInt8] = [], lengthBytes: Int? = nil, claims: Int? = nil) -> [UInt8] {
    let length = claims ?? payload.count
    let size = lengthBytes ?? (length < 126 ? 0 : length < 65_536 ? 2 : 8)
    var bytes = [first, 0x80 | (size == 0 ? UInt8(length) : size == 2 ? 126 : 127)]
    for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: length >> (index * 8))) }
    bytes += Client.mask.bytes
    let start = bytes.count
    bytes += payload
    Client.mask.apply(to: &bytes, in: start..<bytes.count, offset: 0)
    return bytes
}
