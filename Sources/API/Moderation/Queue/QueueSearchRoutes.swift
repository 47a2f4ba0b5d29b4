import Domain
import HTTP1
import JSON
import Storage

/// What moderators are offered while they type (contract: admin 6.1).
enum QueueSearchRoutes {
    /// Entries of one kind, of a list of its own and beside another.
    private static let most = 10
    private static let mostBesides = 5

    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/search/"
        routes.moderation(.get, base + "pages", "getSearchPages", read: pages)
        routes.moderation(.get, base + "sites", "getSearchSites", read: sites)
        routes.moderation(.get, base + "users", "getSearchUsers", read: users)
        routes.moderation(.get, base + "comments/summary", "getSearchCommentsSummary", read: summary)
        routes.moderation(.get, base + "suggest", "getSearchSuggest", read: suggest)
    }

    private static func pages(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let pages = try FoundPage.find(try value("value", visit), limit: most, visit, in: &session)
        return .json(Answer { $0.member("pages", pages) })
    }

    private static func sites(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let sites = try FoundSite.find(try value("value", visit), limit: most, visit.tenant, in: &session)
        return .json(Answer { $0.member("sites", sites) })
    }

    private static func users(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let users = try FoundUser.find(
            try value("value", visit), limit: most, visit, in: &session)
        return .json(Answer { $0.member("users", users) })
    }

    private static func summary(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let filter = try QueueRoutes.filter(visit, text: visit.call.text("value"), in: &session)
        let count = try ModerationQueue(filter, tenant: visit.tenant.id, in: &session).count(in: &session)
        return .json(Answer { $0.member("commentCount", count) })
    }

    private static func suggest(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let text = try value("text-search", visit)
        let pages = try FoundPage.find(text, limit: mostBesides, visit, in: &session)
        let users = try FoundUser.find(text, limit: mostBesides, visit, in: &session)
        return .json(
            Answer { json in
                json.member("pages", pages)
                json.member("users", users)
            })
    }

    /// What is looked for, in lower case; nothing is found by an empty one.
    private static func value(_ name: String, _ visit: ModeratorVisit) throws(APIError) -> String {
        let text = (visit.call.text(name) ?? "").trimmed
        guard text.utf8.count <= ModerationSearch.maximumLength else {
            throw .invalidInput("\(name) has more than \(ModerationSearch.maximumLength) bytes.")
        }
        return text.lowercased()
    }
}

/// A page that is offered.
private struct FoundPage: JSONWritable, Sendable {
    let urlID: String
    let url: String
    let title: String
    let count: Int

    /// Those whose title or address has the text, the latest first, each with as many comments as its list has.
    static func find(
        _ text: String, limit: Int, _ visit: ModeratorVisit, in session: inout Session
    ) throws(APIError) -> [FoundPage] {
        guard !text.isEmpty else { return [] }
        var found: [(urlID: String, url: String, title: String)] = []
        try session.forEach(
            """
            SELECT url_id, url, title FROM page INDEXED BY page_by_update WHERE tenant_id = ?1
            ORDER BY updated_at DESC, id DESC
            """,
            .text(visit.tenant.id)
        ) { (row) throws(APIError) in
            guard found.count < limit else { return }
            let (urlID, url, title) = (row.text(0), row.text(1), row.textOrNil(2) ?? "")
            guard title.lowercased().holds(text) || url.lowercased().holds(text) else { return }
            found.append((urlID, url, title))
        }
        var pages: [FoundPage] = []
        for page in found {
            var filter = ModerationFilter()
            filter.urlID = page.urlID
            filter.groups = visit.moderator.groups
            let queue = try ModerationQueue(filter, tenant: visit.tenant.id, in: &session)
            let count = try queue.count(in: &session)
            guard count > 0 || visit.moderator.groups == nil else { continue }
            pages.append(FoundPage(urlID: page.urlID, url: page.url, title: page.title, count: count))
        }
        return pages
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("urlId", urlID)
            json.member("url", url)
            json.member("title", title)
            json.member("commentCount", count)
        }
    }
}

/// A host that is offered.
private struct FoundSite: JSONWritable, Sendable {
    let domain: String

    /// Hosts of the tenant, and those where something was written, in the order of the alphabet.
    static func find(
        _ text: String, limit: Int, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> [FoundSite] {
        guard !text.isEmpty else { return [] }
        // From one host to the next in the index, whatever each has of comments.
        let hosts = try session.query(
            """
            WITH RECURSIVE host (name) AS (
                SELECT MIN(domain) FROM comment WHERE tenant_id = ?1
                UNION ALL
                SELECT (SELECT MIN(c.domain) FROM comment AS c WHERE c.tenant_id = ?1 AND c.domain > host.name)
                FROM host WHERE host.name IS NOT NULL
            )
            SELECT name FROM host WHERE name IS NOT NULL AND instr(name, ?2) > 0 LIMIT ?3
            """,
            .text(tenant.id), .text(text), .int(limit)
        ) { (row) throws(APIError) -> String in row.text(0) }
        let own = tenant.domains.map { $0.lowercased() }.filter { $0.holds(text) && !$0.hasPrefix("*") }
        return Set(hosts + own).sorted().prefix(limit).map { FoundSite(domain: $0) }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in json.member("domain", domain) }
    }
}

/// Somebody who is offered.
private struct FoundUser: JSONWritable, Sendable {
    let id: String
    let username: String
    let displayName: String?
    let avatar: String?

    /// Those with the text in one of their names, in the order of the alphabet; only whom the moderator has to do with.
    static func find(
        _ text: String, limit: Int, _ visit: ModeratorVisit, in session: inout Session
    ) throws(APIError) -> [FoundUser] {
        guard !text.isEmpty else { return [] }
        return try session.query(
            """
            SELECT id, username, display_name, avatar FROM person INDEXED BY person_by_username
            WHERE tenant_id = ?1 AND (instr(username_key, ?2) > 0 OR instr(display_key, ?2) > 0)
              AND (?4 IS NULL OR EXISTS (
                  SELECT 1 FROM comment AS c JOIN json_each(c.moderation_groups) AS g
                  WHERE c.tenant_id = ?1 AND c.author_key = person.id AND c.moderation_groups IS NOT NULL
                    AND g.value IN (SELECT value FROM json_each(?4))))
            ORDER BY username_key, id LIMIT ?3
            """,
            .text(visit.tenant.id), .text(text), .int(limit), visit.moderator.groups.map(Value.list) ?? .null
        ) { (row) throws(APIError) -> FoundUser in
            FoundUser(id: row.text(0), username: row.text(1), displayName: row.textOrNil(2), avatar: row.textOrNil(3))
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("username", username)
            json.member("displayName", orNull: displayName)
            json.member("avatarSrc", orNull: avatar)
        }
    }
}
