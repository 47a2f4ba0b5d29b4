import Domain
import HTTP1
import Live
import Server
import Storage

/// The WebSockets of one loop (contract: live 1). Owned by the loop's thread.
struct LiveSockets {
    /// What is found out about a socket before it opens, and again once it has: nothing is kept for a handshake that
    /// may still fail.
    struct Plan {
        let room: RoomKey
        let identity: String?
        let token: String
        let isStaff: Bool
        /// Somebody without access gets a socket all the same, and hears nothing: a refusal would be retried forever.
        let mayHear: Bool

        /// - Throws: `invalid-input` (400), `invalid-tenant` (404), `domain-unauthorized` (403), `rate-limited` (429).
        init(_ call: Call, in session: inout Session) throws(APIError) {
            guard call.request.head.wantsWebSocket else {
                throw APIError(426, "upgrade-required", "This path speaks WebSocket only.")
            }
            let name = try call.required("tenantIdWS")
            let value = try call.required("urlId")
            if name == UserFeed.tenantName {
                self = try Plan(feed: value, call, in: &session)
                return
            }
            guard let tenant = try TenantSQL.find(name, in: &session) else {
                throw APIError(404, "invalid-tenant", "There is no tenant with this id.")
            }
            guard tenant.admits(origin: call.request.head.headers["origin"]) || call.isSameOrigin else {
                throw APIError(403, "domain-unauthorized", "This tenant does not serve pages of this site.")
            }
            guard let page = LiveRoomName.resolve(value, tenant: tenant.id) else {
                throw .invalidInput("The query parameter urlId names no page.")
            }
            token = call.text("userIdWS") ?? ""
            room = RoomKey(tenant: tenant.id, page: page)
            let listener = try Listener.resolve(token, tenant: tenant, tokens: call.services.tokens, in: &session)
            identity = listener.identity
            isStaff = listener.caller.isStaff
            let known = try PageSQL.find(page, tenant: tenant.id, in: &session)
            mayHear = Self.mayRead(listener.caller, known)
            try requireRoom(call.services.hub)
        }

        /// Somebody's own feed; whoever may not follow it hears nothing.
        private init(feed value: String, _ call: Call, in session: inout Session) throws(APIError) {
            token = call.text("userIdWS") ?? ""
            isStaff = false
            let feed = try UserFeed.find(room: value, token: token, tokens: call.services.tokens, in: &session)
            guard let feed else {
                room = RoomKey(tenant: UserFeed.tenantName, person: "")
                identity = nil
                mayHear = false
                return
            }
            guard feed.tenant.admits(origin: call.request.head.headers["origin"]) || call.isSameOrigin else {
                throw APIError(403, "domain-unauthorized", "This tenant does not serve pages of this site.")
            }
            room = feed.room
            identity = feed.owner
            mayHear = true
            try requireRoom(call.services.hub)
        }

        private func requireRoom(_ hub: Hub) throws(APIError) {
            guard let identity, hub.socketCount(of: identity, in: room) >= Hub.socketsPerIdentity else { return }
            throw APIError(429, "rate-limited", "Too many sockets of one person on this page.")
        }

        private static func mayRead(_ caller: Caller, _ page: Page?) -> Bool {
            do {
                try caller.requireReading(page)
                return true
            } catch {
                return false
            }
        }
    }

    private let hub: Hub
    private let context: LoopContext<LoopMessage>
    private let announcer: PresenceAnnouncer
    private var rooms = RoomTable()

    init(hub: Hub, context: LoopContext<LoopMessage>) {
        self.hub = hub
        self.context = context
        announcer = PresenceAnnouncer(hub: hub, context: context)
    }

    mutating func opened(_ id: ConnectionID, _ plan: Plan) {
        guard plan.mayHear else { return }
        let position = hub.join(id, room: plan.room, identity: plan.identity, token: plan.token, at: context.now)
        let member = RoomTable.Member(identity: plan.identity, isStaff: plan.isStaff, position: position)
        rooms.add(id, member, to: plan.room)
        announcer.schedule()
    }

    mutating func closed(_ id: ConnectionID) {
        guard rooms.remove(id) != nil else { return }
        hub.leave(id, at: context.now)
        announcer.schedule()
    }

    func deliver(_ delivery: LiveDelivery) {
        rooms.deliver(delivery) { [context] batch, id in context.send(batch, to: id) }
        // A socket that takes nothing at the moment keeps nobody waiting: it had its try.
        if let barrier = delivery.barrier { context.afterWriting { withExtendedLifetime(barrier) {} } }
    }
}

/// Wakes when the next presence announcement is due; sleeps when nobody comes or goes. Owned by the loop's thread.
private final class PresenceAnnouncer {
    private let hub: Hub
    private let context: LoopContext<LoopMessage>
    private var isScheduled = false

    init(hub: Hub, context: LoopContext<LoopMessage>) {
        self.hub = hub
        self.context = context
    }

    /// Somebody came or went.
    func schedule() {
        guard !isScheduled else { return }
        wake(in: Int(Hub.announcementInterval))
    }

    private func wake(in milliseconds: Int) {
        isScheduled = true
        _ = context.after(milliseconds: milliseconds) { [self] in
            isScheduled = false
            // Never later than a new arrival must be told.
            if let next = hub.announcePresence(at: context.now) { wake(in: Int(min(next, Hub.announcementInterval))) }
        }
    }
}
