import Domain

/// What the contract says of a thread, written down as plainly as possible: recursive and slow.
struct NaiveThread {
    let nodes: [ThreadNode]
    let viewer: ThreadViewer
    let direction: SortDirection

    func sees(_ node: ThreadNode) -> Bool {
        if node.isSpam { return false }
        if !node.isHidden { return true }
        switch viewer {
        case .reader: return false
        case .staff: return true
        case .author(let id): return node.hiddenAuthor == id
        }
    }

    /// Siblings in order, as `seq`.
    func children(of parent: Int64) -> [ThreadNode] {
        nodes.filter { $0.parent == parent && sees($0) }.sorted { left, right in
            if parent == 0, left.pinnedAt != right.pinnedAt { return left.pinnedAt > right.pinnedAt }
            switch direction {
            case .oldestFirst:
                if left.createdAt != right.createdAt { return left.createdAt < right.createdAt }
                return left.seq < right.seq
            case .newestFirst: break
            case .mostRelevant: if left.score != right.score { return left.score > right.score }
            }
            if left.createdAt != right.createdAt { return left.createdAt > right.createdAt }
            return left.seq > right.seq
        }
    }

    func flattened(below parent: Int64 = 0) -> [ThreadNode] {
        children(of: parent).flatMap { [$0] + flattened(below: $0.seq) }
    }

    struct Entry: Equatable {
        var seq: Int64
        var depth: Int32
        var isExpanded: Bool
        var nestedCount: Int32
    }

    func tree(_ level: [ThreadNode], _ shape: ThreadTree.Shape, depth: Int32 = 0) -> [Entry] {
        level.flatMap { node -> [Entry] in
            let isExpanded = shape.maximumDepth.map { Int(depth) < $0 } ?? true
            var children = isExpanded ? children(of: node.seq) : []
            if depth == 0 { children = Array(children.dropFirst(shape.skipChildren)) }
            if let limit = shape.limitChildren { children = Array(children.prefix(limit)) }
            let below = tree(children, shape, depth: depth + 1)
            return [Entry(seq: node.seq, depth: depth, isExpanded: isExpanded, nestedCount: Int32(below.count))] + below
        }
    }
}

extension ThreadNode {
    /// A node with defaults for all that a test does not care about.
    static func make(
        _ seq: Int64, parent: Int64 = 0, at createdAt: Int64? = nil, score: Double = 0, pinnedAt: Int64 = 0,
        isApproved: Bool = true, isSpam: Bool = false, isDeleted: Bool = false, author: String? = nil
    ) -> ThreadNode {
        ThreadNode(
            seq: seq, parent: parent, createdAt: createdAt ?? seq, score: score, pinnedAt: pinnedAt,
            isApproved: isApproved,
            isSpam: isSpam, isDeleted: isDeleted, author: author)
    }

    /// A random thread with ties in every key, gaps between the `seq`s and some parents that do not exist.
    static func random(_ count: Int, _ random: inout SeededGenerator) -> [ThreadNode] {
        var nodes: [ThreadNode] = []
        var seq: Int64 = 0
        for _ in 0..<count {
            seq += Int64(1 + random.below(3))
            let parent: Int64 =
                nodes.isEmpty || random.once(in: 3) ? 0 : random.once(in: 20) ? max(1, seq - 1) : random.pick(nodes).seq
            nodes.append(
                .make(
                    seq, parent: parent, at: Int64(random.below(8)), score: Double(random.below(4)),
                    pinnedAt: random.once(in: 4) ? Int64(1 + random.below(3)) : 0, isApproved: !random.once(in: 6),
                    isSpam: random.once(in: 12), isDeleted: random.once(in: 6), author: random.pick(["a", "b", nil])))
        }
        return nodes
    }
}

extension ThreadIndex {
    func seqs(_ positions: some Sequence<Int32>) -> [Int64] { positions.map { nodes[Int($0)].seq } }
}
