import Domain
import JSON
import Storage

/// Somebody as lists of people show them (contract: live 4.4). A private profile has neither name nor picture.
struct Face: JSONWritable, Sendable {
    let id: String
    /// As the page shows names; empty for a private profile.
    let name: String
    let avatar: String?
    let isPrivate: Bool

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("displayName", name)
            json.member("avatarSrc", ifPresent: avatar)
            if isPrivate { json.member("isPrivate", true) }
        }
    }
}

enum FaceSQL {
    /// Those of the people who are known, in the order of the ids.
    /// - Parameter format: of the page that shows them.
    static func find(
        _ ids: some Sequence<String>, of tenant: String, as format: CommenterName.Format, in session: inout Session
    ) throws(APIError) -> [Face] {
        try session.query(
            """
            SELECT p.id, p.username, p.display_name, p.is_activity_private, p.avatar
            FROM json_each(?2) AS wanted CROSS JOIN person AS p ON p.tenant_id = ?1 AND p.id = wanted.value
            ORDER BY wanted.key
            """,
            .text(tenant), .list(ids)
        ) { (row) throws(APIError) -> Face in
            let isPrivate = row.bool(3)
            return Face(
                id: row.text(0), name: isPrivate ? "" : name(row, format), avatar: isPrivate ? nil : row.textOrNil(4),
                isPrivate: isPrivate)
        }
    }

    /// The same without pictures, which can be long, as entries of a roster.
    static func entries(
        _ ids: some Sequence<String>, of tenant: String, as format: CommenterName.Format, in session: inout Session
    ) throws(APIError) -> [Roster.Entry] {
        try session.query(
            """
            SELECT p.id, p.username, p.display_name, p.is_activity_private
            FROM json_each(?2) AS wanted CROSS JOIN person AS p ON p.tenant_id = ?1 AND p.id = wanted.value
            """,
            .text(tenant), .list(ids)
        ) { (row) throws(APIError) -> Roster.Entry in
            Roster.Entry(id: row.text(0), name: name(row, format), isPrivate: row.bool(3))
        }
    }

    private static func name(_ row: borrowing Row, _ format: CommenterName.Format) -> String {
        var person = Person(id: "", username: row.text(1), isSimple: false)
        person.displayName = row.textOrNil(2)
        return CommenterName.formatted(person.shownName, as: format)
    }
}
