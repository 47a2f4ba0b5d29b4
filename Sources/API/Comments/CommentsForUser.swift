import Domain
import HTTP1
import JSON
import Storage
import Translations

extension CommentRoutes {
    /// What somebody wrote on all pages, or was answered there (contract: public 19).
    static func getCommentsForUser(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        guard try Visit.tenant(of: call, in: &session) != nil else {
            throw APIError(404, "not-found", "Nothing in the request tells whose comments are meant.")
        }
        let visit = try Visit(call, in: &session)
        let request = try ActivityRequest(visit)
        let caller = try Caller.resolve(visit, in: &session)
        try caller.requireReading(nil)
        guard let subject = try subject(request.userID ?? caller.key, caller, in: &session) else {
            throw APIError(404, "not-found", "Nothing in the request tells whose comments are meant.")
        }
        let activity = try Activity.load(of: subject, isReplies: request.isReplies, for: caller, in: &session)
        let seqs = activity.seqs(request)
        let marks = try ViewerMarks.load(seqs, viewer: caller.key, tenant: visit.tenant.id, in: &session)
        var settings: [Int64: WidgetSettings] = [:]
        var comments: [PublicComment] = []
        for record in try CommentSQL.records(seqs, in: &session) {
            let known = settings[record.pageID]
            let page = known == nil ? try PageSQL.find(id: record.pageID, in: &session) : nil
            let own = known ?? visit.tenant.settings(of: page)
            settings[record.pageID] = own
            comments.append(PublicComment(record: record, settings: own, marks: marks))
        }
        let hasBlocked = try BlockSQL.hasBlocked(caller, in: &session)
        return .json(
            ActivityAnswer(
                comments: comments, caller: caller,
                user: UserSession(caller: caller, hasBlockedUsers: hasBlocked, sessionToken: visit.sessionToken),
                count: activity.nodes.count, hasMore: request.end < activity.nodes.count,
                language: request.includesLabels
                    ? ReaderLanguage.of(call, person: caller.person, settings: visit.settings) : nil))
    }

    /// The key under which somebody's comments are kept; nil when nobody was named.
    /// - Throws: `profile-comments-private` (403) for whoever hides them, except from moderators.
    private static func subject(
        _ id: String?, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> String? {
        guard let id else { return nil }
        let tenant = caller.tenant.id
        var known = try PersonSQL.find(id, tenant: tenant, in: &session)
        if known == nil { known = try PersonSQL.find("\(tenant):\(id)", tenant: tenant, in: &session) }
        guard let person = known?.person else { return id }
        guard person.isCommentsPrivate != true || person.id == caller.key || caller.isStaff else {
            throw APIError(
                403, "profile-comments-private", "This person does not show their comments.",
                phrase: .commentsPrivate)
        }
        return person.id
    }
}

/// A request for one page of somebody's comments.
private struct ActivityRequest {
    /// Comments of one page.
    static let pageSize = 30

    /// nil is the caller.
    let userID: String?
    /// Answers of others, instead of what they answered.
    let isReplies: Bool
    let direction: SortDirection
    let page: Int
    let includesLabels: Bool

    var end: Int { (page + 1) * Self.pageSize }

    /// - Throws: `invalid-direction` (422), `invalid-input` (400).
    init(_ visit: Visit) throws(APIError) {
        let repliesTo = visit.call.text("repliesToUserId")
        isReplies = repliesTo != nil
        userID = repliesTo ?? visit.call.text("userId")
        let word = visit.call.text("direction")
        guard let direction = word.map(SortDirection.init(rawValue:)) ?? .newestFirst else {
            throw APIError(422, "invalid-direction", "The query parameter direction must be OF, NF or MR.")
        }
        self.direction = direction
        let page = try visit.call.integer("page") ?? 0
        guard page >= 0 else { throw .invalidInput("The query parameter page may not be negative.") }
        self.page = Int(min(page, 1_000_000))
        includesLabels = try visit.call.flag("includei10n") ?? false
    }
}

/// All comments of an activity that a viewer sees, wherever they are.
private struct Activity {
    /// Without their pages; in order of insertion.
    var nodes: [ThreadNode] = []

    static func load(
        of subject: String, isReplies: Bool, for caller: Caller, in session: inout Session
    ) throws(APIError) -> Activity {
        let lines =
            try isReplies ? repliesSQL(to: subject, caller, in: &session) : ownSQL(subject, caller, in: &session)
        var authors: [Int64: String] = [:]
        var visible: Set<Int64> = []
        var found: [Line] = []
        let hidden = try GroupLimit.hidden(from: caller, onPages: Set(lines.map(\.page)), in: &session)
        // Parents come first: what stands below something hidden is hidden too.
        for line in lines {
            let node = line.node
            if let author = line.author { authors[node.seq] = author }
            guard caller.viewer.sees(node), !hidden.contains(node.seq),
                node.parent == 0 || visible.contains(node.parent)
            else { continue }
            visible.insert(node.seq)
            let isWanted =
                isReplies ? line.author != subject && authors[node.parent] == subject : line.author == subject
            if isWanted, !node.isDeleted { found.append(line) }
        }
        let closed = try closedPages(Set(found.map(\.page)), caller, in: &session)
        return Activity(nodes: found.filter { !closed.contains($0.page) }.map(\.node))
    }

    func seqs(_ request: ActivityRequest) -> [Int64] {
        let order =
            switch request.direction {
            case .oldestFirst: nodes.sorted { ($0.createdAt, $0.seq) < ($1.createdAt, $1.seq) }
            case .newestFirst: nodes.sorted { ($0.createdAt, $0.seq) > ($1.createdAt, $1.seq) }
            case .mostRelevant:
                nodes.sorted { ($0.score, $0.createdAt, $0.seq) > ($1.score, $1.createdAt, $1.seq) }
            }
        return order.dropFirst(request.page * ActivityRequest.pageSize).prefix(ActivityRequest.pageSize).map(\.seq)
    }

    private struct Line {
        let node: ThreadNode
        let page: Int64
        let author: String?

        init(_ row: borrowing Row) {
            author = row.textOrNil(8)
            page = row.int64(7)
            node = ThreadNode(
                seq: row.int64(0), parent: row.int64(1), createdAt: row.int64(2), score: row.double(3), pinnedAt: 0,
                isApproved: row.bool(4), isSpam: row.bool(5), isDeleted: row.bool(6), author: author)
        }
    }

    /// Somebody's comments and everything above them, by `seq`.
    private static func ownSQL(
        _ subject: String, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> [Line] {
        try session.query(
            """
            WITH RECURSIVE line (seq, parent_seq) AS (
                SELECT seq, parent_seq FROM comment WHERE tenant_id = ?1 AND author_key = ?2
                UNION
                SELECT above.seq, above.parent_seq FROM line JOIN comment AS above ON above.seq = line.parent_seq
            )
            SELECT c.seq, c.parent_seq, c.created_at, c.score, c.is_approved, c.is_spam, c.is_deleted, c.page_id,
                   c.author_key
            FROM line JOIN comment AS c ON c.seq = line.seq ORDER BY c.seq
            """,
            .text(caller.tenant.id), .text(subject)
        ) { (row) throws(APIError) -> Line in Line(row) }
    }

    /// The replies to somebody's comments and everything above them, by `seq`.
    private static func repliesSQL(
        to subject: String, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> [Line] {
        try session.query(
            """
            WITH RECURSIVE line (seq, parent_seq) AS (
                SELECT reply.seq, reply.parent_seq FROM comment AS own JOIN comment AS reply ON reply.parent_seq = own.seq
                WHERE own.tenant_id = ?1 AND own.author_key = ?2
                UNION
                SELECT above.seq, above.parent_seq FROM line JOIN comment AS above ON above.seq = line.parent_seq
            )
            SELECT c.seq, c.parent_seq, c.created_at, c.score, c.is_approved, c.is_spam, c.is_deleted, c.page_id,
                   c.author_key
            FROM line JOIN comment AS c ON c.seq = line.seq ORDER BY c.seq
            """,
            .text(caller.tenant.id), .text(subject)
        ) { (row) throws(APIError) -> Line in Line(row) }
    }

    /// Those of the pages that the caller may not read.
    private static func closedPages(
        _ pages: Set<Int64>, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        // Where no page has rules of its own, only those with groups can be closed.
        let restricted = try session.query(
            """
            SELECT id FROM page WHERE id IN (SELECT value FROM json_each(?1)) AND (?2 = 1 OR group_ids IS NOT NULL)
            """,
            .text(JSONText.numbers(Array(pages))), .bool(!caller.tenant.rules.rules.isEmpty)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        var closed: Set<Int64> = []
        for id in restricted {
            if let page = try PageSQL.find(id: id, in: &session), !caller.mayRead(page) { closed.insert(id) }
        }
        return closed
    }
}

/// The answer: as a read of a page, without what belongs to one.
private struct ActivityAnswer: JSONWritable, Sendable {
    let comments: [PublicComment]
    let caller: Caller
    let user: UserSession
    let count: Int
    let hasMore: Bool
    /// Of the labels that come along; nil when none do.
    let language: Language?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("comments", comments)
            json.member("user", user)
            json.member("commentCount", count)
            json.member("hasMore", hasMore)
            json.member("isSiteAdmin", caller.isStaff)
            json.member("isWhiteLabeled", true)
            if let language {
                let settings = caller.tenant.settings
                json.member("customConfig", CustomConfig(settings: settings, hasSettings: false, language: language))
            }
            if caller.isStaff { json.member("moderatingTenantIds", [caller.tenant.id]) }
        }
    }
}
