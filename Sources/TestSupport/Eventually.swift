import Testing

/// Asks again and again until something is so: for what follows a close, which the other side may hear of later than
/// somebody else is answered. A condition that never comes is a failure of the test.
package func eventually(
    by deadline: Deadline = .usual, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) rethrows {
    while try !condition() {
        guard deadline.milliseconds > 0 else {
            Issue.record("this never came to be", sourceLocation: sourceLocation)
            return
        }
    }
}
