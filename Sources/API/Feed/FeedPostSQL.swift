import Bytes
import Domain
import Storage

/// A place in the feed: more weight comes first, then what was posted later.
struct FeedPlace: Sendable {
    let weight: Double
    let id: String

    /// Before every post.
    static let top = FeedPlace(weight: .infinity, id: "")
}

enum FeedPostSQL {
    /// The feed of a tenant and its version, which differs after every change to what answers show; nil when nothing
    /// was ever posted.
    static func feed(of tenant: String, in session: inout Session) throws(APIError) -> (id: Int64, version: Int64)? {
        try session.first("SELECT id, version FROM feed WHERE tenant_id = ?1", .text(tenant)) {
            (row) throws(APIError) -> (id: Int64, version: Int64) in (row.int64(0), row.int64(1))
        }
    }

    /// The post with this id.
    /// - Throws: `not-found` (404), for a deleted one too.
    static func require(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> FeedPost {
        let post = try session.first(
            "SELECT * FROM feed_post_record WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL",
            .text(id), .text(tenant)
        ) { (row) throws(APIError) -> FeedPost in FeedPost(row) }
        guard let post else { throw APIError(404, "not-found", "There is no post with this id.") }
        return post
    }

    /// Those of the ids that are posts.
    static func existing(_ ids: [String], tenant: String, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT f.id FROM json_each(?2) AS wanted JOIN feed_post AS f ON f.id = wanted.value
            WHERE f.tenant_id = ?1 AND f.deleted_at IS NULL
            GROUP BY f.id ORDER BY min(wanted.key)
            """,
            .text(tenant), .list(ids)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    // MARK: Pages

    /// The place of a post, deleted or not. An id that is not known here has the place where a post of its time would
    /// be.
    /// - Throws: `invalid-input` (400) for what is no id.
    static func place(of id: String, tenant: String, in session: inout Session) throws(APIError) -> FeedPlace {
        let weight = try session.first(
            "SELECT weight FROM feed_post WHERE id = ?1 AND tenant_id = ?2", .text(id), .text(tenant)
        ) { (row) throws(APIError) -> Double in row.double(0) }
        guard weight != nil || (id.utf8.count == 24 && Hex.decode(id) != nil) else {
            throw .invalidInput("The query parameter afterId is no id of a post.")
        }
        return FeedPlace(weight: weight ?? 0, id: id)
    }

    /// The posts after a place.
    static func list(
        after place: FeedPlace, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [FeedPost] {
        try session.query(
            """
            SELECT * FROM feed_post_record
            WHERE tenant_id = ?1 AND deleted_at IS NULL AND (weight, id) < (?2, ?3)
            ORDER BY weight DESC, id DESC LIMIT ?4
            """,
            .text(tenant), .real(place.weight), .text(place.id), .int(limit)
        ) { (row) throws(APIError) -> FeedPost in FeedPost(row) }
    }

    /// The posts after a place that have any of the tags.
    static func list(
        after place: FeedPlace, tags: Set<String>, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [FeedPost] {
        var weights: [String: Double] = [:]
        for tag in tags {
            try session.forEach(
                """
                SELECT post_id, weight FROM feed_post_tag
                WHERE tenant_id = ?1 AND tag = ?2 AND (weight, post_id) < (?3, ?4)
                ORDER BY weight DESC, post_id DESC LIMIT ?5
                """,
                .text(tenant), .text(tag), .real(place.weight), .text(place.id), .int(limit)
            ) { (row) throws(APIError) in weights[row.text(0)] = row.double(1) }
        }
        let ids = weights.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(limit).map(\.key)
        return try session.query(
            """
            SELECT r.* FROM json_each(?1) AS wanted JOIN feed_post_record AS r ON r.id = wanted.value
            ORDER BY wanted.key
            """,
            .list(ids)
        ) { (row) throws(APIError) -> FeedPost in FeedPost(row) }
    }

    // MARK: Changes

    /// - Returns: the id of the new post.
    static func insert(
        _ content: FeedContent, by author: FeedAuthor, tenant: String, in session: inout Session
    ) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: session.now)
        try session.run(
            """
            INSERT INTO feed_post (
                id, tenant_id, from_user_id, from_name, has_given_name, title, html, media, links, tags, meta, digest,
                created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)
            """,
            .text(id), .text(tenant), .text(author.key), .text(author.name), .bool(author.hasGivenName),
            .text(content.title), .text(content.html), .text(content.media), .text(content.links),
            .text(content.tags), .text(content.meta), .text(content.digest), .integer(session.now))
        try insertTags(of: id, in: &session)
        return id
    }

    static func update(_ id: String, _ content: FeedContent, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE feed_post SET title = ?2, html = ?3, media = ?4, links = ?5, tags = ?6, meta = ?7, digest = ?8,
                                 updated_at = ?9
            WHERE id = ?1
            """,
            .text(id), .text(content.title), .text(content.html), .text(content.media), .text(content.links),
            .text(content.tags), .text(content.meta), .text(content.digest), .integer(session.now))
        try session.run("DELETE FROM feed_post_tag WHERE post_id = ?1", .text(id))
        try insertTags(of: id, in: &session)
    }

    private static func insertTags(of id: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO feed_post_tag (tenant_id, tag, weight, post_id)
            SELECT f.tenant_id, t.value, f.weight, f.id
            FROM feed_post AS f JOIN json_each(NULLIF(f.tags, '')) AS t WHERE f.id = ?1
            """,
            .text(id))
    }

    /// Leaves the place of the post, and nothing else of it.
    static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM feed_react WHERE post_id = ?1", .text(id))
        try session.run("DELETE FROM feed_post_tag WHERE post_id = ?1", .text(id))
        try session.run(
            """
            UPDATE feed_post SET
                from_user_id = NULL, from_name = NULL, title = '', html = '', media = '', links = '', tags = '',
                meta = '', digest = NULL, deleted_at = ?2
            WHERE id = ?1
            """,
            .text(id), .integer(session.now))
    }

    /// Whether the author has just posted the same.
    static func isRepeated(
        _ content: FeedContent, by author: String?, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM feed_post WHERE tenant_id = ?1 AND from_user_id IS ?2 AND created_at > ?3 AND digest = ?4
            LIMIT 1
            """,
            .text(tenant), .text(author), .integer(session.now - FeedLimits.repetitionWindow), .text(content.digest)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}
