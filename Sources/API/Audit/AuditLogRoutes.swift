import Domain
import HTTP1
import JSON
import Storage

/// Reading what was done to a site (contract: admin 5.21).
enum AuditLogRoutes {
    private static let maximumLimit = 1000

    static func register(on routes: inout Routes) {
        routes.backend(.get, "audit-logs", "GetAuditLogs", read: getAuditLogs)
    }

    private static func getAuditLogs(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let limit = try visit.limit(usual: maximumLimit, maximum: maximumLimit)
        let skip = try visit.skip()
        let isNewestFirst = try isNewestFirst(visit.call)
        let after = try visit.call.integer("after", status: 422) ?? 0
        let before = try visit.call.integer("before", status: 422) ?? .max
        // Two statements, because SQLite reads the index in the order that stands in the text.
        let sql: StaticString =
            isNewestFirst
            ? """
            SELECT id, resource, act, origin, actor_id, actor_name, url, address_hash, happened_at, description, detail
            FROM audit_log
            WHERE tenant_id = ?1 AND happened_at > ?2 AND happened_at < ?3
            ORDER BY happened_at DESC, id DESC LIMIT ?4 OFFSET ?5
            """
            : """
            SELECT id, resource, act, origin, actor_id, actor_name, url, address_hash, happened_at, description, detail
            FROM audit_log
            WHERE tenant_id = ?1 AND happened_at > ?2 AND happened_at < ?3
            ORDER BY happened_at, id LIMIT ?4 OFFSET ?5
            """
        let entries = try session.query(
            sql,
            .text(visit.tenant.id), .integer(max(after, session.now - AuditLog.lifetime)), .integer(before),
            .int(limit), .int(skip)
        ) { (row) throws(APIError) -> Entry in Entry(row) }
        return .json(Answer { $0.member("auditLogs", entries) })
    }

    private static func isNewestFirst(_ call: Call) throws(APIError) -> Bool {
        switch call.text("order") {
        case nil, "ASC": return false
        case "DESC": return true
        default: throw .invalidInput("The query parameter order must be ASC or DESC.")
        }
    }

    private struct Entry: JSONWritable, Sendable {
        private let id: Int64
        private let resource: String
        private let act: String
        private let origin: String
        private let actorID: String?
        private let actorName: String?
        private let url: String?
        private let addressHash: String?
        private let happenedAt: Int64
        private let description: String
        private let detail: String?

        init(_ row: borrowing Row) {
            id = row.int64(0)
            resource = row.text(1)
            act = row.text(2)
            origin = row.text(3)
            actorID = row.textOrNil(4)
            actorName = row.textOrNil(5)
            url = row.textOrNil(6)
            addressHash = row.textOrNil(7)
            happenedAt = row.int64(8)
            description = row.text(9)
            detail = row.textOrNil(10)
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("_id", String(id))
                json.member("userId", ifPresent: actorID)
                json.member("username", ifPresent: actorName)
                json.member("resourceName", resource)
                json.member("crudType", act)
                json.member("from", origin)
                json.member("url", orNull: url)
                // A keyed hash: the address itself is not kept.
                json.member("ip", orNull: addressHash)
                json.key("when")
                json.date(milliseconds: happenedAt)
                json.member("description", description)
                guard let detail else { return }
                json.key("objectDetails")
                json.raw(detail.utf8)
            }
        }
    }
}
