import Glibc
import Reactor
import Testing

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct ShutdownTests {
    @Test func answersInFlightAreDeliveredAndSocketsClosedWith1012() throws {
        let server = try TestServer()
        let busy = try server.connect()
        try busy.send("GET /slow HTTP/1.1\r\nhost: test\r\n\r\nGET /later HTTP/1.1\r\nhost: test\r\n\r\n")
        server.wait(for: .waiting(path: "/later"))
        let idle = try server.connect()
        #expect(try idle.get("/hello").status == 200)
        let socket = try server.connect()
        try socket.upgrade()
        let id = try server.waitForSocket()
        let stopping = server.server
        let stopper = try Thread(name: "stopper") { stopping.stop(graceMilliseconds: 30_000) }
        server.wait(for: .drained)
        server.wait(for: .closed(id))
        #expect(try idle.readToEnd() == [])
        #expect(try socket.readClose() == 1012)
        try socket.sendClose(1012)
        #expect(try socket.readToEnd() == [])
        socket.close()
        server.complete("/slow", with: "slow")
        server.complete("/later", with: "later")
        #expect(try busy.readResponse().text == "slow")
        let last = try busy.readResponse()
        #expect(last.text == "later")
        #expect(last["connection"] == "close")
        #expect(try busy.readToEnd() == [])
        busy.close()
        stopper.join()
        #expect(server.server.connectionCount == 0)
        #expect(throws: (any Error).self) { try server.connect() }
    }

    @Test func requestsThatWereSentBeforeTheStopAreAnswered() throws {
        let server = try TestServer { $0.loopCount = 2 }
        let clients = try (0..<60).map { _ in try server.connect() }
        for client in clients { try client.send("GET /hello HTTP/1.1\r\nhost: test\r\n\r\n") }
        let stopping = server.server
        let stopper = try Thread(name: "stopper") { stopping.stop(graceMilliseconds: 30_000) }
        for client in clients {
            #expect(try client.readResponse().text == "hello")
            #expect(try client.readToEnd() == [])
            client.close()
        }
        stopper.join()
    }

    @Test func aSocketThatIgnoresTheCloseHoldsTheStopForTheFarewellOnly() throws {
        let server = try TestServer { $0.timeouts.farewell = 100 }
        let client = try server.connect()
        try client.upgrade()
        try server.waitForSocket()
        #expect(millisecondsToStop(server) < 1500)
        #expect(try client.readClose() == 1012)
        #expect(try client.readToEnd() == [])
    }

    @Test(arguments: [
        "POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\nabc",
        "POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\nexpect: 100-continue\r\n\r\n",
        "GET /hello HTTP/1.1\r\nhost: te",
    ])
    func aRequestThatDoesNotEndHoldsTheStopForTheFarewellOnly(_ beginning: String) throws {
        let server = try TestServer { $0.timeouts.farewell = 100 }
        let client = try server.connect()
        try client.send(beginning)
        // A later connection is served, so the loop has read the first.
        #expect(try server.connect().get("/hello").status == 200)
        #expect(millisecondsToStop(server) < 1500)
        var response = try client.readResponse()
        if response.status == 100 { response = try client.readResponse() }
        #expect(response.status == 503)
        #expect(response["connection"] == "close")
        #expect(try client.readToEnd() == [])
    }

    @Test func aRequestThatEndsWithinTheFarewellIsAnswered() throws {
        let server = try TestServer { $0.timeouts.farewell = 30_000 }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 6\r\n\r\nabc")
        #expect(try server.connect().get("/hello").status == 200)
        let stopping = server.server
        let stopper = try Thread(name: "stopper") { stopping.stop(graceMilliseconds: 30_000) }
        server.wait(for: .drained)
        try client.send("def")
        let response = try client.readResponse()
        #expect(response.text == "abcdef")
        #expect(response["connection"] == "close")
        #expect(try client.readToEnd() == [])
        client.close()
        stopper.join()
    }

    @Test func whatTheApplicationOwesIsWaitedForLongerThanTheFarewell() throws {
        let server = try TestServer { $0.timeouts.farewell = 50 }
        let half = "POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\nabc"
        let (busy, clock) = (try server.connect(), try server.connect())
        try busy.send("GET /slow HTTP/1.1\r\nhost: test\r\n\r\n" + half)
        try clock.send(half)
        server.wait(for: .waiting(path: "/slow"))
        #expect(try server.connect().get("/hello").status == 200)
        let stopping = server.server
        let stopper = try Thread(name: "stopper") { stopping.stop(graceMilliseconds: 30_000) }
        // Another client's farewell has passed.
        #expect(try clock.readResponse().status == 503)
        #expect(try clock.readToEnd() == [])
        server.complete("/slow", with: "slow")
        #expect(try busy.readResponse().text == "slow")
        #expect(try busy.readResponse().status == 503)
        // Nor is it waited for that the client hangs up.
        stopper.join()
        #expect(try busy.readToEnd() == [])
    }

    @Test func aClientThatDoesNotHangUpAfterItsLastAnswerHoldsTheStopForTheFarewellOnly() throws {
        let server = try TestServer { $0.timeouts.farewell = 100 }
        let client = try server.connect()
        try client.send("GET /slow HTTP/1.1\r\nhost: test\r\n\r\n")
        server.wait(for: .waiting(path: "/slow"))
        let stopping = server.server
        let stopper = try Thread(name: "stopper") { stopping.stop(graceMilliseconds: 30_000) }
        server.wait(for: .drained)
        server.complete("/slow", with: "slow")
        let start = Syscall.monotonicMilliseconds()
        stopper.join()
        #expect(Syscall.monotonicMilliseconds() - start < 1500)
        #expect(try client.readResponse().text == "slow")
    }

    @Test func aSocketThatOpensWhileTheServerStopsHoldsItForTheFarewellOnly() throws {
        let server = try TestServer { $0.timeouts.farewell = 100 }
        let client = try server.connect()
        try client.send("GET /ask HTTP/1.1\r\nhost: test\r\n\(Client.webSocketHeaders)\r\n")
        server.wait(for: .waiting(path: "/ask"))
        let stopping = server.server
        let stopper = try Thread(name: "stopper") { stopping.stop(graceMilliseconds: 30_000) }
        server.wait(for: .drained)
        server.post(.upgrade(path: "/ask"))
        let start = Syscall.monotonicMilliseconds()
        stopper.join()
        #expect(Syscall.monotonicMilliseconds() - start < 1500)
        #expect(try client.readResponse().status == 101)
        #expect(try client.readClose() == 1012)
    }

    private func millisecondsToStop(_ server: TestServer) -> Int64 {
        let start = Syscall.monotonicMilliseconds()
        server.stop(graceMilliseconds: 30_000)
        return Syscall.monotonicMilliseconds() - start
    }

    @Test func theGraceIsTheLongestItTakes() throws {
        let server = try TestServer()
        let stuck = try server.connect()
        try stuck.send("GET /never HTTP/1.1\r\nhost: test\r\n\r\n")
        server.wait(for: .waiting(path: "/never"))
        let socket = try server.connect()
        try socket.upgrade()
        try server.waitForSocket()
        let start = Syscall.monotonicMilliseconds()
        server.stop(graceMilliseconds: 100)
        let taken = Syscall.monotonicMilliseconds() - start
        #expect((100..<5000).contains(taken))
        #expect(try stuck.readToEnd() == [])
        #expect(try socket.readClose() == 1012)
        #expect(server.server.connectionCount == 0)
        server.stop(graceMilliseconds: 0)
    }

    @Test func messagesPostedBeforeTheStartWaitAndAfterTheStopVanish() throws {
        let seen = WorkQueue<Seen>(capacity: 100)
        let server = try HTTPServer(ServerConfiguration()) { EchoApplication($0, seen) }
        server.loops[0].post(.close(code: 4000))
        try server.start()
        server.stop(graceMilliseconds: 1000)
        server.loops[0].post(.close(code: 4000))
        #expect(seen.pop() == .drained)
    }

    @Test func aServerThatNeverStartedLetsGoOfItsPort() throws {
        let seen = WorkQueue<Seen>(capacity: 100)
        var configuration = ServerConfiguration()
        configuration.loopCount = 2
        do {
            let server = try HTTPServer(configuration) { EchoApplication($0, seen) }
            configuration.port = server.port
            let message = #expect(throws: ServerError.self) {
                try HTTPServer(configuration) { EchoApplication($0, seen) }
            }
            #expect(message?.reason.contains("127.0.0.1 port \(server.port): bind: Address already in use") == true)
            server.stop(graceMilliseconds: 0)
        }
        let second = try HTTPServer(configuration) { EchoApplication($0, seen) }
        #expect(second.port == configuration.port)
    }

    @Test func anAddressThatIsNotOursIsRefusedWithASentence() {
        let seen = WorkQueue<Seen>(capacity: 1)
        var configuration = ServerConfiguration()
        configuration.host = "192.0.2.1"
        let error = #expect(throws: ServerError.self) {
            try HTTPServer(configuration) { EchoApplication($0, seen) }
        }
        #expect(error?.reason.hasPrefix("Cannot listen on 192.0.2.1 port 0: bind: ") == true)
    }

    @Test func comingAndGoingLeavesNothingBehind() throws {
        let server = try TestServer { $0.loopCount = 2 }
        for round in 0..<200 {
            let client = try server.connect()
            switch round % 5 {
            case 0: #expect(try client.get("/hello").status == 200)
            case 1: try client.send("GET /he")
            case 2: try client.upgrade()
            case 3: try client.send("nonsense\r\n\r\n")
            default:
                // A reset instead of a proper end.
                try client.send("GET /hello HTTP/1.1\r\nhost: test\r\n\r\n")
                var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    client.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            }
            client.close()
        }
        server.waitForConnections(0)
        #expect(try server.connect().get("/hello").status == 200)
    }
}
