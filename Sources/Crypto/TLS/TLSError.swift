/// Why TLS cannot be set up: one English sentence for the operator, which names the file if there is one.
package struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    package var description: String { reason }
}
