import Domain
import Live
import Storage

/// Who is in a room, by name.
struct OnlineRoster {
    /// How old the list of a crowded room may be before it is made anew, milliseconds, …
    static let renewal: Int64 = 10_000
    /// … and how old while another request is at it (contract: public 22.15 allows 30 seconds).
    static let staleness: Int64 = 25_000

    let roster: Roster
    /// Guests, strangers, and ids of people who are gone.
    let unnamed: Int

    /// Always as it is now, but for crowds: sorting thousands for every reader would take longer than reading.
    static func load(_ room: RoomKey, of visit: Visit, in session: inout Session) throws(APIError) -> OnlineRoster {
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
                return OnlineRoster(roster: kept.roster, unnamed: kept.unnamed)
            }
        }
        guard !isHurried else { throw .needsOffload }
        let made = try make(services.hub.presence(in: room), of: visit, in: &session)
        services.rosters.keep(
            .init(roster: made.roster, format: format, version: 0, unnamed: made.unnamed, madeAt: session.now), key)
        return made
    }

    private static func make(
        _ presence: Hub.Presence, of visit: Visit, in session: inout Session
    ) throws(APIError) -> OnlineRoster {
        let people = presence.identities.lazy.filter { !Identifier.isGuest($0) }
        let roster = Roster(
            try FaceSQL.entries(people, of: visit.tenant.id, as: visit.settings.nameFormat, in: &session))
        return OnlineRoster(roster: roster, unnamed: presence.count - roster.entries.count)
    }
}

/// Who wrote something on a page that is to be read there, by name.
enum CommenterRoster {
    /// Kept for as long as nothing on the page changes.
    static func load(_ page: Page, of visit: Visit, in session: inout Session) throws(APIError) -> Roster {
        let rosters = visit.call.services.rosters
        let key = RosterCache.Key.commenters(page.id)
        let format = visit.settings.nameFormat
        if let kept = rosters.find(key, format: format), kept.version == page.version { return kept.roster }
        let ids = try session.query(
            """
            SELECT DISTINCT user_id FROM comment
            WHERE page_id = ?1 AND user_id IS NOT NULL AND is_approved = 1 AND is_spam = 0 AND is_deleted = 0
            """,
            .integer(page.id)
        ) { (row) throws(APIError) -> String in row.text(0) }
        let roster = Roster(try FaceSQL.entries(ids, of: visit.tenant.id, as: format, in: &session))
        rosters.keep(
            .init(roster: roster, format: format, version: page.version, unnamed: 0, madeAt: session.now), key)
        return roster
    }
}

extension Session {
    /// Whether this is an event loop, whose other visitors wait meanwhile.
    var isHurried: Bool { budgetMilliseconds.map { $0 <= LoopHost.readBudget } ?? false }
}
