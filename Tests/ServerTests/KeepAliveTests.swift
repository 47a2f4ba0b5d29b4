import Testing

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct KeepAliveTests {
    @Test func manyRequestsShareAConnection() throws {
        let server = try TestServer()
        let client = try server.connect()
        for _ in 0..<100 {
            let response = try client.get("/hello")
            #expect(response.status == 200)
            #expect(response.text == "hello")
            #expect(response["connection"] == nil)
            #expect(response["content-length"] == "5")
            #expect(response["date"]?.hasSuffix(" GMT") == true)
        }
        #expect(server.server.connectionCount == 1)
    }

    @Test(arguments: [
        ("HTTP/1.1\r\nconnection: close", "close"), ("HTTP/1.0", "close"),
    ])
    func aClientThatIsDoneIsClosedAfterItsAnswer(_ rest: String, _ connection: String) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /hello \(rest)\r\nhost: test\r\n\r\nGET /hello HTTP/1.1\r\nhost: test\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.text == "hello")
        #expect(response["connection"] == connection)
        #expect(try client.readToEnd() == [])
    }

    @Test func anHTTP10ClientMayKeepTheConnection() throws {
        let server = try TestServer()
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send("GET /hello HTTP/1.0\r\nconnection: keep-alive\r\n\r\n")
            let response = try client.readResponse()
            #expect(response["connection"] == "keep-alive")
            #expect(response.text == "hello")
        }
    }

    @Test func theApplicationCanEndTheConnection() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(try client.get("/closing")["connection"] == "close")
        #expect(try client.readToEnd() == [])
    }

    @Test func headHasTheHeadersOfGetAndNoBody() throws {
        let server = try TestServer()
        let client = try server.connect()
        for path in ["/hello", "/stream"] {
            try client.send("HEAD \(path) HTTP/1.1\r\nhost: test\r\n\r\n")
            let response = try client.readResponse(toHead: true)
            #expect(response.status == 200)
            #expect(path == "/stream" || response["content-length"] == "5")
        }
        #expect(try client.get("/hello").text == "hello")
    }

    @Test func anAnswerWithoutContentHasNoLength() throws {
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.get("/nothing")
        #expect(response.status == 204)
        #expect(response["content-length"] == nil)
        #expect(try client.get("/hello").text == "hello")
    }

    @Test func anIdleConnectionIsClosedWithoutAWord() throws {
        let server = try TestServer { $0.timeouts.idle = 500 }
        let client = try server.connect()
        #expect(try client.get("/hello").status == 200)
        #expect(try client.readToEnd() == [])
        server.waitForConnections(0)
    }

    @Test func theApplicationKnowsWhoAsks() throws {
        let server = try TestServer { $0.host = "::" }
        #expect(try server.connect().get("/peer").text == "127.0.0.1 false")
    }

    @Test func everyExchangeIsRecorded() throws {
        let server = try TestServer()
        let client = try server.connect()
        _ = try client.get("/hello?x=1")
        server.wait(for: .finished(path: "/hello", status: 200, bytes: 5))
        _ = try client.get("/stream")
        server.wait(for: .finished(path: "/stream", status: 200, bytes: 11))
        try client.send("nonsense\r\n\r\n")
        _ = try client.readResponse()
        server.wait { if case .finished(path: "", status: 400, _) = $0 { true } else { false } }
    }
}
