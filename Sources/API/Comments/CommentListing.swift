import Domain
import Storage

/// Which comments of a thread an answer holds.
struct CommentListing: Sendable {
    /// The comments in writing order, each before its children.
    let entries: [ThreadTree.Entry]
    let hasMore: Bool
    /// The page served; 0 when skip and limit chose the slice.
    let pageNumber: Int
    /// The pages before it are in the answer too.
    let includesPastPages: Bool

    init(_ query: ListQuery, _ index: ThreadIndex, page: Page, in session: inout Session) throws(APIError) {
        let level = try Self.level(query, index, page, in: &session)
        let slice = try Self.slice(query, level, index, page, in: &session)
        var shape = ThreadTree.Shape()
        shape.maximumNodes = ListQuery.nodeLimit
        shape.maximumDepth = query.shape.isTree && !query.isFiltered ? query.shape.maximumDepth : 0
        shape.limitChildren = query.shape.limitChildren
        // With a parent, clients send the same number as skip and as skipChildren: it is meant once.
        if case .comment = query.shape.parent {} else { shape.skipChildren = query.shape.skipChildren }
        var chosen = level[slice.range]
        if let probe = slice.probe { chosen.append(level[probe]) }
        let tree = ThreadTree(index, level: chosen, shape: shape)
        entries = tree.entries
        hasMore = tree.isCut || (slice.looksBack ? slice.range.lowerBound > 0 : slice.range.upperBound < level.count)
        pageNumber = slice.page
        includesPastPages = slice.includesPast
    }

    func branch(
        of entry: ThreadTree.Entry, in index: ThreadIndex, _ shape: ListQuery.Shape
    ) -> PublicComment.Branch {
        let position = Int(entry.position)
        return PublicComment.Branch(
            hasChildren: !index.children(of: position).isEmpty,
            childCount: shape.countsChildren ? index.childCount(of: position) : nil,
            nestedCount: Int(entry.nestedCount))
    }

    // MARK: Level

    /// All comments among which the slice is taken, as an array that begins at 0.
    private static func level(
        _ query: ListQuery, _ index: ThreadIndex, _ page: Page, in session: inout Session
    ) throws(APIError) -> ArraySlice<Int32> {
        var level: [Int32]
        switch query.shape.parent {
        case .comment(let id):
            guard let parent = try position(of: id, index, page, in: &session) else { return [] }
            level = Array(index.children(of: parent))
        case .roots: level = Array(index.roots)
        case .any where query.shape.isFromTail: level = index.rootsByTime()
        case .any: level = query.shape.isTree && !query.isFiltered ? Array(index.roots) : index.flattened()
        }
        if query.isFiltered {
            let matches = try CommentFilter.matches(query, page: page, in: &session)
            level.removeAll { !matches.contains(index.nodes[Int($0)].seq) }
        }
        return level[...]
    }

    private static func position(
        of id: String, _ index: ThreadIndex, _ page: Page, in session: inout Session
    ) throws(APIError) -> Int? {
        guard let comment = try CommentSQL.find(id, tenant: page.tenant, in: &session), comment.pageID == page.id,
            let position = index.position(ofSeq: comment.seq), index.isVisible(position)
        else { return nil }
        return position
    }

    // MARK: Slice

    private struct Slice {
        var range: Range<Int>
        var page = 0
        var includesPast = false
        var looksBack = false
        /// A further item of the level, behind the others.
        var probe: Int?
    }

    private static func slice(
        _ query: ListQuery, _ level: ArraySlice<Int32>, _ index: ThreadIndex, _ page: Page, in session: inout Session
    ) throws(APIError) -> Slice {
        let shape = query.shape
        if shape.isFromTail { return tail(shape, count: level.count) }
        let clamp = { (start: Int, length: Int) in min(start, level.count)..<min(start + length, level.count) }
        switch shape.slice {
        case .page(let number): return Slice(range: clamp(number * shape.pageSize, shape.pageSize), page: number)
        case .everything: return Slice(range: clamp(0, ListQuery.everythingLimit))
        case .range(let skip, let limit): return Slice(range: clamp(skip, size(shape, limit)))
        case .pageOf(let id):
            let place = try self.place(of: id, query, level, index, page, in: &session) ?? 0
            let number = place / shape.pageSize
            return Slice(range: clamp(0, (number + 1) * shape.pageSize), page: number, includesPast: true)
        case .after(let id, let limit):
            let place = try self.place(of: id, query, level, index, page, in: &session)
            let start = place.map { $0 + 1 } ?? index.formerPlace(of: id, in: level, query) ?? 0
            return Slice(range: clamp(start, size(shape, limit)))
        case .before(let id, let limit):
            let place = try self.place(of: id, query, level, index, page, in: &session)
            let end = place ?? index.formerPlace(of: id, in: level, query) ?? level.count
            return Slice(range: max(0, end - size(shape, limit))..<end, looksBack: true)
        }
    }

    private static func size(_ shape: ListQuery.Shape, _ limit: Int?) -> Int {
        min(max(1, limit ?? shape.pageSize), shape.isTree ? ListQuery.nodeLimit : ListQuery.flatLimit)
    }

    /// Blocks of the level from its end, each ascending. One client asks for one item more than it shows, and drops the
    /// last it gets: that must be the next older one (contract: live 6).
    private static func tail(_ shape: ListQuery.Shape, count: Int) -> Slice {
        var skip = 0
        var length = shape.pageSize
        var page = 0
        var probes = false
        switch shape.slice {
        case .page(let number):
            page = number
            skip = number * shape.pageSize
        case .range(let given, let limit):
            skip = given
            length = size(shape, limit)
            probes = length == shape.pageSize + 1 || length == ListQuery.probingLimit
            if probes { length -= 1 }
        case .everything, .pageOf, .after, .before: length = count
        }
        let end = max(0, count - skip)
        let start = max(0, end - length)
        return Slice(range: start..<end, page: page, looksBack: true, probe: probes && start > 0 ? start - 1 : nil)
    }

    /// Where a comment stands in the level; of a reply in a tree, where its root stands.
    private static func place(
        of id: String, _ query: ListQuery, _ level: ArraySlice<Int32>, _ index: ThreadIndex, _ page: Page,
        in session: inout Session
    ) throws(APIError) -> Int? {
        guard var position = try position(of: id, index, page, in: &session) else { return nil }
        if query.shape.isTree, query.shape.parent == .any, !query.isFiltered { position = index.root(of: position) }
        return level.firstIndex(of: Int32(position))
    }
}

extension ThreadIndex {
    /// Where a comment that is gone, or hidden, stood among siblings in order of time; its id tells when it was made.
    /// Nil where the order is another one: then a walk begins anew, and misses nothing.
    fileprivate func formerPlace(of id: String, in level: ArraySlice<Int32>, _ query: ListQuery) -> Int? {
        let shape = query.shape
        let isOrderOfTime = shape.parent != .any || (shape.isTree && !query.isFiltered)
        guard isOrderOfTime, shape.direction != .mostRelevant, let time = Identifier.time(of: id)
        else { return nil }
        return level.firstIndex { position in
            let node = nodes[Int(position)]
            guard node.parent != 0 || node.pinnedAt == 0 else { return false }
            return shape.direction == .oldestFirst ? node.createdAt > time : node.createdAt < time
        } ?? level.count
    }
}
