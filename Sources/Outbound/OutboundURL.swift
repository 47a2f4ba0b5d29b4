import Bytes

/// An absolute http or https address, taken apart as strictly as it will be sent (RFC 3986).
package struct OutboundURL: Sendable, Equatable {
    /// Whether it is https.
    package let isSecure: Bool
    /// In lower case, ASCII; an IPv6 address without its brackets.
    package let host: String
    /// The usual one where none was given.
    package let port: UInt16
    /// Path with query, percent-encoded; begins with a slash.
    package let target: String

    /// Bytes of an address at most.
    package static let maximumLength = 8192

    /// - Returns: nil for another scheme, user names, hosts or ports that are none, spaces, controls and whatever is not
    ///   ASCII. A fragment is dropped.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let mark = text.firstRange(of: "://")
        else { return nil }
        switch text[..<mark.lowerBound].lowercased() {
        case "http": isSecure = false
        case "https": isSecure = true
        default: return nil
        }
        let rest = text[mark.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = Self.hostAndPort(authority, isSecure: isSecure) else { return nil }
        self.host = host
        self.port = port
        let target = rest[authority.endIndex...]
        guard !target.contains("\\") else { return nil }
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
    }

    private init(isSecure: Bool, host: String, port: UInt16, target: String) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.target = target
    }

    /// For the Host header: without the usual port.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Scheme, host and port: what may be logged. Paths and queries hold secrets.
    package var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// The whole address.
    package var text: String { origin + target }

    private static func hostAndPort(_ authority: Substring, isSecure: Bool) -> (host: String, port: UInt16)? {
        var rest = authority
        let host: String
        if rest.hasPrefix("[") {
            host = rest.dropFirst().prefix { $0 != "]" }.lowercased()
            rest = rest.dropFirst(host.utf8.count + 1)
            guard rest.hasPrefix("]"), host.contains(":"),
                host.utf8.allSatisfy({ ASCII.hexValue($0) != nil || $0 == ASCII.colon || $0 == ASCII.dot })
            else { return nil }
            rest = rest.dropFirst()
        } else {
            host = rest.prefix { $0 != ":" }.lowercased()
            rest = rest.dropFirst(host.utf8.count)
            guard isName(host) else { return nil }
        }
        if rest.isEmpty || rest == ":" { return (host, isSecure ? 443 : 80) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.utf8.allSatisfy(ASCII.isDigit), let port = UInt16(digits), port > 0 else {
            return nil
        }
        return (host, port)
    }

    /// Letters, digits, hyphens and underscores between dots; one dot may end it.
    private static func isName(_ host: String) -> Bool {
        guard (1...254).contains(host.utf8.count) else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let named = labels.count > 1 && labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        return named.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    ASCII.isLetterOrDigit(byte) || byte == ASCII.hyphen || byte == ASCII.underscore
                }
        }
    }
}

extension OutboundURL {
    /// The address that a reference in an answer from this one means (RFC 3986, section 5.2); nil when it is none.
    package func resolving(_ reference: String) -> OutboundURL? {
        let reference = reference.prefix { $0 != "#" }
        guard !reference.isEmpty else { return self }
        if Self.hasScheme(reference) { return OutboundURL(String(reference)) }
        let scheme = isSecure ? "https" : "http"
        if reference.hasPrefix("//") { return OutboundURL(scheme + ":" + reference) }
        let path = target.prefix { $0 != "?" }
        let target: String
        if reference.hasPrefix("/") {
            target = Self.withoutDots(String(reference))
        } else if reference.hasPrefix("?") {
            target = String(path + reference)
        } else {
            let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
            target = Self.withoutDots(String(folder) + reference)
        }
        guard let base = OutboundURL(origin + target) else { return nil }
        return OutboundURL(isSecure: isSecure, host: host, port: port, target: base.target)
    }

    private static func hasScheme(_ reference: Substring) -> Bool {
        let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
        return scheme.endIndex < reference.endIndex && reference[scheme.endIndex] == ":"
    }

    /// Section 5.2.4, for the path before the query.
    private static func withoutDots(_ target: String) -> String {
        let path = target.prefix { $0 != "?" }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/") + target[path.endIndex...]
    }
}
