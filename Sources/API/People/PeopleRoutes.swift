import Domain
import HTTP1
import JSON
import Storage

/// People to mention (contract: public 12).
enum PeopleRoutes {
    static func register(on routes: inout Routes) {
        routes.read(.get, "/user-search/{tenantId}", "searchUsers", searchUsers)
    }

    /// A flat list, or the sections that the client asks for.
    static func searchUsers(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        let section = visit.call.text("searchSection")
        guard section == nil || section == "fast" || section == "site" else {
            throw .invalidInput("The query parameter searchSection must be fast or site.")
        }
        let caller = try Caller.resolve(visit, in: &session)
        let page = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)
        try caller.requireReading(page)
        let search = PersonSearch(
            caller, page: page?.id, prefix: visit.call.text("usernameStartsWith") ?? "",
            groups: visit.call.list("mentionGroupIds"))
        // Where names are hidden, nobody can be called by one.
        guard caller.settings.mentionMode != 2, caller.settings.nameFormat != .anonymous else {
            return .json(section == nil ? FoundPeople.list([]) : FoundPeople.sections([]))
        }
        return .json(try find(search, section, in: &session))
    }

    private static func find(
        _ search: PersonSearch, _ section: String?, in session: inout Session
    ) throws(APIError) -> FoundPeople {
        switch section {
        case "fast":
            let moderators = (name: "moderators", people: try search.find(.staff, in: &session))
            return .sections([moderators, (name: "onThisPage", people: try search.find(.page, in: &session))])
        case "site": return .sections([(name: "onThisSite", people: try search.find(.site, in: &session))])
        default:
            let here = try search.find(.page, in: &session)
            if search.isOpen { return .list(here) }
            let site = try search.find(.site, in: &session)
            return .list(PersonSearch.merged(here, site, try search.find(.staff, in: &session)))
        }
    }
}

private enum FoundPeople: JSONWritable, Sendable {
    case list([FoundPerson])
    case sections([(name: String, people: [FoundPerson])])

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            switch self {
            case .list(let people): json.member("users", people)
            case .sections(let sections): write(sections, to: &json)
            }
        }
    }

    private func write(_ sections: [(name: String, people: [FoundPerson])], to json: inout JSONWriter) {
        json.key("sections")
        json.beginArray()
        for section in sections {
            json.object { json in
                json.member("section", section.name)
                json.member("users", section.people)
            }
        }
        json.endArray()
    }
}
