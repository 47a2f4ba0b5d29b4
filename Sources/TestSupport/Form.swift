import Testing

/// A form of `multipart/form-data` with a file.
package struct Form: Sendable {
    /// Content type of the request.
    package static let contentType = "multipart/form-data; boundary=\(boundary)"
    private static let boundary = "----parley-form-7d81"

    /// The body of the request.
    package private(set) var body: [UInt8] = []

    package init() {}

    /// With one part named `file`.
    package init(_ bytes: [UInt8], type: String? = nil, name: String = "image") {
        add(bytes, type: type, fileName: name)
        end()
    }

    /// Adds a part.
    /// - Parameter head: more header lines.
    package mutating func add(
        _ bytes: [UInt8], type: String? = nil, name: String = "file", fileName: String? = nil, head: [String] = []
    ) {
        var lines = ["Content-Disposition: form-data; name=\"\(name)\""]
        if let fileName { lines[0] += "; filename=\"\(fileName)\"" }
        if let type { lines.append("Content-Type: \(type)") }
        body += Array("--\(Self.boundary)\r\n\((lines + head).joined(separator: "\r\n"))\r\n\r\n".utf8)
        body += bytes + [0x0D, 0x0A]
    }

    /// The last boundary.
    package mutating func end() { body += Array("--\(Self.boundary)--\r\n".utf8) }
}

extension HTTPClient {
    /// Sends a form as an upload.
    package func upload(
        _ form: Form, to tenant: String, _ query: QueryItems = [:], headers: [(String, String)] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try send(
            "POST", "/upload-image/\(tenant)", query, headers: [("content-type", Form.contentType)] + headers,
            body: form.body, sourceLocation: sourceLocation)
    }
}
