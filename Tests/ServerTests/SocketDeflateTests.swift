import Compression
import Testing
import WebSocket

@testable import Server

/// RFC 7692 over a socket.
@Suite(.timeLimit(.minutes(1))) struct SocketDeflateTests {
    private static let offer = "sec-websocket-extensions: permessage-deflate; client_max_window_bits"

    private static let words = [UInt8](String(repeating: "somebody said something ", count: 30).utf8)

    private func connect(_ server: TestServer, _ offer: String = offer) throws -> Client {
        let client = try server.connect()
        let response = try client.get("/ws", "\(Client.webSocketHeaders)\(offer)\r\n")
        try #require(response.status == 101)
        let answer = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        #expect(response["sec-websocket-extensions"]?.hasPrefix(answer) == true)
        return client
    }

    private static func packed(_ plain: [UInt8]) throws -> [UInt8] { try #require(MessageDeflate.packed(plain[...])) }

    @Test func bothSidesSendPackedMessages() throws {
        let server = try TestServer()
        let client = try connect(server)
        try client.send(rawFrame(0xC1, try Self.packed(Self.words)))
        let frame = try client.readFrame(isPacked: true)
        #expect(frame.opcode == .text)
        #expect(frame.payload.count < Self.words.count / 5)
        #expect(try MessageDeflate.plain(frame.payload, limit: Self.words.count) == Self.words)
    }

    @Test func shortMessagesAndThoseThatDoNotShrinkArePlain() throws {
        let server = try TestServer { $0.socketMessageBytes = 5000 }
        let client = try connect(server)
        let short = [UInt8](repeating: 0x61, count: 199)
        try client.send(.text, short)
        #expect(try client.readFrame().payload == short)
        try client.send(.text, short + [0x61])
        #expect(try client.readFrame(isPacked: true).payload.count < 50)
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try client.send(.binary, noise)
        #expect(try client.readFrame().payload == noise)
    }

    @Test(arguments: [8, 9, 10]) func aSmallWindowGetsLongerMessagesPlain(_ bits: Int) throws {
        let server = try TestServer { $0.socketMessageBytes = 5000 }
        let client = try connect(
            server, "sec-websocket-extensions: permessage-deflate; server_max_window_bits=\(bits)")
        let text = [UInt8](repeating: 0x61, count: 1 << bits)
        try client.send(.text, text)
        #expect(try MessageDeflate.plain(client.readFrame(isPacked: true).payload, limit: 5000) == text)
        try client.send(.text, text + [0x61])
        #expect(try client.readFrame().payload == text + [0x61])
    }

    @Test func readersOfOneFrameGetItAsTheyAgreed() throws {
        let server = try TestServer()
        let clients = [try connect(server), try server.connect(), try connect(server)]
        try clients[1].upgrade()
        for _ in clients { try server.waitForSocket() }
        let frame = SharedFrame(FrameEncoder.text(Self.words))
        server.post(.send(FrameBatch([frame, SharedFrame(FrameEncoder.text([0x61])), frame])))
        for (index, client) in clients.enumerated() {
            for part in 0..<3 {
                let isPacked = index != 1 && part != 1
                let payload = try client.readFrame(isPacked: isPacked).payload
                let plain = isPacked ? try MessageDeflate.plain(payload, limit: 5000) : payload
                #expect(plain == (part == 1 ? [0x61] : Self.words))
            }
        }
    }

    @Test func aFrameIsPackedOnce() {
        let frame = SharedFrame(FrameEncoder.text(Self.words))
        let place = { frame.bytes(longestPacked: .max).withUnsafeBufferPointer { $0.baseAddress } }
        #expect(place() == place())
        #expect(frame.bytes(longestPacked: .max).count < frame.plain.count)
        #expect(frame.bytes(longestPacked: 0) == frame.plain)
    }

    @Test(arguments: [1, 3, .max]) func packedMessagesAreUnderstoodOrRefused(_ pieceBytes: Int) throws {
        let server = try TestServer()
        let headers = "\(Client.webSocketHeaders)\(Self.offer)\r\n"
        let hi = [UInt8]("hi".utf8)
        let packed = try Self.packed(hi)
        let atLimit = [UInt8](repeating: 0, count: 1024)
        for conversation in [
            Conversation("text", rawFrame(0xC1, packed), .text(hi)),
            Conversation("binary", rawFrame(0xC2, packed), .binary(hi)),
            Conversation("plain", rawFrame(0x81, hi) + rawFrame(0xC1, packed), .text(hi), .text(hi)),
            Conversation(
                "fragments",
                rawFrame(0x41, [packed[0]]) + rawFrame(0x89, [1]) + rawFrame(0x80, Array(packed.dropFirst())),
                .pong([1]), .text(hi)
            ).reordered,
            Conversation("empty", rawFrame(0xC1, [0]), .text([])),
            Conversation(
                "a bomb", rawFrame(0xC2, try Self.packed([UInt8](repeating: 0, count: 900_000))), .close(1009)),
            Conversation("past the limit", rawFrame(0xC2, try Self.packed(atLimit + [0])), .close(1009)),
            Conversation("no deflate", rawFrame(0xC1, [0xFF]), .close(1007)),
            Conversation("cut short", rawFrame(0xC1, [0xF2, 0x48]), .close(1007)),
            Conversation("no UTF-8", rawFrame(0xC1, try Self.packed([0xFF])), .close(1007)),
            Conversation("a packed ping", rawFrame(0xC9), .close(1002)),
            Conversation("a packed close", rawFrame(0xC8), .close(1002)),
            Conversation("a packed continuation", rawFrame(0x41, packed) + rawFrame(0xC0), .close(1002)),
            Conversation("the second reserved bit", rawFrame(0xA1), .close(1002)),
            Conversation("the third reserved bit", rawFrame(0x91), .close(1002)),
        ] {
            try conversation.hold(server, pieceBytes: pieceBytes, headers: headers)
        }
    }

    @Test func aMessageOfTheLimitPassesPacked() throws {
        let server = try TestServer()
        let client = try connect(server)
        let plain = [UInt8](repeating: 0, count: 1024)
        try client.send(rawFrame(0xC2, try Self.packed(plain)))
        #expect(try MessageDeflate.plain(client.readFrame(isPacked: true).payload, limit: 1024) == plain)
    }
}
