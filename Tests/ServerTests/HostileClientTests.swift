import HTTP1
import Testing

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct HostileClientTests {
    @Test(arguments: [
        (75_000, 0, 200), (80 * 1024, 0, 200), (80 * 1024 + 1, 0, 414), (100_000, 0, 414),
        (7, 96 * 1024, 200), (7, 96 * 1024 + 1, 431), (7, 100_000, 431),
    ])
    func aTargetOf80AndAHeadOf96KiBPassAndOneByteMoreDoesNot(_ target: Int, _ head: Int, _ status: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        let line = "GET /hello?\(String(repeating: "x", count: target - 7)) HTTP/1.1\r\nhost: a\r\n"
        let filling = max(head - line.utf8.count - 7, 0)
        try client.send("\(line)x: \(String(repeating: "x", count: filling))\r\n\r\n")
        #expect(try client.readResponse().status == status)
    }

    @Test func aFailureIsAnsweredAfterTheRequestsBeforeIt() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /slow HTTP/1.1\r\nhost: a\r\n\r\nnonsense\r\n\r\n")
        server.wait(for: .waiting(path: "/slow"))
        server.complete("/slow", with: "slow")
        #expect(try client.readResponse().text == "slow")
        #expect(try client.readResponse().status == 400)
        #expect(try client.readToEnd() == [])
    }

    @Test func aHeadThatTakesTooLongIsAnswered408() throws {
        let server = try TestServer { $0.timeouts.head = 30 }
        let client = try server.connect()
        try client.send("GET /hello HTTP/1.1\r\nhost: te")
        let response = try client.readResponse()
        #expect(response.status == 408)
        #expect(response["connection"] == "close")
        #expect(try client.readToEnd() == [])
    }

    @Test func aHeadTimeoutDoesNotWaitLongerForEachByte() throws {
        let server = try TestServer { $0.timeouts.head = 50 }
        let client = try server.connect()
        // Ends with an error when the server has closed: one byte at a time would take far longer than a minute.
        var sent = 0
        do {
            for byte in "GET /\(String(repeating: "x", count: 20_000))".utf8 {
                try client.send([byte])
                sent += 1
                if sent % 10 == 0, server.seenCount > 0 { break }
            }
        } catch {}
        #expect(try client.readResponse().status == 408)
    }

    @Test func aBodyThatStopsIsAnswered408() throws {
        let server = try TestServer { $0.timeouts.body = 30 }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\nabc")
        #expect(try client.readResponse().status == 408)
    }

    @Test func aConnectionThatNeverSaysAnythingIsClosed() throws {
        let server = try TestServer { $0.timeouts.idle = 30 }
        let client = try server.connect()
        #expect(try client.readToEnd() == [])
    }

    @Test func aClientThatNeverReadsIsCutOff() throws {
        let server = try TestServer {
            $0.timeouts.write = 50
            $0.sendBufferBytes = 16 * 1024
        }
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET /endless HTTP/1.1\r\nhost: test\r\n\r\n")
        server.wait { if case .finished(path: "/endless", _, _) = $0 { true } else { false } }
        server.waitForConnections(0)
    }

    @Test func aHalfClosedClientGetsItsAnswers() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("GET /slow HTTP/1.1\r\nhost: a\r\n\r\nGET /hello HTTP/1.1\r\nhost: a\r\n\r\nGET /he")
        client.halfClose()
        server.wait(for: .waiting(path: "/slow"))
        server.complete("/slow", with: "slow")
        #expect(try client.readResponse().text == "slow")
        let last = try client.readResponse()
        #expect(last.text == "hello")
        #expect(try client.readToEnd() == [])
        server.waitForConnections(0)
    }

    @Test func aClientThatLeavesWithinItsBodyIsForgotten() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\nabc")
        client.halfClose()
        #expect(try client.readToEnd() == [])
        server.waitForConnections(0)
    }

    @Test func whoeverComesBeyondTheMaximumIsToldSo() throws {
        let server = try TestServer { $0.maximumConnections = 2 }
        let first = try server.connect()
        let second = try server.connect()
        #expect(try first.get("/hello").status == 200)
        #expect(try second.get("/hello").status == 200)
        let third = try server.connect()
        try third.send("GET /hello HTTP/1.1\r\nhost: test\r\n\r\n")
        let response = try third.readResponse()
        #expect(response.status == 503)
        #expect(response["connection"] == "close")
        #expect(try third.readToEnd() == [])
        first.close()
        third.close()
        server.waitForConnections(1)
        #expect(try server.connect().get("/hello").status == 200)
    }
}
