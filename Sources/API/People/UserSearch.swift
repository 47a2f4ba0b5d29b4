import Domain
import HTTP1
import JSON
import Storage

/// People to mention (contract: public 12).
enum PeopleRoutes {
    static func register(on routes: inout Routes) {
        routes.read(.get, "/user-search/{tenantId}", "searchUsers", searchUsers)
    }

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
            caller: caller, page: page?.id, prefix: visit.call.text("usernameStartsWith") ?? "",
            groups: visit.call.list("mentionGroupIds"))
        guard caller.settings.mentionMode != 2 else {
            return .json(FoundPeople(sections: [], isFlat: section == nil))
        }
        switch section {
        case "fast":
            let moderators = (name: "moderators", people: try search.moderators(in: &session))
            let here = (name: "onThisPage", people: try search.onPage(in: &session))
            return .json(FoundPeople(sections: [moderators, here], isFlat: false))
        case "site":
            let site = (name: "onThisSite", people: try search.onSite(in: &session))
            return .json(FoundPeople(sections: [site], isFlat: false))
        default:
            var people = try search.onPage(in: &session)
            if !search.prefix.isEmpty { people += try search.onSite(in: &session) + search.moderators(in: &session) }
            return .json(FoundPeople(sections: [(name: "", people: search.ranked(people))], isFlat: true))
        }
    }
}

private struct FoundPeople: JSONWritable, Sendable {
    let sections: [(name: String, people: [Person])]
    let isFlat: Bool

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            if isFlat {
                json.key("users")
                write(sections.first?.people ?? [], to: &json)
                return
            }
            json.key("sections")
            json.beginArray()
            for section in sections {
                json.object { json in
                    json.member("section", section.name)
                    json.key("users")
                    write(section.people, to: &json)
                }
            }
            json.endArray()
        }
    }

    private func write(_ people: [Person], to json: inout JSONWriter) {
        json.beginArray()
        for person in people {
            json.object { json in
                json.member("id", person.id)
                json.member("name", person.username)
                json.member("displayName", ifPresent: person.displayName)
                json.member("avatarSrc", orNull: person.avatar)
                json.member("type", "sso")
            }
        }
        json.endArray()
    }
}

/// Looks people up by the beginning of their name. The searcher and people whom the searcher blocked are left out.
private struct PersonSearch {
    /// People of a section at most.
    static let limit = 10
    /// Rows looked at, so that left-out people do not empty a section.
    private static let candidates: Int64 = 60

    let caller: Caller
    let page: Int64?
    let prefix: String
    let groups: [String]

    func onPage(in session: inout Session) throws(APIError) -> [Person] {
        guard let page else { return [] }
        let ids = try session.query(
            """
            SELECT p.id FROM person AS p
            JOIN (SELECT user_id, MAX(seq) AS latest FROM comment
                  WHERE page_id = ?2 AND user_id IS NOT NULL AND is_approved = 1 AND is_spam = 0 GROUP BY user_id) AS c
                ON c.user_id = p.id
            WHERE p.tenant_id = ?1 AND (substr(p.username_key, 1, ?4) = ?3 OR substr(p.display_key, 1, ?4) = ?3)
            ORDER BY c.latest DESC LIMIT ?5
            """,
            .text(caller.tenant.id), .integer(page), .text(key), .integer(Int64(key.unicodeScalars.count)),
            .integer(Self.candidates)
        ) { (row) throws(APIError) -> String in row.text(0) }
        return ranked(try people(ids, in: &session))
    }

    func onSite(in session: inout Session) throws(APIError) -> [Person] {
        let ids = try session.query(
            """
            SELECT id FROM person WHERE tenant_id = ?1 AND username_key >= ?2 AND username_key < ?3
            UNION
            SELECT id FROM person WHERE tenant_id = ?1 AND display_key >= ?2 AND display_key < ?3
            LIMIT ?4
            """,
            .text(caller.tenant.id), .text(key), .text(key + "\u{10FFFF}"), .integer(Self.candidates)
        ) { (row) throws(APIError) -> String in row.text(0) }
        return ranked(try people(ids, in: &session))
    }

    func moderators(in session: inout Session) throws(APIError) -> [Person] {
        let ids = try session.query(
            """
            SELECT id FROM person
            WHERE tenant_id = ?1 AND (is_admin = 1 OR is_moderator = 1)
              AND (substr(username_key, 1, ?3) = ?2 OR substr(display_key, 1, ?3) = ?2)
            ORDER BY username_key LIMIT ?4
            """,
            .text(caller.tenant.id), .text(key), .integer(Int64(key.unicodeScalars.count)), .integer(Self.candidates)
        ) { (row) throws(APIError) -> String in row.text(0) }
        return ranked(try people(ids, in: &session))
    }

    /// Names in the very case of the query first, each person once, in otherwise unchanged order.
    func ranked(_ people: [Person]) -> [Person] {
        var seen: Set<String> = []
        let distinct = people.filter { seen.insert($0.id).inserted }
        let exact = distinct.filter { $0.shownName.hasPrefix(prefix) || $0.username.hasPrefix(prefix) }
        let exactIDs = Set(exact.map(\.id))
        return Array((exact + distinct.filter { !exactIDs.contains($0.id) }).prefix(Self.limit))
    }

    private var key: String { prefix.lowercased() }

    private func people(_ ids: [String], in session: inout Session) throws(APIError) -> [Person] {
        let blocked =
            if let key = caller.key {
                Set(try BlockSQL.blockedKeys(by: key, tenant: caller.tenant.id, in: &session))
            } else {
                Set<String>()
            }
        var people: [Person] = []
        for id in ids where id != caller.key && !blocked.contains(id) {
            guard let person = try PersonSQL.find(id, tenant: caller.tenant.id, in: &session)?.person,
                mayMention(person)
            else { continue }
            people.append(person)
        }
        return people
    }

    /// Groups must meet: those of the searcher, and those that the page asks for.
    private func mayMention(_ person: Person) -> Bool {
        if let own = caller.person?.groupIDs, let theirs = person.groupIDs, Set(own).isDisjoint(with: theirs) {
            return false
        }
        guard !groups.isEmpty, let theirs = person.groupIDs else { return true }
        return !Set(groups).isDisjoint(with: theirs)
    }
}
