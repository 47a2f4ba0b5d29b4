/// Why TLS cannot be set up: one English sentence for the operator, which names the file if there is one.
package struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sentence.
    package let reason: String

    /// An error with that sentence.
    package init(_ reason: String) {
        self.reason = reason
    }

    /// The sentence, for the log.
    package var description: String { reason }
}
