import Bytes
import Domain
import JSON
import Live
import Storage

extension FeedRoutes {
    /// Adds a reaction or takes it back (contract: live 5.2). Doing either twice changes nothing and tells nobody.
    static func reactFeedPostPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let type = try reactType(try visit.call.bodyObject().text("reactType"))
        let isUndo = try visit.call.flag("isUndo") ?? false
        let broadcastID = try visit.feedBroadcastID()
        let tenant = visit.tenant.id
        let caller = try Caller.resolve(visit, in: &session)
        try caller.requireWriting(nil)
        let key = try caller.requireKey()
        let post = try FeedPostSQL.require(visit.call.parameter("postId"), tenant: tenant, in: &session)
        let react = FeedReact(post: post.id, tenant: tenant, reactor: key, type: type)
        let total =
            isUndo ? try FeedReactSQL.remove(react, in: &session) : try FeedReactSQL.add(react, in: &session)
        if let total {
            let event = FeedEvents.react(react, isUndo: isUndo, total: total, broadcastID, at: session.now)
            try session.emit(event, to: room(tenant))
        }
        return .json(
            Answer { json in
                json.member("reactType", type)
                json.member("isUndo", isUndo)
            })
    }

    private static func reactType(_ text: String?) throws(APIError) -> String {
        // What the clients' button for a like sends.
        guard let text, !text.isEmpty else { return "l" }
        guard text.utf8.count <= FeedLimits.reactTypeLength else {
            throw APIError(
                422, "react-id-too-long", "reactType may have up to \(FeedLimits.reactTypeLength) characters.")
        }
        let isPlain = text.utf8.allSatisfy { byte in
            ASCII.isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
                || byte == 0x5F
        }
        guard isPlain else { throw .invalidInput("reactType may have letters, digits, - and _ only.") }
        return text
    }

    /// The caller's own reactions to some posts; a caller of whom nothing is known has none.
    static func getUserReactsPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let ids = try postIDs(visit)
        let caller = try Caller.resolve(visit, in: &session)
        try caller.requireReading(nil)
        let posts = try FeedPostSQL.existing(ids, tenant: visit.tenant.id, in: &session)
        let reacts = try OwnReacts.load(posts, by: caller.key, in: &session)
        return .json(
            Answer { json in
                json.key("reacts")
                reacts.write(to: &json)
            })
    }
}

/// One reaction of somebody to a post.
struct FeedReact: Sendable {
    let post: String
    let tenant: String
    /// Wire id of the person or guest.
    let reactor: String
    let type: String
}

/// Which reactions to some posts are one's own: posts without any are left out.
struct OwnReacts: Sendable {
    private var types: [(post: String, types: [String])] = []

    static func load(_ posts: [String], by key: String?, in session: inout Session) throws(APIError) -> OwnReacts {
        var own = OwnReacts()
        guard let key, !posts.isEmpty else { return own }
        for (post, type) in try FeedReactSQL.own(posts, by: key, in: &session) {
            if own.types.last?.post != post { own.types.append((post, [])) }
            own.types[own.types.count - 1].types.append(type)
        }
        return own
    }

    /// An object by post of objects by type.
    func write(to json: inout JSONWriter) {
        json.beginObject()
        for (post, types) in types {
            json.key(post)
            json.beginObject()
            for type in types {
                json.key(type)
                json.bool(true)
            }
            json.endObject()
        }
        json.endObject()
    }
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
        if total == 1 { try checkTypes(of: react.post, in: &session) }
        return total
    }

    /// A trigger counts.
    private static func total(of react: FeedReact, in session: inout Session) throws(APIError) -> Int64 {
        try session.first(
            "SELECT total FROM feed_react_total WHERE post_id = ?1 AND react_type = ?2", .text(react.post),
            .text(react.type)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    /// Every type is shown to everybody, so nobody may invent them without end.
    private static func checkTypes(of post: String, in session: inout Session) throws(APIError) {
        let types = try session.first("SELECT count(*) FROM feed_react_total WHERE post_id = ?1", .text(post)) {
            (row) throws(APIError) -> Int in row.int(0)
        }
        guard types ?? 0 <= FeedLimits.reactTypes else {
            throw .invalidInput("A post may have at most \(FeedLimits.reactTypes) kinds of reactions.")
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
