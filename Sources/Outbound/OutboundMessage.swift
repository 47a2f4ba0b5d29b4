import HTTP1

/// One outgoing call.
package struct OutboundRequest: Sendable {
    /// Any known one.
    package var method: Method
    /// An absolute http or https address.
    package var url: String
    /// Besides those of the framing.
    package var headers: HeaderFields
    /// Nil sends none.
    package var body: [UInt8]?
    /// How many redirects are followed; with 0 an answer that redirects is an answer like any other.
    package var redirects = 0

    /// A call; a GET without body unless said otherwise.
    package init(_ url: String, method: Method = .get, headers: HeaderFields = [:], body: [UInt8]? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }
}

/// What came back.
package struct OutboundResponse: Sendable {
    /// 200 to 999.
    package let status: Int
    /// Names in lower case.
    package let headers: HeaderFields
    /// Without transfer coding; at most `OutboundLimits.responseBytes`.
    package let body: [UInt8]
}

/// How long a call may take and how much it may bring.
package struct OutboundLimits: Sendable {
    /// Until one address takes the connection, milliseconds.
    package var connectMilliseconds: Int64 = 4000
    /// For everything: name, connections, redirects, answer; milliseconds.
    package var totalMilliseconds: Int64 = 10_000
    /// Body of an answer, bytes.
    package var responseBytes = 4 << 20
    /// Status line and headers of an answer, bytes.
    package var headBytes = 64 << 10

    /// The numbers above.
    package init() {}
}
