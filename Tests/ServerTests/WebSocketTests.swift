import HTTP1
import Testing
import WebSocket

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct WebSocketTests {
    @Test func textIsEchoedAndTheHandshakeCarriesTheApplicationsHeaders() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(try client.upgrade()["sec-websocket-protocol"] == "test")
        let id = try server.waitForSocket()
        try client.send(text: "grüße")
        #expect(try client.readText() == "grüße")
        try client.sendClose(1000)
        #expect(try client.readClose() == 1000)
        #expect(try client.readToEnd() == [])
        server.wait(for: .closed(id))
        client.close()
        server.waitForConnections(0)
        #expect(server.seenCount == 0)
    }

    @Test func framesSentWithTheHandshakeAreNotLost() throws {
        let server = try TestServer()
        let client = try server.connect()
        let frames = FrameEncoder.text([0x61], mask: Client.mask) + FrameEncoder.text([0x62], mask: Client.mask)
        try client.send([UInt8]("GET /ws HTTP/1.1\r\nhost: test\r\n\(Client.webSocketHeaders)\r\n".utf8) + frames)
        #expect(try client.readResponse().status == 101)
        #expect(try client.readText() == "a")
        #expect(try client.readText() == "b")
    }

    @Test func anUpgradeWaitsForTheAnswersBeforeItAndForTheApplication() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(
            "GET /first HTTP/1.1\r\nhost: test\r\n\r\nGET /ask HTTP/1.1\r\nhost: test\r\n\(Client.webSocketHeaders)\r\n"
        )
        try client.send(text: "early")
        server.wait(for: .waiting(path: "/ask"))
        server.post(.upgrade(path: "/ask"))
        server.complete("/first", with: "first")
        #expect(try client.readResponse().text == "first")
        #expect(try client.readResponse().status == 101)
        #expect(try client.readText() == "early")
    }

    @Test func anUpgradeCanBeAnsweredLikeAnyRequest() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /ask HTTP/1.1\r\nhost: test\r\n\(Client.webSocketHeaders)\r\n")
        server.wait(for: .waiting(path: "/ask"))
        server.post(.complete(path: "/ask", Response(status: 401)))
        #expect(try client.readResponse().status == 401)
        #expect(try client.readToEnd() == [])
    }

    @Test func aSilentPeerIsPingedTwiceAndThenClosed() throws {
        let server = try TestServer { $0.timeouts.ping = 20 }
        let client = try server.connect()
        try client.upgrade()
        let id = try server.waitForSocket()
        #expect(try client.readFrame().opcode == .ping)
        #expect(try client.readFrame().opcode == .ping)
        #expect(try client.readClose() == 1001)
        server.wait(for: .closed(id))
    }

    @Test func aPeerThatAnswersPingsIsKept() throws {
        let server = try TestServer { $0.timeouts.ping = 150 }
        let client = try server.connect()
        try client.upgrade()
        for _ in 0..<4 {
            let ping = try client.readFrame()
            #expect(ping.opcode == .ping)
            try client.send(.pong, ping.payload)
        }
        try client.send(text: "still here")
        var next = try client.readFrame()
        while next.opcode == .ping { next = try client.readFrame() }
        #expect(next.payload == [UInt8]("still here".utf8))
    }

    @Test func theApplicationCanClose() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.upgrade()
        let id = try server.waitForSocket()
        server.post(.close(code: 4001))
        server.post(.send(FrameBatch(FrameEncoder.text([0x78]))))
        #expect(try client.readFrame().opcode == .close)
        server.wait(for: .closed(id))
        try client.send(text: "too late")
        try client.sendClose(4001)
        #expect(try client.readToEnd() == [])
        #expect(server.seenCount == 0)
    }

    @Test func aPeerThatNeverAnswersOurCloseIsHungUpOn() throws {
        let server = try TestServer { $0.timeouts.close = 30 }
        let client = try server.connect()
        try client.upgrade()
        try server.waitForSocket()
        server.post(.close(code: 4001))
        #expect(try client.readClose() == 4001)
        server.waitForConnections(0)
    }

    @Test func aVanishedPeerIsReportedOnce() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.upgrade()
        let id = try server.waitForSocket()
        client.close()
        server.wait(for: .closed(id))
        server.waitForConnections(0)
        #expect(server.seenCount == 0)
    }
}
