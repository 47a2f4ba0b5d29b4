import Domain
import HTTP1
import JSON
import Server
import Storage

/// Who did what to a site (contract: admin 5.21). Nothing in it is ever changed; comments and votes have logs of their own.
package enum AuditLog {
    /// How entries are kept, milliseconds: two years.
    static let lifetime: Int64 = 2 * 365 * 24 * 3600 * 1000

    enum Act: String, Sendable {
        case create = "c"
        case read = "r"
        case update = "u"
        case delete = "d"
        case login
    }

    enum Origin: String, Sendable {
        /// Somebody in front of a screen.
        case ui
        /// A site's backend.
        case api
        /// The program.
        case cron
    }

    /// Entries that one unit of work throws away.
    private static let unitSize = 200

    /// Throws away the oldest that are too old, a part of them. On the writer.
    /// - Returns: whether there may be more.
    package static func expire(in session: inout Session) throws(APIError) -> Bool {
        // They were added in the order of time, so the oldest are looked at and no others.
        try session.run(
            """
            DELETE FROM audit_log WHERE id IN (
                SELECT id FROM (SELECT id, happened_at FROM audit_log ORDER BY id LIMIT ?2) WHERE happened_at <= ?1)
            """,
            .integer(session.now - lifetime), .int(unitSize)) == unitSize
    }

    /// - Parameters:
    ///   - resource: as entries name it, for example `SSOUser`.
    ///   - description: one sentence for whoever reads the log.
    ///   - detail: no secrets; nil is none.
    static func note(
        _ act: Act, _ resource: String, _ description: String, detail: JSONObject? = nil, from origin: Origin,
        by actor: (id: String, name: String)? = nil, _ call: Call?, tenant: String, in session: inout Session
    ) throws(APIError) {
        let address = call.map { $0.services.addresses.of($0.clientAddress.key, tenant: tenant) }
        // Without the query, which may hold keys and sign-on data.
        let path = call?.request.head.rawPath
        try session.run(
            """
            INSERT INTO audit_log (
                tenant_id, happened_at, resource, act, origin, actor_id, actor_name, url, address_hash, description,
                detail)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            .text(tenant), .integer(session.now), .text(resource), .text(act.rawValue), .text(origin.rawValue),
            .text(actor?.id), .text(actor?.name), .text(path?.cut(to: 2000)), .text(address), .text(description),
            .text(detail.map(JSONText.object)))
    }
}

extension BackendVisit {
    /// Notes what the key was used for.
    /// - Parameter id: of what was changed.
    func note(
        _ act: AuditLog.Act, _ resource: String, _ id: String, in session: inout Session
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
            act, resource, "\(resource) \(word) by the API.", detail: detail, from: .api, call, tenant: tenant.id,
            in: &session)
    }
}

extension ModeratorVisit {
    /// Notes what the moderator did, beside what logs of comments say.
    func note(
        _ act: AuditLog.Act, _ resource: String, _ description: String, in session: inout Session
    ) throws(APIError) {
        try AuditLog.note(
            act, resource, description, from: .ui, by: (moderator.key, moderator.name), call, tenant: tenant.id,
            in: &session)
    }
}
