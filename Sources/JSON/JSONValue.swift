/// A parsed JSON value. Absent and `null` members stay apart, which the single sign-on rules need.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The text, or nil when this is no string.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The flag, or nil when this is no boolean.
    package var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The whole number, also of `3.0`; nil when this is no number or has a fraction.
    package var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The number, or nil when this is none.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The items, or nil when this is no array.
    package var array: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The members, or nil when this is no object.
    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// Whether this is `null`.
    package var isNull: Bool { self == .null }

    /// A name that one of the objects in this has twice, where it is not enough that the last one counts; nil for none.
    package var repeatedName: String? {
        switch self {
        case .array(let items): return items.lazy.compactMap(\.repeatedName).first
        case .object(let object):
            var names: Set<String> = []
            return object.members.first { !names.insert($0.name).inserted }?.name
                ?? object.members.lazy.compactMap(\.value.repeatedName).first
        default: return nil
        }
    }

    /// Parses one JSON text (RFC 8259): valid UTF-8, at most `maximumDepth` levels, nothing after the value.
    package static func parse(_ bytes: [UInt8], maximumDepth: Int = 64) throws(JSONFailure) -> JSONValue {
        var reader = JSONReader(bytes, maximumDepth: maximumDepth)
        return try reader.document()
    }

    /// Parses one JSON text.
    package static func parse(_ text: String, maximumDepth: Int = 64) throws(JSONFailure) -> JSONValue {
        try parse(Array(text.utf8), maximumDepth: maximumDepth)
    }
}

extension JSONValue: JSONWritable {
    /// The value as it was read.
    package func write(to json: inout JSONWriter) { json.value(self) }
}

/// The members of an object in the order they came; of a repeated name the last one counts.
package struct JSONObject: Sendable, Equatable {
    /// All members, repeated names included.
    package private(set) var members: [(name: String, value: JSONValue)] = []

    /// No members.
    package init() {}

    /// The value of a member; nil when it is absent (`.null` when it is present as null).
    package subscript(_ name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }

    /// Adds a member at the end.
    package mutating func append(_ name: String, _ value: JSONValue) { members.append((name, value)) }

    /// The value of a member, absent when it is `null`.
    package func present(_ name: String) -> JSONValue? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }

    /// The same members in the same order.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// Why a text is no JSON.
package struct JSONFailure: Error, Sendable, Equatable {
    /// What was wrong, for a person.
    package let reason: String
    /// Byte offset of the fault.
    package let offset: Int
}
