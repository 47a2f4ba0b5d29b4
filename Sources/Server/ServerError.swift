/// Why a server cannot start: one English sentence for the operator.
package struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sentence.
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// The sentence.
    package var description: String { reason }
}
