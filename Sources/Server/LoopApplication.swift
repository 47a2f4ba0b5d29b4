import HTTP1

/// What a connection asks of the application. All calls are on the thread of the connection's loop and must not block.
package protocol ConnectionHandler: AnyObject {
    /// Decides about a request before its body is read.
    /// - Parameter address: as `Request.peerAddress`.
    func admit(_ head: RequestHead, from address: String) -> Admission

    /// Answers a request, or promises to.
    func respond(to request: Request, exchange: ExchangeID) -> Outcome

    /// Renders a refusal of the server itself. The connection closes after it, unless only an upgrade was refused.
    func failure(_ failure: ProtocolFailure) -> Response

    /// A WebSocket exists: the answer to the handshake is queued, and frames may be sent.
    func socketOpened(_ id: ConnectionID, request: Request)

    /// A text message came; it is UTF-8.
    func socketReceived(_ id: ConnectionID, text: [UInt8])

    /// A binary message came.
    func socketReceived(_ id: ConnectionID, binary: [UInt8])

    /// A WebSocket is closing or gone: nothing will be received or sent on it any more. Exactly once for each one that
    /// was opened, and never from within a call of the application's to the server.
    func socketClosed(_ id: ConnectionID)

    /// An answer was queued for sending; a streamed one has ended. For access logs and counters.
    func exchangeFinished(_ record: ExchangeRecord)
}

extension ConnectionHandler {
    /// Does nothing.
    package func exchangeFinished(_ record: ExchangeRecord) {}
}

/// An application: one for each loop, made on the loop's thread, which it never leaves.
package protocol LoopApplication: ConnectionHandler, SendableMetatype {
    /// What other threads tell the application.
    associatedtype Message: Sendable

    /// Takes messages that were posted, in the order of each poster.
    func receive(_ messages: [Message])

    /// The server stops in good order: no connections or requests come any more, and what is in flight may finish.
    func drain()
}

/// What became of one exchange.
package struct ExchangeRecord: Sendable {
    /// The exchange.
    package let id: ExchangeID
    /// As in `Request`.
    package let peerAddress: String
    /// Of the request; GET for one that could not be read.
    package let method: Method
    /// Without query, as it was sent. Empty for a request that could not be read.
    package let path: String
    /// Of the answer; empty for a WebSocket and what the server itself refused.
    package let label: String
    /// Of the answer; 101 for a WebSocket.
    package let status: Int
    /// Of the body, before chunking; 0 for HEAD.
    package let bytes: Int
    /// From the end of the request's head to the queueing of the answer or, of a streamed one, to its end.
    package let microseconds: Int
}
