import Domain
import JSON
import Live
import Storage

extension CommentModeration {
    /// Brings a removed comment back, with the replies that went with it, of which many come after the answer; one that
    /// was not removed stays as it is.
    /// - Throws: `not-found` (404) for one that never was, or that went too long ago.
    func restore(_ id: String, in session: inout Session) throws(APIError) {
        let present = try CommentSQL.find(id, tenant: tenant.id, in: &session)
        if let present, actor?.maySee(present) == false { throw .commentNotFound }
        guard let entry = try Trash.find(id, tenant: tenant.id, in: &session),
            try Trash.holds(id, groups: actor?.groups, tenant: tenant.id, in: &session)
        else {
            guard let present, !present.isDeleted else { throw .commentNotFound }
            return
        }
        if let present, entry.isAnonymised { return try restoreAnonymised(present, in: &session) }
        guard present == nil else { return }
        let page = try page(of: entry, in: &session)
        try Trash.restore([entry.seq], to: page.id, in: &session)
        try PageSQL.touch(page.id, in: &session)
        // What did not go yet stays.
        try LongTask.cancel(.removing, String(entry.seq), tenant: tenant.id, in: &session)
        guard let comment = try CommentSQL.records([entry.seq], in: &session).first else { throw .commentNotFound }
        try SubtreeReturn.tell(of: [comment], broadcastID: broadcastID, tenant, in: &session)
        if comment.state.isVisible { try send(.newComment, comment, page, broadcastID, in: &session) }
        let rest = SubtreeReturn(comment: entry.seq, root: entry.root, tenant: tenant)
        guard let place = try rest.advance(after: entry.seq, in: &session) else { return }
        try rest.goOnLater(from: place, services, in: &session)
    }

    /// The page, made anew when it is gone.
    private func page(of entry: Trash.Entry, in session: inout Session) throws(APIError) -> Page {
        if let page = try PageSQL.find(id: entry.pageID, in: &session) { return page }
        guard let urlID = entry.urlID else {
            throw APIError(404, "not-found", "The page of this comment is gone.")
        }
        return try PageSQL.findOrInsert(
            urlID, PageFacts(url: entry.url), replacesKnown: false, tenant: tenant.id, in: &session)
    }

    private func restoreAnonymised(_ comment: CommentRecord, in session: inout Session) throws(APIError) {
        try Trash.restoreAnonymised(comment.seq, in: &session)
        let restored = try CommentChange.announce(comment, broadcastID: broadcastID, tenant, in: &session)
        try CommentLog.note(.restoredFromAnonymized, restored, by: actor?.name, in: &session)
    }
}

/// The return of what went with a comment, parents first, in small units.
struct SubtreeReturn {
    /// Comments of one unit.
    static let unitSize = 100

    /// The comment that was brought back.
    let comment: Int64
    /// The one whose removal took it along.
    let root: Int64
    let tenant: Tenant

    init(comment: Int64, root: Int64, tenant: Tenant) {
        self.comment = comment
        self.root = root
        self.tenant = tenant
    }

    init(_ task: LongTask, _ tenant: Tenant) {
        self.init(comment: task.comment, root: task.detail["root"]?.integer ?? task.comment, tenant: tenant)
    }

    func goOnLater(from place: Int64, _ services: Services, in session: inout Session) throws(APIError) {
        var detail = JSONObject()
        detail.append("root", .integer(root))
        try LongTask.begin(
            .restoring, String(comment), from: place, detail, tenant: tenant.id, services, in: &session)
    }

    /// - Returns: where to go on; nil at the end.
    func advance(after place: Int64, in session: inout Session) throws(APIError) -> Int64? {
        guard let first = try CommentSQL.records([comment], in: &session).first,
            let page = try PageSQL.find(id: first.pageID, in: &session)
        else { return nil }
        let found = try Trash.next(ofRoot: root, after: place, limit: Self.unitSize, in: &session)
        let seqs = try connected(found, in: &session)
        if !seqs.isEmpty {
            try Trash.restore(seqs, to: page.id, in: &session)
            try PageSQL.touch(page.id, in: &session)
            let records = try CommentSQL.records(seqs, in: &session)
            try Self.tell(of: records, broadcastID: nil, tenant, in: &session)
            if first.state.isVisible { try announce(seqs, on: page, in: &session) }
        }
        return found.count == Self.unitSize ? found.last?.seq : nil
    }

    /// Moderators and the site's own server hear that comments are back.
    static func tell(
        of records: [CommentRecord], broadcastID: String?, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        try ModeratorRoom.tell(of: records.map(\.id), broadcastID: broadcastID, tenant: tenant.id, in: &session)
        try CommentHooks.created(records.filter { !$0.isDeleted }, tenant, in: &session)
    }

    /// Those whose parents are there, or come in the same unit.
    private func connected(
        _ found: [(seq: Int64, parent: Int64)], in session: inout Session
    ) throws(APIError) -> [Int64] {
        var present = Set(
            try session.query(
                "SELECT seq FROM comment WHERE seq IN (SELECT value FROM json_each(?1))",
                .text(JSONText.numbers(found.map(\.parent)))
            ) { (row) throws(APIError) -> Int64 in row.int64(0) })
        var seqs: [Int64] = []
        for entry in found where present.contains(entry.parent) {
            present.insert(entry.seq)
            seqs.append(entry.seq)
        }
        return seqs
    }

    private func announce(_ seqs: [Int64], on page: Page, in session: inout Session) throws(APIError) {
        let above = try CommentSight.audience(of: comment, on: page, tenant, in: &session)
        let shown = try CommentSight.descendants(
            of: comment, heardBy: above, among: seqs, on: page, tenant, in: &session
        ).filter(\.isShown)
        let audiences = Dictionary(shown.map { ($0.seq, $0.audience) }) { first, _ in first }
        for record in try CommentSQL.records(shown.map(\.seq), in: &session) {
            let event = CommentEvents.make(
                .newComment, record, page, tenant, nil, for: audiences[record.seq] ?? .everyone, at: session.now)
            try session.emit(event, to: page.room)
        }
    }
}
