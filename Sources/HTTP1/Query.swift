import Bytes

/// The decoded pairs of a query string or of form data, in order.
package struct Query: Sendable {
    private let pairs: [(name: String, value: String)]

    /// Splits `raw` (without `?`) at `&` and each part at its first `=`; a part without `=` has an empty value.
    /// `plusIsSpace` is for form data and for clients that write queries like it. Nil when a name or a value is not
    /// UTF-8.
    package init?(raw: String, plusIsSpace: Bool) {
        let bytes = [UInt8](raw.utf8)
        var pairs: [(name: String, value: String)] = []
        var start = 0
        while start < bytes.count {
            let end = bytes.span.firstIndex(of: ASCII.ampersand, from: start) ?? bytes.count
            defer { start = end + 1 }
            guard end > start else { continue }
            let part = bytes[start..<end]
            let mark = part.firstIndex(of: ASCII.equals) ?? end
            guard let name = PercentEncoding.decode(part[..<mark], plusIsSpace: plusIsSpace),
                let value = PercentEncoding.decode(part[mark...].dropFirst(), plusIsSpace: plusIsSpace)
            else { return nil }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The value of the first pair of that name; nil when there is none.
    package subscript(_ name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// The values of all pairs of that name, in order.
    package func all(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }

    /// Whether there is no pair at all.
    package var isEmpty: Bool { pairs.isEmpty }
}

extension Query: Sequence {
    /// The pairs in order.
    package func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        pairs.makeIterator()
    }
}
