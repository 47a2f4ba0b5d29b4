import Glibc
import Reactor
import Testing

@testable import Server

/// Many requests, and many connections.
@Suite(.timeLimit(.minutes(2))) struct CrowdTests {
    @Test func tenThousandRequestsInOnePieceAreAnsweredInOrder() throws {
        let server = try TestServer()
        let client = try server.connect()
        let bytes = (0..<10_000).flatMap { number in
            [UInt8]("POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: \("\(number)".count)\r\n\r\n\(number)".utf8)
        }
        // In a thread, because a client that does not read is not read from either.
        let descriptor = client.descriptor
        let sender = try Thread(name: "sender") {
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress! + sent, bytes.count - sent, 0) }
                guard count > 0 else { return }
                sent += count
            }
        }
        for number in 0..<10_000 { #expect(try client.readResponse().text == "\(number)") }
        sender.join()
    }

    @Test func thousandsOfIdleConnectionsDoNotHinderANewOne() throws {
        let server = try TestServer()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Both ends are in this process, as other tests are.
        let count = min(10_000, Int(limit.rlim_cur) / 2 - 1000)
        try #require(count > 0)
        let idle = try (0..<count).map { _ in try server.connect() }
        server.waitForConnections(count)
        #expect(try server.connect().get("/hello").text == "hello")
        #expect(try idle[0].get("/hello").text == "hello")
        #expect(try idle[count - 1].get("/hello").text == "hello")
        for client in idle { client.close() }
        server.waitForConnections(0)
    }
}
