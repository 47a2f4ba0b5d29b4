/// One thing to fuzz: bytes in, a trap if an invariant does not hold. Each lives in its own file as `<Name>Fuzz`, has a
/// corpus in `Tests/FuzzTests/corpus/<name>`, a line in `FuzzTests`, and an executable in `Sources/Fuzzers`.
package protocol FuzzBody: Sendable {
    /// Runs one input. Must not depend on anything but `data`.
    static func run(_ data: [UInt8])
}

/// Ways to cut an input, chosen by the input itself so that a failing one can be replayed.
enum Cuts {
    /// The whole; byte by byte; and pieces whose sizes repeat the first bytes of the input.
    static func all(_ data: ArraySlice<UInt8>) -> [[ArraySlice<UInt8>]] {
        [[data], data.indices.map { data[$0...$0] }, uneven(data)]
    }

    private static func uneven(_ data: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let sizes = data.prefix(8).map { Int($0 & 31) + 1 }
        var pieces: [ArraySlice<UInt8>] = []
        var rest = data
        while !rest.isEmpty {
            let size = sizes[pieces.count % sizes.count]
            pieces.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}
