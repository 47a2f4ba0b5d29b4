/// A value bound to a placeholder. Times are integer milliseconds, booleans are 0 and 1, ids are text.
package enum Value: Sendable, Hashable {
    /// SQL NULL.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// A whole number, or NULL.
    package static func int(_ value: Int?) -> Value { value.map { .integer(Int64($0)) } ?? .null }
    /// A whole number, or NULL.
    package static func int(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
    /// A floating-point number, or NULL.
    package static func double(_ value: Double?) -> Value { value.map { .real($0) } ?? .null }
    /// Text, or NULL.
    package static func text(_ value: String?) -> Value {
        guard let value else { return .null }
        return .text(value)
    }
    /// Bytes, or NULL.
    package static func bytes(_ value: [UInt8]?) -> Value { value.map { .blob($0) } ?? .null }
    /// 1 or 0, or NULL.
    package static func bool(_ value: Bool?) -> Value { value.map { .integer($0 ? 1 : 0) } ?? .null }

    /// A JSON array of strings, for `IN (SELECT value FROM json_each(?1))`: the only way to pass a list.
    package static func list(_ values: some Sequence<String>) -> Value {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for value in values {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            appendQuoted(value, to: &json)
        }
        json.append(UInt8(ascii: "]"))
        return .text(String(decoding: json, as: UTF8.self))
    }

    private static func appendQuoted(_ text: String, to json: inout [UInt8]) {
        let hex = Array("0123456789abcdef".utf8)
        json.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: json += Array("\\u00".utf8) + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// A whole number written in the code.
    package init(integerLiteral value: Int64) { self = .integer(value) }
    /// A floating-point number written in the code.
    package init(floatLiteral value: Double) { self = .real(value) }
    /// Text written in the code.
    package init(stringLiteral value: String) { self = .text(value) }
    /// 1 or 0.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    /// NULL.
    package init(nilLiteral: ()) { self = .null }
}
