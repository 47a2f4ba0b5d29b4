import CLinux
import Crypto
import Glibc
import HTTP1
import Reactor
import Testing

@testable import Server

/// A running server with the echo application; stops with the test.
final class TestServer {
    let server: HTTPServer<EchoApplication>
    private let seen = WorkQueue<Seen>(capacity: 1_000_000)

    init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
        var configuration = ServerConfiguration()
        configuration.loopCount = 1
        // Most tests complete requests in an order of their own.
        configuration.maximumAnswersOwed = 64
        configure(&configuration)
        let seen = seen
        server = try HTTPServer(configuration) { EchoApplication($0, seen) }
        try server.start()
    }

    deinit {
        stop(graceMilliseconds: 0)
    }

    func stop(graceMilliseconds: Int) {
        server.stop(graceMilliseconds: graceMilliseconds)
    }

    func connect(receiveBuffer: Int? = nil) throws -> Client {
        try Client(port: server.port, receiveBuffer: receiveBuffer)
    }

    func post(_ message: EchoApplication.Message) {
        for loop in server.loops { loop.post(message) }
    }

    func complete(_ path: String, with text: String = "") {
        post(.complete(path: path, Response(status: 200, body: .bytes([UInt8](text.utf8)))))
    }

    /// Sleeps until the application has seen what `isWanted` wants, and takes all before it too.
    @discardableResult
    func wait(until isWanted: (Seen) -> Bool) -> Seen? {
        while let next = seen.pop() {
            if isWanted(next) { return next }
        }
        return nil
    }

    func wait(for wanted: Seen) {
        wait { $0 == wanted }
    }

    /// What the application has seen and nobody has asked for yet.
    var seenCount: Int { seen.count }

    @discardableResult
    func waitForSocket() throws -> ConnectionID {
        let opened = wait { if case .opened = $0 { true } else { false } }
        guard case .opened(let id) = opened else { throw Client.Failure(description: "no socket") }
        return id
    }

    /// Returns when the loop has seen its timeout for bodies pass once more.
    func letTheBodyTimeoutPass() throws {
        let clock = try connect()
        defer { clock.close() }
        try clock.send("POST /echo HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\nabc")
        #expect(try clock.readResponse().status == 408)
    }

    /// Sleeps in small steps until the server has so many connections; there is nothing to be told by.
    func waitForConnections(_ count: Int) {
        while server.connectionCount != count { usleep(500) }
    }
}

/// Certificate files in a folder that goes with the value.
final class TestCertificates {
    let folder: String
    let server: TLSContext
    let client: TLSContext

    init() throws {
        let output = try CertificateAuthority.make(hosts: ["localhost"], days: 1)
        var template = [CChar]("/tmp/parley-certificates-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        for (name, text) in [
            ("ca.pem", output.authorityPEM), ("chain.pem", output.leafChainPEM), ("key.pem", output.leafKeyPEM),
        ] {
            let file = try #require(fopen("\(folder)/\(name)", "w"))
            fputs(text, file)
            fclose(file)
        }
        server = try TLSContext(
            certificateChainPath: "\(folder)/chain.pem", privateKeyPath: "\(folder)/key.pem")
        client = try TLSContext(trustedAuthoritiesPath: "\(folder)/ca.pem")
    }

    deinit {
        for name in ["ca.pem", "chain.pem", "key.pem"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
