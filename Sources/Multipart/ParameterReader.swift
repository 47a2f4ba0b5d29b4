import Bytes

private let backslash = UInt8(ascii: "\\")

/// A header value with parameters: `form-data; name="file"; filename="a.png"`.
struct ParameterReader {
    /// Before the first semicolon, in lower case.
    private(set) var value = ""
    private var parameters: [(name: String, value: String)] = []

    /// The value of a parameter, whose name is given in lower case.
    subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    static func isToken(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    static func read(_ bytes: ArraySlice<UInt8>) throws(MultipartFailure) -> ParameterReader {
        var field = ParameterReader()
        var rest = bytes
        skipBlanks(&rest)
        let value = rest.prefix { $0 != ASCII.semicolon }
        rest = rest.dropFirst(value.count)
        field.value = String(decoding: trimmed(value).map(ASCII.lowercased), as: UTF8.self)
        while !rest.isEmpty {
            rest = rest.dropFirst()
            skipBlanks(&rest)
            // Some clients end with a semicolon.
            if rest.isEmpty { break }
            try field.add(&rest)
            skipBlanks(&rest)
            guard rest.isEmpty || rest.first == ASCII.semicolon else { throw malformed }
        }
        return field
    }

    private mutating func add(_ rest: inout ArraySlice<UInt8>) throws(MultipartFailure) {
        let name = rest.prefix { Self.isToken($0) }
        rest = rest.dropFirst(name.count)
        guard !name.isEmpty, rest.first == ASCII.equals else { throw Self.malformed }
        rest = rest.dropFirst()
        let key = String(decoding: name.map(ASCII.lowercased), as: UTF8.self)
        guard self[key] == nil else { throw MultipartFailure("A header of a part names \(key) twice.") }
        let value = rest.first == ASCII.quote ? try Self.quoted(&rest) : Self.token(&rest)
        guard let text = String(validating: value, as: UTF8.self) else {
            throw MultipartFailure("A header of a part is not UTF-8.")
        }
        parameters.append((key, text))
    }

    private static func token(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let value = rest.prefix { $0 != ASCII.semicolon }
        rest = rest.dropFirst(value.count)
        return [UInt8](trimmed(value))
    }

    /// A backslash only escapes a quotation mark or itself, because old clients send whole paths of Windows.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(MultipartFailure) -> [UInt8] {
        var value: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            if byte == ASCII.quote { return value }
            if byte == backslash, let next = rest.first, next == ASCII.quote || next == backslash {
                rest = rest.dropFirst()
                value.append(next)
            } else {
                value.append(byte)
            }
        }
        throw malformed
    }

    private static let malformed = MultipartFailure("The parameters of a header are malformed.")

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { ASCII.isBlank($0) }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let last = bytes.last, ASCII.isBlank(last) { bytes = bytes.dropLast() }
        return bytes
    }
}

extension Multipart {
    /// The boundary of a `multipart/form-data` content type (RFC 2046, section 5.1.1).
    package static func boundary(ofContentType type: String?) throws(MultipartFailure) -> [UInt8] {
        guard let type else { throw MultipartFailure("The body must be multipart/form-data.") }
        let field = try ParameterReader.read(Array(type.utf8)[...])
        guard field.value == "multipart/form-data" else {
            throw MultipartFailure("The body must be multipart/form-data.")
        }
        guard let boundary = field["boundary"].map({ Array($0.utf8) }), (1...70).contains(boundary.count),
            boundary.last != ASCII.space, boundary.allSatisfy(isBoundaryByte)
        else { throw MultipartFailure("The Content-Type names no boundary of 1 to 70 characters.") }
        return boundary
    }

    private static func isBoundaryByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || "'()+_,-./:=? ".utf8.contains(byte)
    }
}
