import HTTP1

/// An answer. `Content-Length`, `Transfer-Encoding`, `Date` and `Connection` are the server's to write.
package struct Response: Sendable {
    /// What follows the head.
    package enum Body: Sendable {
        /// All of it. For HEAD only its length is used.
        case bytes([UInt8])
        /// All of it in two parts, of which many answers may share the first.
        case parts([UInt8], [UInt8])
        /// Piece by piece until nil, called on the loop's thread as the socket drains. Sent in chunks; to clients of
        /// HTTP/1.0 until the connection closes.
        case stream(next: @Sendable () -> [UInt8]?)
        /// So many bytes, piece by piece, called as that of `stream`. When they are not as many, the connection ends.
        case file(length: Int, next: @Sendable () -> [UInt8]?)
    }

    /// 200 to 599.
    package var status: Int
    /// Besides those that are the server's to write.
    package var headers: HeaderFields
    /// Left out where status or method allow none (RFC 9110, section 6.4.1).
    package var body: Body
    /// Whether the connection ends after this answer.
    package var closesConnection: Bool
    /// What the application calls the request in its own records.
    package var label = ""

    /// An answer; empty and keeping the connection unless said otherwise.
    package init(
        status: Int, headers: HeaderFields = HeaderFields(), body: Body = .bytes([]), closesConnection: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
    }

    /// Bytes of the body that are there; 0 of those that come piece by piece.
    var byteCount: Int {
        switch body {
        case .bytes(let bytes): bytes.count
        case .parts(let first, let second): first.count + second.count
        case .stream, .file: 0
        }
    }

    var isStream: Bool {
        if case .stream = body { true } else { false }
    }
}
