/// Writes one JSON text straight to bytes (RFC 8259). Commas are its business; the order of calls is the caller's.
package struct JSONWriter: Sendable {
    /// What has been written so far, UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// `%` becomes `\u0025`: some live clients percent-decode a frame before they parse it.
    private let escapesPercent: Bool
    private var needsComma = false

    /// - Parameters:
    ///   - capacity: bytes to reserve.
    ///   - escapesPercent: for live frames (contract: live events, fact 2).
    package init(capacity: Int = 256, escapesPercent: Bool = false) {
        self.escapesPercent = escapesPercent
        bytes.reserveCapacity(capacity)
    }

    // MARK: Structure

    /// Opens an object; `endObject` must follow.
    package mutating func beginObject() { open(0x7B) }

    /// Closes the innermost object.
    package mutating func endObject() { close(0x7D) }

    /// Opens an array; `endArray` must follow.
    package mutating func beginArray() { open(0x5B) }

    /// Closes the innermost array.
    package mutating func endArray() { close(0x5D) }

    /// Writes a member name that needs no escaping; a value must follow.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(0x22)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(0x22)
        bytes.append(0x3A)
    }

    /// Writes a member name that comes from data; a value must follow.
    package mutating func key(_ name: String) {
        separate()
        appendQuoted(name)
        bytes.append(0x3A)
    }

    /// The object written by `body`.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    // MARK: Values

    /// Writes a string value.
    package mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
        needsComma = true
    }

    /// Writes UTF-8 bytes as a string value; they must be valid UTF-8.
    package mutating func string(utf8 value: some Sequence<UInt8>) {
        separate()
        bytes.append(0x22)
        for byte in value { appendEscaping(byte) }
        bytes.append(0x22)
        needsComma = true
    }

    /// Writes an integer.
    package mutating func int(_ value: some BinaryInteger) {
        separate()
        appendInteger(Int64(value))
        needsComma = true
    }

    /// Writes a number: without a fraction when it has none, `null` when it is not finite.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        if value == value.rounded(), abs(value) < 1e15 { return int(Int64(value)) }
        separate()
        bytes.append(contentsOf: value.description.utf8)
        needsComma = true
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    /// Writes `null`.
    package mutating func null() { literal("null") }

    /// Writes a moment as `2026-01-02T03:04:05.006Z`, or without milliseconds.
    package mutating func date(milliseconds: Int64, wholeSeconds: Bool = false) {
        separate()
        bytes.append(0x22)
        ISODate.append(milliseconds: milliseconds, wholeSeconds: wholeSeconds, to: &bytes)
        bytes.append(0x22)
        needsComma = true
    }

    /// Writes a finished JSON value as it is, but for the escaping of `%` where that is wanted.
    /// - Returns: where in ``bytes`` it stands.
    @discardableResult
    package mutating func raw(_ json: some Sequence<UInt8>) -> Range<Int> {
        separate()
        let start = bytes.count
        if escapesPercent {
            // Outside of strings JSON has no percent sign.
            for byte in json { if byte == 0x25 { appendEscaping(byte) } else { bytes.append(byte) } }
        } else {
            bytes.append(contentsOf: json)
        }
        needsComma = true
        return start..<bytes.count
    }

    /// Writes any parsed value.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .integer(let number): int(number)
        case .double(let number): double(number)
        case .string(let text): string(text)
        case .array(let items):
            beginArray()
            for item in items { self.value(item) }
            endArray()
        case .object(let object):
            beginObject()
            for (name, member) in object.members {
                key(name)
                self.value(member)
            }
            endObject()
        }
    }

    // MARK: Bytes

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = false
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        bytes.append(byte)
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func literal(_ word: StaticString) {
        separate()
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        needsComma = true
    }

    private mutating func appendInteger(_ value: Int64) {
        if value >= 0, value < 10 { return bytes.append(0x30 + UInt8(value)) }
        var digits: InlineArray<20, UInt8> = .init(repeating: 0)
        var count = 0
        var rest = value.magnitude
        repeat {
            digits[count] = 0x30 + UInt8(rest % 10)
            rest /= 10
            count += 1
        } while rest > 0
        if value < 0 { bytes.append(0x2D) }
        for index in stride(from: count - 1, through: 0, by: -1) { bytes.append(digits[index]) }
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(0x22)
        var text = text
        text.withUTF8 { unsafe appendRuns($0) }
        bytes.append(0x22)
    }

    /// Copies runs of plain bytes at once and escapes what stands between them.
    private mutating func appendRuns(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in 0..<text.count {
            let byte = unsafe text[index]
            guard mustEscape(byte) else { continue }
            if index > start { unsafe bytes.append(contentsOf: text[start..<index]) }
            appendEscaping(byte)
            start = index + 1
        }
        if start < text.count { unsafe bytes.append(contentsOf: text[start...]) }
    }

    @inline(__always)
    private func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C || (escapesPercent && byte == 0x25)
    }

    private mutating func appendEscaping(_ byte: UInt8) {
        guard mustEscape(byte) else { return bytes.append(byte) }
        bytes.append(0x5C)
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(0x6E)
        case 0x0D: bytes.append(0x72)
        case 0x09: bytes.append(0x74)
        case 0x08: bytes.append(0x62)
        case 0x0C: bytes.append(0x66)
        default:
            let hex: StaticString = "0123456789abcdef"
            bytes.append(contentsOf: [0x75, 0x30, 0x30])
            unsafe bytes.append(hex.utf8Start[Int(byte >> 4)])
            unsafe bytes.append(hex.utf8Start[Int(byte & 15)])
        }
    }
}
