import Bytes

/// Writes HTTP/1.1 requests (RFC 9112). Pure.
package enum RequestSerializer {
    /// A request on a connection that ends with its answer.
    /// - Parameters:
    ///   - target: path with query, percent-encoded.
    ///   - host: for the Host header, with the port where it is not the usual one.
    ///   - headers: without those that are the serializer's to write, which are left out: `host`, `connection`,
    ///     `content-length`, `transfer-encoding`.
    ///   - body: nil sends none and announces none.
    /// - Returns: nil when target or host would break the framing of the message.
    package static func bytes(
        _ method: Method, target: String, host: String, headers: HeaderFields, body: [UInt8]?
    ) -> [UInt8]? {
        guard isTarget(target), !host.isEmpty, isHost(host.utf8Span.span) else { return nil }
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\nhost: \(host)\r\nconnection: close\r\n"
        for (name, value) in headers where !reserved.contains(name) { text += "\(name): \(value)\r\n" }
        if let body { text += "content-length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + (body ?? [])
    }

    private static let reserved: Set<String> = ["host", "connection", "content-length", "transfer-encoding"]

    /// Begins with a slash and has nothing but visible ASCII.
    private static func isTarget(_ target: String) -> Bool {
        target.utf8.first == ASCII.slash && target.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
