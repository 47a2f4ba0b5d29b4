import Domain
import HTTP1
import JSON
import Live
import Storage

/// Who is on a page (contract: live 4.2).
enum PresenceRoutes {
    /// Ids of one call at most.
    static let idLimit = 500

    static func register(on routes: inout Routes) {
        routes.add(.get, "/user-presence-status", "getUserPresenceStatuses", read: getUserPresenceStatuses)
        // Old clients say that they are still there; open sockets say so already.
        routes.read(.put, "/user-presence-heartbeat", "putUserPresenceHeartbeat") { (_, _) in .success }
    }

    static func getUserPresenceStatuses(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let tenant = try required("tenantId", call)
        let name = try required("urlIdWS", call)
        _ = try required("userIds", call)
        let ids = call.list("userIds")
        guard ids.count <= idLimit else {
            throw APIError(422, "invalid-input", "At most \(idLimit) userIds are allowed.")
        }
        guard try TenantSQL.find(tenant, in: &session) != nil else {
            throw APIError(404, "invalid-tenant", "There is no tenant with this id.")
        }
        let room = room(name, tenant: tenant, call)
        let online = room.map { call.services.hub.online(ids, in: $0) } ?? ids.map { _ in false }
        let statuses = zip(ids, online).sorted { $0.0 < $1.0 }
        return .json(
            Answer { json in
                json.key("userIdsOnline")
                json.object { json in
                    var last: String?
                    for (id, isOnline) in statuses where id != last {
                        json.key(id)
                        json.bool(isOnline)
                        last = id
                    }
                }
            })
    }

    /// One client sends its own token where the room belongs; it means the room it is in.
    private static func room(_ name: String, tenant: String, _ call: Call) -> RoomKey? {
        if let identity = call.services.tokens.identity(of: name, tenant: tenant) {
            return call.services.hub.room(of: identity, tenant: tenant)
        }
        return LiveRoomName.resolve(name, tenant: tenant).map { RoomKey(tenant: tenant, page: $0) }
    }

    private static func required(_ name: String, _ call: Call) throws(APIError) -> String {
        guard let value = call.text(name) else {
            throw APIError(422, "invalid-input", "The query parameter \(name) is missing.")
        }
        return value
    }
}
