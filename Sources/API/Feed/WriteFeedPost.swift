import Domain
import JSON
import Live
import Storage

extension FeedRoutes {
    /// Adds a post and announces it (contract: live 5.2). The text is rendered on the loop.
    static func createFeedPostPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let draft = try FeedDraft(visit)
        let content = draft.applied(to: FeedContent())
        try content.check()
        let broadcastID = try visit.feedBroadcastID()
        return { (session) throws(APIError) -> Reply in
            let caller = try visit.feedCaller(in: &session)
            try caller.requireWriting(nil)
            return try BannedAct.post.perform(by: caller, visit.call, in: &session) {
                (session) throws(APIError) -> Reply in
                let author = try FeedAuthor(draft, caller, in: &session)
                let limits = PostLimits(visit, caller)
                try limits.check(content, by: author, in: &session)
                let id = try FeedPostSQL.insert(content, by: author, tenant: visit.tenant.id, in: &session)
                limits.note(at: session.now)
                return try announce(.newFeedPost, id, FeedCounts(), visit.tenant, broadcastID, in: &session)
            }
        }
    }

    /// Changes what the body names of a post; the rest stays.
    static func updateFeedPostPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let draft = try FeedDraft(visit)
        let broadcastID = try visit.feedBroadcastID()
        return { (session) throws(APIError) -> Reply in
            let post = try requireOwn(visit, in: &session)
            let content = draft.applied(to: post.content)
            try content.check()
            let caller = try visit.feedCaller(in: &session)
            return try BannedAct.editPost.perform(by: caller, visit.call, in: &session) {
                (session) throws(APIError) -> Reply in
                try FeedPostSQL.update(post.id, content, in: &session)
                let counts = try FeedCounts.load([post.id], visit.tenant, visit.call.services.threads, in: &session)
                return try announce(.updatedFeedPost, post.id, counts, visit.tenant, broadcastID, in: &session)
            }
        }
    }

    /// Deletes a post with its reactions, and hides its comments.
    static func deleteFeedPostPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let broadcastID = try visit.feedBroadcastID()
        let post = try requireOwn(visit, in: &session)
        try FeedPostSQL.delete(post.id, in: &session)
        try FeedCommentSQL.hidePage(of: post.id, tenant: post.tenant, in: &session)
        try session.emit(FeedEvents.deleted(post, broadcastID, at: session.now), to: room(post.tenant))
        return .success
    }

    /// Where the events of a tenant's feed are heard.
    static func room(_ tenant: String) -> RoomKey { RoomKey(tenant: tenant, page: LiveRoomName.feed) }

    /// The post of the path, for its author, administrators and moderators.
    /// - Throws: `not-found` (404), `locked`, `login-required`, `not-logged-in`, `unauthorized` (401).
    private static func requireOwn(_ visit: Visit, in session: inout Session) throws(APIError) -> FeedPost {
        let caller = try visit.feedCaller(in: &session)
        try caller.requireWriting(nil)
        let key = try caller.requireKey()
        let id = visit.call.parameter("postId")
        let post = try FeedPostSQL.require(id, tenant: visit.tenant.id, in: &session)
        guard caller.isStaff || post.authorKey == key else { throw .unauthorized("Somebody else wrote this post.") }
        return post
    }

    /// Reads the post back, tells the feed's room of it, and answers with it.
    private static func announce(
        _ type: LiveEventType, _ id: String, _ counts: FeedCounts, _ tenant: Tenant, _ broadcastID: String?,
        in session: inout Session
    ) throws(APIError) -> Reply {
        let post = try FeedPostSQL.require(id, tenant: tenant.id, in: &session)
        try session.emit(FeedEvents.post(type, post, counts, tenant, broadcastID, at: session.now), to: room(tenant.id))
        return .json(
            Answer { json in
                json.key("feedPost")
                post.write(counts, tenant.settings, to: &json)
            })
    }
}

extension Visit {
    /// Whoever calls, under what holds everywhere: a feed is no page, so a page that the request names has no say.
    func feedCaller(in session: inout Session) throws(APIError) -> Caller {
        Caller(tenant: tenant, identity: try Caller.resolve(self, in: &session).identity)
    }

    /// Not all clients send one with everything they do to a feed: then the event gets one of the server's.
    func feedBroadcastID() throws(APIError) -> String? {
        let id = try call.broadcastID()
        return id.isEmpty ? nil : id
    }
}

/// How fast somebody may post, and that nobody posts the same twice.
private struct PostLimits {
    private let visit: Visit
    private let keys: [String]

    /// A person counts by id alone; a guest by session and by address, since sessions are free.
    init(_ visit: Visit, _ caller: Caller) {
        self.visit = visit
        let tenant = visit.tenant.id
        let key = "\(tenant) post \(caller.key ?? "")"
        keys = caller.guest == nil ? [key] : [key, "\(tenant) post address \(visit.call.clientAddress.key)"]
    }

    /// - Throws: `rate-limited` (429), `duplicate` (422).
    func check(_ content: FeedContent, by author: FeedAuthor, in session: inout Session) throws(APIError) {
        let tenant = visit.tenant
        guard !tenant.isExemptFromLimits else { return }
        try visit.call.services.limits.checkPosts(keys, limit: tenant.settings.commentsPerMinute, at: session.now)
        guard try !FeedPostSQL.isRepeated(content, by: author.key, tenant: tenant.id, in: &session) else {
            throw APIError(422, "duplicate", "You have just posted the same.", phrase: .duplicate)
        }
    }

    func note(at now: Int64) {
        guard !visit.tenant.isExemptFromLimits else { return }
        visit.call.services.limits.noteComment(keys, at: now)
    }
}
