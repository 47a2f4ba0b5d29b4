import HTTP1

/// A complete request.
package struct Request: Sendable {
    /// Request line and headers.
    package let head: RequestHead
    /// The body, without transfer coding.
    package let body: [UInt8]
    /// The numeric address of the other end, without port; IPv4 also when it came through an IPv6 socket. Behind a proxy
    /// that is the proxy.
    package let peerAddress: String
    /// Whether it came over TLS.
    package let isSecure: Bool
    /// As it was admitted with; gives back what the body took when the last copy of the request is gone.
    package let lease: (any BodyLease)?

    /// A request from its parts, also for tests of applications.
    package init(
        head: RequestHead, body: [UInt8], peerAddress: String, isSecure: Bool, lease: (any BodyLease)? = nil
    ) {
        self.lease = lease
        self.head = head
        self.body = body
        self.peerAddress = peerAddress
        self.isSecure = isSecure
    }
}

/// A share in the memory that large bodies may have together. Lives as long as the body does, whatever becomes of it: its
/// end gives everything back. Any thread.
package protocol BodyLease: AnyObject, Sendable {
    /// Takes so many bytes more. False when there is no room; the request is then answered with 503.
    func take(_ bytes: Int) -> Bool

    /// The body is complete; it takes nothing more.
    func received()

    /// Nobody waits for the answer any more: the connection has ended, or the client sends nothing more. A client that
    /// only ends its own direction cannot be told from one that has gone.
    func clientLeft()
}

/// What the application says to a request head, before the body is read.
package enum Admission: Sendable {
    /// Go on, with at most so many bytes of body; one more is answered with 413. The lease is asked for every piece.
    case accept(bodyLimit: Int, lease: (any BodyLease)? = nil)
    /// Answer at once. When a body would follow, it is not read and the connection closes.
    case refuse(Response)
}

/// What the application says to a complete request.
package enum Outcome: Sendable {
    /// The answer.
    case now(Response)
    /// The answer comes by `LoopContext.complete`, or by `LoopContext.upgrade`.
    case later
    /// Make the connection a WebSocket, with these headers besides those of the handshake (RFC 6455, section 4.2.2).
    case upgrade(HeaderFields)
}

/// Why the server itself refuses a request. The application renders the answer.
package struct ProtocolFailure: Error, Sendable, Equatable {
    /// The HTTP status of the answer.
    package let status: Int
    /// One English sentence.
    package let reason: String

    /// A failure that the server did not find itself, for applications that want to answer in the same way.
    package init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }
}
