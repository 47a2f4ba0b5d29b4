/// What a server agrees to about compressed messages (RFC 7692, section 7.1). Neither side keeps anything from one
/// message to the next, so that idle connections cost no memory and one frame serves all receivers.
package struct DeflateAgreement: Sendable, Equatable {
    private static let name = "permessage-deflate"
    private static let largestWindow: UInt8 = 15

    /// How far back, as a power of two, what this side compresses may refer, when the client limits it.
    private let serverWindowBits: UInt8?

    /// Longest message, in plain bytes, that may be sent to the client compressed: one that fits into the window cannot
    /// refer to anything beyond it.
    package var longestPacked: Int {
        guard let bits = serverWindowBits, bits < Self.largestWindow else { return .max }
        return 1 << bits
    }

    /// For `Sec-WebSocket-Extensions` of the answer.
    package var header: String {
        let header = "\(Self.name); server_no_context_takeover; client_no_context_takeover"
        return serverWindowBits.map { "\(header); server_max_window_bits=\($0)" } ?? header
    }

    /// Takes the first offer that can be understood whole; nil when there is none.
    /// - Parameter fields: the values of `Sec-WebSocket-Extensions`, all that were sent.
    package init?(offers fields: [String]) {
        for field in fields {
            for offer in field.split(separator: ",") {
                guard let bits = Self.accept(offer) else { continue }
                serverWindowBits = bits
                return
            }
        }
        return nil
    }

    /// Nil when the offer is declined: one parameter that is unknown, given twice or has a wrong value is enough.
    private static func accept(_ offer: Substring) -> UInt8?? {
        let parts = offer.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard parts[0] == name else { return nil }
        var bits: UInt8?
        var seen: Set<Substring> = []
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
            let value = pair.count == 2 ? pair[1] : nil
            guard seen.insert(pair[0]).inserted else { return nil }
            switch pair[0] {
            case "server_no_context_takeover", "client_no_context_takeover":
                guard value == nil else { return nil }
            case "server_max_window_bits":
                guard let value, let number = windowBits(value) else { return nil }
                bits = number
            case "client_max_window_bits":
                guard value.map({ windowBits($0) != nil }) ?? true else { return nil }
            default:
                return nil
            }
        }
        return .some(bits)
    }

    /// 8 to 15, without leading zeros; may be quoted (RFC 6455, section 9.1).
    private static func windowBits(_ value: Substring) -> UInt8? {
        var digits = value
        if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
            digits = value.dropFirst().dropLast()
        }
        return (8...largestWindow).first { String($0) == digits }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
