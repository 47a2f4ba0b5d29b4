import Bytes

/// A domain of a site: a host, which stands for its subdomains too, with at most one `*` (contract: admin 5.17).
package enum SiteDomain {
    /// Characters that a client may send for one.
    package static let maximumLength = 1000

    /// In lower case, without scheme, port, path and the dot that may end it; nil when it is no domain. Browsers name
    /// hosts with letters beyond ASCII in their `xn--` form, so only that is one.
    package static func canonical(_ text: String) -> String? {
        var rest = Array(text.trimmed.utf8)[...]
        if let scheme = text.trimmed.firstRange(of: "://") {
            rest = Array(text.trimmed[scheme.upperBound...].utf8)[...]
        }
        rest = rest.prefix { $0 != ASCII.slash && $0 != ASCII.question && $0 != ASCII.hash }
        if let colon = rest.lastIndex(of: ASCII.colon) {
            guard rest[(colon + 1)...].allSatisfy(ASCII.isDigit) else { return nil }
            rest = rest[..<colon]
        }
        if rest.last == ASCII.dot { rest = rest.dropLast() }
        let labels = rest.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard rest.count <= 253, rest.count(where: { $0 == ASCII.asterisk }) <= 1, rest != [ASCII.asterisk],
            labels.allSatisfy(isLabel)
        else {
            return nil
        }
        return String(decoding: rest.map(ASCII.lowercased), as: UTF8.self)
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        guard (1...63).contains(label.count), label.first != ASCII.hyphen, label.last != ASCII.hyphen else {
            return false
        }
        return label.allSatisfy { byte in
            ASCII.isLetterOrDigit(byte) || byte == ASCII.hyphen || byte == ASCII.underscore || byte == ASCII.asterisk
        }
    }

    /// Whether a host in lower case is the domain or one below it. A `*` stands for any part of one label; as the whole
    /// first label it may also be missing.
    package static func covers(_ domain: String, host: String) -> Bool {
        let domain = domain.lowercased()
        let bare = domain.hasPrefix("*.") ? String(domain.dropFirst(2)) : domain
        guard bare.utf8.contains(ASCII.asterisk) else { return host == bare || host.hasSuffix("." + bare) }
        let pattern = bare.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        let labels = host.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard labels.count >= pattern.count else { return false }
        return zip(pattern, labels.suffix(pattern.count)).allSatisfy { matches(Array($0), Array($1)) }
    }

    private static func matches(_ pattern: [UInt8], _ label: [UInt8]) -> Bool {
        guard let place = pattern.firstIndex(of: ASCII.asterisk) else { return pattern == label }
        let (head, tail) = (pattern[..<place], pattern[(place + 1)...])
        return label.count >= head.count + tail.count && label.starts(with: head) && label.suffix(tail.count) == tail
    }
}
