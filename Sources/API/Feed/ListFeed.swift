import Domain
import HTTP1
import JSON
import Storage

extension FeedRoutes {
    /// Reads a page of the feed (contract: live 5.2). Reader's lane; no row is written except for somebody signed on
    /// who is new, and for a crawler none at all.
    static func getFeedPostsPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let query = try FeedQuery(visit.call)
        let tenant = visit.tenant
        let caller =
            query.isCrawler
            ? Caller(tenant: tenant, identity: .nobody) : try visit.feedCaller(in: &session)
        try caller.requireReading(nil)
        let subject = FeedCache.Key.Subject.page(after: query.after, limit: query.limit, tags: query.tags)
        let posts = try kept(subject, visit, in: &session) { (session) throws(APIError) -> FeedCache.Kept in
            try makePage(query, visit, in: &session)
        }
        var page = FeedPage(caller: caller, query: query, tokens: visit.call.services.tokens, posts: posts)
        page.reacts = try OwnReacts.load(posts.ids, by: caller.key, in: &session)
        if query.includesUser, caller.key != nil {
            page.user = UserSession(
                caller: caller, hasBlockedUsers: try BlockSQL.hasBlocked(caller, in: &session),
                sessionToken: visit.sessionToken)
        }
        return .json(page)
    }

    /// Numbers of some posts, which clients ask for again and again (contract: live 5.2). Posts that are not there are
    /// left out.
    static func getFeedPostsStats(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let ids = try postIDs(visit)
        guard !ids.isEmpty else { throw .invalidInput("The query parameter postIds is missing.") }
        try visit.feedCaller(in: &session).requireReading(nil)
        let stats = try kept(.stats(ids), visit, in: &session) { (session) throws(APIError) -> FeedCache.Kept in
            try makeStats(ids, visit, in: &session)
        }
        return .json(
            Answer { json in
                json.key("stats")
                json.raw(stats.json)
            })
    }

    /// From the cache, else made and kept. Where nothing was ever posted there is no version to keep it by.
    private static func kept(
        _ subject: FeedCache.Key.Subject, _ visit: Visit, in session: inout Session,
        _ make: (inout Session) throws(APIError) -> FeedCache.Kept
    ) throws(APIError) -> FeedCache.Kept {
        guard let feed = try FeedPostSQL.feed(of: visit.tenant.id, in: &session) else { return try make(&session) }
        let cache = visit.call.services.feeds
        let settings = visit.tenant.settings
        let key = FeedCache.Key(feed: feed.id, subject: subject)
        if let kept = cache.find(key, version: feed.version, settings: settings) { return kept }
        let made = try make(&session)
        cache.keep(made, key, version: feed.version, settings: settings)
        return made
    }

    private static func makePage(
        _ query: FeedQuery, _ visit: Visit, in session: inout Session
    ) throws(APIError) -> FeedCache.Kept {
        let tenant = visit.tenant
        var place = FeedPlace.top
        if let after = query.after { place = try FeedPostSQL.place(of: after, tenant: tenant.id, in: &session) }
        let posts =
            query.tags.isEmpty
            ? try FeedPostSQL.list(after: place, limit: query.limit, tenant: tenant.id, in: &session)
            : try FeedPostSQL.list(
                after: place, tags: query.tags, limit: query.limit, tenant: tenant.id, in: &session)
        let ids = posts.map(\.id)
        let counts = try FeedCounts.load(ids, tenant, visit.call.services.threads, in: &session)
        var json = JSONWriter(capacity: 1024 * (1 + posts.count))
        json.beginArray()
        for post in posts { post.write(counts, tenant.settings, to: &json) }
        json.endArray()
        return FeedCache.Kept(ids: ids, json: json.bytes)
    }

    private static func makeStats(
        _ ids: [String], _ visit: Visit, in session: inout Session
    ) throws(APIError) -> FeedCache.Kept {
        let posts = try FeedPostSQL.existing(ids, tenant: visit.tenant.id, in: &session)
        let counts = try FeedCounts.load(posts, visit.tenant, visit.call.services.threads, in: &session)
        var json = JSONWriter(capacity: 128 * (1 + posts.count))
        json.object { json in
            for id in posts {
                json.key(id)
                json.beginObject()
                counts.write(of: id, to: &json)
                json.endObject()
            }
        }
        return FeedCache.Kept(ids: ids, json: json.bytes)
    }

    static func postIDs(_ visit: Visit) throws(APIError) -> [String] {
        let ids = visit.call.list("postIds")
        guard ids.count <= FeedLimits.ids else { throw .invalidInput("At most \(FeedLimits.ids) postIds are allowed.") }
        return ids
    }
}

/// Which posts are asked for.
private struct FeedQuery: Sendable {
    let after: String?
    let limit: Int
    let tags: Set<String>
    let isCrawler: Bool
    let includesUser: Bool

    /// - Throws: `invalid-input` (400).
    init(_ call: Call) throws(APIError) {
        after = call.text("afterId")
        limit = Int(
            min(Int64(FeedLimits.pageSize), max(1, try call.integer("limit") ?? Int64(FeedLimits.defaultPageSize))))
        // A comma may be part of a tag.
        tags = Set(call.query.all("tags").map(\.composed.trimmed)).subtracting([""])
        guard tags.count <= FeedLimits.tags else { throw .invalidInput("At most \(FeedLimits.tags) tags are allowed.") }
        isCrawler = try call.flag("isCrawler") ?? false
        includesUser = try call.flag("includeUserInfo") ?? false
    }
}

/// The answer to a read of the feed; closed key set.
private struct FeedPage: JSONWritable, Sendable {
    let caller: Caller
    let query: FeedQuery
    let tokens: PresenceToken
    let posts: FeedCache.Kept
    var reacts = OwnReacts()
    /// Nil for a viewer of whom nothing is known.
    var user: UserSession?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("feedPosts")
            json.raw(posts.json)
            guard !query.isCrawler else { return }
            json.key("myReacts")
            reacts.write(to: &json)
            if query.includesUser { writeUser(to: &json) }
            // A follow-up page with another token would make clients dial again.
            guard query.after == nil else { return }
            LiveAddress(caller: caller, room: LiveRoomName.feed, tokens: tokens).writeMembers(to: &json)
        }
    }

    private func writeUser(to json: inout JSONWriter) {
        json.key("user")
        if let user { user.write(to: &json) } else { json.null() }
    }
}
