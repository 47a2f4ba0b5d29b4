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
        guard !name.isEmpty, name.utf8.allSatisfy({ lowerCaseTokenByte($0) != 0 }), value.utf8.allSatisfy(isFieldByte)
        else { return false }
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

    /// Appends all fields, each with its name, except those of some names, which must be given in lower case. Equal fields
    /// in equal order append equal bytes, and others append others.
    package func append(to output: inout [UInt8], except names: Set<[UInt8]>) {
        for field in fields where !names.contains(Array(bytes[field.name])) {
            output.append(ASCII.lineFeed)
            output.append(contentsOf: bytes[field.name])
            output.append(ASCII.colon)
            output.append(contentsOf: bytes[field.value])
        }
    }

    /// Whether a field of that name, which must be given in lower case, is present.
    package func contains(_ lowerCaseName: String) -> Bool {
        firstIndex(of: lowerCaseName.utf8Span.span) != nil
    }

    /// Whether any field of that name has `token` in its comma-separated list, in any case (RFC 9110, section 5.6.1).
    package func contains(_ token: String, inListOf lowerCaseName: String) -> Bool {
        let name = lowerCaseName.utf8Span.span
        let token = token.utf8Span.span
        for field in fields where matches(field, name) && listContains(token, in: field.value) { return true }
        return false
    }

    private func listContains(_ token: Span<UInt8>, in value: Range<Int>) -> Bool {
        var start = value.lowerBound
        while start < value.upperBound {
            var end = start
            while end < value.upperBound, bytes[end] != ASCII.comma { end += 1 }
            if isToken(token, trimmingBlanks(start..<end)) { return true }
            start = end + 1
        }
        return false
    }

    private func isToken(_ token: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == token.count else { return false }
        for offset in token.indices
        where ASCII.lowercased(bytes[range.lowerBound + offset]) != ASCII.lowercased(token[offset]) {
            return false
        }
        return true
    }

    private func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
        while end > start, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    func count(of lowerCaseName: String) -> Int {
        let name = lowerCaseName.utf8Span.span
        var count = 0
        for field in fields where matches(field, name) { count += 1 }
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
