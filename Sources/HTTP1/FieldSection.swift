import Bytes

/// Parses the lines of a header or trailer section that `HeadScanner` found well-ended.
enum FieldSection {
    /// `section` is a run of `name: value CR LF` lines, without the empty line at its end.
    static func parse(_ section: Span<UInt8>, limit: Int) throws(ParseFailure) -> HeaderFields {
        var bytes = [UInt8](copying: section)
        var fields: [HeaderFields.Field] = []
        fields.reserveCapacity(min(limit, section.count / 24))
        var index = 0
        while index < section.count {
            guard fields.count < limit else { throw .tooManyHeaders }
            guard !isBlank(section[index]) else { throw .foldedHeader }
            let name = index..<(try lowerCaseName(in: &bytes, from: index))
            var start = name.upperBound + 1
            while isBlank(section[start]) { start += 1 }
            guard var end = section.firstIndex(of: ASCII.carriageReturn, from: start) else { throw .malformedHeader }
            index = end + 2
            while end > start, isBlank(section[end - 1]) { end -= 1 }
            fields.append(HeaderFields.Field(name: name, value: start..<end))
        }
        return HeaderFields(bytes: bytes, fields: fields)
    }

    /// Folds the name to lower case in place and returns the index of its colon.
    private static func lowerCaseName(in bytes: inout [UInt8], from start: Int) throws(ParseFailure) -> Int {
        var span = bytes.mutableSpan
        var index = start
        while true {
            let byte = lowerCaseTokenByte(span[index])
            guard byte != 0 else { break }
            span[index] = byte
            index += 1
        }
        guard index > start, span[index] == ASCII.colon else { throw .malformedHeader }
        return index
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }
}
