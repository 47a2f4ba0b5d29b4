import Domain
import HTTP1
import Server

extension Call {
    /// Where this client reaches the server, without a slash at the end: as configured, as a trusted proxy says, or as
    /// the request itself says.
    var publicOrigin: String {
        if let configured = services.publicURL { return configured }
        var host = request.head.authority
        if services.proxies.trusts(request.peerAddress),
            let forwarded = request.head.headers.lastItem("x-forwarded-host"), Self.isHost(forwarded)
        {
            host = forwarded
        }
        return "\(isSecure ? "https" : "http")://\(Self.isHost(host) ? host : "localhost")"
    }

    /// A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port.
    private static func isHost(_ text: String) -> Bool {
        guard (1...255).contains(text.utf8.count) else { return false }
        if text.hasPrefix("[") {
            let parts = text.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && ClientAddress.isIPv6(String(parts[0])) && isPort(parts[1])
        }
        let name = text.prefix { $0 != ":" }
        return !name.isEmpty && name.utf8.allSatisfy(isNameByte) && isPort(text.dropFirst(name.count))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._".utf8.contains(byte)
        }
    }

    /// Nothing, or a colon and a number.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.first == ":" && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
                && UInt16(text.dropFirst()) != nil
    }
}

extension HeaderFields {
    /// The last item of a list: what the nearest proxy has added.
    fileprivate func lastItem(_ name: String) -> String? {
        all(name).last?.split(separator: ",").last.map { String($0).trimmed }
    }
}
