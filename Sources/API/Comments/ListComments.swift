import Domain
import HTTP1
import Storage

extension CommentRoutes {
    /// Reads a page (contract: public 5). Reader's lane; no row is written except for somebody signed on who is new.
    static func getCommentsPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        let query = try ListQuery(visit.call, settings: visit.tenant.settings)
        let caller = try Caller.resolve(visit, in: &session)
        let page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try caller.requireReading(page)
        let hasBlocked = try BlockSQL.hasBlocked(caller, in: &session)
        var answer = CommentPage(
            query: query, caller: caller, page: page, urlID: urlID, tokens: visit.call.services.tokens,
            user: UserSession(caller: caller, hasBlockedUsers: hasBlocked, sessionToken: visit.sessionToken),
            now: session.now)
        guard let page else { return .json(answer) }
        let index = try visit.call.services.threads.index(
            of: page, viewer: caller.viewer, direction: query.direction, in: &session)
        let listing = try CommentListing(query, index, page: page, in: &session)
        answer.listing = listing
        answer.totals = (all: index.totalCount, roots: index.rootCount)
        let seqs = listing.entries.map { index.nodes[Int($0.position)].seq }
        let marks = try ViewerMarks.load(seqs, viewer: caller.key, tenant: visit.tenant.id, in: &session)
        answer.comments = zip(listing.entries, try CommentSQL.records(seqs, in: &session)).map { entry, record in
            PublicComment(
                record: record, settings: visit.tenant.settings, marks: marks,
                branch: query.isTree ? listing.branch(of: entry, in: index, countsChildren: query.countsChildren) : nil)
        }
        return .json(answer)
    }
}

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
        shape.maximumDepth = query.isTree && !query.isFiltered ? query.maximumDepth : 0
        shape.limitChildren = query.limitChildren
        // With a parent, clients send the same number as skip and as skipChildren: it is meant once.
        if case .comment = query.parent {} else { shape.skipChildren = query.skipChildren }
        let tree = ThreadTree(index, level: level[slice.range], shape: shape)
        entries = tree.entries
        hasMore = tree.isCut || (slice.looksBack ? slice.range.lowerBound > 0 : slice.range.upperBound < level.count)
        pageNumber = slice.page
        includesPastPages = slice.includesPast
    }

    func branch(of entry: ThreadTree.Entry, in index: ThreadIndex, countsChildren: Bool) -> PublicComment.Branch {
        let position = Int(entry.position)
        return PublicComment.Branch(
            hasChildren: !index.children(of: position).isEmpty,
            childCount: countsChildren ? index.childCount(of: position) : nil,
            nestedCount: Int(entry.nestedCount))
    }

    // MARK: Level

    /// All comments among which the slice is taken, as an array that begins at 0.
    private static func level(
        _ query: ListQuery, _ index: ThreadIndex, _ page: Page, in session: inout Session
    ) throws(APIError) -> ArraySlice<Int32> {
        var level: [Int32]
        switch query.parent {
        case .comment(let id):
            guard let parent = try position(of: id, index, page, in: &session) else { return [] }
            level = Array(index.children(of: parent))
        case .roots: level = Array(index.roots)
        case .any: level = query.isTree && !query.isFiltered ? Array(index.roots) : index.flattened()
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
    }

    private static func slice(
        _ query: ListQuery, _ level: ArraySlice<Int32>, _ index: ThreadIndex, _ page: Page, in session: inout Session
    ) throws(APIError) -> Slice {
        let count = level.count
        let clamp = { (start: Int, length: Int) in min(start, count)..<min(start + length, count) }
        let size = { (limit: Int?) -> Int in
            let limit = max(1, limit ?? query.pageSize)
            return query.isTree ? min(limit, ListQuery.nodeLimit) : min(limit, ListQuery.flatLimit)
        }
        switch query.slice {
        case .page(let number): return Slice(range: clamp(number * query.pageSize, query.pageSize), page: number)
        case .everything: return Slice(range: clamp(0, ListQuery.everythingLimit))
        case .range(let skip, let limit): return Slice(range: clamp(skip, size(limit)))
        case .pageOf(let id):
            let place = try self.place(of: id, query, level, index, page, in: &session) ?? 0
            let number = place / query.pageSize
            return Slice(range: clamp(0, (number + 1) * query.pageSize), page: number, includesPast: true)
        case .after(let id, let limit):
            guard let place = try self.place(of: id, query, level, index, page, in: &session) else {
                return Slice(range: 0..<0)
            }
            return Slice(range: clamp(place + 1, size(limit)))
        case .before(let id, let limit):
            let place = try self.place(of: id, query, level, index, page, in: &session) ?? 0
            return Slice(range: max(0, place - size(limit))..<place, looksBack: true)
        }
    }

    /// Where a comment stands in the level; of a reply in a tree, where its root stands.
    private static func place(
        of id: String, _ query: ListQuery, _ level: ArraySlice<Int32>, _ index: ThreadIndex, _ page: Page,
        in session: inout Session
    ) throws(APIError) -> Int? {
        guard var position = try position(of: id, index, page, in: &session) else { return nil }
        if query.isTree, query.parent == .any, !query.isFiltered { position = index.root(of: position) }
        return level.firstIndex(of: Int32(position))
    }
}
