import Bytes
import JSON

/// The JSON reader and writer: what is read can be written and read again, and no live frame holds a percent sign.
package enum JSONFuzz: FuzzBody {
    package static func run(_ data: [UInt8]) {
        let value: JSONValue
        do { value = try JSONValue.parse(data) } catch {
            precondition((0...data.count).contains(error.offset) && !error.reason.isEmpty, "a fault outside the text")
            return
        }
        precondition(String(validating: data, as: UTF8.self) != nil, "a text that is no UTF-8")
        let written = value.jsonBytes()
        let again = parsed(written)
        precondition(isSame(again, value), "the reader and the writer disagree")
        precondition(again.jsonBytes() == written, "writing changes from time to time")
        precondition(isSame(parsed([ASCII.space] + data + [ASCII.lineFeed]), value), "white space counts")
        precondition(depth(of: value) <= 64, "a value deeper than the limit")
        var frame = JSONWriter(escapesPercent: true)
        frame.value(value)
        precondition(!frame.bytes.contains(ASCII.percent), "a percent sign in a frame")
        precondition(isSame(parsed(frame.bytes), value), "escaping percent signs changes the value")
    }

    private static func parsed(_ bytes: [UInt8]) -> JSONValue {
        guard let value = try? JSONValue.parse(bytes) else { preconditionFailure("the writer wrote no JSON") }
        return value
    }

    /// Whether two values say the same; `1.0` may become `1`.
    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)): left.elementsEqual(right, by: isSame)
        case (.object(let left), .object(let right)):
            left.members.elementsEqual(right.members) {
                $0.name.utf8.elementsEqual($1.name.utf8) && isSame($0.value, $1.value)
            }
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.integer, .double), (.double, .integer): left.double == right.double
        default: left == right
        }
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let items): 1 + (items.map(depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }
}
