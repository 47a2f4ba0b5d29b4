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
        /// Groups whose comments it hears; nil is all.
        let groups: [String]?
        /// Somebody without access gets a socket all the same, and hears nothing: a refusal would be retried forever.
        let mayHear: Bool
        /// Host of the site that opened it, for settings that hold on some sites.
        let site: String?
        /// What its client knows of its page's settings; nil where there is no page.
        let settings: WidgetSettings?

        /// - Throws: `invalid-input` (400), `invalid-tenant` (404), `domain-unauthorized` (403), `rate-limited` (429); for
        ///   moderators also `not-logged-in` (401), `unauthorized` (403).
        init(_ call: Call, in session: inout Session) throws(APIError) {
            guard call.request.head.wantsWebSocket else {
                throw APIError(426, "upgrade-required", "This path speaks WebSocket only.")
            }
            if call.request.head.rawPath.hasPrefix(ModeratorRoom.path) {
                self = try Plan(moderating: call, in: &session)
                return
            }
            let name = try call.required("tenantIdWS")
            let value = try call.required("urlId")
            if name == UserFeed.tenantName {
                self = try Plan(feed: value, call, in: &session)
                return
            }
            guard var tenant = try TenantSQL.find(name, in: &session) else {
                throw .invalidTenant
            }
            site = call.site
            tenant.site = site
            guard tenant.admits(origin: call.request.head.headers["origin"]) || call.isSameOrigin else {
                throw APIError(403, "domain-unauthorized", "This tenant does not serve pages of this site.")
            }
            guard let page = LiveRoomName.resolve(value, tenant: tenant.id) else {
                throw .invalidInput("The query parameter urlId names no page.")
            }
            token = call.text("userIdWS") ?? ""
            room = RoomKey(tenant: tenant.id, page: page)
            settings = tenant.settings(of: page)
            let listener = try Listener.resolve(
                token, tenant: tenant, page: page, tokens: call.services.tokens, in: &session)
            identity = listener.identity
            isStaff = listener.caller.isStaff
            groups = listener.caller.groups
            let known = try PageSQL.find(page, tenant: tenant.id, in: &session)
            mayHear = listener.caller.mayRead(known)
            try requireRoom(call.services.hub)
        }

        /// What happens to all comments of a tenant, for somebody who moderates them.
        private init(moderating call: Call, in session: inout Session) throws(APIError) {
            let visit = try ModeratorRoom.visit(call, in: &session)
            token = ""
            // Not their wire id: whoever only looks through the queue is on no page.
            identity = ModeratorRoom.identity(of: visit.moderator.key)
            isStaff = true
            groups = nil
            site = nil
            settings = nil
            room = RoomKey(moderatorsOf: visit.tenant.id)
            mayHear = true
            try requireRoom(call.services.hub)
        }

        /// Somebody's own feed; whoever may not follow it hears nothing.
        private init(feed value: String, _ call: Call, in session: inout Session) throws(APIError) {
            token = call.text("userIdWS") ?? ""
            isStaff = false
            groups = []
            site = nil
            settings = nil
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
    }

    private let hub: Hub
    private let context: LoopContext<LoopMessage>
    private let announcer: PresenceAnnouncer
    private var rooms = RoomTable()
    /// What each socket's client was told of its settings; nothing where there is no page.
    private var told: [ConnectionID: Told] = [:]

    private struct Told {
        let site: String?
        var settings: WidgetSettings
    }

    init(hub: Hub, context: LoopContext<LoopMessage>) {
        self.hub = hub
        self.context = context
        announcer = PresenceAnnouncer(hub: hub, context: context)
    }

    mutating func opened(_ id: ConnectionID, _ plan: Plan) {
        guard plan.mayHear else { return }
        let position = hub.join(id, room: plan.room, identity: plan.identity, token: plan.token, at: context.now)
        let member = RoomTable.Member(
            identity: plan.identity, isStaff: plan.isStaff, position: position, groups: plan.groups)
        rooms.add(id, member, to: plan.room)
        if let settings = plan.settings { told[id] = Told(site: plan.site, settings: settings) }
        announcer.schedule()
    }

    mutating func closed(_ id: ConnectionID) {
        guard rooms.remove(id) != nil else { return }
        told[id] = nil
        hub.leave(id, at: context.now)
        announcer.schedule()
    }

    func hasAny(of tenant: String) -> Bool { rooms.hasAny(of: tenant) }

    /// Tells open pages of their new settings where these are different now. Where it takes more to listen than
    /// before, clients must come again.
    mutating func announceSettings(of tenant: Tenant) {
        var tenant = tenant
        var frames: [String: FrameBatch] = [:]
        for (id, known) in told {
            guard let room = rooms.room(of: id), room.tenant == tenant.id else { continue }
            tenant.site = known.site
            let settings = tenant.settings(of: room.page)
            guard let change = settings.change(from: known.settings) else { continue }
            told[id]?.settings = settings
            let key = JSONText.object(change)
            let frame = frames[key] ?? LiveEvent.settingsFrame(change, at: Clock.wallMilliseconds)
            frames[key] = frame
            context.send(frame, to: id)
            if settings.isStricter(than: known.settings) {
                context.close(id, code: 1012, reason: "The rules of this page changed.")
            }
        }
    }

    /// People of a tenant whose sockets hear what only moderators hear.
    func staff(of tenant: String) -> Set<String> {
        var staff: Set<String> = []
        rooms.forEach(of: tenant) { _, member in
            if member.isStaff, let identity = member.identity { staff.insert(identity) }
        }
        return staff
    }

    /// Those who moderate no more must come again, and then hear what everybody hears.
    func dismiss(_ people: Set<String>, from tenant: String) {
        rooms.forEach(of: tenant) { id, member in
            guard member.isStaff, let identity = member.identity, people.contains(identity) else { return }
            context.close(id, code: 1012, reason: "Your rights changed.")
        }
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
