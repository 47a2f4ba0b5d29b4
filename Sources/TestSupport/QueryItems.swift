import Bytes

/// The query of a request, in order: `["urlId": "page", "sso": nil]` leaves `sso` out.
package struct QueryItems: ExpressibleByDictionaryLiteral, Sendable {
    /// Names may repeat.
    package private(set) var items: [(name: String, value: String)] = []

    /// Items with values; nil leaves one out.
    package init(dictionaryLiteral items: (String, String?)...) {
        for (name, value) in items { append(name, value) }
    }

    /// Adds an item at the end; nil adds none.
    package mutating func append(_ name: String, _ value: String?) {
        if let value { items.append((name, value)) }
    }

    /// These items and then those.
    package static func + (left: QueryItems, right: QueryItems) -> QueryItems {
        var sum = left
        sum.items += right.items
        return sum
    }

    /// `?name=value&…`, percent-encoded; empty without items.
    package var text: String {
        guard !items.isEmpty else { return "" }
        let pairs = items.map { item in
            PercentEncoding.encodeComponent(item.name) + "=" + PercentEncoding.encodeComponent(item.value)
        }
        return "?" + pairs.joined(separator: "&")
    }
}
