/// A nested part of a thread, in the order in which it is written: every node before its children.
package struct ThreadTree: Sendable {
    /// One node of the part.
    package struct Entry: Sendable {
        /// Position in the index.
        package let position: Int32
        /// 0 for the level that was asked for.
        package let depth: Int32
        /// Whether its children were asked for, and so are written even when there are none.
        package let isExpanded: Bool
        /// Entries below this one.
        package fileprivate(set) var nestedCount: Int32
    }

    /// How much of a thread to take.
    package struct Shape: Sendable {
        /// Levels below the first one; nil is all of them.
        package var maximumDepth: Int?
        /// Children passed over at the level below the first one.
        package var skipChildren = 0
        /// They are passed over at every level.
        package var skipsEverywhere = false
        /// Children of one node at most; nil is all of them.
        package var limitChildren: Int?
        /// Entries at most.
        package var maximumNodes = 10_000

        /// All of a thread, up to 10,000 nodes.
        package init() {}
    }

    /// The part in writing order.
    package private(set) var entries: [Entry] = []
    /// Whether `maximumNodes` cut it short.
    package private(set) var isCut = false

    /// - Parameter level: the nodes of the first level.
    package init(_ index: ThreadIndex, level: ArraySlice<Int32>, shape: Shape) {
        var stack: [(position: Int32, depth: Int32)] = level.reversed().map { ($0, 0) }
        // Entries that are still open: everything appended now lies below them.
        var open: [Int] = []
        while let (position, depth) = stack.popLast() {
            guard entries.count < shape.maximumNodes else {
                isCut = true
                break
            }
            closeEntries(&open, downTo: depth)
            let isExpanded = shape.maximumDepth.map { depth < $0 } ?? true
            open.append(entries.count)
            entries.append(Entry(position: position, depth: depth, isExpanded: isExpanded, nestedCount: 0))
            guard isExpanded else { continue }
            var children = index.children(of: Int(position))
            if depth == 0 || shape.skipsEverywhere { children = children.dropFirst(shape.skipChildren) }
            if let limit = shape.limitChildren { children = children.prefix(limit) }
            for child in children.reversed() { stack.append((child, depth + 1)) }
        }
        closeEntries(&open, downTo: 0)
    }

    private mutating func closeEntries(_ open: inout [Int], downTo depth: Int32) {
        while let last = open.last, entries[last].depth >= depth {
            entries[last].nestedCount = Int32(entries.count - last - 1)
            open.removeLast()
        }
    }
}
