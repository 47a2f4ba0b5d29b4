import Domain
import JSON
import Live
import Storage

/// The removal of a comment with many below it. The comment itself goes at once, and with it everything below from every
/// thread; those rows go after the answer, the newest first, in small units. Readers hear of each of them before they
/// hear of the comment, so that their clients still know its parent.
enum SubtreeRemoval {
    /// Comments below one that still go in one unit with it.
    static let atOnce = 100
    /// Comments of a later unit.
    private static let unitSize = 50

    static func begin(
        _ comment: CommentRecord, on page: Page, _ deletion: CommentDeletion, in session: inout Session
    ) throws(APIError) {
        let tenant = deletion.tenant
        var detail = JSONObject()
        detail.append("page", .integer(page.id))
        if deletion.isLive {
            let audience = try CommentSight.audience(of: comment.seq, on: page, tenant, in: &session).columns
            let payload = LiveComment(record: comment, page: page.urlID, settings: tenant.settings(of: page))
            detail.append("comment", .string(String(decoding: payload.jsonBytes(), as: UTF8.self)))
            detail.append("audience", .integer(audience.kind))
            detail.append("identity", .string(audience.identity))
            detail.append("broadcastID", text: deletion.broadcastID)
        }
        detail.append("erased", text: deletion.erased)
        try deletion.drop([comment.seq], root: comment.seq, on: page, in: &session)
        try LongTask.begin(
            .removing, String(comment.seq), from: .max, detail, tenant: tenant.id, deletion.services, in: &session)
    }

    /// What is to be removed. Nothing comes to it any more: whoever answers below what is gone is refused.
    static func walk(_ task: LongTask, _ tenant: Tenant, in session: inout Session) throws(APIError) -> SubtreeWalk? {
        guard let page = try page(of: task, in: &session) else { return nil }
        return try SubtreeWalk(task, heardBy: audience(of: task), on: page, tenant, in: &session)
    }

    private static func page(of task: LongTask, in session: inout Session) throws(APIError) -> Page? {
        guard let id = task.detail["page"]?.integer else { return nil }
        return try PageSQL.find(id: id, in: &session)
    }

    private static func audience(of task: LongTask) throws(APIError) -> Audience {
        Audience(kind: task.detail["audience"]?.integer ?? 0, identity: try task.detail.text("identity") ?? "")
    }

    /// - Returns: where to go on; nil at the end.
    static func advance(
        _ task: LongTask, _ tenant: Tenant, _ walk: SubtreeWalk?, in session: inout Session
    ) throws(APIError) -> Int64? {
        let detail = task.detail
        guard let page = try page(of: task, in: &session) else { return nil }
        let isLive = detail["comment"] != nil
        let audience = try audience(of: task)
        let part =
            if let walk {
                walk.before(task.place, limit: unitSize)
            } else {
                try SubtreePart.before(
                    task.place, of: task.comment, heardBy: audience, on: page, tenant, limit: unitSize, in: &session)
            }
        if isLive { try announce(part.comments, on: page, tenant, in: &session) }
        let deletion = CommentDeletion(
            tenant: tenant, broadcastID: nil, services: nil, isLive: isLive, erased: try detail.text("erased"))
        try deletion.drop(part.comments.map(\.seq), root: task.comment, on: page, in: &session)
        if part.next == nil, let payload = try detail.text("comment") {
            let event = LiveEvent.make(
                .deletedComment, broadcastID: try detail.text("broadcastID"), audience: audience, at: session.now
            ) { json in
                json.key("comment")
                json.raw(payload.utf8)
            }
            try session.emit(event, to: page.room)
        }
        return part.next
    }

    private static func announce(
        _ comments: [CommentSight.Descendant], on page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        let records = try CommentSQL.records(comments.map(\.seq), in: &session)
        let audiences = Dictionary(comments.map { ($0.seq, $0.audience) }) { first, _ in first }
        for record in records {
            let event = CommentEvents.make(
                .deletedComment, record, page, tenant, nil, for: audiences[record.seq] ?? .everyone, at: session.now)
            try session.emit(event, to: page.room)
        }
    }
}

/// All that stands below a comment, found once for a task: units that looked for it themselves would climb up a deep thread
/// each time. Holds as long as nothing else changes on the page.
struct SubtreeWalk: Sendable {
    let task: Int64
    let page: Int64
    /// Of the page, when it was found.
    let version: Int64
    /// Oldest first.
    private let comments: [CommentSight.Descendant]

    init(
        _ task: LongTask, heardBy audience: Audience, on page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        self.task = task.id
        self.page = page.id
        version = page.version
        comments = try CommentSight.descendants(of: task.comment, heardBy: audience, on: page, tenant, in: &session)
    }

    /// The newest of those that are older than the place, newest first.
    func before(_ place: Int64, limit: Int) -> SubtreePart {
        let end = comments.partitioningIndex { $0.seq >= place }
        let start = max(0, end - limit)
        let part = Array(comments[start..<end].reversed())
        return SubtreePart(part, next: start > 0 ? part.last?.seq : nil)
    }

    /// The oldest of those that are newer than the place, oldest first.
    func after(_ place: Int64, limit: Int) -> SubtreePart {
        let start = comments.partitioningIndex { $0.seq > place }
        let end = min(comments.count, start + limit)
        let part = Array(comments[start..<end])
        return SubtreePart(part, next: end < comments.count ? part.last?.seq : nil)
    }
}

extension RandomAccessCollection {
    /// Where the part begins that a condition holds for, which must be the end of it.
    fileprivate func partitioningIndex(where belongs: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if belongs(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}

/// Some of the comments below another, found among those of its page that are newer than it.
struct SubtreePart {
    /// Comments of the page that are looked at for one part.
    private static let width = 400

    let comments: [CommentSight.Descendant]
    /// Where the next part begins; nil at the end.
    let next: Int64?

    /// The newest of those that are older than the place, newest first.
    static func before(
        _ place: Int64, of comment: Int64, heardBy audience: Audience, on page: Page, _ tenant: Tenant, limit: Int,
        in session: inout Session
    ) throws(APIError) -> SubtreePart {
        let seqs = try session.query(
            "SELECT seq FROM comment WHERE page_id = ?1 AND seq > ?2 AND seq < ?3 ORDER BY seq DESC LIMIT ?4",
            .integer(page.id), .integer(comment), .integer(place), .int(width)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        let found = try CommentSight.descendants(
            of: comment, heardBy: audience, among: seqs, on: page, tenant, in: &session)
        return SubtreePart(found.reversed(), of: seqs, limit)
    }

    /// The oldest of those that are newer than the place, oldest first.
    static func after(
        _ place: Int64, of comment: Int64, heardBy audience: Audience, on page: Page, _ tenant: Tenant, limit: Int,
        in session: inout Session
    ) throws(APIError) -> SubtreePart {
        let seqs = try session.query(
            "SELECT seq FROM comment WHERE page_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
            .integer(page.id), .integer(max(place, comment)), .int(width)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        let found = try CommentSight.descendants(
            of: comment, heardBy: audience, among: seqs, on: page, tenant, in: &session)
        return SubtreePart(found, of: seqs, limit)
    }

    init(_ comments: [CommentSight.Descendant], next: Int64?) {
        self.comments = comments
        self.next = next
    }

    private init(_ found: [CommentSight.Descendant], of seqs: [Int64], _ limit: Int) {
        comments = Array(found.prefix(limit))
        next = found.count > limit ? comments.last?.seq : seqs.count == Self.width ? seqs.last : nil
    }
}
