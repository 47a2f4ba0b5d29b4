import Domain
import HTTP1
import JSON
import Server
import Storage

/// Comments for a site's own backend, as far as suites need them to clean up (contract: admin 5.1).
enum APICommentRoutes {
    /// Comments of one answer when the request names no limit.
    private static let defaultLimit = 250
    private static let maximumLimit = 1000
    private static let invalidPagination = "invalid-pagination-request"

    static func register(on routes: inout Routes) {
        routes.add(.get, "/api/v1/comments", "GetComments", allowsCrossOrigin: false, read: getComments)
        routes.add(
            .delete, "/api/v1/comments/{id}", "DeleteComment", allowsCrossOrigin: false,
            work: .write { (call, session) throws(APIError) -> WriteUnit in
                let tenant = try APIKey.tenant(call, in: &session)
                return { (session) throws(APIError) -> Reply in try deleteComment(call, tenant, &session) }
            })
    }

    /// Comments of a page, as a flat list.
    private static func getComments(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let tenant = try APIKey.tenant(call, in: &session)
        guard try APIKey.flag("asTree", call) != true else { throw .notBuilt("asTree on /api/v1/comments") }
        let urlID = try call.pageID()
        let direction = try direction(call)
        let (skip, limit) = try slice(call, pageSize: tenant.settings(of: urlID).pageSize)
        guard let page = try PageSQL.find(urlID, tenant: tenant.id, in: &session) else {
            return .json(APIComments(comments: [], page: nil))
        }
        let index = try call.services.threads.index(of: page, viewer: .reader, direction: direction, in: &session)
        var positions = index.flattened()
        if let parent = call.text("parentId") {
            positions = try children(of: parent, index, page, in: &session)
        }
        let seqs = positions.dropFirst(skip).prefix(limit).map { index.nodes[Int($0)].seq }
        return .json(APIComments(comments: try CommentSQL.records(seqs, in: &session), page: page))
    }

    /// By page, or by skip and limit.
    private static func slice(_ call: Call, pageSize: Int) throws(APIError) -> (skip: Int, limit: Int) {
        let skip = try call.count("skip", code: "invalid-skip")
        let limit = try call.count("limit", code: "invalid-limit")
        guard limit.map((1...maximumLimit).contains) ?? true else {
            throw APIError(422, "invalid-limit", "The query parameter limit must be 1 to \(maximumLimit).")
        }
        guard let number = try call.integer("page", code: invalidPagination) else {
            return (skip ?? 0, limit ?? (skip == nil ? defaultLimit : 30))
        }
        guard skip == nil, limit == nil, number >= -1 else {
            throw APIError(422, invalidPagination, "page must be -1 or more, and stands without skip and limit.")
        }
        return number == -1 ? (0, defaultLimit) : (Int(min(number, 1_000_000)) * pageSize, pageSize)
    }

    private static func direction(_ call: Call) throws(APIError) -> SortDirection {
        guard let word = call.text("direction") else { return .mostRelevant }
        guard let direction = SortDirection(rawValue: word) else {
            throw APIError(422, "invalid-direction", "The query parameter direction must be OF, NF or MR.")
        }
        return direction
    }

    private static func children(
        of parent: String, _ index: ThreadIndex, _ page: Page, in session: inout Session
    ) throws(APIError) -> [Int32] {
        if parent == "null" { return Array(index.roots) }
        guard let comment = try CommentSQL.find(parent, tenant: page.tenant, in: &session), comment.pageID == page.id,
            let position = index.position(ofSeq: comment.seq)
        else { return [] }
        return Array(index.children(of: position))
    }

    private static func deleteComment(_ call: Call, _ tenant: Tenant, _ session: inout Session) throws(APIError)
        -> Reply
    {
        let isLive = try APIKey.flag("isLive", call) ?? false
        let comment = try CommentSQL.require(call.parameter("id"), tenant: tenant.id, in: &session)
        guard !comment.isDeleted else { return .json(Answer { $0.member("action", "already-deleted") }) }
        guard !comment.isLocked else { throw .commentLocked }
        let deletion = CommentDeletion(
            tenant: tenant, broadcastID: nil, services: call.services, isLive: isLive)
        let action =
            switch try deletion.run(comment, by: .backend, in: &session) {
            case .removed: "hard-removed"
            case .anonymised: "anonymized"
            }
        return .json(Answer { $0.member("action", action) })
    }
}

/// Who a backend is, by its key (contract: admin 1.1).
enum APIKey {
    /// - Throws: `missing-tenant-id` (422), `invalid-tenant-id` (404), `missing-api-key`, `invalid-api-key` (401).
    static func tenant(_ call: Call, in session: inout Session) throws(APIError) -> Tenant {
        let headers = call.request.head.headers
        guard let id = call.text("tenantId") ?? present(headers["x-tenant-id"]) else {
            throw APIError(422, "missing-tenant-id", "The query parameter tenantId is missing.")
        }
        guard let tenant = try TenantSQL.find(id, in: &session) else {
            throw APIError(404, "invalid-tenant-id", "There is no tenant with this id.")
        }
        guard let key = present(headers["x-api-key"]) ?? call.text("API_KEY") else {
            throw APIError(401, "missing-api-key", "The header x-api-key is missing.")
        }
        guard tenant.keys.contains(where: { Secret.equal($0, key) }) else {
            throw APIError(401, "invalid-api-key", "This API key is not one of the tenant's.")
        }
        return tenant
    }

    /// As on public routes, but the refusal is 422 here (contract: admin 1.1).
    static func flag(_ name: String, _ call: Call) throws(APIError) -> Bool? {
        do {
            return try call.flag(name)
        } catch {
            var error = error
            if error.code == "invalid-input" { error.status = 422 }
            throw error
        }
    }

    private static func present(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
}

private struct APIComments: JSONWritable, Sendable {
    let comments: [CommentRecord]
    let page: Page?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("comments")
            json.beginArray()
            for comment in comments { write(comment, to: &json) }
            json.endArray()
        }
    }

    private func writeLists(of comment: CommentRecord, to json: inout JSONWriter) {
        for (name, list) in [("mentions", comment.mentions), ("hashTags", comment.hashTags)] {
            guard let list else { continue }
            json.key(name)
            json.raw(list.utf8)
        }
    }

    private func write(_ comment: CommentRecord, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", comment.id)
            json.member("urlId", page?.urlID ?? "")
            comment.writeSharedMembers(to: &json)
            comment.writeInnerMembers(to: &json)
            writeLists(of: comment, to: &json)
            if !comment.badges.isEmpty { json.member("badges", comment.badges) }
            json.member("commenterName", comment.name)
            json.member("commenterEmail", orNull: comment.email)
            json.member("commenterLink", orNull: comment.link)
            json.key("date")
            json.int(comment.createdAt)
        }
    }
}
