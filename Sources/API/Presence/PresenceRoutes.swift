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

    /// Whether each of the people has a socket in the room. For everybody, and no part of the rules about private
    /// profiles: the dots beside comments are for all (contract: live 4.4).
    static func getUserPresenceStatuses(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let tenant = try required("tenantId", call)
        let name = try required("urlIdWS", call)
        _ = try required("userIds", call)
        let ids = call.list("userIds")
        guard ids.count <= idLimit else {
            throw APIError(422, "invalid-input", "At most \(idLimit) userIds are allowed.")
        }
        guard let known = try TenantSQL.find(tenant, in: &session) else { throw .invalidTenant }
        try call.requireSite(of: known)
        let room = room(name, tenant: tenant, call)
        let online = room.map { call.services.hub.online(ids, in: $0) } ?? ids.map { _ in false }
        return .json(
            Answer { json in
                json.key("userIdsOnline")
                json.object { json in
                    var seen = Set<String>(minimumCapacity: ids.count)
                    for (id, isOnline) in zip(ids, online) where seen.insert(id).inserted {
                        json.key(id)
                        json.bool(isOnline)
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
