import Domain
import HTTP1
import Live
import Storage

extension CommentRoutes {
    /// Reads a page (contract: public 5). Reader's lane; no row is written except for somebody signed on who is new.
    static func getCommentsPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        let query = try ListQuery(visit.call, settings: visit.settings)
        let caller = try Caller.resolve(visit, in: &session)
        let page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try requireReading(page, caller, query)
        let hasBlocked = try BlockSQL.hasBlocked(caller, in: &session)
        let key = query.includesNotificationCount ? caller.key : nil
        let notificationCount = try key.map { (key) throws(APIError) -> Int in
            try NoticeSQL.count(owner: key, tenant: visit.tenant.id, in: &session)
        }
        var answer = CommentPage(
            query: query, caller: caller, page: page, urlID: urlID, tokens: visit.call.services.tokens,
            user: UserSession(
                caller: caller, hasBlockedUsers: hasBlocked, sessionToken: visit.sessionToken,
                needsTerms: try TermsSQL.areNeeded(by: caller, in: &session)),
            now: session.now, notificationCount: notificationCount)
        answer.liveCount = visit.call.services.hub.count(in: RoomKey(tenant: visit.tenant.id, page: urlID))
        if query.includesTranslations {
            answer.labels = ReaderLanguage.of(visit.call, person: caller.person, settings: visit.settings)
        }
        if let page {
            answer.content = try CommentContent.load(query, page, caller, visit.call.services, in: &session)
        }
        return .json(answer)
    }

    /// Who is refused still learns how the page is configured: that sign-on is wanted, for instance.
    private static func requireReading(_ page: Page?, _ caller: Caller, _ query: ListQuery) throws(APIError) {
        do {
            try caller.requireReading(page)
        } catch {
            var error = error
            if query.includesConfig { error.customConfig = caller.settings.values }
            throw error
        }
    }
}

/// The comments of an answer.
struct CommentContent: Sendable {
    /// Finished JSON, or comments that are still to be written.
    enum Comments: Sendable {
        case finished([UInt8])
        case records([PublicComment], entries: [ThreadTree.Entry])
    }

    var comments = Comments.records([], entries: [])
    var hasMore = false
    var pageNumber = 0
    var includesPastPages = false
    var totals = CommentTotals()

    /// From the cache where the viewer sees what everybody sees, else from the rows.
    static func load(
        _ query: ListQuery, _ page: Page, _ caller: Caller, _ services: Services, in session: inout Session
    ) throws(APIError) -> CommentContent {
        let key = PageCache.Key(page: page.id, shape: query.shape)
        let settings = caller.settings
        let hidden = try GroupLimit.hidden(from: caller, on: page, in: &session)
        if query.isCommon, hidden.isEmpty,
            let kept = services.pages.find(key, version: page.version, settings: settings),
            caller.viewer == .reader || !kept.hasHidden
        {
            return CommentContent(kept, try marks(kept.comments.seqs, caller, in: &session))
        }
        var index = try services.threads.index(
            of: page, viewer: caller.viewer, direction: query.shape.direction, in: &session)
        if !hidden.isEmpty {
            index = ThreadIndex(
                index.nodes.filter { !hidden.contains($0.seq) }, viewer: caller.viewer,
                direction: query.shape.direction)
        }
        let listing = try CommentListing(query, index, page: page, in: &session)
        let seqs = listing.entries.map { index.nodes[Int($0.position)].seq }
        let isKept = query.isCommon && hidden.isEmpty && (caller.viewer == .reader || !index.hasHidden)
        let marks = try marks(seqs, caller, in: &session)
        let records = try CommentSQL.records(seqs, in: &session)
        let comments = zip(listing.entries, records).map { entry, record in
            PublicComment(
                record: record, settings: settings, marks: isKept ? ViewerMarks() : marks,
                branch: query.shape.isTree ? listing.branch(of: entry, in: index, query.shape) : nil)
        }
        var content = CommentContent()
        content.comments = .records(comments, entries: listing.entries)
        content.hasMore = listing.hasMore
        content.pageNumber = listing.pageNumber
        content.includesPastPages = listing.includesPastPages
        content.totals = CommentTotals(all: index.totalCount, roots: index.rootCount)
        guard isKept else { return content }
        let rendered = CommentPage.rendered(comments, listing.entries, isTree: query.shape.isTree)
        services.pages.keep(content.kept(page, settings, rendered, hasHidden: index.hasHidden), key)
        content.comments = .finished(rendered.json(with: marks))
        return content
    }

    private static func marks(
        _ seqs: [Int64], _ caller: Caller, in session: inout Session
    ) throws(APIError) -> ViewerMarks {
        try ViewerMarks.load(seqs, viewer: caller.key, tenant: caller.tenant.id, in: &session)
    }

    private init() {}

    private init(_ kept: PageCache.Kept, _ marks: ViewerMarks) {
        comments = .finished(kept.comments.json(with: marks))
        hasMore = kept.hasMore
        pageNumber = kept.pageNumber
        totals = kept.totals
    }

    private func kept(
        _ page: Page, _ settings: WidgetSettings, _ comments: RenderedComments, hasHidden: Bool
    ) -> PageCache.Kept {
        PageCache.Kept(
            version: page.version, settings: settings, comments: comments, hasMore: hasMore,
            pageNumber: pageNumber, totals: totals, hasHidden: hasHidden)
    }

    /// A page where nothing was ever written.
    static let empty = CommentContent()
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
        shape.maximumDepth = query.shape.isTree && !query.isFiltered ? query.shape.maximumDepth : 0
        shape.limitChildren = query.shape.limitChildren
        // With a parent, clients send the same number as skip and as skipChildren: it is meant once.
        if case .comment = query.shape.parent {} else { shape.skipChildren = query.shape.skipChildren }
        let tree = ThreadTree(index, level: level[slice.range], shape: shape)
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
    }

    private static func slice(
        _ query: ListQuery, _ level: ArraySlice<Int32>, _ index: ThreadIndex, _ page: Page, in session: inout Session
    ) throws(APIError) -> Slice {
        let count = level.count
        let clamp = { (start: Int, length: Int) in min(start, count)..<min(start + length, count) }
        let size = { (limit: Int?) -> Int in
            let limit = max(1, limit ?? query.shape.pageSize)
            return query.shape.isTree ? min(limit, ListQuery.nodeLimit) : min(limit, ListQuery.flatLimit)
        }
        switch query.shape.slice {
        case .page(let number):
            return Slice(range: clamp(number * query.shape.pageSize, query.shape.pageSize), page: number)
        case .everything: return Slice(range: clamp(0, ListQuery.everythingLimit))
        case .range(let skip, let limit): return Slice(range: clamp(skip, size(limit)))
        case .pageOf(let id):
            let place = try self.place(of: id, query, level, index, page, in: &session) ?? 0
            let number = place / query.shape.pageSize
            return Slice(range: clamp(0, (number + 1) * query.shape.pageSize), page: number, includesPast: true)
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
        if query.shape.isTree, query.shape.parent == .any, !query.isFiltered { position = index.root(of: position) }
        return level.firstIndex(of: Int32(position))
    }
}
