import Domain
import HTTP1
import JSON
import Live
import Storage

/// What a client missed (contract: live 3).
enum EventLogRoutes {
    /// Events of one answer at most, …
    static let entryLimit = 2000
    /// … and their bytes.
    static let byteLimit = 4 << 20

    static func register(on routes: inout Routes) {
        routes.add(.get, "/event-log/{tenantId}", "getEventLog") { (call, session) throws(APIError) -> Reply in
            if call.parameter("tenantId") == UserFeed.tenantName { return try getUserFeedLog(call, &session) }
            return try getEventLog(try Visit(call, in: &session), &session)
        }
        routes.read(.get, "/event-log/global/{tenantId}", "getGlobalEventLog", getGlobalEventLog)
    }

    /// The events of a page. With an open socket, only what happened before it opened: the rest was pushed.
    static func getEventLog(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let window = try Window(visit.call, session.now)
        guard let urlID = LiveRoomName.resolve(visit.call.text("urlId") ?? "", tenant: visit.tenant.id) else {
            throw APIError(422, "missing-url-id", "The query parameter urlId is missing or names no page.")
        }
        let listener = try Listener.resolve(window.token, visit, page: urlID, in: &session)
        try listener.caller.requireReading(try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session))
        let room = RoomKey(tenant: visit.tenant.id, page: urlID)
        let watermark = visit.call.services.hub.watermark(
            room: room, identity: listener.identity, token: window.token)
        var events = try EventLog.page(
            room: room, after: window.start, upTo: window.end, maxPosition: watermark, limit: entryLimit,
            maxBytes: byteLimit, in: &session)
        try addFeed(to: &events, visit, window, listener, besides: room, in: &session)
        return .json(LoggedEvents(events: events.filter(listener.hears)))
    }

    /// The notices that a user feed missed.
    private static func getUserFeedLog(_ call: Call, _ session: inout Session) throws(APIError) -> Reply {
        let window = try Window(call, session.now)
        let room = call.text("urlId") ?? ""
        let feed = try UserFeed.find(room: room, token: window.token, tokens: call.services.tokens, in: &session)
        guard let feed else {
            throw APIError(403, "unauthorized-page", "This feed belongs to somebody else.", phrase: .pageNotAccessible)
        }
        let events = try feed.events(
            after: window.start, upTo: window.end, limit: entryLimit, page: room, hub: call.services.hub, in: &session)
        return .json(LoggedEvents(events: events))
    }

    /// Clients with an open socket in the feed's room ask for the log of a page: what happened in the feed before the
    /// socket opened would be lost to them otherwise (contract: live 3.5).
    private static func addFeed(
        to events: inout [CommittedEvent], _ visit: Visit, _ window: Window, _ listener: Listener,
        besides room: RoomKey, in session: inout Session
    ) throws(APIError) {
        let feed = FeedRoutes.room(visit.tenant.id)
        let opened = visit.call.services.hub.watermark(
            room: feed, identity: listener.identity, token: window.token)
        guard feed != room, let opened else { return }
        let bytes = events.reduce(0) { $0 + $1.data.count }
        events += try EventLog.page(
            room: feed, after: window.start, upTo: window.end, maxPosition: opened,
            limit: entryLimit - events.count, maxBytes: byteLimit - bytes, in: &session)
        events.sort { ($0.stamp, $0.position) < ($1.stamp, $1.position) }
    }

    /// The events of all pages: administrators and moderators hear all of them, others those of public pages.
    static func getGlobalEventLog(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let window = try Window(visit.call, session.now)
        let listener = try Listener.resolve(window.token, visit, in: &session)
        try listener.caller.requireReading(nil)
        let closed = listener.caller.isStaff ? [] : try restrictedPages(visit.tenant.id, in: &session)
        let events = try EventLog.tenant(
            visit.tenant.id, after: window.start, upTo: window.end, maxPosition: nil, limit: entryLimit,
            maxBytes: byteLimit, in: &session)
        return .json(
            LoggedEvents(
                events: events.filter { event in
                    listener.hears(event) && !closed.contains(event.room.page) && listener.mayRead(event.room.page)
                }))
    }

    private static func restrictedPages(_ tenant: String, in session: inout Session) throws(APIError) -> Set<String> {
        Set(
            try session.query("SELECT url_id FROM page WHERE tenant_id = ?1 AND group_ids IS NOT NULL", .text(tenant)) {
                (row) throws(APIError) -> String in row.text(0)
            })
    }

    private struct Window {
        let token: String
        let start: Int64
        let end: Int64

        init(_ call: Call, _ now: Int64) throws(APIError) {
            guard let start = try call.integer("startTime") else {
                throw .invalidInput("The query parameter startTime is missing.")
            }
            token = call.text("userIdWS") ?? ""
            self.start = start
            end = try call.integer("endTime") ?? now
        }
    }
}

/// Who listens, known by the token alone: live clients send no sign-on (contract: live 1.3).
struct Listener: Sendable {
    let identity: String?
    let caller: Caller

    /// - Parameters:
    ///   - token: `userIdWS`, or anything at all: an unknown one hears what everyone may hear.
    ///   - page: canonical id of the page whose settings count; nil for what holds everywhere.
    static func resolve(
        _ token: String, _ visit: Visit, page: String? = nil, in session: inout Session
    ) throws(APIError) -> Listener {
        try resolve(token, tenant: visit.tenant, page: page, tokens: visit.call.services.tokens, in: &session)
    }

    static func resolve(
        _ token: String, tenant: Tenant, page: String? = nil, tokens: PresenceToken, in session: inout Session
    ) throws(APIError) -> Listener {
        let settings = page.map { tenant.settings(of: $0) }
        let identity = tokens.identity(of: token, tenant: tenant.id)
        guard let identity, let person = try PersonSQL.find(identity, tenant: tenant.id, in: &session)?.person else {
            return Listener(
                identity: identity, caller: Caller(tenant: tenant, identity: .nobody, settings: settings))
        }
        return Listener(
            identity: identity, caller: Caller(tenant: tenant, identity: .person(person), settings: settings))
    }

    /// Whether the rule about sign-on lets the listener hear a page.
    func mayRead(_ urlID: String) -> Bool {
        if caller.tenant.rules.rules.isEmpty { return caller.mayRead(nil) }
        let settings = caller.tenant.settings(of: urlID)
        return Caller(tenant: caller.tenant, identity: caller.identity, settings: settings).mayRead(nil)
    }

    func hears(_ event: CommittedEvent) -> Bool {
        event.audience.includes(identity: identity, isStaff: caller.isStaff, groups: caller.groups)
    }
}

private struct LoggedEvents: JSONWritable, Sendable {
    let events: [CommittedEvent]

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("events")
            json.beginArray()
            for event in events {
                json.object { json in
                    json.member("_id", event.id)
                    json.key("createdAt")
                    json.date(milliseconds: event.stamp)
                    json.member("tenantId", event.room.tenant)
                    json.member("urlId", event.room.page)
                    json.member("broadcastId", event.broadcastID)
                    json.key("data")
                    json.string(utf8: event.data)
                }
            }
            json.endArray()
        }
    }
}
