import Reactor

/// Where outgoing calls may lead: to public addresses, and to hosts that the operator named.
///
/// Addresses in calls come from strangers: webhooks of tenants, redirects of whoever answers. Without this rule they could
/// reach what trusts this machine, such as the cloud provider's metadata service.
package struct AddressPolicy: Sendable {
    private let allowedHosts: Set<String>

    /// - Parameter allowedHosts: `host` or `host:port`, in lower case, as it stands in the address; an IPv6 address in
    ///   brackets. Names are matched before they are looked up, and may then mean any address.
    package init(allowedHosts: [String] = []) { self.allowedHosts = Set(allowedHosts) }

    /// Whether the operator named the host.
    package func allows(_ url: OutboundURL) -> Bool {
        let name = url.host.contains(":") ? "[\(url.host)]" : url.host
        return allowedHosts.contains(name) || allowedHosts.contains("\(name):\(url.port)")
    }

    /// Whether anybody on the internet could reach the address.
    package static func isPublic(_ address: SocketAddress) -> Bool {
        let bytes = address.addressBytes
        return bytes.count == 4 ? isPublic(version4: bytes) : isPublic(version6: bytes)
    }

    /// IANA's registry of special-purpose IPv4 addresses, and multicast.
    private static func isPublic(version4 bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224...255, _, _): false
        // Shared by providers and their customers (RFC 6598).
        case (100, 64...127, _): false
        // Link-local: where clouds keep their metadata.
        case (169, 254, _): false
        case (172, 16...31, _), (192, 168, _): false
        // Protocol assignments, documentation, 6to4 relays, benchmarks.
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113): false
        default: true
        }
    }

    /// Global unicast (RFC 4291) without what leads back into IPv4 or is for documentation; NAT64 for public addresses.
    private static func isPublic(version6 bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
            return isPublic(version4: Array(bytes[12...]))
        }
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        switch (bytes[0], bytes[1]) {
        // 2001::/23 holds Teredo and other assignments; 2001:db8::/32 is documentation.
        case (0x20, 0x01): return bytes[2] >= 0x02 && !(bytes[2] == 0x0D && bytes[3] == 0xB8)
        // 6to4.
        case (0x20, 0x02): return false
        // 3fff::/20, documentation.
        case (0x3F, 0xFF): return bytes[2] & 0xF0 != 0
        default: return true
        }
    }
}
