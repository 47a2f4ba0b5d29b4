import Domain
import Testing

/// The index and the tree against the plain model, on random threads.
@Suite struct ThreadPropertyTests {
    private static let viewers: [ThreadViewer] = [.reader, .author("a"), .author("b"), .staff]

    @Test(arguments: 1...60)
    func `lists and counts are those of the model`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let nodes = ThreadNode.random(random.below(70), &random)
        for viewer in Self.viewers {
            for direction in SortDirection.allCases {
                try compare(nodes, viewer, direction)
            }
        }
    }

    private func compare(_ nodes: [ThreadNode], _ viewer: ThreadViewer, _ direction: SortDirection) throws {
        let index = ThreadIndex(nodes, viewer: viewer, direction: direction)
        let model = NaiveThread(nodes: nodes, viewer: viewer, direction: direction)
        let flat = model.flattened()
        try #require(index.seqs(index.flattened()) == flat.map(\.seq))
        try #require(index.seqs(index.roots) == model.children(of: 0).map(\.seq))
        try #require(index.totalCount == flat.count { !$0.isDeleted })
        try #require(index.rootCount == model.children(of: 0).count { !$0.isDeleted })
        let visible = Set(flat.map(\.seq))
        for (position, node) in nodes.enumerated() {
            try #require(index.position(ofSeq: node.seq) == position)
            try #require(index.isVisible(position) == visible.contains(node.seq))
            let children = visible.contains(node.seq) ? model.children(of: node.seq) : []
            try #require(index.seqs(index.children(of: position)) == children.map(\.seq))
            try #require(index.childCount(of: position) == children.count { !$0.isDeleted })
            try checkNeighbours(index, model, position)
        }
    }

    private func checkNeighbours(_ index: ThreadIndex, _ model: NaiveThread, _ position: Int) throws {
        let node = index.nodes[position]
        let (before, after) = index.neighbours(of: position)
        guard index.isVisible(position) else {
            try #require(before == nil && after == nil)
            return
        }
        let siblings = model.children(of: node.parent).map(\.seq)
        let place = try #require(siblings.firstIndex(of: node.seq))
        try #require(before.map { index.nodes[$0].seq } == (place > 0 ? siblings[place - 1] : nil))
        try #require(after.map { index.nodes[$0].seq } == (place + 1 < siblings.count ? siblings[place + 1] : nil))
    }

    @Test(arguments: 1...60)
    func `nested parts are those of the model`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 1000)
        let nodes = ThreadNode.random(random.below(70), &random)
        let viewer = random.pick(Self.viewers)
        let direction = random.pick(SortDirection.allCases)
        let index = ThreadIndex(nodes, viewer: viewer, direction: direction)
        let model = NaiveThread(nodes: nodes, viewer: viewer, direction: direction)
        for _ in 0..<20 {
            var shape = ThreadTree.Shape()
            if random.once(in: 2) { shape.maximumDepth = random.below(5) }
            if random.once(in: 2) { shape.skipChildren = random.below(4) }
            if random.once(in: 2) { shape.limitChildren = random.below(4) }
            let skip = random.below(4)
            let limit = random.below(30)
            let level = index.roots.dropFirst(skip).prefix(limit)
            let expected = model.tree(Array(model.children(of: 0).dropFirst(skip).prefix(limit)), shape)
            let tree = ThreadTree(index, level: level, shape: shape)
            try #require(entries(tree, index) == expected)
            try #require(!tree.isCut)
            shape.maximumNodes = random.below(expected.count + 2)
            try checkCut(ThreadTree(index, level: level, shape: shape), index, expected, shape.maximumNodes)
        }
    }

    private func entries(_ tree: ThreadTree, _ index: ThreadIndex) -> [NaiveThread.Entry] {
        tree.entries.map {
            .init(
                seq: index.nodes[Int($0.position)].seq, depth: $0.depth, isExpanded: $0.isExpanded,
                nestedCount: $0.nestedCount)
        }
    }

    private func checkCut(_ tree: ThreadTree, _ index: ThreadIndex, _ whole: [NaiveThread.Entry], _ limit: Int) throws {
        let cut = entries(tree, index)
        try #require(tree.isCut == (whole.count > limit))
        try #require(cut.map(\.seq) == whole.prefix(limit).map(\.seq))
        for (place, entry) in cut.enumerated() {
            let below = cut[(place + 1)...].prefix { $0.depth > entry.depth }.count
            try #require(Int(entry.nestedCount) == below)
        }
    }
}
