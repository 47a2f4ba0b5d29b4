import Domain
import JSON
import Live
import Storage

/// Live events of the feed's room (contract: live 2.3, 5.4).
enum FeedEvents {
    /// A post that is new or was changed, with everything it has.
    static func post(
        _ type: LiveEventType, _ post: FeedPost, _ counts: FeedCounts, _ tenant: Tenant, _ broadcastID: String?,
        at now: Int64
    ) -> NewEvent {
        LiveEvent.make(type, broadcastID: broadcastID, at: now) { json in
            json.key("feedPost")
            post.write(counts, tenant.settings, isLive: true, to: &json)
        }
    }

    /// Clients differ in where they look for the id.
    static func deleted(_ post: FeedPost, _ broadcastID: String?, at now: Int64) -> NewEvent {
        LiveEvent.make(.deletedFeedPost, broadcastID: broadcastID, at: now) { json in
            json.member("postId", post.id)
            json.key("feedPost")
            json.object { json in
                json.member("_id", post.id)
                json.member("tenantId", post.tenant)
                json.key("createdAt")
                json.date(milliseconds: post.createdAt, wholeSeconds: true)
            }
        }
    }

    /// - Parameter total: how many of this type the post has now.
    static func react(
        _ react: FeedReact, isUndo: Bool, total: Int64, _ broadcastID: String?, at now: Int64
    ) -> NewEvent {
        LiveEvent.make(isUndo ? .deletedFeedReact : .newFeedReact, broadcastID: broadcastID, at: now) { json in
            json.key("feedPostReact")
            json.object { json in
                json.member("tenantId", react.tenant)
                json.member("postId", react.post)
                json.member("reactType", react.type)
                json.member("count", total)
            }
        }
    }
}
