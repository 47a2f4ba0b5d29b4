import Domain
import HTTP1
import JSON
import Storage

/// What moderators look through (contract: admin 6.1).
enum QueueRoutes {
    /// Comments of one part of the list when the request says nothing, and at most.
    private static let pageSize = 50
    static let largestPage = 200
    /// Ids of one answer, for clients that work through all of them.
    static let idChunk = 1000

    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/"
        routes.moderation(.get, base + "api/comments", "getApiComments", read: list)
        routes.moderation(.get, base + "count", "getCount", read: count)
        routes.moderation(.get, base + "api/ids", "getApiIds", read: ids)
        routes.moderation(.get, base + "comment/{commentId}", "getModerationComment", read: comment)
        routes.moderation(.get, base + "comment-children/{commentId}", "getCommentChildren", read: children)
        routes.moderation(.post, base + "comments-by-ids", "postCommentsByIds", read: byIDs)
    }

    // MARK: Many

    private static func list(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let filter = try filter(visit, in: &session)
        let count = try visit.call.integer("count") ?? Int64(pageSize)
        guard (1...Int64(largestPage)).contains(count) else {
            throw .invalidInput("The query parameter count must be 1 to \(largestPage).")
        }
        // Pages are counted from 1; some clients ask for page 0 first.
        let wanted = try visit.call.integer("page") ?? 1
        guard (0...1_000_000).contains(wanted) else {
            throw .invalidInput("The query parameter page must be 0 to 1000000.")
        }
        let page = max(1, wanted)
        let queue = try ModerationQueue(filter, tenant: visit.tenant.id, in: &session)
        let seqs = try queue.seqs(
            skip: Int((page - 1) * count), limit: Int(count), oldestFirst: isOldestFirst(visit.call), in: &session)
        let comments = try ModeratedComment.load(
            seqs, for: visit.moderator, tenant: visit.tenant.id, in: &session)
        return .json(
            Answer { json in
                json.key("translations")
                json.object { _ in }
                json.member("comments", comments)
                if !filter.isEmpty { json.member("moderationFilter", FilterAnswer(filter)) }
            })
    }

    static func isOldestFirst(_ call: Call) -> Bool { call.text("sorts") == "oldest" }

    private static func count(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let queue = try ModerationQueue(filter(visit, in: &session), tenant: visit.tenant.id, in: &session)
        let count = try queue.count(in: &session)
        return .json(Answer { $0.member("count", count) })
    }

    private static func ids(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let queue = try ModerationQueue(filter(visit, in: &session), tenant: visit.tenant.id, in: &session)
        let place = try visit.call.text("afterId").map { (id) throws(APIError) -> ModerationQueue.Place in
            guard let place = try CommentPlaceSQL.find(id, tenant: visit.tenant.id, in: &session) else {
                throw .commentNotFound
            }
            return place
        }
        let seqs = try queue.seqs(after: place, limit: idChunk + 1, in: &session)
        let ids = try CommentPlaceSQL.ids(Array(seqs.prefix(idChunk)), in: &session)
        return .json(
            Answer { json in
                json.member("ids", ids)
                json.member("hasMore", seqs.count > idChunk)
            })
    }

    /// What the request asks for, as far as it is the moderator's concern.
    static func filter(_ visit: ModeratorVisit, in session: inout Session) throws(APIError) -> ModerationFilter {
        try filter(visit, text: visit.call.text("text-search"), in: &session)
    }

    static func filter(
        _ visit: ModeratorVisit, text: String?, in session: inout Session
    ) throws(APIError) -> ModerationFilter {
        let call = visit.call
        let words = call.text("filters") ?? call.text("filter") ?? ""
        guard var filter = ModerationFilter(words: words, narrowed: call.text("searchFilters")) else {
            throw .invalidInput("searchFilters must be a JSON object with userId, urlId or domain.")
        }
        if let text {
            guard let search = ModerationSearch(text) else {
                throw .invalidInput(
                    "The search has more than \(ModerationSearch.maximumLength) bytes or "
                        + "\(SearchQuery.maximumTerms) words.")
            }
            filter.search = search
        }
        if let id = call.text("byIPFromComment") {
            let comment = try CommentSQL.require(id, tenant: visit.tenant.id, in: &session)
            guard visit.moderator.maySee(comment) else { throw .commentNotFound }
            guard let hash = try CommentPlaceSQL.addressHash(of: comment.seq, in: &session) else {
                throw .invalidInput("Of this comment no address is known.")
            }
            filter.addressHash = hash
        }
        filter.groups = visit.moderator.groups
        return filter
    }

    // MARK: Single ones

    private static func comment(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let seq = try visit.comment(in: &session).seq
        guard
            let comment = try ModeratedComment.load(
                [seq], for: visit.moderator, tenant: visit.tenant.id, in: &session
            ).first
        else { throw .commentNotFound }
        return .json(Answer { $0.member("comment", comment) })
    }

    private static func children(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let seqs = try CommentPlaceSQL.children(of: visit.comment(in: &session).seq, in: &session)
        return .json(try answer(seqs, visit, in: &session))
    }

    private static func byIDs(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard let ids = try visit.call.bodyObject().texts("ids") else { throw .invalidInput("ids is missing.") }
        guard ids.count <= largestPage else { throw .invalidInput("ids may have \(largestPage) entries.") }
        let seqs = try CommentPlaceSQL.seqs(ids, tenant: visit.tenant.id, in: &session)
        return .json(try answer(seqs, visit, in: &session))
    }

    /// As far as they are the moderator's concern.
    private static func answer(
        _ seqs: [Int64], _ visit: ModeratorVisit, in session: inout Session
    ) throws(APIError) -> Answer {
        var seqs = seqs
        if visit.moderator.groups != nil {
            seqs = try CommentSQL.records(seqs, in: &session).filter(visit.moderator.maySee).map(\.seq)
        }
        let comments = try ModeratedComment.load(seqs, for: visit.moderator, tenant: visit.tenant.id, in: &session)
        return Answer { $0.member("comments", comments) }
    }
}

/// The filter as the server understood it (contract: admin 6.1); closed key set.
private struct FilterAnswer: JSONWritable, Sendable {
    private let filter: ModerationFilter

    init(_ filter: ModerationFilter) { self.filter = filter }

    func write(to json: inout JSONWriter) {
        json.object { json in
            if let isReviewed = filter.isReviewed { json.member("reviewed", isReviewed) }
            if let isApproved = filter.isApproved { json.member("approved", isApproved) }
            if let isSpam = filter.isSpam { json.member("isSpam", isSpam) }
            if let isBanned = filter.isBanned { json.member("isBannedUser", isBanned) }
            if let isLocked = filter.isLocked { json.member("isLocked", isLocked) }
            if filter.isFlagged { json.member("flagCountGt", 0) }
            json.member("userId", ifPresent: filter.userID)
            json.member("urlId", ifPresent: filter.urlID)
            json.member("domain", ifPresent: filter.domain ?? filter.search.domains.first)
            if let groups = filter.groups { json.member("moderationGroupIds", groups) }
            if !filter.search.terms.isEmpty { json.member("commentTextSearch", filter.search.terms) }
            json.member("exactCommentText", ifPresent: filter.search.exact)
        }
    }
}

/// Where comments stand, by their ids.
enum CommentPlaceSQL {
    /// Also of a comment that was removed meanwhile.
    static func find(
        _ id: String, tenant: String, in session: inout Session
    ) throws(APIError) -> ModerationQueue.Place? {
        try session.first(
            """
            SELECT created_at, seq FROM comment WHERE id = ?1 AND tenant_id = ?2
            UNION ALL
            SELECT c.created_at, c.seq FROM trash AS t JOIN trash_comment AS c ON c.seq = t.seq
            WHERE t.id = ?1 AND t.tenant_id = ?2
            """,
            .text(id), .text(tenant)
        ) { (row) throws(APIError) -> ModerationQueue.Place in
            ModerationQueue.Place(createdAt: row.int64(0), seq: row.int64(1))
        }
    }

    static func ids(_ seqs: [Int64], in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT c.id FROM json_each(?1) AS wanted JOIN comment AS c ON c.seq = wanted.value ORDER BY wanted.key
            """,
            .text(JSONText.numbers(seqs))
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Each once, in the order of the ids; unknown ones are left out.
    static func seqs(_ ids: [String], tenant: String, in session: inout Session) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT c.seq FROM json_each(?1) AS wanted JOIN comment AS c ON c.id = wanted.value
            WHERE c.tenant_id = ?2 GROUP BY c.seq ORDER BY MIN(wanted.key)
            """,
            .list(ids), .text(tenant)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// Directly below a comment, hidden ones included, oldest first.
    static func children(of seq: Int64, in session: inout Session) throws(APIError) -> [Int64] {
        try session.query(
            "SELECT seq FROM comment WHERE parent_seq = ?1 AND is_deleted = 0 ORDER BY created_at, seq", .integer(seq)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// - Returns: nil when none is kept.
    static func addressHash(of seq: Int64, in session: inout Session) throws(APIError) -> String? {
        try session.first("SELECT address_hash FROM comment WHERE seq = ?1", .integer(seq)) {
            (row) throws(APIError) -> String? in row.textOrNil(0)
        } ?? nil
    }
}
