import Testing

@testable import Server

/// RFC 6455, section 4.2.
@Suite(.timeLimit(.minutes(1))) struct SocketHandshakeTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var request: String
        var status: Int

        /// - Parameter changes: headers that stand for others, or are left out when nil.
        init(
            _ name: String, _ line: String = "GET /ws HTTP/1.1", changes: [String: String?] = [:], more: String = "",
            status: Int
        ) {
            testDescription = name
            var headers: [String: String?] = [
                "host": "a", "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13",
                "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
            ]
            headers.merge(changes) { _, new in new }
            let lines = headers.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.sorted()
            request = "\(line)\r\n\(lines.joined())\(more)\r\n"
            self.status = status
        }
    }

    static let rows = [
        Row("as usual", status: 101),
        Row("other letters", changes: ["upgrade": "WebSocket", "connection": "keep-alive, upgrade"], status: 101),
        Row("several protocols to upgrade to", changes: ["upgrade": "h2c, websocket"], status: 101),
        Row("an unknown extension", changes: ["sec-websocket-extensions": "x-odd; a=1"], status: 101),
        Row("version 12", changes: ["sec-websocket-version": "12"], status: 426),
        Row("version 14", changes: ["sec-websocket-version": "14"], status: 426),
        Row("version 013", changes: ["sec-websocket-version": "013"], status: 426),
        Row("no version", changes: ["sec-websocket-version": nil], status: 426),
        Row("two versions", more: "sec-websocket-version: 13\r\n", status: 426),
        Row("no key", changes: ["sec-websocket-key": nil], status: 400),
        Row("an empty key", changes: ["sec-websocket-key": ""], status: 400),
        Row("a short key", changes: ["sec-websocket-key": "dGhlIHNhbXBsZSBub25j"], status: 400),
        Row("a long key", changes: ["sec-websocket-key": "dGhlIHNhbXBsZSBub25jZSE="], status: 400),
        Row("a key that is no base 64", changes: ["sec-websocket-key": "*GhlIHNhbXBsZSBub25jZQ=="], status: 400),
        Row("two keys", more: "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n", status: 400),
        Row("no upgrade", changes: ["upgrade": nil], status: 426),
        Row("another upgrade", changes: ["upgrade": "h2c"], status: 426),
        Row("no connection", changes: ["connection": nil], status: 426),
        Row("another connection", changes: ["connection": "close"], status: 426),
        Row("no host", changes: ["host": nil], status: 400),
        Row("POST", "POST /ws HTTP/1.1", status: 400), Row("HEAD", "HEAD /ws HTTP/1.1", status: 400),
        Row("HTTP/1.0", "GET /ws HTTP/1.0", status: 426), Row("HTTP/2.0", "GET /ws HTTP/2.0", status: 505),
    ]

    @Test(arguments: rows)
    func aHandshakeSucceedsOrIsRefused(_ row: Row) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(row.request)
        let response = try client.readResponse(toHead: row.request.hasPrefix("HEAD"))
        #expect(response.status == row.status)
        if response.status == 101 {
            #expect(response["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(response["sec-websocket-extensions"] == nil)
            try client.send(text: "hello")
            #expect(try client.readText() == "hello")
        } else {
            #expect(response["sec-websocket-accept"] == nil)
            client.close()
            server.waitForConnections(0)
            server.wait { if case .finished = $0 { true } else { false } }
            #expect(server.seenCount == 0)
        }
    }

    @Test func whoeverSpeaksAnotherVersionIsToldTheRightOne() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(Row("version 8", changes: ["sec-websocket-version": "8"], status: 426).request)
        #expect(try client.readResponse()["sec-websocket-version"] == "13")
    }
}
