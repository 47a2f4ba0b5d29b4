import Glibc

/// Why a connection of a test came to nothing.
package enum ConnectionFault: Error, Equatable, Sendable {
    case timedOut
    /// The server closed or reset the connection.
    case closed
    /// What came is not what the protocol allows.
    case unexpected(String)
    /// A system call and its `errno`.
    case system(String, Int32)
}

/// A TCP connection that sends any bytes and reads to a deadline. Used by one thread at a time.
package final class RawConnection {
    private var descriptor: Int32
    /// What came and nobody took yet.
    package private(set) var received: [UInt8] = []

    /// Connects to this machine.
    /// - Parameter receiveBuffer: the kernel's buffer in bytes, small for a client that reads slowly.
    package init(port: UInt16, receiveBuffer: Int32? = nil) throws(ConnectionFault) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        if let receiveBuffer { setOption(SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else {
            let code = errno
            close()
            throw .system("connect", code)
        }
    }

    deinit { close() }

    private func setOption(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes it in order.
    package func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Closes it by a reset, as a crash of the peer would.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Sends no more; reading goes on.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Whether the server has ended the connection, with nothing left to read.
    package var isEnded: Bool {
        guard descriptor >= 0 else { return true }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return received.isEmpty && (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
    }
}

extension RawConnection {
    /// Sends all of it.
    package func send(_ text: String, by deadline: Deadline = .usual) throws(ConnectionFault) {
        try send(Array(text.utf8), by: deadline)
    }

    /// Sends all of it.
    package func send(_ bytes: [UInt8], by deadline: Deadline = .usual) throws(ConnectionFault) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(Int16(POLLOUT), by: deadline)
            } else if errno == EPIPE || errno == ECONNRESET {
                throw .closed
            } else if errno != EINTR {
                throw .system("send", errno)
            }
        }
    }

    /// Waits for more bytes and adds them to `received`.
    /// - Returns: false when the server ended the connection.
    @discardableResult
    package func receive(by deadline: Deadline = .usual) throws(ConnectionFault) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                received += buffer[..<count]
                return true
            }
            if count == 0 || errno == ECONNRESET { return false }
            guard errno == EAGAIN || errno == EINTR else { throw .system("recv", errno) }
            try wait(Int16(POLLIN), by: deadline)
        }
    }

    /// Takes exactly so many bytes.
    package func read(_ count: Int, by deadline: Deadline = .usual) throws(ConnectionFault) -> [UInt8] {
        while received.count < count {
            guard try receive(by: deadline) else { throw .closed }
        }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    /// Takes a line that ends with CR LF, which is left out.
    package func readLine(by deadline: Deadline = .usual) throws(ConnectionFault) -> String {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: 0x0A) {
                let line = received[..<end]
                received.removeFirst(end + 1)
                guard line.last == 0x0D else { throw .unexpected("a line without CR") }
                return String(decoding: line.dropLast(), as: UTF8.self)
            }
            searched = received.count
            guard try receive(by: deadline) else { throw .closed }
        }
    }

    /// Takes everything until the server ends the connection.
    package func readToEnd(by deadline: Deadline = .usual) throws(ConnectionFault) -> [UInt8] {
        while try receive(by: deadline) {}
        defer { received = [] }
        return received
    }

    /// Takes all that `receive` has brought so far.
    package func takeReceived() -> [UInt8] {
        defer { received = [] }
        return received
    }

    private func wait(_ events: Int16, by deadline: Deadline) throws(ConnectionFault) {
        var waiting = pollfd(fd: descriptor, events: events, revents: 0)
        guard poll(&waiting, 1, deadline.milliseconds) != 0 else { throw .timedOut }
    }
}
