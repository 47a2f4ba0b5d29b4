import Bytes

/// A recursive-descent reader over bytes (RFC 8259); its depth is bounded, so a hostile text cannot exhaust the stack.
struct JSONReader {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0

    init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func document() throws(JSONFailure) -> JSONValue {
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
        guard let byte = peek() else { throw failure("the text ends where a value should be") }
        switch byte {
        case 0x7B: return .object(try object(depth: depth))
        case 0x5B: return .array(try array(depth: depth))
        case 0x22: return .string(try string())
        case 0x74: return try literal([0x74, 0x72, 0x75, 0x65], .bool(true))
        case 0x66: return try literal([0x66, 0x61, 0x6C, 0x73, 0x65], .bool(false))
        case 0x6E: return try literal([0x6E, 0x75, 0x6C, 0x6C], .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONFailure) -> JSONObject {
        guard depth < maximumDepth else { throw failure("more than \(maximumDepth) levels") }
        position += 1
        var object = JSONObject()
        skipSpace()
        if take(0x7D) { return object }
        while true {
            skipSpace()
            guard peek() == 0x22 else { throw failure("a member name in quotes is missing") }
            let name = try string()
            skipSpace()
            guard take(0x3A) else { throw failure("a colon is missing") }
            skipSpace()
            object.append(name, try value(depth: depth + 1))
            skipSpace()
            if take(0x7D) { return object }
            guard take(0x2C) else { throw failure("a comma or a closing brace is missing") }
        }
    }

    private mutating func array(depth: Int) throws(JSONFailure) -> [JSONValue] {
        guard depth < maximumDepth else { throw failure("more than \(maximumDepth) levels") }
        position += 1
        var items: [JSONValue] = []
        skipSpace()
        if take(0x5D) { return items }
        while true {
            skipSpace()
            items.append(try value(depth: depth + 1))
            skipSpace()
            if take(0x5D) { return items }
            guard take(0x2C) else { throw failure("a comma or a closing bracket is missing") }
        }
    }

    private mutating func literal(_ word: [UInt8], _ value: JSONValue) throws(JSONFailure) -> JSONValue {
        guard bytes.count - position >= word.count, bytes[position..<position + word.count].elementsEqual(word) else {
            throw failure("an unknown word")
        }
        position += word.count
        return value
    }

    // MARK: Strings

    private mutating func string() throws(JSONFailure) -> String {
        position += 1
        let start = position
        while let byte = peek(), byte != 0x22, byte != 0x5C, byte >= 0x20 { position += 1 }
        if peek() == 0x22 {
            defer { position += 1 }
            return try text(Array(bytes[start..<position]), at: start)
        }
        return try escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) throws(JSONFailure) -> String {
        var unescaped = Array(bytes[start..<position])
        while let byte = peek() {
            position += 1
            switch byte {
            case 0x22: return try text(unescaped, at: start)
            case 0x5C: try appendEscape(to: &unescaped)
            case 0..<0x20: throw failure("a control character in a string")
            default: unescaped.append(byte)
            }
        }
        throw failure("a string has no end")
    }

    private func text(_ utf8: [UInt8], at start: Int) throws(JSONFailure) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw JSONFailure(reason: "a string is not valid UTF-8", offset: start)
        }
        return text
    }

    private mutating func appendEscape(to utf8: inout [UInt8]) throws(JSONFailure) {
        guard let byte = peek() else { throw failure("a string has no end") }
        position += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: utf8.append(byte)
        case 0x62: utf8.append(0x08)
        case 0x66: utf8.append(0x0C)
        case 0x6E: utf8.append(0x0A)
        case 0x72: utf8.append(0x0D)
        case 0x74: utf8.append(0x09)
        case 0x75: utf8.append(contentsOf: String(Character(try escapedScalar())).utf8)
        default: throw failure("an unknown escape")
        }
    }

    /// The scalar of `\uXXXX`, pairs joined; half a pair becomes U+FFFD, as browsers decode it.
    private mutating func escapedScalar() throws(JSONFailure) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let first = try hexQuad()
        guard (0xD800..<0xE000).contains(first) else { return Unicode.Scalar(first) ?? replacement }
        guard first < 0xDC00, bytes.count - position >= 6, bytes[position] == 0x5C, bytes[position + 1] == 0x75 else {
            return replacement
        }
        let mark = position
        position += 2
        let second = try hexQuad()
        guard (0xDC00..<0xE000).contains(second) else {
            position = mark
            return replacement
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
    }

    private mutating func hexQuad() throws(JSONFailure) -> UInt32 {
        guard bytes.count - position >= 4 else { throw failure("an escape is cut short") }
        var number: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = ASCII.hexValue(byte) else { throw failure("an escape has no hex digits") }
            number = number << 4 | UInt32(digit)
        }
        position += 4
        return number
    }

    // MARK: Numbers

    private mutating func number() throws(JSONFailure) -> JSONValue {
        let start = position
        _ = take(0x2D)
        if take(0x30) {
            if let next = peek(), isDigit(next) { throw failure("a number begins with 0") }
        } else {
            try digits()
        }
        var isWhole = true
        if take(0x2E) {
            isWhole = false
            try digits()
        }
        if let byte = peek(), byte == 0x65 || byte == 0x45 {
            isWhole = false
            position += 1
            if !take(0x2B) { _ = take(0x2D) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw failure("a number is too large") }
        return .double(number)
    }

    private mutating func digits() throws(JSONFailure) {
        let start = position
        while let byte = peek(), isDigit(byte) { position += 1 }
        guard position > start else { throw failure("no JSON value") }
    }

    // MARK: Bytes

    private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func failure(_ reason: String) -> JSONFailure { JSONFailure(reason: reason, offset: position) }
}
