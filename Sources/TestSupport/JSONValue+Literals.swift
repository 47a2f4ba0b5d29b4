import JSON

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// An object with these members in this order.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in members { object.append(name, value) }
        self = .object(object)
    }

    /// An array of these items.
    package init(arrayLiteral items: JSONValue...) { self = .array(items) }

    /// A string.
    package init(stringLiteral text: String) { self = .string(text) }

    /// A whole number.
    package init(integerLiteral number: Int64) { self = .integer(number) }

    /// A number with a fraction.
    package init(floatLiteral number: Double) { self = .double(number) }

    /// A boolean.
    package init(booleanLiteral flag: Bool) { self = .bool(flag) }

    /// `null`.
    package init(nilLiteral: ()) { self = .null }
}

/// One step into a JSON value: a key or an index.
package enum JSONStep: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, Sendable {
    case key(String)
    case index(Int)

    /// A key.
    package init(stringLiteral name: String) { self = .key(name) }

    /// An index, from 0.
    package init(integerLiteral index: Int) { self = .index(index) }
}

extension JSONValue {
    /// The value at the end of a path; nil when it is absent, `.null` when it is `null`.
    package subscript(_ path: JSONStep...) -> JSONValue? { value(at: path) }

    /// The value at the end of a path.
    package func value(at path: [JSONStep]) -> JSONValue? {
        var value = self
        for step in path {
            switch (step, value) {
            case (.key(let name), .object(let object)):
                guard let member = object[name] else { return nil }
                value = member
            case (.index(let index), .array(let items)):
                guard items.indices.contains(index) else { return nil }
                value = items[index]
            default:
                return nil
            }
        }
        return value
    }
}
