import Crypto
import Glibc
import Testing

/// A server and a client session over a socket pair, driven in turns by one thread.
final class TLSPair {
    let server: TLSSession
    let client: TLSSession
    private let descriptors: [Int32]

    init(server: TLSContext, client: TLSContext, serverName: String? = "localhost") throws {
        // What Reactor does for the whole process: a write to a closed peer must be an error, not the end.
        signal(SIGPIPE, SIG_IGN)
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
        descriptors = pair
        self.server = try TLSSession(server, fileDescriptor: pair[0])
        self.client = try TLSSession(client, fileDescriptor: pair[1], serverName: serverName)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    /// Ends the client's side of the connection without a word.
    func hangUpClient() {
        Glibc.shutdown(descriptors[1], Int32(SHUT_RDWR))
    }

    /// Sends bytes that are no TLS to the server.
    func sendPlainly(_ text: String) {
        _ = Glibc.write(descriptors[1], text, text.utf8.count)
    }

    /// Both handshakes in turns until neither moves any more.
    func shakeHands() -> (server: TLSSession.Step, client: TLSSession.Step) {
        var steps: (server: TLSSession.Step, client: TLSSession.Step) = (.wantRead, .wantRead)
        for _ in 0..<20 {
            if steps.client == .wantRead { steps.client = client.handshake() }
            if steps.server == .wantRead { steps.server = server.handshake() }
        }
        return steps
    }
}

extension TLSSession {
    func send(_ bytes: [UInt8]) -> IOResult {
        bytes.withUnsafeBytes(write)
    }

    /// Everything that has arrived, and what ended it.
    func receive(pieces: Int = 4096) -> (bytes: [UInt8], end: IOResult) {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: pieces)
        while true {
            let result = buffer.withUnsafeMutableBytes(read)
            guard case .bytes(let count) = result, count > 0 else { return (received, result) }
            received += buffer[..<count]
        }
    }
}

/// Certificate files in a directory of their own, removed at the end.
final class CertificateFiles {
    let directory: String
    let output: CertificateAuthority.Output

    init(hosts: [String] = ["localhost"]) throws {
        output = try CertificateAuthority.make(hosts: hosts, days: 2)
        var template = [CChar]("/tmp/parley-tls-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        directory = String(cString: made)
        try write(output.leafChainPEM, to: "chain.pem")
        try write(output.leafKeyPEM, to: "key.pem")
        try write(output.authorityPEM, to: "authority.pem")
    }

    deinit {
        for name in ["chain.pem", "key.pem", "authority.pem", "other.pem"] { unlink(path(name)) }
        rmdir(directory)
    }

    func path(_ name: String) -> String { directory + "/" + name }

    func write(_ text: String, to name: String) throws {
        let file = try #require(fopen(path(name), "w"))
        defer { fclose(file) }
        try #require(fputs(text, file) >= 0)
    }

    func serverContext() throws -> TLSContext {
        try TLSContext(certificateChainPath: path("chain.pem"), privateKeyPath: path("key.pem"))
    }

    func clientContext() throws -> TLSContext {
        try TLSContext(trustedAuthoritiesPath: path("authority.pem"))
    }
}
