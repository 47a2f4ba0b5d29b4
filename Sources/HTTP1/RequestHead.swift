/// Everything before the body of one request, checked.
package struct RequestHead: Sendable {
    /// How the body is delimited (RFC 9112, section 6.3).
    package enum Framing: Sendable, Equatable {
        /// No body.
        case none
        /// This many bytes, more than zero.
        case length(Int)
        /// Chunks until one of size zero.
        case chunked
    }

    /// Never anything but the known ones; others fail with 501.
    package let method: Method
    /// The target as sent: a path with query, an absolute URL, or `*`.
    package let target: String
    /// The path before `?`, still percent-encoded; begins with `/`, or is `*` for `OPTIONS *`.
    package let rawPath: String
    /// What follows the first `?`, still percent-encoded; empty when there is none.
    package let rawQuery: String
    /// Host and optional port: from an absolute target, else from the Host header. Empty when an HTTP/1.0 client names
    /// none.
    package let authority: String
    /// 0 or 1, of HTTP/1.x.
    package let minorVersion: Int
    /// Names in lower case.
    package let headers: HeaderFields
    /// What the parser will deliver after this head.
    package let framing: Framing
    /// Whether the client lets the connection live on (RFC 9112, section 9.3).
    package let keepsAlive: Bool
    /// Whether the client waits for a 100 before it sends the body (RFC 9110, section 10.1.1).
    package let expectsContinue: Bool
    /// Whether the client asks for `Upgrade: websocket`. `WebSocket.Handshake` judges the rest.
    package let wantsWebSocket: Bool
}
