import Domain
import HTTP1
import Live
import Storage

extension CommentRoutes {
    /// Reads a page (contract: public 5). Reader's lane; no row is written except for somebody signed on who is new.
    static func getCommentsPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        var query = try ListQuery(visit.call, settings: visit.settings)
        let caller = try Caller.resolve(visit, in: &session)
        let page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try requireReading(page, caller, query)
        let hasBlocked = try BlockSQL.hasBlocked(caller, in: &session)
        if let page, query.mayBeFromTail {
            query.shape.isFromTail = try ChatPaging.isOn(page, visit.call.services, in: &session)
        }
        let key = query.includesNotificationCount ? caller.key : nil
        let notificationCount = try key.map { (key) throws(APIError) -> Int in
            try NoticeSQL.count(of: key, caller, in: &session)
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
            if query.countsViews {
                let viewer = caller.key ?? "address:\(visit.call.clientAddress.key)"
                visit.call.services.views.note(answer.content.seqs, page: page, viewer: viewer)
            }
        }
        return .packable(answer)
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
        case finished([UInt8], SharedPiece?)
        case records([PublicComment], entries: [ThreadTree.Entry])
    }

    var comments = Comments.records([], entries: [])
    var hasMore = false
    var pageNumber = 0
    var includesPastPages = false
    var totals = CommentTotals()
    /// Of the comments in it.
    var seqs: [Int64] = []

    /// From the cache where the viewer sees what everybody sees, else from the rows.
    static func load(
        _ query: ListQuery, _ page: Page, _ caller: Caller, _ services: Services, in session: inout Session
    ) throws(APIError) -> CommentContent {
        let key = PageCache.Key(page: page.id, shape: query.shape)
        let settings = caller.settings
        let hidden = try GroupLimit.hidden(from: caller, on: page, in: &session)
        if query.isCommon, hidden.isEmpty, let kept = services.pages.find(key, page, settings: settings),
            caller.viewer == .reader || !kept.hasHidden
        {
            let seqs = kept.comments.seqs
            return CommentContent(kept, seqs, try marks(seqs, caller, in: &session))
        }
        let index = try services.threads.index(
            of: page, viewer: caller.viewer, direction: query.shape.direction, in: &session
        ).without(hidden, viewer: caller.viewer, direction: query.shape.direction)
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
        content.seqs = seqs
        content.comments = .records(comments, entries: listing.entries)
        content.hasMore = listing.hasMore
        content.pageNumber = listing.pageNumber
        content.includesPastPages = listing.includesPastPages
        content.totals = CommentTotals(all: index.totalCount, roots: index.rootCount)
        guard isKept else { return content }
        let rendered = CommentPage.rendered(comments, listing.entries, isTree: query.shape.isTree)
        services.pages.keep(content.kept(page, settings, rendered, hasHidden: index.hasHidden), key)
        content.comments = rendered.content(with: marks)
        return content
    }

    private static func marks(
        _ seqs: [Int64], _ caller: Caller, in session: inout Session
    ) throws(APIError) -> ViewerMarks {
        try ViewerMarks.load(seqs, viewer: caller.key, tenant: caller.tenant.id, in: &session)
    }

    private init() {}

    private init(_ kept: PageCache.Kept, _ seqs: [Int64], _ marks: ViewerMarks) {
        self.seqs = seqs
        comments = kept.comments.content(with: marks)
        hasMore = kept.hasMore
        pageNumber = kept.pageNumber
        totals = kept.totals
    }

    private func kept(
        _ page: Page, _ settings: WidgetSettings, _ comments: RenderedComments, hasHidden: Bool
    ) -> PageCache.Kept {
        PageCache.Kept(
            version: page.version, viewVersion: page.viewVersion, settings: settings, comments: comments,
            hasMore: hasMore,
            pageNumber: pageNumber, totals: totals, hasHidden: hasHidden)
    }

    /// A page where nothing was ever written.
    static let empty = CommentContent()
}
