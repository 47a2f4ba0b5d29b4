import Domain
import HTTP1
import Server
import Storage

extension UploadRoutes {
    /// A file as it was stored; it never changes. Whatever it may hold, a browser that opens it runs nothing.
    static func read(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let folder = call.services.uploads.folder
        guard let row = try UploadSQL.find(call.parameter("name"), in: &session),
            folder.size(of: row.name) == row.byteCount
        else { throw APIError(404, "not-found", "There is no such file.") }
        let head = call.request.head
        let tag = "\"\(row.name)\""
        var headers: HeaderFields = [
            "content-type": row.mediaType, "etag": tag, "accept-ranges": "bytes",
            "cache-control": "public, max-age=31536000, immutable",
            "content-security-policy": "sandbox; default-src 'none'",
        ]
        if let known = head.headers["if-none-match"], ETag.list(known, names: tag) {
            return .response(Response(status: 304, headers: headers))
        }
        let whole = 0..<row.byteCount
        switch ByteRange(head, tag: tag, length: row.byteCount) {
        case .whole:
            return .response(Response(status: 200, headers: headers, body: body(folder.file(row.name), whole)))
        case .part(let range):
            headers.add("content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(row.byteCount)")
            return .response(Response(status: 206, headers: headers, body: body(folder.file(row.name), range)))
        case .unsatisfiable:
            let error = APIError(416, "range-not-satisfiable", "The file has only \(row.byteCount) bytes.")
            var response = ErrorBody(error: error).response()
            response.headers.add("content-range", "bytes */\(row.byteCount)")
            return .response(response)
        }
    }

    private static func body(_ path: String, _ range: Range<Int>) -> Response.Body {
        .file(length: range.count, next: FilePieces(path: path, range: range).next)
    }
}

/// Entity tags (RFC 9110, section 8.8.3).
private enum ETag {
    /// Whether an `If-None-Match` names the tag; weakness makes no difference there (section 13.1.2).
    static func list(_ field: String, names tag: String) -> Bool {
        field.split(separator: ",").map { String($0).trimmed }.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }
}

/// What part of a file is wanted (RFC 9110, section 14). More than one part, or what cannot be read, is answered whole.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ head: RequestHead, tag: String, length: Int) {
        self = .whole
        guard head.method == .get, let field = head.headers["range"] else { return }
        if let condition = head.headers["if-range"], condition != tag { return }
        self = ByteRange(field, length: length)
    }

    init(_ field: String, length: Int) {
        self = .whole
        let pieces = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.count == 2, pieces[0].lowercased() == "bytes" else { return }
        let ends = pieces[1].split(separator: "-", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard ends.count == 2, ends.allSatisfy(Self.isNumber), ends != ["", ""] else { return }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (nil, let last?):
            self = last == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - last)..<length)
        case (let first?, let last):
            if let last, last < first { return }
            self = first < length ? .part(first..<min(last.map { $0 &+ 1 } ?? length, length)) : .unsatisfiable
        case (nil, nil):
            return
        }
    }

    private static func isNumber(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Nil when empty; what is too long for a number is past any end.
    private static func number(_ text: String) -> Int? {
        text.isEmpty ? nil : min(Int(text) ?? Int.max, Int.max - 1)
    }
}
