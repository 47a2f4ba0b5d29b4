/// Why a request, or an answer, cannot be read. The connection must close after the answer, because where the next request starts is
/// not known any more.
package enum ParseFailure: String, Error, Sendable, Equatable, CaseIterable {
    case bareLineFeed = "A line ends without a carriage return."
    case bareCarriageReturn = "A carriage return stands alone."
    case controlByte = "The request head contains a control character."
    case malformedRequestLine = "The request line is malformed."
    case malformedStatusLine = "The status line is malformed."
    case malformedTarget = "The request target is malformed."
    case malformedHeader = "A header line is malformed."
    case foldedHeader = "A header value continues on a second line."
    case malformedHost = "The Host header is missing, doubled or malformed."
    case malformedContentLength = "The Content-Length header is malformed or doubled."
    case malformedTransferEncoding = "Only the transfer encoding chunked is understood."
    case conflictingFraming = "The request has both Content-Length and Transfer-Encoding."
    case malformedChunk = "The chunked body is malformed."
    case malformedTrailer = "The trailer section is malformed."
    case bodyTooLarge = "The request body is too large."
    case targetTooLong = "The request target is too long."
    case unknownExpectation = "The Expect header asks for something unknown."
    case headTooLarge = "The request head is too large."
    case tooManyHeaders = "The request has too many headers."
    case trailersTooLarge = "The trailer section is too large."
    case unknownMethod = "The request method is not known here."
    case unknownVersion = "Only HTTP/1.0 and HTTP/1.1 are understood."

    /// The status that answers it (RFC 9110, section 15).
    package var status: Int {
        switch self {
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .unknownExpectation: 417
        case .headTooLarge, .tooManyHeaders, .trailersTooLarge: 431
        case .unknownMethod: 501
        case .unknownVersion: 505
        default: 400
        }
    }

    /// One English sentence for the error body.
    package var reason: String { rawValue }
}
