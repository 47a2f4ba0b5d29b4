import HTTP1

/// Why an outgoing call came to nothing.
package enum OutboundError: Error, Sendable, Equatable {
    /// The address is none, or a header or target would break the message.
    case malformedRequest
    /// The host means an address that is not public, and the operator did not name it.
    case forbiddenAddress
    /// The name has no address.
    case unknownHost
    /// Nobody answers there; the system's word.
    case unreachable(String)
    /// The time is up.
    case timedOut
    /// TLS failed, for example at the certificate.
    case insecure(String)
    /// The answer is no HTTP.
    case malformedAnswer(ParseFailure)
    /// The connection ended before the answer did.
    case truncated
    /// The answer exceeds the limit.
    case tooLarge
    /// More redirects than wanted, to nowhere, or from https to http.
    case badRedirect
    /// Too many calls wait, or the server stops.
    case unavailable

    /// For the log: one English sentence without the address, whose path may hold secrets.
    package var reason: String {
        switch self {
        case .malformedRequest: "The address or a header is malformed."
        case .forbiddenAddress:
            "The host's address is not public. --outbound-allow or PARLEY_OUTBOUND_ALLOW can allow the host."
        case .unknownHost: "The host's name has no address."
        case .unreachable(let detail): "The host cannot be reached (\(detail))."
        case .timedOut: "The host did not answer in time."
        case .insecure(let detail): "TLS failed (\(detail))."
        case .malformedAnswer(let failure): "The answer is malformed. \(failure.reason)"
        case .truncated: "The connection ended within the answer."
        case .tooLarge: "The answer is too large."
        case .badRedirect: "The answer redirects too often or to a place that is not followed."
        case .unavailable: "Too many calls wait, or the server stops."
        }
    }
}
