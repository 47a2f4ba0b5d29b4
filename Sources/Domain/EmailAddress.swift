import Bytes

/// E-mail addresses, as far as a server without mail must understand them.
package enum EmailAddress {
    /// One `@` with something before it and a host with a dot or `localhost` behind it; no spaces or controls.
    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 1000, !text.contains(where: { $0.isWhitespace || $0 == "<" || $0 == ">" }),
            !text.unicodeScalars.contains(where: \.isInvisibleControl)
        else { return false }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty }) else { return false }
        return labels.count >= 2 || ASCII.equalsIgnoringCase(parts[1], "localhost")
    }

    /// What an address is compared by: lower case, without what stands behind a plus sign (contract: admin 6.6).
    package static func key(_ address: String) -> String {
        let parts = address.lowercased().split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return address.lowercased() }
        let name = parts[0].prefix { $0 != "+" }
        return (name.isEmpty ? parts[0] : name) + "@" + parts[1]
    }

    /// What stands behind the `@`, in lower case; empty when nothing does.
    package static func domain(_ address: String) -> String {
        address.lowercased().split(separator: "@", omittingEmptySubsequences: false).dropFirst().last.map(String.init)
            ?? ""
    }

    /// Tenants of test suites are exempt from rate and duplicate limits by their owner's address.
    package static func isOfTestSuite(_ address: String?) -> Bool {
        address?.lowercased().hasSuffix("@fctest.com") ?? false
    }
}

/// Web addresses in data from people.
package enum WebAddress {
    /// Longest web address, in UTF-8 bytes.
    package static let maximumLength = 3000

    /// Whether this is an absolute http or https address with a host and without characters that could end an attribute.
    package static func isWeb(_ text: String) -> Bool {
        hasWebScheme(text) && text.utf8.count <= maximumLength && !breaksOut(text) && host(text) != nil
    }

    /// Whether a browser that followed this would run it. Browsers overlook white space and controls in front of the
    /// scheme and inside it.
    package static func runsScript(_ text: String) -> Bool {
        var head: [UInt8] = []
        for scalar in text.unicodeScalars where !scalar.isInvisibleControl && !scalar.properties.isWhitespace {
            head += Array(String(scalar).utf8).map(ASCII.lowercased)
            if head.count >= 16 { break }
        }
        return ["javascript:", "vbscript:", "data:"].contains { head.starts(with: $0.utf8) }
    }

    /// Whether this begins as an absolute http or https address does.
    static func hasWebScheme(_ text: String) -> Bool {
        ["http://", "https://"].contains { scheme in
            ASCII.equalsIgnoringCase(String(decoding: text.utf8.prefix(scheme.utf8.count), as: UTF8.self), scheme)
        }
    }

    /// Whether the text holds a character that could end an attribute, or that cannot be seen.
    package static func breaksOut(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar.isInvisibleControl || scalar.properties.isWhitespace || scalar == "\"" || scalar == "'"
                || scalar == "<" || scalar == ">" || scalar == "`" || scalar == "\\"
        }
    }

    /// The host in lower case, without port, user and the dot that may end it; nil when there is none.
    package static func host(_ text: String) -> String? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        // By scalars: a mark after a slash does not hide it.
        let authority = text.unicodeScalars[scheme.upperBound...]
            .prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority[...]
        let isLiteral = hostAndPort.first == "["
        let name = hostAndPort.prefix { $0 != (isLiteral ? "]" : ":") }
        let host = String(name.last == "." ? name.dropLast() : name) + (isLiteral ? "]" : "")
        return host.isEmpty ? nil : host.lowercased()
    }
}
