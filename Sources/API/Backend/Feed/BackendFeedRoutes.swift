import Domain
import HTTP1
import JSON
import Live
import Storage

/// The feed for a site's own backend (contract: admin 5.16).
enum BackendFeedRoutes {
    static func register(on routes: inout Routes) {
        routes.backend(.get, "feed-posts", "GetFeedPosts", read: getFeedPosts)
        routes.backend(.post, "feed-posts", "CreateFeedPost", prepare: createFeedPost)
        routes.backend(.patch, "feed-posts/{id}", "UpdateFeedPost", prepare: updateFeedPost)
    }

    private static func getFeedPosts(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let tenant = visit.tenant
        let limit = try visit.limit(usual: FeedLimits.defaultPageSize, maximum: FeedLimits.pageSize)
        // A comma may be part of a tag.
        let tags = Set(visit.call.query.all("tags").map(\.composed.trimmed)).subtracting([""])
        guard tags.count <= FeedLimits.tags else { throw .invalidInput("At most \(FeedLimits.tags) tags are allowed.") }
        var place = FeedPlace.top
        if let after = visit.call.text("afterId") {
            place = try FeedPostSQL.place(of: after, tenant: tenant.id, in: &session)
        }
        let posts =
            tags.isEmpty
            ? try FeedPostSQL.list(after: place, limit: limit, tenant: tenant.id, in: &session)
            : try FeedPostSQL.list(after: place, tags: tags, limit: limit, tenant: tenant.id, in: &session)
        let counts = try FeedCounts.load(posts.map(\.id), tenant, visit.call.services.threads, in: &session)
        return .json(
            Answer { json in
                json.key("feedPosts")
                json.beginArray()
                for post in posts { post.write(counts, tenant.settings, to: &json) }
                json.endArray()
            })
    }

    private static func createFeedPost(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let draft = try FeedDraft(visit.call.bodyObject(), visit.tenant.settings)
        let content = draft.applied(to: FeedContent())
        try content.check()
        let isLive = try visit.flag("isLive") ?? false
        // There is no filter for posts.
        _ = try visit.flag("doSpamCheck")
        let mayRepeat = try visit.flag("skipDupCheck") ?? false
        let broadcastID = try visit.call.broadcastID()
        return { (session) throws(APIError) -> Reply in
            let tenant = visit.tenant
            let author = try FeedAuthor(draft, tenant, in: &session)
            if !mayRepeat { try refuseRepetition(content, author, tenant, in: &session) }
            let id = try FeedPostSQL.insert(content, by: author, tenant: tenant.id, in: &session)
            let post = try FeedPostSQL.require(id, tenant: tenant.id, in: &session)
            if isLive {
                try session.emit(
                    FeedEvents.post(
                        .newFeedPost, post, FeedCounts(), tenant, broadcastID.isEmpty ? nil : broadcastID,
                        at: session.now),
                    to: FeedRoutes.room(tenant.id))
            }
            return .json(
                Answer { json in
                    json.key("feedPost")
                    post.write(FeedCounts(), tenant.settings, to: &json)
                })
        }
    }

    private static func refuseRepetition(
        _ content: FeedContent, _ author: FeedAuthor, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        guard !tenant.isExemptFromLimits,
            try FeedPostSQL.isRepeated(content, by: author.key, tenant: tenant.id, in: &session)
        else { return }
        throw APIError(422, "duplicate", "The same was just posted.", phrase: .duplicate)
    }

    /// Changes what the body names; ids, date and numbers are not the caller's.
    private static func updateFeedPost(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let body = try visit.call.bodyObject()
        let draft = try FeedDraft(body, visit.tenant.settings)
        let weight = try body.number("weight")
        return { (session) throws(APIError) -> Reply in
            let tenant = visit.tenant
            let post = try FeedPostSQL.require(visit.call.parameter("id"), tenant: tenant.id, in: &session)
            let content = draft.applied(to: post.content)
            try content.check()
            try FeedPostSQL.update(post.id, content, in: &session)
            try FeedPostSQL.update(post.id, weight: weight, in: &session)
            if draft.fromUserID != nil || draft.fromUserName != nil {
                let author = try FeedAuthor(draft, tenant, in: &session)
                try FeedPostSQL.update(
                    post.id, author, keepsPerson: draft.fromUserID == nil, in: &session)
            }
            let changed = try FeedPostSQL.require(post.id, tenant: tenant.id, in: &session)
            let counts = try FeedCounts.load([post.id], tenant, visit.call.services.threads, in: &session)
            try session.emit(
                FeedEvents.post(.updatedFeedPost, changed, counts, tenant, nil, at: session.now),
                to: FeedRoutes.room(tenant.id))
            return .success
        }
    }
}

extension FeedPostSQL {
    /// - Parameter weight: nil keeps it.
    fileprivate static func update(
        _ id: String, weight: Double?, in session: inout Session
    ) throws(APIError) {
        guard let weight else { return }
        try session.run("UPDATE feed_post SET weight = ?2 WHERE id = ?1", .text(id), .real(weight))
    }

    /// - Parameter keepsPerson: only the name is another one.
    fileprivate static func update(
        _ id: String, _ author: FeedAuthor, keepsPerson: Bool, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            UPDATE feed_post SET from_user_id = CASE WHEN ?2 THEN from_user_id ELSE ?3 END, from_name = ?4,
                                 has_given_name = ?5
            WHERE id = ?1
            """,
            .text(id), .bool(keepsPerson), .text(author.key), .text(author.name),
            .bool(keepsPerson || author.hasGivenName))
    }
}
