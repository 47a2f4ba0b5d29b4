import Domain
import JSON
import Live
import Storage

/// The socket that follows one person's notices and no page (contract: live 1.4): its tenant is a reserved word, its
/// room the person's own token, which also says whose tenant it is.
struct UserFeed {
    /// Stands where a tenant's id does.
    static let tenantName = "__internal_profiles"

    let tenant: Tenant
    /// Wire id of a person or guest.
    let owner: String

    var room: RoomKey { RoomKey(tenant: tenant.id, person: owner) }

    /// - Parameter room: `urlId` as sent; it must name the token.
    /// - Returns: nil when the token proves nobody, or belongs to another room.
    static func find(
        room: String, token: String, tokens: PresenceToken, in session: inout Session
    ) throws(APIError) -> UserFeed? {
        guard !token.isEmpty, LiveRoomName.resolve(room, tenant: tenantName) == token,
            let claim = PresenceToken.claim(of: token)
        else { return nil }
        for id in try tenants(of: claim, in: &session) {
            guard tokens.identity(of: token, tenant: id) == claim, let tenant = try TenantSQL.find(id, in: &session)
            else { continue }
            return UserFeed(tenant: tenant, owner: claim)
        }
        return nil
    }

    /// A person's id begins with its tenant's; a guest's does not.
    private static func tenants(of identity: String, in session: inout Session) throws(APIError) -> [String] {
        guard Identifier.isGuest(identity) else { return identity.split(separator: ":").prefix(1).map(String.init) }
        return try GuestSQL.tenants(of: identity, in: &session)
    }

    /// Notices of a span of time as the events that announced them, for a client that was away. Those made after its
    /// socket opened were pushed.
    func events(
        after start: Int64, upTo end: Int64, limit: Int, page: String, hub: Hub, in session: inout Session
    ) throws(APIError) -> [CommittedEvent] {
        let opened = hub.openingTime(of: owner, in: room) ?? .max
        let ids = try NoticeSQL.made(
            after: start, upTo: min(end, opened), owner: owner, tenant: tenant.id, limit: limit, in: &session)
        guard let caller = try Caller.find(owner, tenant, in: &session) else { return [] }
        let rows = try Notice.seen(try NoticeSQL.find(ids, in: &session), by: caller, in: &session)
        let notices = try Notice.complete(rows, tenant, in: &session)
        return notices.map { notice in
            let row = notice.row
            let event = LiveEvent.make(.notification, broadcastID: row.id, at: row.createdAt) { json in
                json.member("notification", LiveNotice(notice: notice))
            }
            return CommittedEvent(
                position: CommittedEvent.unlogged, room: RoomKey(tenant: Self.tenantName, page: page),
                stamp: row.createdAt, publishedAt: row.createdAt, audience: .everyone, broadcastID: row.id, id: row.id,
                data: event.body(row.createdAt))
        }
    }
}
