import Synchronization

/// How many connections all loops of a server have together.
final class ConnectionCounter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    /// Returns the number with the new one.
    func add() -> Int {
        value.add(1, ordering: .relaxed).newValue
    }

    func remove() {
        value.subtract(1, ordering: .relaxed)
    }
}
