import CLinux
import Glibc
import Reactor

/// Opens the sockets that the loops of one server share a port with.
enum ListeningSocket {
    /// As many sockets as there are loops, all on one port, and that port. The kernel spreads connections over them.
    /// Throws a sentence that names address and port.
    static func open(
        host: String, port: UInt16, count: Int, sendBufferBytes: Int?
    ) throws(ServerError) -> (sockets: [Int32], port: UInt16) {
        guard var address = SocketAddress(host: host, port: port) else {
            throw ServerError("Cannot listen on \(host): there is no such address.")
        }
        var sockets: [Int32] = []
        do throws(SystemCallError) {
            if port != 0 { try refuseTakenPort(address) }
            for _ in 0..<count {
                let socket = try Syscall.makeSocket(for: address)
                sockets.append(socket)
                try configure(socket, address, sendBufferBytes)
                try Syscall.bind(socket, to: address)
                address = try Syscall.localAddress(of: socket)
            }
            // Only now, so that nobody connects to a server that cannot start.
            for socket in sockets { try Syscall.listen(socket, backlog: 4096) }
        } catch {
            for socket in sockets { Syscall.close(socket) }
            throw ServerError("Cannot listen on \(host) port \(port): \(error).")
        }
        return (sockets, address.port)
    }

    /// Sockets that share a port share it with every other process of the same user too. One that does not share finds
    /// out whether the port is taken.
    private static func refuseTakenPort(_ address: SocketAddress) throws(SystemCallError) {
        let socket = try Syscall.makeSocket(for: address)
        defer { Syscall.close(socket) }
        try Syscall.setOption(socket, level: SOL_SOCKET, SO_REUSEADDR, to: 1)
        if address.family == AF_INET6 {
            try Syscall.setOption(socket, level: Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        try Syscall.bind(socket, to: address)
    }

    /// Connections inherit all but the sharing of the port.
    private static func configure(
        _ socket: Int32, _ address: SocketAddress, _ sendBufferBytes: Int?
    ) throws(SystemCallError) {
        try Syscall.setOption(socket, level: SOL_SOCKET, SO_REUSEADDR, to: 1)
        try Syscall.setOption(socket, level: SOL_SOCKET, SO_REUSEPORT, to: 1)
        // Answers are written whole, so there is nothing to collect (RFC 896).
        try Syscall.setOption(socket, level: Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
        if address.family == AF_INET6 {
            try Syscall.setOption(socket, level: Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        if let sendBufferBytes {
            try Syscall.setOption(socket, level: SOL_SOCKET, SO_SNDBUF, to: Int32(sendBufferBytes))
        }
    }
}
