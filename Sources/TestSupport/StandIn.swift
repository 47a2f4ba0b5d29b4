import Crypto
import Foundation
import Glibc
import Synchronization

/// A server inside the test that stands in for somebody else's. Answers each connection's one request as the test says,
/// byte for byte, and remembers what it was asked.
package final class StandIn: Sendable {
    /// What it was asked.
    package struct Request: Sendable {
        package let method: String
        /// As sent.
        package let target: String
        /// In the order they came, names in lower case.
        package let headers: [(name: String, value: String)]
        package let body: [UInt8]

        /// The first header of that name, in lower case.
        package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    /// What it does for an answer, one after the other; then it closes the connection.
    package enum Step: Sendable {
        case send([UInt8])
        /// Until the other end goes away.
        case wait
        /// The connection ends at once, and what is on its way is lost.
        case reset
        /// The connection ends without TLS saying so.
        case hangUp
    }

    /// On 127.0.0.1.
    package let port: UInt16
    private let listener: Int32
    private let tls: TLSContext?
    private let answer: @Sendable (Request) -> [Step]
    // Guards what the connections' threads add to.
    private let state = Mutex<(requests: [Request], open: Set<Int32>)>(([], []))
    private let arrivals = DispatchSemaphore(value: 0)

    /// Listens at once.
    /// - Parameter answer: called on a thread of its connection.
    package init(tls: TLSContext? = nil, _ answer: @escaping @Sendable (Request) -> [Step]) throws {
        signal(SIGPIPE, SIG_IGN)
        self.tls = tls
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw ConnectionFault.system("listen", errno) }
        Thread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                self?.begin(connection)
            }
        }.start()
    }

    deinit { stop() }

    /// What it was asked so far, in the order of arrival.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// Waits until it was asked so often in all. For one thread.
    package func waitForRequests(_ count: Int) throws {
        while requests.count < count {
            guard arrivals.wait(timeout: .now() + 20) == .success else { throw ConnectionFault.timedOut }
        }
    }

    /// Where it is, with a path.
    package func url(_ path: String = "/") -> String { "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)\(path)" }

    /// Ends all connections and takes no more.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// An answer with a length.
    package static func answer(
        _ status: String = "200 OK", _ headers: [(String, String)] = [], _ body: String = ""
    ) -> [Step] {
        let lines = headers.map { "\($0): \($1)\r\n" }.joined()
        return [
            .send(Array("HTTP/1.1 \(status)\r\n\(lines)content-length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
        ]
    }

    /// Text as it is.
    package static func text(_ text: String) -> [Step] { [.send(Array(text.utf8))] }

    // MARK: Connections

    private func begin(_ connection: Int32) {
        state.withLock { _ = $0.open.insert(connection) }
        Thread { [self] in
            serve(connection)
            state.withLock { _ = $0.open.remove(connection) }
            close(connection)
        }.start()
    }

    private func serve(_ connection: Int32) {
        let session = tls.flatMap { try? TLSSession($0, fileDescriptor: connection) }
        if let session, session.handshake() != .done { return }
        guard let request = readRequest(connection, session) else { return }
        state.withLock { $0.requests.append(request) }
        arrivals.signal()
        for step in answer(request) {
            switch step {
            case .send(let bytes): guard send(bytes, connection, session) else { return }
            case .wait: while readSome(connection, session) != nil {}
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                return
            case .hangUp:
                shutdown(connection, Int32(SHUT_WR))
                while readSome(connection, nil) != nil {}
                return
            }
        }
        session?.shutdown()
        // Bytes that were not read would make the kernel reset the connection, and the answer would be lost.
        shutdown(connection, Int32(SHUT_WR))
        while readSome(connection, nil) != nil {}
    }

    private func readRequest(_ connection: Int32, _ session: TLSSession?) -> Request? {
        var bytes: [UInt8] = []
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let words = lines[0].split(separator: " ")
                guard words.count == 3 else { return nil }
                let headers = lines.dropFirst().map { line in
                    let name = line.prefix { $0 != ":" }
                    let value = line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
                    return (name: name.lowercased(), value: value)
                }
                let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
                while bytes.count < end.upperBound + length {
                    guard let more = readSome(connection, session) else { return nil }
                    bytes += more
                }
                return Request(
                    method: String(words[0]), target: String(words[1]), headers: headers,
                    body: Array(bytes[end.upperBound...]))
            }
            guard let more = readSome(connection, session) else { return nil }
            bytes += more
        }
    }

    /// - Returns: nil at the end.
    private func readSome(_ connection: Int32, _ session: TLSSession?) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        guard let session else {
            let count = read(connection, &buffer, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : nil
        }
        guard case .bytes(let count) = buffer.withUnsafeMutableBytes(session.read), count > 0 else { return nil }
        return Array(buffer[..<count])
    }

    private func send(_ bytes: [UInt8], _ connection: Int32, _ session: TLSSession?) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer -> Int in
                guard let session else { return Glibc.send(connection, buffer.baseAddress, buffer.count, 0) }
                guard case .bytes(let count) = session.write(buffer) else { return -1 }
                return count
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
