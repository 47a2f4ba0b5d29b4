import Foundation
import JSON
import TestSupport
import Testing

/// Apps with fixed host names, which check the certificate.
@Suite struct SecureHostTests {
    let folder: Folder
    let server: ParleyProcess
    private let port: UInt16
    private var authority: String { folder.path + "/certificates/authority.pem" }

    init() throws {
        folder = try Folder()
        let made = try Command(ParleyProcess.binary(), ["dev-cert", "--out", "certificates", "my.example"], in: folder)
        #expect(made.status == 0, "\(made)")
        let files = folder.path + "/certificates"
        server = try ParleyProcess(arguments: [
            "--tls-cert", files + "/server.pem", "--tls-key", files + "/server-key.pem",
        ])
        port = try #require(server.tlsPort)
    }

    private func curl(_ host: String, _ path: String, _ more: String...) throws -> Command {
        try Command(
            "/usr/bin/env",
            [
                "curl", "--silent", "--show-error", "--max-time", "20", "--resolve", "\(host):\(port):127.0.0.1",
                "--noproxy", "*",
            ] + more + ["https://\(host):\(port)\(path)"], in: folder)
    }

    @Test(arguments: ["fastcomments.com", "eu.fastcomments.com", "ws.fastcomments.com", "localhost", "my.example"])
    func aFixedHostIsBelieved(_ host: String) throws {
        let answer = try curl(host, "/healthz", "--cacert", authority)
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output.contains("success") || answer.output.contains("ok"))
        let page = try curl(host, "/comments/demo?urlId=page", "--cacert", authority)
        #expect(try JSONValue.parse(page.output)["status"] == "success")
    }

    @Test func anotherHostAndAnotherAuthorityAreNot() throws {
        #expect(try curl("other.example", "/healthz", "--cacert", authority).status == 60)
        #expect(try curl("fastcomments.com", "/healthz").status == 60)
    }

    @Test func keysAreForTheirOwnerOnly() throws {
        for name in ["server-key.pem", "authority-key.pem"] {
            let file = folder.path + "/certificates/" + name
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func aLiveSocketOpensUnderItsFixedHost() throws {
        let tenant = try server.makeTenant()
        let ann = try server.reader(.ann, of: tenant, at: "page")
        let read = try ann.comments()
        let room = try #require(read["urlIdWS"]?.string)
        let path = "/sub?urlId=\(room)&userIdWS=\(read["userIdWS"]?.string ?? "")&tenantIdWS=\(tenant.id)"
        let socket = try SecureSocket(
            [
                "s_client", "-quiet", "-connect", "127.0.0.1:\(port)", "-servername", "ws.fastcomments.com",
                "-verify_hostname", "ws.fastcomments.com", "-verify_return_error", "-CAfile", authority,
                "-alpn", "http/1.1",
            ])
        try socket.send(
            """
            GET \(path) HTTP/1.1\r
            Host: ws.fastcomments.com:\(port)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r

            """)
        let head = try socket.read(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        #expect(head.lowercased().contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="))
        let id = try ann.posted("Hello over TLS")
        let event = try socket.read(until: id)
        #expect(event.contains("new-comment"))
    }
}

/// A TLS connection by way of the `openssl` program.
private final class SecureSocket {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var received: [UInt8] = []

    init(_ words: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        // Whoever started the tests may have blocked the milder signal.
        kill(process.processIdentifier, SIGKILL)
    }

    func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Everything up to where a text comes.
    func read(until end: String, by deadline: Deadline = .usual) throws -> String {
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if text.contains(end) { return text }
            var waiting = pollfd(
                fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, deadline.milliseconds) > 0 else { throw ConnectionFault.timedOut }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw ConnectionFault.closed }
            received += more
        }
    }
}
