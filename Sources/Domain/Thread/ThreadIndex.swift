/// The visible comments of a page in one order: roots, the children of each, and the whole as a flat list.
///
/// Built in O(n log n), iteratively: neither the depth nor the size of a thread can exhaust a stack. Nodes are named by
/// their position in `nodes`.
package struct ThreadIndex: Sendable {
    /// The nodes by `seq`, hidden ones included.
    package let nodes: [ThreadNode]
    /// Positions of the visible roots, pinned ones first, in order.
    package var roots: ArraySlice<Int32> { childItems[Int(childStarts[0])..<Int(childStarts[1])] }
    /// Visible comments that count: placeholders do not.
    package let totalCount: Int
    /// Visible roots that count.
    package let rootCount: Int
    /// Some comments are pending or spam: other viewers may see others.
    package let hasHidden: Bool

    private let isVisible: [Bool]
    // Children in compressed rows: row 0 holds the roots, row p + 1 the children of node p.
    private let childStarts: [Int32]
    private let childItems: [Int32]

    /// - Parameter nodes: ascending by `seq`.
    package init(_ nodes: [ThreadNode], viewer: ThreadViewer, direction: SortDirection) {
        self.nodes = nodes
        hasHidden = nodes.contains { $0.isHidden }
        let parents = nodes.map { node in node.parent == 0 ? -1 : Self.position(of: node.parent, in: nodes) ?? -2 }
        var isVisible = [Bool](repeating: false, count: nodes.count)
        var total = 0
        var roots = 0
        for (position, node) in nodes.enumerated() where viewer.sees(node) {
            let parent = parents[position]
            guard parent == -1 || (parent >= 0 && parent < position && isVisible[parent]) else { continue }
            isVisible[position] = true
            guard !node.isDeleted else { continue }
            total += 1
            if parent == -1 { roots += 1 }
        }
        self.isVisible = isVisible
        totalCount = total
        rootCount = roots
        (childStarts, childItems) = Self.rows(nodes, parents, isVisible, direction)
    }

    private static func rows(
        _ nodes: [ThreadNode], _ parents: [Int], _ isVisible: [Bool], _ direction: SortDirection
    ) -> ([Int32], [Int32]) {
        let order = nodes.indices.filter { isVisible[$0] }.sorted { precedes(nodes[$0], nodes[$1], direction) }
        var starts = [Int32](repeating: 0, count: nodes.count + 2)
        for position in order { starts[parents[position] + 2] += 1 }
        for row in 1..<starts.count { starts[row] += starts[row - 1] }
        var next = starts
        var items = [Int32](repeating: 0, count: order.count)
        for position in order {
            let row = parents[position] + 1
            items[Int(next[row])] = Int32(position)
            next[row] += 1
        }
        return (starts, items)
    }

    /// Pinned roots first, newest pin first; then by direction; equal ones by insertion.
    private static func precedes(_ left: ThreadNode, _ right: ThreadNode, _ direction: SortDirection) -> Bool {
        // A pinned reply stays in its place. Siblings are compared with strangers too, so one order must hold for all.
        let pins = (left: left.parent == 0 ? left.pinnedAt : 0, right: right.parent == 0 ? right.pinnedAt : 0)
        if pins.left != pins.right { return pins.left > pins.right }
        switch direction {
        case .oldestFirst:
            return (left.createdAt, left.seq) < (right.createdAt, right.seq)
        case .newestFirst:
            return (left.createdAt, left.seq) > (right.createdAt, right.seq)
        case .mostRelevant:
            return (left.score, left.createdAt, left.seq) > (right.score, right.createdAt, right.seq)
        }
    }

    // MARK: Looking up

    /// Position of the node with this `seq`, whether it is visible or not.
    package func position(ofSeq seq: Int64) -> Int? { Self.position(of: seq, in: nodes) }

    private static func position(of seq: Int64, in nodes: [ThreadNode]) -> Int? {
        var low = 0
        var high = nodes.count
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].seq < seq { low = middle + 1 } else { high = middle }
        }
        return low < nodes.count && nodes[low].seq == seq ? low : nil
    }

    /// Whether the viewer sees the node.
    package func isVisible(_ position: Int) -> Bool { isVisible[position] }

    /// Visible children of a node, in order.
    package func children(of position: Int) -> ArraySlice<Int32> {
        childItems[Int(childStarts[position + 1])..<Int(childStarts[position + 2])]
    }

    /// Visible children that count: placeholders do not.
    package func childCount(of position: Int) -> Int {
        children(of: position).reduce(0) { $0 + (nodes[Int($1)].isDeleted ? 0 : 1) }
    }

    /// The root above a node, itself included. Ends even where damaged data make a circle of parents.
    package func root(of position: Int) -> Int {
        var current = position
        while nodes[current].parent != 0, let parent = self.position(ofSeq: nodes[current].parent), parent < current {
            current = parent
        }
        return current
    }

    /// Positions of the visible roots by age alone, oldest first, for an index in that direction.
    package func rootsByTime() -> [Int32] {
        // Only pinned ones stand out of order.
        guard let first = roots.first, nodes[Int(first)].pinnedAt > 0 else { return Array(roots) }
        return roots.sorted { left, right in
            let (left, right) = (nodes[Int(left)], nodes[Int(right)])
            return (left.createdAt, left.seq) < (right.createdAt, right.seq)
        }
    }

    /// All visible nodes, each before its children: the flat list of the contract (public 5.3).
    package func flattened() -> [Int32] {
        var list: [Int32] = []
        list.reserveCapacity(childItems.count)
        var stack = Array(roots.reversed())
        while let position = stack.popLast() {
            list.append(position)
            stack.append(contentsOf: children(of: Int(position)).reversed())
        }
        return list
    }

    /// The siblings directly above and below a node in this order; nil at the ends and for a hidden node.
    package func neighbours(of position: Int) -> (before: Int?, after: Int?) {
        let parent = nodes[position].parent
        let siblings = parent == 0 ? roots : self.position(ofSeq: parent).map { children(of: $0) } ?? []
        guard let place = siblings.firstIndex(of: Int32(position)) else { return (nil, nil) }
        let before = place > siblings.startIndex ? Int(siblings[place - 1]) : nil
        let after = place + 1 < siblings.endIndex ? Int(siblings[place + 1]) : nil
        return (before, after)
    }
}
