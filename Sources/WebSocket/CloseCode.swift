/// Why a WebSocket closes (RFC 6455, section 7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    package let rawValue: UInt16

    /// Any number; `mayBeSent` tells whether a Close frame may carry it.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose is fulfilled.
    package static let normal = CloseCode(rawValue: 1000)
    /// The server stops or the page is left; also for a peer that answers no ping.
    package static let goingAway = CloseCode(rawValue: 1001)
    /// The peer broke the protocol.
    package static let protocolError = CloseCode(rawValue: 1002)
    /// The peer sent a kind of message that is not taken here.
    package static let unsupportedData = CloseCode(rawValue: 1003)
    /// A text was not UTF-8.
    package static let invalidPayload = CloseCode(rawValue: 1007)
    /// The peer did what it may not.
    package static let policyViolation = CloseCode(rawValue: 1008)
    /// A frame or message exceeds its limit.
    package static let messageTooBig = CloseCode(rawValue: 1009)
    /// Something failed here.
    package static let internalError = CloseCode(rawValue: 1011)
    /// The server restarts; come back after a moment.
    package static let serviceRestart = CloseCode(rawValue: 1012)
    /// The server, or this connection, is overloaded.
    package static let tryAgainLater = CloseCode(rawValue: 1013)

    /// Whether the number may stand in a Close frame: registered for that (IANA, WebSocket Close Code Number
    /// Registry), or left to libraries (3000–3999) and applications (4000–4999). 1004 to 1006 and 1015 may not.
    package var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
