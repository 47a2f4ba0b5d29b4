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
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
    }

    /// Tenants of test suites are exempt from rate and duplicate limits by their owner's address.
    package static func isOfTestSuite(_ address: String?) -> Bool {
        address?.lowercased().hasSuffix("@fctest.com") ?? false
    }
}

/// Web addresses in data from people.
package enum WebAddress {
    /// Whether this is an absolute http or https address without characters that could end an attribute.
    package static func isWeb(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"), text.utf8.count <= 3000 else { return false }
        return !text.unicodeScalars.contains { scalar in
            scalar.isInvisibleControl || scalar == " " || scalar == "\"" || scalar == "'" || scalar == "<"
                || scalar == ">" || scalar == "`" || scalar == "\\"
        }
    }

    /// The host in lower case, without port and user; nil when this is no web address.
    package static func host(_ text: String) -> String? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let host = hostAndPort.hasPrefix("[") ? hostAndPort.prefix { $0 != "]" } + "]" : hostAndPort.prefix { $0 != ":" }
        return host.isEmpty ? nil : host.lowercased()
    }
}
