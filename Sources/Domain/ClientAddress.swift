/// Where a client comes from, as limits see it: one IPv4 address, or one IPv6 network of 64 bits, which is what a single
/// subscriber gets and may pick any address of.
package struct ClientAddress: Sendable, Hashable {
    /// What is counted: equal for all addresses of one client.
    package let key: String

    /// - Parameter text: a numeric address without port. What is none stands for itself.
    package init(_ text: String) {
        key = Self.groups(text).map(Self.key) ?? text
    }

    /// Whether this is the machine itself, which no limit per address concerns.
    package var isLoopback: Bool { key == "127.0.0.1" || key == "::1" }

    /// Whether a text is one numeric IPv4 or IPv6 address, without brackets and port.
    package static func isNumeric(_ text: String) -> Bool { isIPv4(text) || groups(text) != nil }

    /// Without a zone.
    package static func isIPv6(_ text: String) -> Bool { !text.utf8.contains(UInt8(ascii: "%")) && groups(text) != nil }

    private static func isIPv4(_ text: String) -> Bool { bytes(text[...]) != nil }

    private static func key(_ groups: [UInt16]) -> String {
        if groups[..<5].allSatisfy({ $0 == 0 }) {
            if groups[5] == 0xFFFF {
                return groups[6...].flatMap { [$0 >> 8, $0 & 0xFF] }.map(String.init).joined(separator: ".")
            }
            if groups[5...] == [0, 0, 1] { return "::1" }
        }
        return groups[..<4].map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }

    /// The eight groups of an IPv6 address (RFC 4291, section 2.2); nil for anything else.
    private static func groups(_ text: String) -> [UInt16]? {
        guard text.utf8.count <= 64, text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        // A zone names a link of this machine, nothing of the other end.
        let halves = halves(text.prefix { $0 != "%" })
        let parts = halves.compactMap { numbers($0) }
        guard parts.count == halves.count, let first = parts.first else { return nil }
        guard halves.count == 2 else { return first.count == 8 ? first : nil }
        let gap = 8 - first.count - parts[1].count
        return gap > 0 ? first + [UInt16](repeating: 0, count: gap) + parts[1] : nil
    }

    /// What stands before and after the one `::`.
    private static func halves(_ text: Substring) -> [Substring] {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == ":", next < text.endIndex, text[next] == ":" {
                return [text[..<index], text[text.index(after: next)...]]
            }
            index = next
        }
        return [text]
    }

    private static func numbers(_ text: Substring) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var numbers: [UInt16] = []
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            if index == pieces.count - 1, let bytes = bytes(piece) {
                numbers += [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
            } else {
                guard (1...4).contains(piece.utf8.count), piece.utf8.first != UInt8(ascii: "+"),
                    let number = UInt16(piece, radix: 16)
                else { return nil }
                numbers.append(number)
            }
        }
        return numbers
    }

    private static func bytes(_ text: Substring) -> [UInt16]? {
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count == 4 else { return nil }
        let bytes = pieces.compactMap { piece -> UInt16? in
            guard (1...3).contains(piece.utf8.count), piece.utf8.first != UInt8(ascii: "+"),
                let number = UInt8(piece)
            else { return nil }
            return UInt16(number)
        }
        return bytes.count == 4 ? bytes : nil
    }
}
