import Domain
import JSON
import Storage

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
