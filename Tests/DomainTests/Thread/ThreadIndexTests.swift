import Domain
import Testing

@Suite struct ThreadIndexTests {
    private func flat(
        _ nodes: [ThreadNode], _ viewer: ThreadViewer = .reader, _ direction: SortDirection = .oldestFirst
    ) -> [Int64] {
        let index = ThreadIndex(nodes, viewer: viewer, direction: direction)
        return index.seqs(index.flattened())
    }

    @Test func `a page without comments has none`() {
        let index = ThreadIndex([], viewer: .reader, direction: .mostRelevant)
        #expect(index.flattened().isEmpty)
        #expect(index.roots.isEmpty)
        #expect(index.totalCount == 0)
        #expect(index.rootCount == 0)
        #expect(index.position(ofSeq: 1) == nil)
    }

    @Test func `replies follow the direction that was asked for`() {
        let nodes: [ThreadNode] = [
            .make(1), .make(2, parent: 1), .make(3, parent: 1, score: 5), .make(4, score: 9), .make(5, parent: 2),
        ]
        #expect(flat(nodes, .reader, .oldestFirst) == [1, 2, 5, 3, 4])
        #expect(flat(nodes, .reader, .newestFirst) == [4, 1, 3, 2, 5])
        #expect(flat(nodes, .reader, .mostRelevant) == [4, 1, 3, 2, 5])
    }

    @Test func `equal moments keep the order of insertion`() {
        let nodes: [ThreadNode] = [.make(1, at: 7), .make(2, at: 7), .make(3, at: 7)]
        #expect(flat(nodes, .reader, .oldestFirst) == [1, 2, 3])
        #expect(flat(nodes, .reader, .newestFirst) == [3, 2, 1])
        #expect(flat(nodes, .reader, .mostRelevant) == [3, 2, 1])
    }

    @Test(arguments: SortDirection.allCases)
    func `pinned roots stand first, the newest pin before the others`(direction: SortDirection) {
        let nodes: [ThreadNode] = [.make(1), .make(2, pinnedAt: 5), .make(3, pinnedAt: 9), .make(4, score: 99)]
        #expect(flat(nodes, .reader, direction).prefix(2) == [3, 2])
    }

    @Test func `a pinned root stands first also when replies are older than it`() {
        let nodes: [ThreadNode] = [
            .make(1, at: 1), .make(2, parent: 1, at: 5), .make(3, at: 10, pinnedAt: 1), .make(4, parent: 1, at: 3),
        ]
        #expect(flat(nodes) == [3, 1, 4, 2])
    }

    @Test func `a pinned reply stays in its place`() {
        let nodes: [ThreadNode] = [.make(1), .make(2, parent: 1), .make(3, parent: 1, pinnedAt: 9)]
        #expect(flat(nodes) == [1, 2, 3])
    }

    @Test func `pending comments are for their author and staff`() {
        let nodes: [ThreadNode] = [.make(1), .make(2, isApproved: false, author: "a"), .make(3, parent: 2)]
        #expect(flat(nodes, .reader) == [1])
        #expect(flat(nodes, .author("b")) == [1])
        #expect(flat(nodes, .author("a")) == [1, 2, 3])
        #expect(flat(nodes, .staff) == [1, 2, 3])
        #expect(ThreadIndex(nodes, viewer: .reader, direction: .oldestFirst).totalCount == 1)
        #expect(ThreadIndex(nodes, viewer: .author("a"), direction: .oldestFirst).totalCount == 3)
    }

    @Test func `spam is for nobody`() {
        let nodes: [ThreadNode] = [.make(1, isSpam: true, author: "a"), .make(2, parent: 1)]
        for viewer in [ThreadViewer.reader, .author("a"), .staff] { #expect(flat(nodes, viewer).isEmpty) }
    }

    @Test func `a pending comment without an author is nobody's own`() {
        #expect(flat([.make(1, isApproved: false)], .author("")).isEmpty)
    }

    @Test func `a placeholder is listed but not counted`() {
        let nodes: [ThreadNode] = [
            .make(1, isDeleted: true), .make(2, parent: 1), .make(3, parent: 1, isDeleted: true),
        ]
        let index = ThreadIndex(nodes, viewer: .reader, direction: .oldestFirst)
        #expect(flat(nodes) == [1, 2, 3])
        #expect(index.totalCount == 1)
        #expect(index.rootCount == 0)
        #expect(index.childCount(of: 0) == 1)
    }

    @Test func `circles of parents and parents that are missing end`() {
        let nodes: [ThreadNode] = [
            .make(1, parent: 2), .make(2, parent: 1), .make(3, parent: 3), .make(4, parent: 99), .make(5),
            .make(6, parent: 5),
        ]
        let index = ThreadIndex(nodes, viewer: .staff, direction: .newestFirst)
        #expect(index.seqs(index.flattened()) == [5, 6])
        #expect(index.totalCount == 2)
        let roots = nodes.indices.map { index.nodes[index.root(of: $0)].seq }
        #expect(roots == [1, 1, 3, 4, 5, 5])
        #expect(nodes.indices.prefix(4).allSatisfy { index.neighbours(of: $0) == (nil, nil) })
    }

    @Test func `the root of a reply is found through hidden ones too`() {
        let nodes: [ThreadNode] = [.make(3), .make(5, parent: 3, isSpam: true), .make(8, parent: 5)]
        let index = ThreadIndex(nodes, viewer: .reader, direction: .oldestFirst)
        #expect(index.root(of: 2) == 0)
        #expect(index.root(of: 0) == 0)
    }
}

@Suite struct ThreadTreeTests {
    private func shape(_ change: (inout ThreadTree.Shape) -> Void) -> ThreadTree.Shape {
        var shape = ThreadTree.Shape()
        change(&shape)
        return shape
    }

    private let index = ThreadIndex(
        [.make(1), .make(2, parent: 1), .make(3, parent: 1), .make(4, parent: 2), .make(5, parent: 1), .make(6)],
        viewer: .reader, direction: .oldestFirst)

    private func seqs(_ shape: ThreadTree.Shape) -> [Int64] {
        index.seqs(ThreadTree(index, level: index.roots, shape: shape).entries.map(\.position))
    }

    @Test func `depth 0 is the level alone and deeper ones follow`() {
        #expect(seqs(shape { $0.maximumDepth = 0 }) == [1, 6])
        #expect(seqs(shape { $0.maximumDepth = 1 }) == [1, 2, 3, 5, 6])
        #expect(seqs(shape { $0.maximumDepth = 2 }) == [1, 2, 4, 3, 5, 6])
        #expect(seqs(shape { $0.maximumDepth = 999 }) == [1, 2, 4, 3, 5, 6])
        #expect(seqs(.init()) == [1, 2, 4, 3, 5, 6])
    }

    @Test func `children are skipped below the first level only and limited everywhere`() {
        #expect(seqs(shape { $0.skipChildren = 1 }) == [1, 3, 5, 6])
        #expect(seqs(shape { $0.limitChildren = 1 }) == [1, 2, 4, 6])
        #expect(seqs(shape { ($0.skipChildren, $0.limitChildren) = (1, 1) }) == [1, 3, 6])
        #expect(seqs(shape { $0.skipChildren = 99 }) == [1, 6])
        #expect(seqs(shape { $0.limitChildren = 0 }) == [1, 6])
    }

    @Test func `the number of nodes is cut one past the limit`() {
        let whole = ThreadTree(index, level: index.roots, shape: shape { $0.maximumNodes = 6 })
        #expect(whole.entries.count == 6)
        #expect(!whole.isCut)
        let cut = ThreadTree(index, level: index.roots, shape: shape { $0.maximumNodes = 5 })
        #expect(cut.entries.count == 5)
        #expect(cut.isCut)
        #expect(ThreadTree(index, level: index.roots, shape: shape { $0.maximumNodes = 0 }).entries.isEmpty)
    }

    @Test func `an expanded node without children is still expanded`() {
        let tree = ThreadTree(index, level: index.roots, shape: shape { $0.maximumDepth = 1 })
        #expect(tree.entries.map(\.isExpanded) == [true, false, false, false, true])
        #expect(tree.entries.map(\.nestedCount) == [3, 0, 0, 0, 0])
    }
}
