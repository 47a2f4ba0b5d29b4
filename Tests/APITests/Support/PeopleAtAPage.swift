import JSON
import TestSupport
import Testing

extension Reader {
    /// One page of a list of people, `online` or `offline`.
    func people(
        _ list: String, after: (name: String, id: String)? = nil, query: QueryItems = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let basics: QueryItems = [
            "urlId": page, "afterName": after?.name, "afterUserId": after?.id, "sso": sso,
        ]
        return try client.request(
            "GET", "/pages/\(tenant)/users/\(list)", basics + query, sourceLocation: sourceLocation)
    }

    /// All pages of a list, as a client reads them.
    func allPeople(_ list: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [[JSONValue]] {
        var pages: [[JSONValue]] = []
        var cursor: (name: String, id: String)?
        repeat {
            let answer = try people(list, after: cursor, sourceLocation: sourceLocation)
            let users = try #require(answer["users"]?.array, "\(answer.text)", sourceLocation: sourceLocation)
            pages.append(users)
            let (name, id) = (answer["nextAfterName"], answer["nextAfterUserId"])
            #expect((name?.isNull == true) == (id?.isNull == true), sourceLocation: sourceLocation)
            cursor = if let name = name?.string, let id = id?.string { (name, id) } else { nil }
        } while cursor != nil && pages.count < 100
        return pages
    }

    /// Comes to the page and stays there.
    func arrive() throws -> WebSocketClient { try live(comments()) }
}

extension Person {
    /// Somebody under a name of their own.
    static func named(_ name: String, id: String? = nil, extras: JSONValue = [:]) -> Person {
        Person(id ?? name, username: name, email: "\(id ?? "x")@example.com", extras: extras)
    }

    /// Whose profile is hidden by their own wish.
    static func hidden(_ name: String) -> Person {
        named(name, id: name.replacing(" ", with: "-"), extras: ["isProfileActivityPrivate": true])
    }
}

extension [JSONValue] {
    var names: [String] { compactMap { $0["displayName"]?.string } }
    var ids: [String] { compactMap { $0["id"]?.string } }
}
