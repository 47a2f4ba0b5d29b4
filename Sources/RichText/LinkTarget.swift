import Bytes

/// An absolute URL that a link or an image may point to.
struct LinkTarget: Equatable {
    /// Longer ones stay text.
    static let longest = 2048

    private static let webSchemeBytes = [UInt8]("http://".utf8)
    private static let inAddress = ByteSet(".@+-_%")

    /// As it stands in an attribute, before escaping.
    private(set) var url: [UInt8]
    /// Lower case, without port; nil for a mail address.
    private(set) var host: String?

    /// Nil unless the scheme is http or https, or mailto where mail is allowed, and the authority is beyond doubt:
    /// whatever browsers read differently from RFC 3986 (backslashes, escapes in the host) is refused.
    init?(_ source: some Collection<UInt8>, allowsMail: Bool = false) {
        guard source.count <= 2 * Self.longest, let bytes = Self.stripped(source), bytes.count <= Self.longest else {
            return nil
        }
        if allowsMail, let address = Self.mailAddress(bytes) {
            url = [UInt8]("mailto:".utf8) + address
            return
        }
        guard let scheme = Self.webScheme(bytes), let host = Self.host(bytes[scheme...]) else { return nil }
        self.host = host
        url = Self.encoded(bytes, lowercasing: scheme)
    }

    /// The length of `http://` or `https://` at the start, in any case.
    static func webScheme(_ bytes: some Collection<UInt8>) -> Int? {
        var state = 0
        var isSecure = false
        for byte in bytes.prefix(8) {
            let byte = ASCII.lowercased(byte)
            if state == 4, byte == UInt8(ascii: "s"), !isSecure {
                isSecure = true
                continue
            }
            guard byte == webSchemeBytes[state] else { return nil }
            state += 1
            if state == webSchemeBytes.count { return isSecure ? 8 : 7 }
        }
        return nil
    }

    /// Browsers drop tabs and line ends inside a URL and white space around it.
    private static func stripped(_ source: some Collection<UInt8>) -> [UInt8]? {
        var bytes = source.filter { $0 != ASCII.tab && $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }[...]
        while let last = bytes.last, last <= ASCII.space { bytes = bytes.dropLast() }
        bytes = bytes.drop { $0 <= ASCII.space }
        if bytes.contains(where: { ASCII.isControl($0) || $0 == UInt8(ascii: "\\") }) { return nil }
        if bytes.contains(where: { $0 >= 0x80 }) {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.unicodeScalars.contains(where: { SourceText.isDropped($0) || $0.value == 0xFFFD }) { return nil }
        }
        return [UInt8](bytes)
    }

    private static func mailAddress(_ bytes: [UInt8]) -> [UInt8]? {
        let scheme = [UInt8]("mailto:".utf8)
        guard bytes.prefix(scheme.count).map(ASCII.lowercased) == scheme else { return nil }
        let address = bytes.dropFirst(scheme.count).prefix { $0 != ASCII.question }
        let isPlain = address.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || inAddress.contains($0)
        }
        guard isPlain, address.filter({ $0 == ASCII.at }).count == 1, address.first != ASCII.at,
            address.last != ASCII.at
        else { return nil }
        return [UInt8](address)
    }

    private static func host(_ afterScheme: ArraySlice<UInt8>) -> String? {
        var authority = afterScheme.prefix { $0 != ASCII.slash && $0 != ASCII.question && $0 != ASCII.hash }
        if let at = authority.lastIndex(of: ASCII.at) { authority = authority[(at + 1)...] }
        var host = authority
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[...end]
            let digits = host.dropFirst().dropLast()
            guard digits.contains(ASCII.colon),
                digits.allSatisfy({ ASCII.hexValue($0) != nil || $0 == ASCII.colon || $0 == ASCII.dot })
            else { return nil }
        } else {
            host = authority.prefix { $0 != ASCII.colon }
            guard host.contains(where: { $0 != ASCII.dot }), host.allSatisfy(isHostByte) else { return nil }
        }
        let port = authority[host.endIndex...]
        guard port.isEmpty || (port.first == ASCII.colon && port.dropFirst().allSatisfy(ASCII.isDigit)),
            port.count <= 6
        else { return nil }
        if host.allSatisfy({ $0 < 0x80 }) { return String(decoding: host.map(ASCII.lowercased), as: UTF8.self) }
        let text = String(decoding: host, as: UTF8.self)
        return text.unicodeScalars.contains(where: \.properties.isWhitespace) ? nil : text.lowercased()
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.dot || byte == ASCII.hyphen
            || byte == ASCII.underscore || byte >= 0x80
    }

    private static func encoded(_ bytes: [UInt8], lowercasing scheme: Int) -> [UInt8] {
        var result = bytes[..<scheme].map(ASCII.lowercased)
        result.reserveCapacity(bytes.count + 16)
        for byte in bytes[scheme...] {
            switch byte {
            case ASCII.space: result += "%20".utf8
            case ASCII.quote: result += "%22".utf8
            case UInt8(ascii: "<"): result += "%3C".utf8
            case UInt8(ascii: ">"): result += "%3E".utf8
            case UInt8(ascii: "`"): result += "%60".utf8
            default: result.append(byte)
            }
        }
        return result
    }
}
