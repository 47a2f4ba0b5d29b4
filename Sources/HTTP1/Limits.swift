/// How much of a request the parser takes before it refuses. All numbers are bytes unless named otherwise; a request
/// exactly at a limit passes.
package struct Limits: Sendable, Equatable {
    /// Request line and headers with all their line ends.
    package var headBytes = 96 * 1024
    /// Header lines, a count.
    package var headerCount = 100
    /// The request target. Clients put whole comments, or sign-on data with an avatar of 50,000 characters, into the query
    /// of a GET.
    package var targetBytes = 80 * 1024
    /// The body, until `RequestParser.setBodyLimit` says otherwise for one request.
    package var bodyBytes = 64 * 1024
    /// All chunk extensions of one body together, counted from the semicolon.
    package var chunkExtensionBytes = 1024
    /// The trailer section with all its line ends.
    package var trailerBytes = 8 * 1024

    /// The numbers above.
    package init() {}
}
