import Bytes
import Domain
import JSON
import Live
import Storage

extension FeedRoutes {
    /// Adds a reaction or takes it back (contract: live 5.2). Doing either twice changes nothing and tells nobody.
    static func reactFeedPostPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        // What the clients' button for a like sends may be nothing at all.
        let type = try reactType(try visit.call.bodyObject(mayBeEmpty: true).text("reactType"))
        let isUndo = try visit.call.flag("isUndo") ?? false
        let broadcastID = try visit.feedBroadcastID()
        let tenant = visit.tenant.id
        let caller = try visit.feedCaller(in: &session)
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
        guard let text, !text.isEmpty else { return "l" }
        guard text.utf8.count <= FeedLimits.reactTypeLength else {
            throw APIError(
                422, "react-id-too-long", "reactType may have up to \(FeedLimits.reactTypeLength) characters.")
        }
        let isPlain = text.utf8.allSatisfy { byte in
            ASCII.isLetterOrDigit(byte) || byte == ASCII.hyphen || byte == ASCII.underscore
        }
        guard isPlain else { throw .invalidInput("reactType may have letters, digits, - and _ only.") }
        return text
    }

    /// The caller's own reactions to some posts; a caller of whom nothing is known has none.
    static func getUserReactsPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let ids = try postIDs(visit)
        let caller = try visit.feedCaller(in: &session)
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
