/// Why a body is refused.
package struct MultipartFailure: Error, Sendable, Equatable {
    /// One English sentence that says what is wrong.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// What a multipart body may measure. Beside these, the whole is bounded by whoever reads it.
package struct MultipartLimits: Sendable {
    /// Parts of one body.
    package var parts = 16
    /// Bytes of all header lines of one part, with their line ends.
    package var headBytes = 8 * 1024
    /// Header lines of one part.
    package var headers = 16

    /// The numbers above.
    package init() {}
}
