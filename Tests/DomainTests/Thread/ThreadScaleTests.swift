import Domain
import Testing

@Suite struct ThreadScaleTests {
    private static let size: Int64 = 10_000

    @Test(arguments: SortDirection.allCases)
    func `a chain of ten thousand replies is listed from its root down`(direction: SortDirection) {
        let nodes = (1...Self.size).map { ThreadNode.make($0, parent: $0 - 1) }
        let index = ThreadIndex(nodes, viewer: .reader, direction: direction)
        #expect(index.seqs(index.flattened()) == Array(1...Self.size))
        #expect(index.totalCount == 10_000)
        #expect(index.rootCount == 1)
        #expect(index.root(of: 9999) == 0)
        let tree = ThreadTree(index, level: index.roots, shape: .init())
        #expect(!tree.isCut)
        #expect(tree.entries.map(\.depth) == (0..<10_000).map(Int32.init))
        #expect(tree.entries.map(\.nestedCount) == (0..<10_000).reversed().map(Int32.init))
    }

    @Test func `a star of ten thousand replies is listed in order`() {
        let nodes = [ThreadNode.make(1)] + (2...Self.size + 1).map { .make($0, parent: 1) }
        let index = ThreadIndex(nodes, viewer: .reader, direction: .newestFirst)
        #expect(index.seqs(index.flattened()) == [1] + (2...Self.size + 1).reversed())
        #expect(index.childCount(of: 0) == 10_000)
        let tree = ThreadTree(index, level: index.roots, shape: .init())
        #expect(tree.isCut)
        #expect(tree.entries.count == 10_000)
        #expect(tree.entries[0].nestedCount == 9999)
    }

    @Test func `ten thousand roots are all listed`() {
        let index = ThreadIndex((1...Self.size).map { .make($0) }, viewer: .reader, direction: .mostRelevant)
        #expect(index.rootCount == 10_000)
        #expect(!ThreadTree(index, level: index.roots, shape: .init()).isCut)
    }
}
