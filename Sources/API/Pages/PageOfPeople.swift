import Domain
import Live
import Storage

/// A request for one page of people.
struct PageOfPeople {
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

    /// The page and the list it is of, which is made anew when somebody on the page has changed since it was made.
    /// - Parameter load: the list, perhaps as it is kept under the key.
    func page(
        of key: RosterCache.Key, _ visit: Visit, in session: inout Session,
        load: (inout Session) throws(APIError) -> PeopleList
    ) throws(APIError) -> (list: PeopleList, shown: PeopleShown) {
        let list = try load(&session)
        let shown = try show(list, key, visit, in: &session)
        guard shown.isOutdated else { return (list, shown) }
        visit.call.services.rosters.forget(key)
        let renewed = try load(&session)
        return (renewed, try show(renewed, key, visit, in: &session))
    }

    private func show(
        _ list: PeopleList, _ key: RosterCache.Key, _ visit: Visit, in session: inout Session
    ) throws(APIError) -> PeopleShown {
        let behind = list.roster.entries(after: cursor)
        let wanted = Roster.pageSize + 1
        let entries =
            switch key {
            case .online: Array(behind.prefix(wanted))
            case .commenters: absent(behind, visit.call.services.hub, wanted)
            }
        let shown = entries.prefix(Roster.pageSize)
        let faces = try FaceSQL.find(
            shown.map(\.id), of: visit.tenant.id, as: visit.settings.nameFormat, in: &session)
        return PeopleShown(
            faces: faces, last: entries.count > shown.count ? shown.last : nil,
            isOutdated: !shown.elementsEqual(faces) { $0.isStill($1) })
    }

    /// Those who are not in the room now.
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
