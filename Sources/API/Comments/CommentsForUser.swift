import Domain
import HTTP1
import JSON
import Storage
import Translations

extension CommentRoutes {
    /// What somebody wrote on all pages, or was answered there (contract: public 19).
    static func getCommentsForUser(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        guard let tenant = try tenant(of: call, in: &session) else {
            throw APIError(404, "not-found", "Nothing in the request tells whose comments are meant.")
        }
        let visit = try Visit(call, tenant, in: &session)
        let request = try ActivityRequest(visit)
        let caller = try Caller.resolve(visit, in: &session)
        try caller.requireReading(nil)
        guard let subject = try subject(request.userID ?? caller.key, caller, in: &session) else {
            throw APIError(404, "not-found", "Nothing in the request tells whose comments are meant.")
        }
        let activity = try Activity.load(of: subject, isReplies: request.isReplies, for: caller, in: &session)
        let seqs = activity.seqs(request)
        var marks = try ViewerMarks.load(seqs, viewer: caller.key, tenant: visit.tenant.id, in: &session)
        if request.isReplies, subject == caller.key {
            marks.unread = try NoticeSQL.unread(seqs, owner: subject, in: &session)
        }
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

    /// The tenant that the request names, else the one whose key signed the sign-on, else the session's.
    private static func tenant(of call: Call, in session: inout Session) throws(APIError) -> Tenant? {
        if let named = try Visit.tenant(of: call, in: &session) { return named }
        if let sso = call.text("sso"), case .secure(let data, let hash, let timestamp)? = try? SSOPayload.parse(sso) {
            let signer = try TenantSQL.keys(in: &session).first { (_, key) in
                SSOVerifier.isSigned(data, hash, timestamp, by: [key])
            }
            guard let signer else { return nil }
            return try TenantSQL.find(signer.tenant, in: &session)
        }
        guard let token = call.text("sessionId"), let id = try GuestSQL.tenant(ofSession: token, in: &session) else {
            return nil
        }
        return try TenantSQL.find(id, in: &session)
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
    struct Node {
        let seq: Int64
        let createdAt: Int64
        let score: Double

        init(_ row: borrowing Row) {
            seq = row.int64(0)
            createdAt = row.int64(1)
            score = row.double(2)
        }
    }

    /// In order of insertion.
    let nodes: [Node]

    static func load(
        of subject: String, isReplies: Bool, for caller: Caller, in session: inout Session
    ) throws(APIError) -> Activity {
        let found =
            try isReplies ? repliesSQL(to: subject, caller, in: &session) : ownSQL(subject, caller, in: &session)
        let unseen = try CommentSight.unseen(found.map(\.seq), by: caller, in: &session)
        return Activity(nodes: found.filter { !unseen.contains($0.seq) })
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

    private static func ownSQL(
        _ subject: String, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> [Node] {
        try session.query(
            """
            SELECT seq, created_at, score FROM comment
            WHERE tenant_id = ?1 AND author_key = ?2 AND is_deleted = 0 ORDER BY seq
            """,
            .text(caller.tenant.id), .text(subject)
        ) { (row) throws(APIError) -> Node in Node(row) }
    }

    private static func repliesSQL(
        to subject: String, _ caller: Caller, in session: inout Session
    ) throws(APIError) -> [Node] {
        try session.query(
            """
            SELECT reply.seq, reply.created_at, reply.score
            FROM comment AS own JOIN comment AS reply ON reply.parent_seq = own.seq
            WHERE own.tenant_id = ?1 AND own.author_key = ?2 AND reply.is_deleted = 0
              AND reply.author_key IS DISTINCT FROM ?2
            ORDER BY reply.seq
            """,
            .text(caller.tenant.id), .text(subject)
        ) { (row) throws(APIError) -> Node in Node(row) }
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
