import Domain

/// What a lane made from rows and keeps for its next units of work. Not Sendable: belongs to the lane's thread.
final class LaneMemory {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String
    }

    /// Values kept at most; past that all are forgotten.
    private static let capacity = 10_000

    private var kept: [Key: (version: Int64, value: Any)] = [:]

    func value<T>(_ name: String, version: Int64) -> T? {
        guard let found = kept[Key(type: ObjectIdentifier(T.self), name: name)], found.version == version else {
            return nil
        }
        return found.value as? T
    }

    func keep<T>(_ value: T, _ name: String, version: Int64) {
        if kept.count >= Self.capacity { forgetAll() }
        kept[Key(type: ObjectIdentifier(T.self), name: name)] = (version, value)
    }

    /// What was kept may be of rows that were taken back.
    func forgetAll() { kept = [:] }
}

extension Session {
    /// A value that depends on nothing but rows whose version the caller has read in this unit: made once on each lane,
    /// and again when the version is another one. Keep it small and immutable.
    package mutating func remembered<T: Sendable>(
        _ name: String, version: Int64, make: (inout Session) throws(APIError) -> T
    ) throws(APIError) -> T {
        if let known: T = memory.value(name, version: version) { return known }
        let value = try make(&self)
        memory.keep(value, name, version: version)
        return value
    }
}
