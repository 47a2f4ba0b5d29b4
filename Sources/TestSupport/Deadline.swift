/// When waiting ends. Tests wait for conditions; a deadline only turns a condition that never comes into a failure.
package struct Deadline: Sendable {
    private let instant: ContinuousClock.Instant

    /// From now on.
    package init(_ duration: Duration) { instant = .now + duration }

    /// Long enough for a loaded machine.
    package static var usual: Deadline { Deadline(.seconds(20)) }

    /// What is left, at least 0, for `poll`.
    package var milliseconds: Int32 {
        let left = ContinuousClock.now.duration(to: instant)
        guard left > .zero else { return 0 }
        let (seconds, attoseconds) = left.components
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
