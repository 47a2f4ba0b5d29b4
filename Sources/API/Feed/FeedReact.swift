import Domain
import Storage

/// One reaction of somebody to a post.
struct FeedReact: Sendable {
    let post: String
    let tenant: String
    /// Wire id of the person or guest.
    let reactor: String
    let type: String
}

enum FeedReactSQL {
    /// - Returns: how many of this type the post has now; nil when the reaction was there before.
    static func add(_ react: FeedReact, in session: inout Session) throws(APIError) -> Int64? {
        let added = try session.run(
            """
            INSERT INTO feed_react (post_id, reactor_key, react_type, tenant_id, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (post_id, reactor_key, react_type) DO NOTHING
            """,
            .text(react.post), .text(react.reactor), .text(react.type), .text(react.tenant), .integer(session.now))
        guard added > 0 else { return nil }
        let total = try total(of: react, in: &session)
        if total == 1 { try checkTypes(of: react, in: &session) }
        return total
    }

    /// A trigger counts.
    private static func total(of react: FeedReact, in session: inout Session) throws(APIError) -> Int64 {
        try session.first(
            "SELECT total FROM feed_react_total WHERE post_id = ?1 AND react_type = ?2", .text(react.post),
            .text(react.type)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    /// Every type is shown to everybody, so nobody may invent them without end, nor use up what all may invent. What is
    /// there already everybody may say as well.
    private static func checkTypes(of react: FeedReact, in session: inout Session) throws(APIError) {
        let types = try session.first("SELECT count(*) FROM feed_react_total WHERE post_id = ?1", .text(react.post)) {
            (row) throws(APIError) -> Int in row.int(0)
        }
        guard types ?? 0 <= FeedLimits.reactTypes else {
            throw .invalidInput("A post may have at most \(FeedLimits.reactTypes) kinds of reactions.")
        }
        let own = try session.first(
            "SELECT count(*) FROM feed_react WHERE post_id = ?1 AND reactor_key = ?2", .text(react.post),
            .text(react.reactor)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        guard own ?? 0 <= FeedLimits.ownReactTypes else {
            throw .invalidInput("Nobody may add more than \(FeedLimits.ownReactTypes) kinds of reactions to a post.")
        }
    }

    /// - Returns: how many of this type the post has now; nil when there was no such reaction.
    static func remove(_ react: FeedReact, in session: inout Session) throws(APIError) -> Int64? {
        let removed = try session.run(
            "DELETE FROM feed_react WHERE post_id = ?1 AND reactor_key = ?2 AND react_type = ?3",
            .text(react.post), .text(react.reactor), .text(react.type))
        return removed > 0 ? try total(of: react, in: &session) : nil
    }

    static func totals(
        _ posts: [String], in session: inout Session
    ) throws(APIError) -> [(post: String, type: String, total: Int64)] {
        try session.query(
            """
            SELECT t.post_id, t.react_type, t.total
            FROM json_each(?1) AS wanted JOIN feed_react_total AS t ON t.post_id = wanted.value
            ORDER BY wanted.key, t.react_type
            """,
            .list(posts)
        ) { (row) throws(APIError) -> (post: String, type: String, total: Int64) in
            (row.text(0), row.text(1), row.int64(2))
        }
    }

    /// In the order of the posts.
    static func own(
        _ posts: [String], by key: String, in session: inout Session
    ) throws(APIError) -> [(post: String, type: String)] {
        try session.query(
            """
            SELECT r.post_id, r.react_type FROM json_each(?1) AS wanted
            JOIN feed_react AS r ON r.post_id = wanted.value AND r.reactor_key = ?2
            ORDER BY wanted.key, r.react_type
            """,
            .list(posts), .text(key)
        ) { (row) throws(APIError) -> (post: String, type: String) in (row.text(0), row.text(1)) }
    }
}
