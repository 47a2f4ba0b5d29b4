import CLinux
import Crypto
import Glibc
import Testing
import WebSocket

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct TLSTests {
    private func start(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> (
        TestServer, TestCertificates, UInt16
    ) {
        let certificates = try TestCertificates()
        let server = try TestServer {
            $0.tls = certificates.server
            configure(&$0)
        }
        return (server, certificates, try #require(server.server.tlsPort))
    }

    @Test func bothPortsServeTheSameApplication() throws {
        let (server, certificates, port) = try start()
        let secure = try Client(port: port, tls: certificates.client)
        for _ in 0..<3 { #expect(try secure.get("/peer").text == "127.0.0.1 true") }
        #expect(try server.connect().get("/peer").text == "127.0.0.1 false")
    }

    @Test func largeAnswersAndStreamsArriveWhole() throws {
        let (server, certificates, port) = try start { $0.sendBufferBytes = 32 * 1024 }
        let client = try Client(port: port, tls: certificates.client, receiveBuffer: 16 * 1024)
        try client.send(
            String(repeating: "GET /big HTTP/1.1\r\nhost: test\r\n\r\n", count: 3)
                + "GET /stream HTTP/1.1\r\nhost: test\r\n\r\n")
        for _ in 0..<3 {
            let body = try client.readResponse().body
            #expect(body.count == 1_000_000)
            #expect(body.allSatisfy { $0 == 0x61 })
        }
        #expect(try client.readResponse().text == "onetwothree")
        _ = server
    }

    @Test func bodiesLargerThanARecordArriveWhole() throws {
        let (server, certificates, port) = try start()
        let client = try Client(port: port, tls: certificates.client)
        let body = String(repeating: "z", count: 1000)
        let one = "POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 1000\r\n\r\n\(body)"
        try client.send(String(repeating: one, count: 60))
        for _ in 0..<60 { #expect(try client.readResponse().text == body) }
        _ = server
    }

    @Test func webSocketsWorkOverTLS() throws {
        let (server, certificates, port) = try start()
        let client = try Client(port: port, tls: certificates.client)
        try client.upgrade()
        let id = try server.waitForSocket()
        try client.send(text: "secret")
        #expect(try client.readText() == "secret")
        try client.sendClose(1000)
        #expect(try client.readClose() == 1000)
        #expect(try client.readToEnd() == [])
        server.wait(for: .closed(id))
    }

    @Test func aStuckReaderOverTLSGetsWholeFramesAnd1013() throws {
        let (server, certificates, port) = try start {
            $0.sendBufferBytes = 32 * 1024
            $0.timeouts.close = 20
            $0.timeouts.body = 100
        }
        let client = try Client(port: port, tls: certificates.client, receiveBuffer: 4096)
        try client.upgrade()
        try server.waitForSocket()
        let frame = FrameBatch(FrameEncoder.text([UInt8](repeating: 0x66, count: 1000)))
        for _ in 0..<1500 { server.post(.send(frame)) }
        server.wait { if case .closed = $0 { true } else { false } }
        try server.letTheBodyTimeoutPass()
        var next = try client.readFrame()
        while next.opcode != .close {
            #expect(next.payload == [UInt8](repeating: 0x66, count: 1000))
            next = try client.readFrame()
        }
        // 1013.
        #expect(next.payload.prefix(2) == [0x03, 0xF5])
    }

    @Test func aPlainRequestOnTheSecurePortFailsAndNothingElse() throws {
        let (server, certificates, port) = try start()
        let confused = try Client(port: port)
        try confused.send("GET /hello HTTP/1.1\r\nhost: test\r\n\r\n")
        _ = try confused.readToEnd()
        #expect(try Client(port: port, tls: certificates.client).get("/hello").status == 200)
        _ = server
    }

    @Test func aHandshakeThatNeverComesIsGivenUp() throws {
        let (server, _, port) = try start { $0.timeouts.head = 30 }
        let silent = try Client(port: port)
        #expect(try silent.readToEnd() == [])
        server.waitForConnections(0)
    }

    @Test func newSessionsUseANewCertificate() throws {
        let (server, old, port) = try start()
        let other = try TestCertificates()
        let before = try Client(port: port, tls: old.client)
        #expect(try before.get("/hello").status == 200)
        server.server.useTLS(other.server)
        // The loop takes the order before it takes a connection that is made after a later answer.
        #expect(try before.get("/hello").status == 200)
        #expect(try Client(port: port, tls: other.client).get("/hello").status == 200)
        #expect(throws: (any Error).self) { try Client(port: port, tls: old.client) }
        #expect(try before.get("/hello").status == 200)
    }
}
