import Domain
import HTTP1
import JSON
import Live
import Storage

/// Who is and who was on a page (contract: public 14.2 to 14.4, live 4.4).
enum PagePeopleRoutes {
    /// Ids of one call at most.
    static let idLimit = 200

    static func register(on routes: inout Routes) {
        let users = "/pages/{tenantId}/users"
        routes.read(.get, users + "/online", "getOnlineUsers", getOnlineUsers)
        routes.read(.get, users + "/offline", "getOfflineUsers", getOfflineUsers)
        routes.read(.get, users + "/info", "getUsersInfo", getUsersInfo)
    }

    /// Whoever has a socket in the page's room. Guests and strangers are only counted.
    static func getOnlineUsers(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let request = try PageOfPeople(visit, in: &session)
        var list = try OnlineRoster.load(request.room, of: visit, in: &session)
        var page = try request.page(of: list.roster, visit, in: &session)
        if page.isOutdated {
            visit.call.services.rosters.forget(.online(request.room))
            list = try OnlineRoster.load(request.room, of: visit, in: &session)
            page = try request.page(of: list.roster, visit, in: &session)
        }
        let (shown, unnamed, total) = (page, list.unnamed, list.roster.entries.count + list.unnamed)
        return .json(
            Answer { json in
                shown.writeMembers(to: &json)
                json.member("totalCount", total)
                json.member("anonCount", unnamed)
            })
    }

    /// Whoever wrote what is to be read on the page, and is not there now.
    static func getOfflineUsers(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let request = try PageOfPeople(visit, in: &session)
        guard let known = request.known else { return .json(Answer(PeopleShown.nobody.writeMembers)) }
        var page = try request.page(
            of: try CommenterRoster.load(known, of: visit, in: &session), visit, isOnline: false, in: &session)
        if page.isOutdated {
            visit.call.services.rosters.forget(.commenters(known.id))
            page = try request.page(
                of: try CommenterRoster.load(known, of: visit, in: &session), visit, isOnline: false, in: &session)
        }
        return .json(Answer(page.writeMembers))
    }

    /// Names and pictures of the people with these ids, in their order; ids of nobody are left out.
    static func getUsersInfo(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let ids = visit.call.list("ids")
        guard !ids.isEmpty else { throw APIError(422, "invalid-input", "The query parameter ids is missing.") }
        guard ids.count <= idLimit else {
            throw APIError(422, "invalid-input", "At most \(idLimit) ids are allowed.")
        }
        let caller = try Caller.resolve(visit, in: &session)
        try caller.requireReading(nil)
        var seen: Set<String> = []
        let faces = try FaceSQL.find(
            ids.filter { seen.insert($0).inserted }, of: visit.tenant.id, as: visit.settings.nameFormat, in: &session)
        return .json(Answer { json in json.member("users", faces) })
    }
}

/// A request for one page of people.
private struct PageOfPeople {
    let room: RoomKey
    /// Nil when nothing was ever written there.
    let known: Page?
    let cursor: Roster.Cursor?

    /// - Throws: `missing-url-id`, `invalid-input` (422), `unauthorized-page` (403).
    init(_ visit: Visit, in session: inout Session) throws(APIError) {
        let urlID = try visit.call.pageID()
        cursor = try Roster.Cursor(visit.call)
        room = RoomKey(tenant: visit.tenant.id, page: urlID)
        let caller = try Caller.resolve(visit, in: &session)
        known = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try caller.requireReading(known)
    }

    /// - Parameter isOnline: false leaves out whoever is in the room now.
    func page(
        of roster: Roster, _ visit: Visit, isOnline: Bool = true, in session: inout Session
    ) throws(APIError) -> PeopleShown {
        let behind = roster.entries(after: cursor)
        let wanted = Roster.pageSize + 1
        let entries = isOnline ? Array(behind.prefix(wanted)) : absent(behind, visit.call.services.hub, wanted)
        let shown = entries.prefix(Roster.pageSize)
        let faces = try FaceSQL.find(
            shown.map(\.id), of: visit.tenant.id, as: visit.settings.nameFormat, in: &session)
        return PeopleShown(
            faces: faces, last: entries.count > shown.count ? shown.last : nil,
            isOutdated: !shown.elementsEqual(faces) { $0.isStill($1) })
    }

    private func absent(_ entries: ArraySlice<Roster.Entry>, _ hub: Hub, _ wanted: Int) -> [Roster.Entry] {
        var absent: [Roster.Entry] = []
        var rest = entries
        while !rest.isEmpty, absent.count < wanted {
            let next = rest.prefix(256)
            rest = rest.dropFirst(next.count)
            absent += zip(next, hub.online(next.map(\.id), in: room)).filter { !$0.1 }.map(\.0)
        }
        return Array(absent.prefix(wanted))
    }
}

/// One page of people.
private struct PeopleShown: Sendable {
    let faces: [Face]
    /// After whom the next page begins; nil when there is none.
    let last: Roster.Entry?
    /// The roster was made before somebody changed.
    let isOutdated: Bool

    static let nobody = PeopleShown(faces: [], last: nil, isOutdated: false)

    @Sendable func writeMembers(to json: inout JSONWriter) {
        json.member("users", faces)
        if let last {
            last.writeCursor(to: &json)
        } else {
            json.member("nextAfterName", orNull: nil)
            json.member("nextAfterUserId", orNull: nil)
        }
    }
}
