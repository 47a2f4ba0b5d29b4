import CLinux
import Glibc

/// The address of one end of a TCP connection, IPv4 or IPv6.
package struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Looks up `host`, a numeric address or a name; of several addresses the first counts. Nil when there is none.
    /// A name may block on the resolver: not for the threads that serve.
    package init?(host: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else { return nil }
        defer { freeaddrinfo(list) }
        guard let address = list.pointee.ai_addr else { return nil }
        length = list.pointee.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: .init(start: address, count: Int(length))) }
    }

    /// All addresses of `host`, a numeric address or a name, in the order in which they should be tried; empty when there
    /// is none. A name blocks on the resolver, maybe for minutes: for threads that may wait.
    /// - Parameter isNumeric: whether names are refused, so that nothing blocks.
    package static func all(host: String, port: UInt16, isNumeric: Bool = false) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : AI_ADDRCONFIG)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { if let list { freeaddrinfo(list) } }
        var addresses: [SocketAddress] = []
        var entry = list
        while let current = entry {
            if let address = SocketAddress(current.pointee) { addresses.append(address) }
            entry = current.pointee.ai_next
        }
        return addresses
    }

    private init?(_ entry: addrinfo) {
        guard let address = entry.ai_addr, entry.ai_addrlen <= length else { return nil }
        length = entry.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: .init(start: address, count: Int(length))) }
    }

    /// Lets a system call fill the address in.
    init(
        filledBy body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) throws(SystemCallError) -> Void
    ) throws(SystemCallError) {
        var storage = sockaddr_storage()
        var length = self.length
        // SAFETY: both stay in place for the call, and `length` tells the kernel how much room there is.
        let outcome = withUnsafeMutablePointer(to: &storage) { pointer -> Result<Void, SystemCallError> in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Result { () throws(SystemCallError) in try body(pointer, &length) }
            }
        }
        try outcome.get()
        self.storage = storage
        self.length = length
    }

    /// `AF_INET` or `AF_INET6`.
    package var family: Int32 { Int32(storage.ss_family) }

    /// Lends the address to a system call.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The port in host order.
    package var port: UInt16 {
        withUnsafeBytes(of: storage) { bytes in
            // Both families keep it, in network order, right after the two bytes of the family.
            UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    /// The 4 or 16 bytes of the address in network order.
    package var addressBytes: [UInt8] {
        withUnsafeBytes(of: storage) { Array(family == AF_INET6 ? $0[8..<24] : $0[4..<8]) }
    }

    /// The numeric address without port. An IPv4 address that came through an IPv6 socket is shown as IPv4.
    package var host: String {
        withUnsafeBytes(of: storage) { bytes in
            guard family == AF_INET6 else { return Self.text(AF_INET, bytes[4..<8]) }
            let address = bytes[8..<24]
            // RFC 4291, section 2.5.5.2: ::ffff:0:0/96.
            let isMapped = bytes[8..<18].allSatisfy { $0 == 0 } && bytes[18..<20].allSatisfy { $0 == 255 }
            return isMapped ? Self.text(AF_INET, bytes[20..<24]) : Self.text(AF_INET6, address)
        }
    }

    private static func text(_ family: Int32, _ address: Slice<UnsafeRawBufferPointer>) -> String {
        // SAFETY: inet_ntop reads the 4 or 16 bytes of its family and writes a terminated text of at most 46 bytes.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let address = UnsafeRawBufferPointer(rebasing: address).baseAddress
            guard let start = buffer.baseAddress,
                inet_ntop(family, address, start, socklen_t(buffer.count)) != nil
            else { return "" }
            return String(cString: start)
        }
    }
}
