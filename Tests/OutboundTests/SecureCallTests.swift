import Crypto
import Foundation
import HTTP1
import Outbound
import Reactor
import TestSupport
import Testing

/// Calls over TLS to a server of this process.
@Suite struct SecureCallTests {
    /// Certificate files of a server, removed with this object.
    final class Files {
        let folder: URL
        var authority: String { folder.appendingPathComponent("authority.pem").path }

        init(hosts: [String]) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-out-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let made = try CertificateAuthority.make(hosts: hosts, days: 2)
            for (name, text) in [
                ("authority.pem", made.authorityPEM), ("chain.pem", made.leafChainPEM), ("key.pem", made.leafKeyPEM),
            ] {
                try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
            }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func context() throws -> TLSContext {
            try TLSContext(
                certificateChainPath: folder.appendingPathComponent("chain.pem").path,
                privateKeyPath: folder.appendingPathComponent("key.pem").path)
        }
    }

    private func client(_ server: StandIn, trusting authority: String?) throws -> OutboundClient {
        try OutboundClient(
            policy: AddressPolicy(allowedHosts: ["127.0.0.1", "example.com", "other.com"]),
            trustedAuthoritiesPath: authority
        ) { _, _ in SocketAddress.all(host: "127.0.0.1", port: server.port, isNumeric: true) }
    }

    private func isInsecure(_ client: OutboundClient, _ url: String) -> Bool {
        do {
            _ = try client.send(OutboundRequest(url))
            return false
        } catch {
            if case .insecure = error { return true }
            return false
        }
    }

    @Test func aCertificateOfATrustedAuthorityIsTaken() throws {
        let files = try Files(hosts: ["example.com"])
        let server = try StandIn(tls: files.context()) { request in
            StandIn.answer("200 OK", [], String(decoding: request.body, as: UTF8.self))
        }
        let client = try client(server, trusting: files.authority)
        let body = Array(repeating: UInt8(0x61), count: 300_000)
        let answer = try client.send(
            OutboundRequest("https://example.com:\(server.port)/", method: .post, body: body))
        #expect(answer.body == body)
        #expect(try client.send(OutboundRequest(server.url())).status == 200, "the certificate names the address")
        #expect(server.requests.count == 2)
    }

    @Test func aCertificateForAnotherHostIsRefused() throws {
        let files = try Files(hosts: ["example.com"])
        let server = try StandIn(tls: files.context()) { _ in StandIn.answer() }
        #expect(isInsecure(try client(server, trusting: files.authority), "https://other.com:\(server.port)/"))
        #expect(server.requests.isEmpty)
    }

    @Test func aCertificateOfAnUnknownAuthorityIsRefused() throws {
        let (files, others) = (try Files(hosts: ["example.com"]), try Files(hosts: ["example.com"]))
        let server = try StandIn(tls: files.context()) { _ in StandIn.answer() }
        #expect(isInsecure(try client(server, trusting: others.authority), "https://example.com/"))
        #expect(isInsecure(try client(server, trusting: nil), "https://example.com/"))
        #expect(server.requests.isEmpty)
    }

    @Test func aServerWithoutTLSIsRefused() throws {
        let server = try StandIn { _ in StandIn.answer() }
        let client = try client(server, trusting: nil)
        var limits = OutboundLimits()
        limits.totalMilliseconds = 500
        #expect(throws: OutboundError.self) { try client.send(OutboundRequest("https://example.com/"), limits: limits) }
        #expect(server.requests.isEmpty)
    }

    @Test func aRedirectToPlainHTTPIsNotFollowed() throws {
        let files = try Files(hosts: ["example.com"])
        let server = try StandIn(tls: files.context()) { _ in
            StandIn.answer("302 Found", [("Location", "http://example.com/")])
        }
        var request = OutboundRequest("https://example.com/")
        request.redirects = 3
        let client = try client(server, trusting: files.authority)
        #expect(throws: OutboundError.badRedirect) { try client.send(request) }
    }

    @Test func aBodyUntilTheEndNeedsAProperEnd() throws {
        let files = try Files(hosts: ["example.com"])
        let text = "HTTP/1.1 200 OK\r\n\r\nabc"
        let proper = try StandIn(tls: files.context()) { _ in StandIn.text(text) }
        let body = try client(proper, trusting: files.authority).send(OutboundRequest("https://example.com/")).body
        #expect(body == Array("abc".utf8))
        let cut = try StandIn(tls: files.context()) { _ in StandIn.text(text) + [.hangUp] }
        #expect(throws: OutboundError.truncated) {
            try client(cut, trusting: files.authority).send(OutboundRequest("https://example.com/"))
        }
    }

    @Test func anAuthorityFileThatIsMissingIsAnError() {
        #expect(throws: TLSError.self) { try OutboundClient(trustedAuthoritiesPath: "/nowhere/authority.pem") }
    }
}
