import Bytes

/// The decoded pairs of a query string or of form data, in order.
package struct Query: Sendable {
    private let pairs: [(name: String, value: String)]

    /// Splits `raw` (without `?`) at `&` and each part at its first `=`; a part without `=` has an empty value.
    /// `plusIsSpace` is for form data and for clients that write queries like it. Nil when a name or a value is not
    /// UTF-8.
    package init?(raw: String, plusIsSpace: Bool) {
        var pairs: [(name: String, value: String)] = []
        for part in raw.utf8.split(separator: ASCII.ampersand) {
            let mark = part.firstIndex(of: ASCII.equals)
            let rawName = part[..<(mark ?? part.endIndex)]
            let rawValue = mark.map { part[part.index(after: $0)...] } ?? part[part.endIndex...]
            guard let name = PercentEncoding.decode(rawName, plusIsSpace: plusIsSpace),
                let value = PercentEncoding.decode(rawValue, plusIsSpace: plusIsSpace)
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
