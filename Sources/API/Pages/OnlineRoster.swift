import Domain
import Live
import Storage

/// Who is in a room, by name.
enum OnlineRoster {
    /// How old the list of a crowded room may be before it is made anew, milliseconds, …
    static let renewal: Int64 = 10_000
    /// … and how old while another request is at it (contract: public 22.15 allows 30 seconds).
    static let staleness: Int64 = 25_000

    /// Always as it is now, but for crowds: sorting thousands for every reader would take longer than reading.
    static func load(_ room: RoomKey, of visit: Visit, in session: inout Session) throws(APIError) -> PeopleList {
        let services = visit.call.services
        guard services.hub.count(in: room) >= Hub.crowd else {
            return try make(services.hub.presence(in: room), of: visit, in: &session)
        }
        let key = RosterCache.Key.online(room)
        let format = visit.settings.nameFormat
        let isHurried = session.isHurried
        if let kept = services.rosters.find(key, format: format) {
            let age = session.now - kept.madeAt
            if age < renewal || (isHurried && age < staleness && !services.rosters.beginRefresh(key, at: session.now)) {
                return kept.list
            }
        }
        guard !isHurried else { throw .needsOffload }
        let made = try make(services.hub.presence(in: room), of: visit, in: &session)
        services.rosters.keep(.init(list: made, format: format, version: 0, madeAt: session.now), key)
        return made
    }

    private static func make(
        _ presence: Hub.Presence, of visit: Visit, in session: inout Session
    ) throws(APIError) -> PeopleList {
        let people = presence.identities.lazy.filter { !Identifier.isGuest($0) }
        let roster = Roster(
            try FaceSQL.entries(people, of: visit.tenant.id, as: visit.settings.nameFormat, in: &session))
        return PeopleList(roster: roster, unnamed: presence.count - roster.entries.count)
    }
}

extension Session {
    /// Whether this is an event loop, whose other visitors wait meanwhile.
    var isHurried: Bool { budgetMilliseconds.map { $0 <= LoopHost.readBudget } ?? false }
}
