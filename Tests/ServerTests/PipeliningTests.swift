import Testing

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct PipeliningTests {
    private func requests(_ paths: [String]) -> String {
        paths.map { "GET \($0) HTTP/1.1\r\nhost: test\r\n\r\n" }.joined()
    }

    @Test func answersLeaveInTheOrderOfTheRequestsHoweverTheyAreCompleted() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(requests(["/a", "/hello", "/b", "/c"]))
        server.wait(for: .waiting(path: "/c"))
        for path in ["/c", "/b", "/a"] { server.complete(path, with: "answer to \(path)") }
        for expected in ["answer to /a", "hello", "answer to /b", "answer to /c"] {
            #expect(try client.readResponse().text == expected)
        }
    }

    @Test(arguments: [64, 3])
    func noMoreThanTheLimitIsInFlight(_ limit: Int) throws {
        let server = try TestServer { $0.maximumExchangesInFlight = limit }
        let client = try server.connect()
        let paths = (0..<limit + 5).map { "/\($0)" }
        try client.send(requests(paths))
        server.wait(for: .waiting(path: "/\(limit - 1)"))
        // A later connection is served, so the loop is done with what it has read of the first.
        #expect(try server.connect().get("/hello").status == 200)
        server.wait(for: .finished(path: "/hello", status: 200, bytes: 5))
        #expect(server.seenCount == 0)
        for (index, path) in paths.enumerated() {
            server.complete(path, with: path)
            #expect(try client.readResponse().text == path)
            if index + limit < paths.count { server.wait(for: .waiting(path: paths[index + limit])) }
        }
    }

    @Test func requestsSentByteByByteAreUnderstood() throws {
        let server = try TestServer()
        let client = try server.connect()
        for byte in requests(["/hello", "/hello"]).utf8 { try client.send([byte]) }
        for _ in 0..<2 { #expect(try client.readResponse().text == "hello") }
    }

    @Test func aClientThatDoesNotReadStopsBeingReadAndGetsEverythingLater() throws {
        let server = try TestServer { $0.sendBufferBytes = 32 * 1024 }
        let client = try server.connect(receiveBuffer: 32 * 1024)
        try client.send(requests(Array(repeating: "/big", count: 20)))
        let answered = { if case .finished(path: "/big", _, _) = $0 { true } else { false } } as (Seen) -> Bool
        server.wait(until: answered)
        #expect(try server.connect().get("/hello").status == 200)
        server.wait(for: .finished(path: "/hello", status: 200, bytes: 5))
        // One answer exceeds the queue's limit, so at most a second was queued beside it.
        #expect(server.seenCount <= 1)
        for _ in 0..<20 { #expect(try client.readResponse().body.count == 1_000_000) }
    }

    /// How many requests the application was asked while the loop was busy with what it had read.
    private func requestsTaken(by server: TestServer) throws -> Int {
        var count = 0
        server.wait {
            if case .waiting = $0 { count += 1 }
            return count > 0
        }
        // A later connection is served, so the loop is done with what it has read of the first.
        #expect(try server.connect().get("/hello").status == 200)
        server.wait {
            if case .waiting = $0 { count += 1 }
            return $0 == .finished(path: "/hello", status: 200, bytes: 5)
        }
        return count
    }

    @Test func aClientThatNeverReadsHoldsOneAnswerAndTheLimit() throws {
        let server = try TestServer { $0.sendBufferBytes = 32 * 1024 }
        let client = try server.connect(receiveBuffer: 32 * 1024)
        try client.send(requests(Array(repeating: "/told", count: 20)))
        // The socket buffers take less than what the first answer has beyond the limit.
        #expect(try requestsTaken(by: server) == 1)
        for _ in 0..<20 { #expect(try client.readResponse().body.count == 1_000_000) }
    }

    @Test func finishedAnswersBehindOneThatIsOwedCountToo() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(requests(["/slow"] + Array(repeating: "/told", count: 20)))
        #expect(try requestsTaken(by: server) == 2)
        server.complete("/slow", with: "slow")
        #expect(try client.readResponse().text == "slow")
        for _ in 0..<20 { #expect(try client.readResponse().body.count == 1_000_000) }
    }

    @Test func aRequestIsNotTakenBeforeTheOneBeforeItIsAnswered() throws {
        let server = try TestServer { $0.maximumAnswersOwed = ServerConfiguration().maximumAnswersOwed }
        let client = try server.connect()
        try client.send(requests(["/a", "/b", "/hello"]))
        for path in ["/a", "/b"] {
            try #require(try requestsTaken(by: server) == 1)
            server.complete(path, with: path)
            #expect(try client.readResponse().text == path)
        }
        #expect(try client.readResponse().text == "hello")
    }

    @Test func anAnswerForAClientThatLeftIsDropped() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(requests(["/gone"]))
        server.wait(for: .waiting(path: "/gone"))
        client.close()
        server.complete("/gone", with: "nobody reads this")
        server.waitForConnections(0)
        #expect(try server.connect().get("/hello").status == 200)
    }
}
