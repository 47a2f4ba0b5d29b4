import Testing

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct BodyTests {
    private func post(_ body: String, _ headers: String) -> String {
        "POST /echo HTTP/1.1\r\nhost: test\r\n\(headers)\r\n\(body)"
    }

    @Test func aBodyOfTheLimitPassesAndOneByteMoreIsRefused() throws {
        let server = try TestServer()
        let body = String(repeating: "x", count: 1000)
        #expect(try exchange(server, post(body, "content-length: 1000\r\n")).text == body)
        let refused = try exchange(server, post(body + "x", "content-length: 1001\r\n"))
        #expect(refused.status == 413)
        #expect(refused["connection"] == "close")
    }

    @Test func aChunkedBodyOfTheLimitPassesAndOneByteMoreIsRefused() throws {
        let server = try TestServer()
        let half = String(repeating: "y", count: 500)
        let fits = "1f4\r\n\(half)\r\n1f4;note=x\r\n\(half)\r\n0\r\ntrailer: z\r\n\r\n"
        #expect(try exchange(server, post(fits, "transfer-encoding: chunked\r\n")).text == half + half)
        let exceeds = "1f4\r\n\(half)\r\n1f5\r\n\(half)y\r\n0\r\n\r\n"
        #expect(try exchange(server, post(exceeds, "transfer-encoding: chunked\r\n")).status == 413)
    }

    @Test func aStreamIsSentInChunks() throws {
        let server = try TestServer()
        let client = try server.connect()
        let response = try client.get("/stream")
        #expect(response["transfer-encoding"] == "chunked")
        #expect(response.text == "onetwothree")
        #expect(try client.get("/hello").text == "hello")
    }

    @Test func anHTTP10ClientGetsAStreamUntilTheConnectionCloses() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /stream HTTP/1.0\r\nconnection: keep-alive\r\n\r\n")
        let response = try client.readResponse()
        #expect(response["transfer-encoding"] == nil)
        #expect(response["connection"] == "close")
        #expect(response.text == "onetwothree")
    }

    @Test func aFileIsSentWithItsLength() throws {
        let server = try TestServer()
        let client = try server.connect()
        for _ in 0..<2 {
            let response = try client.get("/file")
            #expect(response["content-length"] == "11" && response["transfer-encoding"] == nil)
            #expect(response.text == "onetwothree")
            server.wait(for: .finished(path: "/file", status: 200, bytes: 11))
        }
        try client.send("HEAD /file HTTP/1.1\r\nhost: test\r\n\r\nGET /hello HTTP/1.1\r\nhost: test\r\n\r\n")
        #expect(try client.readResponse(toHead: true)["content-length"] == "11")
        #expect(try client.readResponse().text == "hello")
    }

    @Test func aFileThatEndsTooSoonEndsTheConnection() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /short HTTP/1.1\r\nhost: test\r\n\r\n")
        server.wait(for: .finished(path: "/short", status: 200, bytes: 6))
        #expect(throws: (any Error).self) { try client.readResponse() }
    }

    @Test func aLeasedBodyTakesWhatItHoldsAndGivesItBack() throws {
        let server = try TestServer()
        let post = { (count: Int) in
            "POST /leased HTTP/1.1\r\nhost: test\r\ncontent-length: \(count)\r\n\r\n"
                + String(repeating: "x", count: count)
        }
        #expect(try exchange(server, post(500)).text == "500")
        server.wait(for: .lease(500))
        let refused = try exchange(server, post(501))
        #expect(refused.status == 503 && refused["connection"] == "close")
        server.wait { if case .lease = $0 { true } else { false } }
    }

    @Test func aClientThatGoesAwayGivesItsLeaseBack() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("POST /leased HTTP/1.1\r\nhost: test\r\ncontent-length: 400\r\n\r\nxxx")
        client.close()
        server.wait { if case .lease = $0 { true } else { false } }
    }

    @Test func aStreamIsOnlyPulledAsTheClientReads() throws {
        let server = try TestServer { $0.sendBufferBytes = 16 * 1024 }
        let client = try server.connect(receiveBuffer: 16 * 1024)
        try client.send("GET /endless HTTP/1.1\r\nhost: test\r\n\r\n")
        server.wait(for: .pulled(10_000))
        #expect(try server.connect().get("/hello").status == 200)
        server.wait(for: .finished(path: "/hello", status: 200, bytes: 5))
        #expect(server.seenCount == 0)
        client.close()
        server.wait { if case .finished(path: "/endless", status: 200, _) = $0 { true } else { false } }
    }

    @Test func theClientIsToldToContinueOnlyOnceItsRequestIsAdmitted() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(post("", "content-length: 3\r\nexpect: 100-continue\r\n"))
        #expect(try client.readResponse().status == 100)
        try client.send("abc")
        #expect(try client.readResponse().text == "abc")
    }

    @Test(arguments: [
        ("/echo", "content-length: 1001\r\n", 413), ("/refused", "content-length: 3\r\n", 403),
        ("/refused", "transfer-encoding: chunked\r\n", 403),
    ])
    func aRefusedRequestIsNotToldToContinue(_ path: String, _ framing: String, _ status: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("POST \(path) HTTP/1.1\r\nhost: test\r\nexpect: 100-continue\r\n\(framing)\r\n")
        let response = try client.readResponse()
        #expect(response.status == status)
        #expect(response["connection"] == "close")
        #expect(try client.readToEnd() == [])
    }

    @Test func continueWaitsForTheAnswersBeforeIt() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /first HTTP/1.1\r\nhost: test\r\n\r\n")
        try client.send(post("", "content-length: 3\r\nexpect: 100-continue\r\n"))
        server.wait(for: .waiting(path: "/first"))
        server.complete("/first", with: "first")
        #expect(try client.readResponse().text == "first")
        #expect(try client.readResponse().status == 100)
        try client.send("abc")
        #expect(try client.readResponse().text == "abc")
    }

    @Test func aRefusedRequestWithoutBodyKeepsTheConnection() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(try client.get("/refused").status == 403)
        #expect(try client.get("/hello").text == "hello")
    }

    @Test func aRefusedUploadCanReadItsAnswerThoughItGoesOnSending() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("POST /refused HTTP/1.1\r\nhost: test\r\ncontent-length: 1000000\r\n\r\n")
        try client.send([UInt8](repeating: 0, count: 1_000_000))
        #expect(try client.readResponse().status == 403)
    }

    private func exchange(_ server: TestServer, _ request: String) throws -> ClientResponse {
        let client = try server.connect()
        try client.send(request)
        return try client.readResponse()
    }
}
