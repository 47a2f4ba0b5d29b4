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
        if ETag.isKnown(tag, to: head) {
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
