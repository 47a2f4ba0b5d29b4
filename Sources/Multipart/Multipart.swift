import Bytes

/// Bodies of `multipart/form-data` (RFC 7578), cut into parts. Pure: bytes in, ranges out, nothing is copied.
package enum Multipart {
    /// One field or file of a form.
    package struct Part: Sendable, Equatable {
        /// Name of the field.
        package let name: String
        /// The last component of the name that the client gave, without control characters; nil for a plain field. What a
        /// client calls its files is no path of ours.
        package let fileName: String?
        /// Media type in lower case, without parameters; nil when none was given.
        package let mediaType: String?
        /// Where the content lies in the body.
        package let content: Range<Int>
    }

    /// The parts of a complete body, in order.
    ///
    /// - Parameters:
    ///   - body: all of it; what precedes the first boundary and follows the last is ignored (RFC 2046, section 5.1.1).
    ///   - boundary: as `boundary(ofContentType:)` gave it.
    package static func parts(
        of body: Span<UInt8>, boundary: [UInt8], limits: MultipartLimits = MultipartLimits()
    ) throws(MultipartFailure) -> [Part] {
        let search = DelimiterSearch(boundary)
        guard var delimiter = search.next(in: body, from: 0) else {
            throw MultipartFailure("The body has no line with its boundary.")
        }
        var parts: [Part] = []
        while !delimiter.isLast {
            guard parts.count < limits.parts else {
                throw MultipartFailure("The body has more than \(limits.parts) parts.")
            }
            let start = delimiter.end
            var reader = PartHeadReader(position: start, limits: limits)
            let head = try reader.read(body)
            // The line end before a boundary belongs to the boundary, also when it ends an empty head.
            guard let next = search.next(in: body, from: max(start, reader.position - 2)) else {
                throw MultipartFailure("The body ends without its last boundary.")
            }
            let end = max(next.start, reader.position)
            parts.append(
                Part(
                    name: head.name, fileName: head.fileName, mediaType: head.mediaType, content: reader.position..<end)
            )
            delimiter = next
        }
        return parts
    }
}

/// Finds the lines that separate parts: a line end, two hyphens, the boundary, perhaps blanks, and a line end; two more
/// hyphens after the boundary make it the last.
private struct DelimiterSearch {
    struct Delimiter {
        /// Where its line end begins, which is where the content before it ends.
        let start: Int
        /// Behind it.
        let end: Int
        let isLast: Bool
    }

    private let mark: [UInt8]

    init(_ boundary: [UInt8]) {
        mark = [ASCII.hyphen, ASCII.hyphen] + boundary
    }

    func next(in body: Span<UInt8>, from start: Int) -> Delimiter? {
        if start == 0, let first = delimiter(in: body, lineEnd: 0, line: 0) { return first }
        var position = start
        while position + 1 < body.count {
            if body[position] == ASCII.carriageReturn, body[position + 1] == ASCII.lineFeed,
                let found = delimiter(in: body, lineEnd: position, line: position + 2)
            {
                return found
            }
            position += 1
        }
        return nil
    }

    private func delimiter(in body: Span<UInt8>, lineEnd: Int, line: Int) -> Delimiter? {
        guard body.count - line >= mark.count else { return nil }
        for offset in mark.indices where body[line + offset] != mark[offset] { return nil }
        var position = line + mark.count
        let isLast =
            position + 1 < body.count && body[position] == ASCII.hyphen && body[position + 1] == ASCII.hyphen
        if isLast { position += 2 }
        while position < body.count, ASCII.isBlank(body[position]) { position += 1 }
        if isLast, position == body.count { return Delimiter(start: lineEnd, end: position, isLast: true) }
        guard position + 1 < body.count, body[position] == ASCII.carriageReturn, body[position + 1] == ASCII.lineFeed
        else { return nil }
        return Delimiter(start: lineEnd, end: position + 2, isLast: isLast)
    }
}
