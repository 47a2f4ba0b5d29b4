import Domain
import JSON
import Storage

extension BackendCommentRoutes {
    /// Comments as readers see them (contract: admin 5.1).
    static func getComments(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let query = try BackendCommentQuery(visit)
        let viewer = try visit.contextUser(in: &session)
        var viewerKey = viewer?.key
        if viewerKey == nil { viewerKey = try anonymousViewer(visit, in: &session) }
        guard let urlID = query.urlID else {
            let range = query.range(pageSize: visit.tenant.settings.pageSize)
            let seqs = try BackendCommentSQL.find(query, range, tenant: visit.tenant.id, in: &session)
            return .json(BackendComments(comments: try comments(seqs, viewerKey, visit, in: &session)))
        }
        guard let page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session) else {
            return .json(BackendComments(comments: []))
        }
        if let viewer, viewer.caller.key != nil { try viewer.caller.requireReading(page) }
        let index = try visit.call.services.threads.index(
            of: page, viewer: .reader, direction: query.direction, in: &session)
        let pageSize = visit.tenant.settings(of: page).pageSize
        let level = try level(query, index, page, pageSize: pageSize, in: &session)
        guard query.isTree else {
            let seqs = level.map { index.nodes[Int($0)].seq }
            return .json(BackendComments(comments: try comments(seqs, viewerKey, visit, in: &session)))
        }
        return .json(try tree(query, level, index, viewerKey, visit, in: &session))
    }

    private static func anonymousViewer(
        _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> String? {
        guard let id = visit.call.text("anonUserId") else { return nil }
        return try NamedIdentity.guest(id, visit.tenant, in: &session).key
    }

    /// The comments of the first level that are asked for, as positions.
    private static func level(
        _ query: BackendCommentQuery, _ index: ThreadIndex, _ page: Page, pageSize: Int, in session: inout Session
    ) throws(APIError) -> ArraySlice<Int32> {
        var level: [Int32]
        switch query.parent {
        case .any: level = index.flattened()
        case .roots: level = Array(index.roots)
        case .comment(let id):
            guard let comment = try CommentSQL.find(id, tenant: page.tenant, in: &session), comment.pageID == page.id,
                let position = index.position(ofSeq: comment.seq)
            else { return [] }
            level = Array(index.children(of: position))
        }
        if let author = query.author {
            let seqs = try CommentFilter.written(by: author, page, in: &session)
            level.removeAll { !seqs.contains(index.nodes[Int($0)].seq) }
        }
        for tag in query.hashTags {
            let seqs = try CommentFilter.tagged(tag, page, in: &session)
            level.removeAll { !seqs.contains(index.nodes[Int($0)].seq) }
        }
        if query.dates != nil { level.removeAll { !query.covers(index.nodes[Int($0)].createdAt) } }
        let range = query.range(pageSize: pageSize)
        return level.dropFirst(range.skip).prefix(range.limit)
    }

    private static func tree(
        _ query: BackendCommentQuery, _ level: ArraySlice<Int32>, _ index: ThreadIndex, _ viewer: String?,
        _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BackendComments {
        var shape = ThreadTree.Shape()
        shape.maximumDepth = query.maximumDepth
        shape.skipChildren = query.skipChildren
        shape.skipsEverywhere = true
        shape.limitChildren = query.limitChildren
        let tree = ThreadTree(index, level: level, shape: shape)
        let seqs = tree.entries.map { index.nodes[Int($0.position)].seq }
        let branches = tree.entries.map { entry in
            BackendComments.Branch(
                depth: Int(entry.depth), hasChildren: !index.children(of: Int(entry.position)).isEmpty,
                isExpanded: entry.isExpanded)
        }
        return BackendComments(comments: try comments(seqs, viewer, visit, in: &session), branches: branches)
    }

    private static func comments(
        _ seqs: [Int64], _ viewer: String?, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> [BackendComment] {
        let details = try CommentDetails.load(seqs, in: &session)
        let marks =
            viewer == nil
            ? nil : try ViewerMarks.load(seqs, viewer: viewer, tenant: visit.tenant.id, in: &session)
        return try CommentSQL.records(seqs, in: &session).compactMap { record in
            details[record.seq].map { BackendComment(record, $0, marks: marks) }
        }
    }
}
