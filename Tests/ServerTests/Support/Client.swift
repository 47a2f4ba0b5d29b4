import CLinux
import Crypto
import Glibc
import HTTP1
import Reactor
import Testing
import WebSocket

/// What a server answered.
struct ClientResponse {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// One blocking connection to a server under test. Everything fails the test after ten seconds.
final class Client {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let descriptor: Int32
    private var session: TLSSession?
    private var buffered: [UInt8] = []
    private var isEnded = false
    private var isClosed = false

    init(port: UInt16, tls: TLSContext? = nil, receiveBuffer: Int? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        // So that pieces leave as they are sent.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        if var size = receiveBuffer.map({ Int32($0) }) {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
        if let tls {
            let session = try TLSSession(tls, fileDescriptor: descriptor, serverName: "localhost")
            let step = session.handshake()
            guard step == .done else { throw Failure(description: "TLS handshake: \(step)") }
            self.session = session
        }
    }

    deinit {
        close()
    }

    // MARK: Bytes

    func send(_ text: String) throws {
        try send([UInt8](text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = try bytes.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            sent += count
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        if let session {
            guard case .bytes(let count) = session.write(bytes) else { throw Failure(description: "TLS write failed") }
            return count
        }
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
        return count
    }

    /// Says that nothing more will be sent.
    func halfClose() {
        session?.shutdown()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }

    /// Reads more into the buffer; false at the end of the stream, however it came.
    private func fill() throws -> Bool {
        guard !isEnded else { return false }
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = try chunk.withUnsafeMutableBytes { buffer -> Int in
            if let session {
                switch session.read(into: buffer) {
                case .bytes(let count): return count
                case .closed: return 0
                case let other: throw Failure(description: "TLS read: \(other)")
                }
            }
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count < 0, errno == ECONNRESET { return 0 }
            guard count >= 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
            return count
        }
        isEnded = count == 0
        buffered.append(contentsOf: chunk.prefix(count))
        return count > 0
    }

    func read(_ count: Int) throws -> [UInt8] {
        while buffered.count < count {
            guard try fill() else { throw Failure(description: "the stream ended after \(buffered.count) bytes") }
        }
        defer { buffered.removeFirst(count) }
        return Array(buffered.prefix(count))
    }

    func readLine() throws -> String {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                defer { buffered.removeFirst(end + 1) }
                return String(decoding: buffered[..<end], as: UTF8.self).replacing("\r", with: "")
            }
            guard try fill() else {
                throw Failure(description: "the stream ended in \(String(decoding: buffered, as: UTF8.self))")
            }
        }
    }

    /// Everything until the other end closes.
    func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { buffered = [] }
        return buffered
    }

    // MARK: HTTP

    func get(_ path: String, _ headers: String = "") throws -> ClientResponse {
        try send("GET \(path) HTTP/1.1\r\nhost: test\r\n\(headers)\r\n")
        return try readResponse()
    }

    func readResponse(toHead: Bool = false) throws -> ClientResponse {
        var response = ClientResponse()
        let parts = try readLine().split(separator: " ", maxSplits: 2)
        try #require(parts.count >= 2 && parts[0] == "HTTP/1.1", "\(parts)")
        response.status = Int(parts[1]) ?? 0
        while case let line = try readLine(), !line.isEmpty {
            let colon = try #require(line.firstIndex(of: ":"))
            response.headers.append((line[..<colon].lowercased(), String(line[line.index(colon, offsetBy: 2)...])))
        }
        if toHead || response.status < 200 || response.status == 204 || response.status == 304 { return response }
        if let length = response["content-length"].flatMap({ Int($0) }) {
            response.body = try read(length)
        } else if response["transfer-encoding"] == "chunked" {
            while case let size = Int(try readLine(), radix: 16) ?? -1, size > 0 {
                response.body += try read(size)
                _ = try readLine()
            }
            _ = try readLine()
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    // MARK: WebSocket

    static let webSocketHeaders =
        "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n"
        + "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    @discardableResult
    func upgrade(_ path: String = "/ws") throws -> ClientResponse {
        let response = try get(path, Self.webSocketHeaders)
        try #require(response.status == 101)
        // RFC 6455, section 1.3.
        #expect(response["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(response["upgrade"] == "websocket")
        #expect(response["connection"] == "Upgrade")
        return response
    }

    static let mask = MaskingKey(1, 2, 3, 4)

    func send(_ opcode: Opcode, _ payload: [UInt8]) throws {
        try send(FrameEncoder.frame(opcode, payload, mask: Self.mask))
    }

    func send(text: String) throws {
        try send(.text, [UInt8](text.utf8))
    }

    func sendClose(_ code: UInt16?) throws {
        try send(.close, code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? [])
    }

    /// A whole message or control frame, as a server must send it: not masked, and no longer than it needs to be.
    func readFrame(isPacked: Bool = false) throws -> (opcode: Opcode, payload: [UInt8]) {
        let head = try read(2)
        try #require(head[0] & 0xF0 == (isPacked ? 0xC0 : 0x80) && head[1] & 0x80 == 0)
        var length = Int(head[1])
        if length >= 126 {
            let isLong = length == 127
            length = try read(isLong ? 8 : 2).reduce(0) { $0 << 8 | Int($1) }
            try #require(length > (isLong ? 0xFFFF : 125))
        }
        try #require(length <= 125 || head[0] & 0x08 == 0)
        return (try #require(Opcode(rawValue: head[0] & 15)), try read(length))
    }

    func readText() throws -> String {
        let frame = try readFrame()
        #expect(frame.opcode == .text)
        return String(decoding: frame.payload, as: UTF8.self)
    }

    /// The code of the next Close, skipping everything before it; nil for one without.
    func readClose() throws -> UInt16? {
        while true {
            let frame = try readFrame()
            guard frame.opcode == .close else { continue }
            return frame.payload.count < 2 ? nil : UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])
        }
    }
}
