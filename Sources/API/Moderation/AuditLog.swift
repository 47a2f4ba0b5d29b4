import Domain
import HTTP1
import JSON
import Server
import Storage

/// Who did what to the site (contract: admin 5.21). Nothing in it is ever changed.
enum AuditLog {
    /// How long entries are shown, milliseconds: two years.
    static let lifetime: Int64 = 2 * 365 * 24 * 3600 * 1000

    /// What it was done to.
    enum Resource: String, Sendable {
        case comment = "Comment"
        case vote = "Vote"
        case feedPost = "FeedPost"
        case ban = "BannedUser"
        case page = "Page"
        case person = "SSOUser"
        case hashTag = "HashTag"
    }

    /// What was done.
    enum Act: String, Sendable {
        case create = "c"
        case read = "r"
        case update = "u"
        case delete = "d"
        case login
    }

    /// Where it was done.
    enum Origin: String, Sendable {
        /// In front of a screen.
        case ui
        /// By a site's backend.
        case api
        /// By the program itself.
        case cron
    }

    /// Notes something that was done.
    /// - Parameters:
    ///   - key: wire id or account id; nil for nobody who is known.
    ///   - address: hash of the client's address.
    ///   - url: without its query, which may hold keys and sign-on data.
    ///   - detail: nothing secret.
    static func note(
        _ resource: Resource, _ act: Act, _ description: String, by key: String?, named name: String?,
        address: String? = nil, from origin: Origin = .ui, url: String? = nil, detail: JSONObject? = nil,
        tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO audit_log (
                tenant_id, happened_at, resource, act, origin, actor_id, actor_name, url, address_hash, description,
                detail)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            .text(tenant), .integer(session.now), .text(resource.rawValue), .text(act.rawValue), .text(origin.rawValue),
            .text(key), .text(name), .text(url?.cut(to: 2000)), .text(address), .text(description),
            .text(detail.map(JSONText.object)))
    }
}

extension BackendVisit {
    /// Notes what the key was used for.
    /// - Parameter id: of what was changed.
    func note(
        _ act: AuditLog.Act, _ resource: AuditLog.Resource, _ id: String, in session: inout Session
    ) throws(APIError) {
        let word =
            switch act {
            case .create: "created"
            case .read: "read"
            case .update: "changed"
            case .delete: "deleted"
            case .login: "signed in"
            }
        var detail = JSONObject()
        detail.append("id", .string(id))
        try AuditLog.note(
            resource, act, "\(resource.rawValue) \(word) by the API.", by: nil, named: nil,
            address: call.services.addresses.of(call.clientAddress, tenant: tenant.id), from: .api,
            url: call.request.head.rawPath, detail: detail, tenant: tenant.id, in: &session)
    }
}
