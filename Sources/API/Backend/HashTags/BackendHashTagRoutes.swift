import Domain
import HTTP1
import JSON
import Storage

/// Tags for a site's own backend (contract: admin 5.15).
enum BackendHashTagRoutes {
    private static let pageSize = 100
    private static let bulkLimit = 100
    private static let resource = AuditLog.Resource.hashTag

    static func register(on routes: inout Routes) {
        routes.backend(.get, "hash-tags", "GetHashTags", read: getHashTags)
        routes.backend(.post, "hash-tags", "AddHashTag", prepare: addHashTag)
        routes.backend(.post, "hash-tags/bulk", "AddHashTagsBulk", prepare: addHashTagsBulk)
        routes.backend(.patch, "hash-tags/{tag}", "PatchHashTag", prepare: patchHashTag)
        routes.backend(.delete, "hash-tags/{tag}", "DeleteHashTag", write: deleteHashTag)
    }

    private static func getHashTags(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let page = try visit.call.integer("page", status: 422) ?? 0
        guard (0...1_000_000).contains(page) else { throw .invalidInput("The query parameter page must be 0 or more.") }
        let tags = try BackendHashTag.list(
            skip: Int(page) * pageSize, limit: pageSize, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("hashTags", tags) })
    }

    // MARK: Adding

    private static func addHashTag(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try HashTagWrite(visit.call.bodyObject())
        return { (session) throws(APIError) -> Reply in
            let tag = try add(write, visit, in: &session)
            return .json(HashTagAnswer(tag: tag))
        }
    }

    /// Refuses before it writes.
    private static func add(
        _ write: HashTagWrite, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BackendHashTag {
        guard let text = write.tag else { throw APIError(422, "missing-hash-tag", "tag is missing.") }
        let key = HashTags.normalised(text)
        guard try BackendHashTag.find(key, tenant: visit.tenant.id, in: &session) == nil else { throw alreadyExists }
        let tag = BackendHashTag(
            id: Identifier.timeOrdered(at: session.now), tag: text, url: write.url.value, tenant: visit.tenant.id,
            createdAt: session.now)
        try tag.save(in: &session)
        try visit.note(.create, resource, tag.tag, in: &session)
        return tag
    }

    private static let alreadyExists = APIError(422, "already-exists", "There is such a tag already.")

    /// Each for itself, in order.
    private static func addHashTagsBulk(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        guard let items = try visit.call.bodyObject().present("tags")?.array else {
            throw .invalidInput("tags must be a list.")
        }
        guard items.count <= bulkLimit else { throw .invalidInput("At most \(bulkLimit) tags are taken at once.") }
        let writes = items.map(decoded)
        return { (session) throws(APIError) -> Reply in
            var results: [BulkResult] = []
            for write in writes { results.append(try added(write, visit, in: &session)) }
            let answer = results
            return .json(Answer { $0.member("results", answer) })
        }
    }

    private static func decoded(_ item: JSONValue) -> Result<HashTagWrite, APIError> {
        guard let body = item.object else {
            return .failure(APIError(422, "invalid-input", "A tag must be a JSON object."))
        }
        do {
            return .success(try HashTagWrite(body))
        } catch {
            return .failure(error)
        }
    }

    private static func added(
        _ write: Result<HashTagWrite, APIError>, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BulkResult {
        switch write {
        case .failure(let error): return .refused(error)
        case .success(let write):
            do {
                return .added(try add(write, visit, in: &session))
            } catch {
                guard error.status < 500, error.reroute == nil else { throw error }
                return .refused(error)
            }
        }
    }

    // MARK: Changing

    private static func patchHashTag(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try HashTagWrite(visit.call.bodyObject())
        return { (session) throws(APIError) -> Reply in
            let former = try named(visit, in: &session)
            let text = write.tag ?? former.tag
            let other = try BackendHashTag.find(HashTags.normalised(text), tenant: visit.tenant.id, in: &session)
            guard other == nil || other?.id == former.id else { throw alreadyExists }
            let tag = BackendHashTag(
                id: former.id, tag: text, url: write.url.applied(to: former.url), tenant: former.tenant,
                createdAt: former.createdAt)
            try tag.save(in: &session)
            try visit.note(.update, resource, tag.tag, in: &session)
            return .json(HashTagAnswer(tag: tag))
        }
    }

    private static func deleteHashTag(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        _ = try visit.call.bodyObject(mayBeEmpty: true)
        let tag = try named(visit, in: &session)
        try BackendHashTag.delete(tag.id, in: &session)
        try visit.note(.delete, resource, tag.tag, in: &session)
        return .success
    }

    private static func named(
        _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BackendHashTag {
        let key = HashTags.normalised(visit.call.parameter("tag"))
        guard let tag = try BackendHashTag.find(key, tenant: visit.tenant.id, in: &session) else {
            throw APIError(404, "tag-does-not-exist", "There is no such tag.")
        }
        return tag
    }
}

private struct HashTagAnswer: JSONWritable, Sendable {
    let tag: BackendHashTag

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("hashTag", tag)
        }
    }
}

private enum BulkResult: JSONWritable, Sendable {
    case added(BackendHashTag)
    case refused(APIError)

    func write(to json: inout JSONWriter) {
        switch self {
        case .added(let tag): HashTagAnswer(tag: tag).write(to: &json)
        case .refused(let error): ErrorBody(error: error).write(to: &json)
        }
    }
}
