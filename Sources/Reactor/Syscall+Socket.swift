import CLinux
import Glibc

extension Syscall {
    /// What an `accept` found.
    package enum Accepted: Sendable {
        /// A new non-blocking connection, which the caller must close, and the address of its other end.
        case connection(Int32, SocketAddress)
        /// Nobody waits.
        case wouldBlock
        /// The connection was gone before it could be taken; there may be more.
        case aborted
    }

    /// A non-blocking TCP socket for the family of `address`, which the caller must close.
    package static func makeSocket(for address: SocketAddress) throws(SystemCallError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return Int32(try call("socket") { Int(socket(address.family, kind, 0)) })
    }

    /// Names the socket.
    package static func bind(_ socket: Int32, to address: SocketAddress) throws(SystemCallError) {
        _ = try call("bind") { address.withPointer { Int(Glibc.bind(socket, $0, $1)) } }
    }

    /// Lets the kernel take connections, up to `backlog` of them ahead of `accept`.
    package static func listen(_ socket: Int32, backlog: Int32) throws(SystemCallError) {
        _ = try call("listen") { Int(Glibc.listen(socket, backlog)) }
    }

    /// Begins a connection. Returns before it stands: wait until the socket is writable.
    package static func connect(_ socket: Int32, to address: SocketAddress) throws(SystemCallError) {
        do {
            _ = try call("connect") { address.withPointer { Int(Glibc.connect(socket, $0, $1)) } }
        } catch  where error.number == EINPROGRESS {}
    }

    /// Why a connection that was begun does not stand; 0 when it does.
    package static func pendingError(of socket: Int32) throws(SystemCallError) -> Int32 {
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = try call("getsockopt") { Int(getsockopt(socket, SOL_SOCKET, SO_ERROR, &number, &length)) }
        return number
    }

    /// Sleeps until one of some descriptors is ready, or for `timeout` milliseconds. For threads that may wait.
    /// - Returns: how many are ready; their `revents` say for what. 0 also when a signal came first.
    package static func poll(_ descriptors: inout [pollfd], timeout: Int32) throws(SystemCallError) -> Int {
        let count = Glibc.poll(&descriptors, nfds_t(descriptors.count), timeout)
        guard count < 0 else { return Int(count) }
        guard errno == EINTR else { throw failure("poll", errno) }
        return 0
    }

    /// Takes the next connection off a listening socket. Throws when there are no descriptors or memory left.
    package static func accept(_ socket: Int32) throws(SystemCallError) -> Accepted {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        do {
            var descriptor = 0
            let address = try SocketAddress { pointer, length throws(SystemCallError) in
                descriptor = try call("accept4") { Int(accept4(socket, pointer, length, flags)) }
            }
            return .connection(Int32(descriptor), address)
        } catch {
            switch error.number {
            case EAGAIN, EWOULDBLOCK:
                return .wouldBlock
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                throw error
            default:
                // accept(2): errors of the new connection's network are to be treated like "try again".
                return .aborted
            }
        }
    }

    /// The address the socket is bound to, with the port the kernel chose if it was 0.
    package static func localAddress(of socket: Int32) throws(SystemCallError) -> SocketAddress {
        try SocketAddress { pointer, length throws(SystemCallError) in
            _ = try call("getsockname") { Int(getsockname(socket, pointer, length)) }
        }
    }

    /// Sends a beginning of `buffer`; a closed peer is an error and no signal.
    package static func send(
        _ socket: Int32, _ buffer: UnsafeRawBufferPointer
    ) throws(SystemCallError) -> Transfer {
        try transfer("send") { Glibc.send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends a beginning of all the buffers one after the other; a closed peer is an error and no signal.
    package static func send(
        _ socket: Int32, gathering buffers: UnsafeMutableBufferPointer<iovec>
    ) throws(SystemCallError) -> Transfer {
        var message = msghdr()
        message.msg_iov = buffers.baseAddress
        message.msg_iovlen = buffers.count
        return try transfer("sendmsg") { sendmsg(socket, &message, Int32(MSG_NOSIGNAL)) }
    }

    /// Reads what is there and throws it away.
    package static func discard(
        _ socket: Int32, using buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Transfer {
        try transfer("recv") { recv(socket, buffer.baseAddress, buffer.count, 0) }
    }

    /// Ends our direction of the stream. A connection that is gone already is no error.
    package static func shutdownWrite(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_WR))
    }

    /// Sets an integer option.
    package static func setOption(
        _ socket: Int32, level: Int32, _ option: Int32, to value: Int32
    ) throws(SystemCallError) {
        var value = value
        _ = try call("setsockopt") {
            Int(setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size)))
        }
    }
}
