import Domain
import JSON
import Storage

/// What people did to some posts.
struct FeedCounts: Sendable {
    private var reacts: [String: [(type: String, total: Int64)]] = [:]
    private var comments: [String: Int] = [:]

    /// A new post has none.
    init() {}

    static func load(
        _ ids: [String], _ tenant: Tenant, _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> FeedCounts {
        var counts = FeedCounts()
        guard !ids.isEmpty else { return counts }
        for (id, type, total) in try FeedReactSQL.totals(ids, in: &session) {
            counts.reacts[id, default: []].append((type, total))
        }
        counts.comments = try FeedCommentSQL.counts(ids, tenant, threads, in: &session)
        return counts
    }

    /// Two members of a post, or of its statistics.
    func write(of id: String, to json: inout JSONWriter) {
        json.key("reacts")
        json.beginObject()
        for (type, total) in reacts[id] ?? [] {
            json.key(type)
            json.int(total)
        }
        json.endObject()
        json.member("commentCount", comments[id] ?? 0)
    }
}
