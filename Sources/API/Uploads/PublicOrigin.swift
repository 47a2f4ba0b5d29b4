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

    /// Nothing but a name or a number and a port.
    private static func isHost(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x3A, 0x41...0x5B, 0x5D, 0x61...0x7A: true
                default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                }
            }
    }
}

extension HeaderFields {
    /// The last item of a list: what the nearest proxy has added.
    fileprivate func lastItem(_ name: String) -> String? {
        all(name).last?.split(separator: ",").last.map { String($0).trimmed }
    }
}
