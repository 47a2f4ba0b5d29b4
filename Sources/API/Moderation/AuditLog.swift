import Domain
import Storage

/// Who did what to the site (contract: admin 5.21).
enum AuditLog {
    /// What it was done to.
    enum Resource: String, Sendable {
        case comment = "Comment"
        case vote = "Vote"
        case feedPost = "FeedPost"
        case ban = "BannedUser"
    }

    /// What was done.
    enum Act: String, Sendable {
        case create = "c"
        case update = "u"
        case delete = "d"
    }

    /// Notes something that a person did through the pages or the moderation routes.
    /// - Parameters:
    ///   - key: wire id or account id; nil for nobody who is known.
    ///   - address: hash of the client's address.
    static func note(
        _ resource: Resource, _ act: Act, _ description: String, by key: String?, named name: String?,
        address: String? = nil, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO audit_log (
                tenant_id, happened_at, resource, act, origin, actor_id, actor_name, address_hash, description)
            VALUES (?1, ?2, ?3, ?4, 'ui', ?5, ?6, ?7, ?8)
            """,
            .text(tenant), .integer(session.now), .text(resource.rawValue), .text(act.rawValue), .text(key),
            .text(name), .text(address), .text(description))
    }
}
