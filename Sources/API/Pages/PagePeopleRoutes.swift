import Domain
import HTTP1
import JSON
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
        let (list, shown) = try request.page(of: .online(request.room), visit, in: &session) {
            (session) throws(APIError) -> PeopleList in try OnlineRoster.load(request.room, of: visit, in: &session)
        }
        return .json(
            Answer { json in
                shown.writeMembers(to: &json)
                json.member("totalCount", list.roster.entries.count + list.unnamed)
                json.member("anonCount", list.unnamed)
            })
    }

    /// Whoever wrote what is to be read on the page, and is not there now.
    static func getOfflineUsers(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let request = try PageOfPeople(visit, in: &session)
        guard let known = request.known else { return .json(Answer(PeopleShown.nobody.writeMembers)) }
        let (_, shown) = try request.page(of: .commenters(known.id), visit, in: &session) {
            (session) throws(APIError) -> PeopleList in try CommenterRoster.load(known, of: visit, in: &session)
        }
        return .json(Answer(shown.writeMembers))
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
