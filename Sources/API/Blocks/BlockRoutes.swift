import Domain
import HTTP1
import JSON
import Server
import Storage

/// Whom a viewer does not want to see (contract: public 10.2 to 10.4).
enum BlockRoutes {
    /// Comment ids of one call at most.
    static let idLimit = 1000

    static func register(on routes: inout Routes) {
        routes.write(.post, "/block-from-comment/{commentId}", "blockFromCommentPublic", blockFromCommentPublic)
        routes.write(.delete, "/block-from-comment/{commentId}", "unBlockCommentPublic", unBlockCommentPublic)
        routes.read(.get, "/check-blocked-comments", "checkedCommentsForBlocked", checkedCommentsForBlocked)
    }

    static func blockFromCommentPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let (blocker, author, ids, page) = try parties(visit, isNew: true, in: &session)
        let settings = visit.tenant.settings(of: page)
        guard let author, author != blocker, !settings.disablesBlocking else {
            throw APIError(
                403, "comment-cannot-be-blocked", "The author of this comment cannot be blocked.", phrase: .cannotBlock)
        }
        try BlockSQL.insert(blocker: blocker, blocked: author, tenant: visit.tenant.id, in: &session)
        try Notices.authorWasBlocked(author, by: blocker, tenant: visit.tenant.id, in: &session)
        return .json(try BlockStatuses(ids, viewer: blocker, tenant: visit.tenant.id, in: &session))
    }

    static func unBlockCommentPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let (blocker, author, ids, _) = try parties(visit, isNew: false, in: &session)
        if let author { try BlockSQL.delete(blocker: blocker, blocked: author, tenant: visit.tenant.id, in: &session) }
        return .json(try BlockStatuses(ids, viewer: blocker, tenant: visit.tenant.id, in: &session))
    }

    static func checkedCommentsForBlocked(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let ids = visit.call.list("commentIds")
        guard !ids.isEmpty else { throw .invalidInput("The query parameter commentIds is missing.") }
        guard ids.count <= idLimit else { throw .invalidInput("At most \(idLimit) commentIds are allowed.") }
        let caller = try Caller.resolve(visit, in: &session)
        return .json(try BlockStatuses(ids, viewer: caller.key, tenant: visit.tenant.id, in: &session))
    }

    private static func parties(
        _ visit: Visit, isNew: Bool, in session: inout Session
    ) throws(APIError) -> (blocker: String, author: String?, ids: [String], page: Page?) {
        let named = visit.call.parameter("commentId")
        let listed = visit.call.request.body.isEmpty ? [] : try visit.call.bodyObject().texts("commentIds") ?? []
        guard listed.count <= idLimit else { throw .invalidInput("At most \(idLimit) commentIds are allowed.") }
        let caller = try Caller.resolve(visit, in: &session)
        let blocker = try caller.requireKey()
        // A block can be taken back whatever became of the comment since.
        let comment =
            isNew
            ? try CommentSQL.requireVisible(named, to: caller, in: &session)
            : try CommentSQL.require(named, tenant: visit.tenant.id, in: &session)
        let page = try PageSQL.find(id: comment.pageID, in: &session)
        try caller.requireWriting(page)
        return (blocker, comment.authorKey, listed.contains(named) ? listed : listed + [named], page)
    }
}

/// Which comments are by somebody whom a viewer blocked.
struct BlockStatuses: JSONWritable, Sendable {
    private var isBlocked: [String: Bool] = [:]

    init(_ ids: [String], viewer: String?, tenant: String, in session: inout Session) throws(APIError) {
        for id in ids { isBlocked[id] = false }
        guard let viewer else { return }
        for id in try BlockSQL.blocked(ids, viewer: viewer, tenant: tenant, in: &session) { isBlocked[id] = true }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("commentStatuses")
            json.object { json in
                for (id, flag) in isBlocked.sorted(by: { $0.key < $1.key }) {
                    json.key(id)
                    json.bool(flag)
                }
            }
        }
    }
}

enum BlockSQL {
    static func blockedKeys(by key: String, tenant: String, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            "SELECT blocked_key FROM block WHERE tenant_id = ?1 AND blocker_key = ?2", .text(tenant), .text(key)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    static func hasBlocked(_ caller: Caller, in session: inout Session) throws(APIError) -> Bool {
        guard let key = caller.key else { return false }
        return try session.first(
            "SELECT 1 FROM block WHERE tenant_id = ?1 AND blocker_key = ?2 LIMIT 1",
            .text(caller.tenant.id), .text(key)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// - Parameter author: nil is nobody.
    static func hasBlocked(
        _ author: String?, by key: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        guard let author else { return false }
        return try session.first(
            "SELECT 1 FROM block WHERE tenant_id = ?1 AND blocker_key = ?2 AND blocked_key = ?3",
            .text(tenant), .text(key), .text(author)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Which of the comments are by people whom the viewer blocked.
    static func blocked(
        _ ids: [String], viewer: String, tenant: String, in session: inout Session
    ) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT c.id FROM json_each(?3) AS wanted
            JOIN comment AS c ON c.id = wanted.value AND c.tenant_id = ?1
            JOIN block AS b ON b.tenant_id = ?1 AND b.blocker_key = ?2 AND b.blocked_key = c.author_key
            """,
            .text(tenant), .text(viewer), .text(JSONText.list(ids))
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    static func insert(
        blocker: String, blocked: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO block (tenant_id, blocker_key, blocked_key, created_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (tenant_id, blocker_key, blocked_key) DO NOTHING
            """,
            .text(tenant), .text(blocker), .text(blocked), .integer(session.now))
    }

    static func delete(
        blocker: String, blocked: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "DELETE FROM block WHERE tenant_id = ?1 AND blocker_key = ?2 AND blocked_key = ?3",
            .text(tenant), .text(blocker), .text(blocked))
    }
}
