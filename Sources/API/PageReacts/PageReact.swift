import Domain
import Storage

/// One kind of reaction to a page.
struct PageReact: Sendable {
    /// The version of likes.
    static let likes = 1
    /// The version of reactions with an id.
    static let reactions = 2
    /// Characters of an id at most.
    private static let idLimit = 36
    /// A character may be made of any number of marks.
    private static let byteLimit = 4 * idLimit

    /// There is one kind of like.
    static let like = PageReact(version: likes, id: "")

    let version: Int
    /// As the site named it, for example `love`; empty for likes.
    let id: String

    private init(version: Int, id: String) {
        self.version = version
        self.id = id
    }

    /// The reaction that the parameter `id` names.
    /// - Throws: `invalid-input`, `react-id-too-long` (422).
    init(_ call: Call) throws(APIError) {
        guard let text = call.text("id") else {
            throw APIError(422, "invalid-input", "The query parameter id is missing.")
        }
        id = text.composed
        version = Self.reactions
        let scalars = id.unicodeScalars
        guard scalars.contains(where: \.isVisible),
            !scalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw APIError(422, "invalid-input", "The id of a reaction must be something that can be shown.")
        }
        guard id.count <= Self.idLimit, id.utf8.count <= Self.byteLimit else {
            throw APIError(
                422, "react-id-too-long", "The id of a reaction has at most \(Self.idLimit) characters.")
        }
    }
}

enum PageReactSQL {
    /// Names of one answer at most.
    static let namesLimit = 100
    /// Different reactions to one page at most: ids are free, and every answer lists them all.
    private static let kindsLimit = 1000
    /// Different reactions to one page of somebody who adds a new one.
    private static let ownKindsLimit = 20

    static func count(_ react: PageReact, of page: Page, in session: inout Session) throws(APIError) -> Int64 {
        try session.first(
            "SELECT count FROM page_react_count WHERE page_id = ?1 AND version = ?2 AND react_id = ?3",
            .integer(page.id), .integer(Int64(react.version)), .text(react.id)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    /// All reactions with an id, sorted by it.
    static func counts(of page: Page, in session: inout Session) throws(APIError) -> [(id: String, count: Int64)] {
        try session.query(
            "SELECT react_id, count FROM page_react_count WHERE page_id = ?1 AND version = ?2 ORDER BY react_id",
            .integer(page.id), .integer(Int64(PageReact.reactions))
        ) { (row) throws(APIError) -> (id: String, count: Int64) in (row.text(0), row.int64(1)) }
    }

    static func holds(
        _ react: PageReact, by key: String, of page: Page, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM page_react
            WHERE page_id = ?1 AND version = ?2 AND react_id = ?3 AND reactor_key = ?4
            """,
            .integer(page.id), .integer(Int64(react.version)), .text(react.id), .text(key)
        ) { (row) throws(APIError) -> Bool in row.bool(0) } ?? false
    }

    /// Reactions with an id that somebody left, sorted by it.
    static func ids(by key: String, of page: Page, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT react_id FROM page_react WHERE page_id = ?1 AND version = ?2 AND reactor_key = ?3 ORDER BY react_id
            """,
            .integer(page.id), .integer(Int64(PageReact.reactions)), .text(key)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Names of all people who reacted so, in no order.
    static func names(_ react: PageReact, of page: Page, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT COALESCE(NULLIF(p.display_name, ''), p.username)
            FROM page_react AS r JOIN person AS p ON p.tenant_id = ?1 AND p.id = r.user_id
            WHERE r.page_id = ?2 AND r.version = ?3 AND r.react_id = ?4 AND COALESCE(p.is_activity_private, 0) = 0
            """,
            .text(page.tenant), .integer(page.id), .integer(Int64(react.version)), .text(react.id)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// - Returns: whether it was not there yet.
    /// - Throws: `too-many-reacts` (422).
    static func insert(
        _ react: PageReact, by reactor: PageReactor, of page: Page, in session: inout Session
    ) throws(APIError) -> Bool {
        if react.version == PageReact.reactions, try count(react, of: page, in: &session) == 0 {
            try checkKinds(by: reactor.key, of: page, in: &session)
        }
        return try session.run(
            """
            INSERT INTO page_react (page_id, version, react_id, reactor_key, user_id, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (page_id, version, react_id, reactor_key) DO NOTHING
            """,
            .integer(page.id), .integer(Int64(react.version)), .text(react.id), .text(reactor.key),
            .text(reactor.userID), .integer(session.now)) > 0
    }

    /// Nobody may use up what all may invent. What is there already everybody may say as well.
    private static func checkKinds(
        by key: String, of page: Page, in session: inout Session
    ) throws(APIError) {
        guard try counts(of: page, in: &session).count < kindsLimit else {
            throw APIError(422, "too-many-reacts", "A page has at most \(kindsLimit) different reactions.")
        }
        guard try ids(by: key, of: page, in: &session).count < ownKindsLimit else {
            throw APIError(
                422, "too-many-reacts", "Nobody may add more than \(ownKindsLimit) different reactions to a page.")
        }
    }

    /// - Returns: whether it was there.
    static func delete(
        _ react: PageReact, by key: String, of page: Page, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.run(
            """
            DELETE FROM page_react WHERE page_id = ?1 AND version = ?2 AND react_id = ?3 AND reactor_key = ?4
            """,
            .integer(page.id), .integer(Int64(react.version)), .text(react.id), .text(key)) > 0
    }
}
