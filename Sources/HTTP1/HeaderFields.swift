import Bytes

/// Header fields in the order they were sent (RFC 9110, section 5). Names are kept in lower case.
///
/// All names and values share one byte array, so that a request head costs two allocations and no `String` until a
/// value is asked for.
package struct HeaderFields: Sendable {
    struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private(set) var bytes: [UInt8]
    private(set) var fields: [Field]

    /// No fields.
    package init() {
        bytes = []
        fields = []
    }

    /// Takes over a parsed header section. `fields` must lie within `bytes`, names in lower case.
    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// The number of fields; a name that occurs twice counts twice.
    package var count: Int { fields.count }

    /// Appends a field. A name that is no token, or a value with a control character other than a tab, would break the
    /// framing of the message: such a field is not added.
    /// - Returns: whether the field was added.
    @discardableResult
    package mutating func add(_ name: String, _ value: String) -> Bool {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte), value.utf8.allSatisfy(isFieldByte) else { return false }
        let start = bytes.count
        bytes.append(contentsOf: name.utf8.lazy.map(ASCII.lowercased))
        let middle = bytes.count
        bytes.append(contentsOf: value.utf8)
        fields.append(Field(name: start..<middle, value: middle..<bytes.count))
        return true
    }

    /// Replaces every field of that name by this one; the rules of `add` hold, and a refused field replaces nothing.
    @discardableResult
    package mutating func set(_ name: String, _ value: String) -> Bool {
        let before = fields
        guard add(name, value), let added = fields.last else { return false }
        let lowerCaseName = [UInt8](bytes[added.name])
        fields = before.filter { !matches($0, lowerCaseName.span) } + [added]
        return true
    }

    /// The value of the first field of that name, which must be given in lower case. Bytes that are not UTF-8 become
    /// U+FFFD.
    package subscript(_ lowerCaseName: String) -> String? {
        firstIndex(of: lowerCaseName.utf8Span.span).map { text(fields[$0].value) }
    }

    /// The values of all fields of that name, which must be given in lower case.
    package func all(_ lowerCaseName: String) -> [String] {
        fields.filter { matches($0, lowerCaseName.utf8Span.span) }.map { text($0.value) }
    }

    /// Whether a field of that name, which must be given in lower case, is present.
    package func contains(_ lowerCaseName: String) -> Bool {
        firstIndex(of: lowerCaseName.utf8Span.span) != nil
    }

    /// Whether any field of that name has `token` in its comma-separated list, in any case (RFC 9110, section 5.6.1).
    package func contains(_ token: String, inListOf lowerCaseName: String) -> Bool {
        fields.contains { field in
            guard matches(field, lowerCaseName.utf8Span.span) else { return false }
            return bytes[field.value].split(separator: ASCII.comma).contains { item in
                let trimmed = trimmingBlanks(item)
                return trimmed.elementsEqual(token.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
            }
        }
    }

    func count(of lowerCaseName: String) -> Int {
        var count = 0
        for field in fields where matches(field, lowerCaseName.utf8Span.span) { count += 1 }
        return count
    }

    func valueBytes(of lowerCaseName: String) -> ArraySlice<UInt8>? {
        firstIndex(of: lowerCaseName.utf8Span.span).map { bytes[fields[$0].value] }
    }

    private func firstIndex(of name: Span<UInt8>) -> Int? {
        for index in fields.indices where matches(fields[index], name) { return index }
        return nil
    }

    private func matches(_ field: Field, _ name: Span<UInt8>) -> Bool {
        guard field.name.count == name.count else { return false }
        for offset in name.indices where bytes[field.name.lowerBound + offset] != name[offset] { return false }
        return true
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension HeaderFields: Sequence {
    /// The fields in order, as text; names in lower case.
    package func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        fields.lazy.map { (name: text($0.name), value: text($0.value)) }.makeIterator()
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// The fields in the order of the literal; the rules of `add` hold.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { add(name, value) }
    }
}

func trimmingBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var trimmed = bytes
    while let first = trimmed.first, ASCII.isBlank(first) { trimmed.removeFirst() }
    while let last = trimmed.last, ASCII.isBlank(last) { trimmed.removeLast() }
    return trimmed
}

/// Whether a field name or a method may contain the byte (RFC 9110, section 5.6.2).
func isTokenByte(_ byte: UInt8) -> Bool {
    // One bit for each of 0x00–0x3F and 0x40–0x7F.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return switch byte >> 6 {
    case 0: low >> UInt64(byte) & 1 == 1
    case 1: high >> UInt64(byte & 63) & 1 == 1
    default: false
    }
}

/// Whether a field value may contain the byte (RFC 9110, section 5.5).
func isFieldByte(_ byte: UInt8) -> Bool {
    !ASCII.isControl(byte) || byte == ASCII.tab
}
