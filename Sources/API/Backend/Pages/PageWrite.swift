import Domain
import JSON
import Storage

/// What a backend says of a page, checked (contract: admin 5.3).
struct PageWrite: Sendable {
    private static let groupLimit = 1000
    private static let groupLength = 50
    private static let shared: Set<String> = ["title", "url", "urlId", "accessibleByGroupIds"]

    let title: String?
    let url: String?
    let urlID: String?
    let isClosed: Bool?
    let groups: Change<[String]>

    /// Whether comments read otherwise afterwards.
    var concernsComments: Bool { title != nil || url != nil || urlID != nil }

    /// For a page that is made.
    /// - Throws: `empty-request`, `extra-params`, `invalid-title`, `missing-url-id`, `invalid-input`, `…-group-…` (422).
    static func new(_ visit: BackendVisit) throws(APIError) -> PageWrite {
        let write = try PageWrite(visit, only: shared)
        guard write.title != nil else { throw invalidTitle }
        guard write.urlID != nil else { throw missingURLID }
        guard write.url != nil else { throw .invalidInput("url is missing.") }
        return write
    }

    /// For a page that is changed.
    static func change(_ visit: BackendVisit) throws(APIError) -> PageWrite {
        try PageWrite(visit, only: shared.union(["isClosed"]))
    }

    private init(_ visit: BackendVisit, only names: Set<String>) throws(APIError) {
        _ = try visit.filledBody()
        let body = try visit.body(only: names, orRefuse: "extra-params")
        let reader = PatchReader(body: body)
        let title = try reader.text("title", limit: 2000).value
        let facts = PageFacts(url: try reader.text("url", limit: 2000).value, title: title)
        guard title == nil || facts.title != nil else { throw Self.invalidTitle }
        self.title = facts.title
        url = body["url"] == nil ? nil : facts.url
        urlID = try reader.text("urlId", limit: 3 * PageIdentity.maximumLength).value.map { raw throws(APIError) in
            guard let urlID = PageIdentity.canonical(raw), urlID != LiveRoomName.feed else { throw Self.missingURLID }
            return urlID
        }
        isClosed = try reader.flag("isClosed")
        groups = try Self.groups(body)
    }

    private static let invalidTitle = APIError(422, "invalid-title", "title is missing or has nothing to show.")
    private static let missingURLID = APIError(422, "missing-url-id", "urlId is missing or names no page.")

    /// `null` lifts the restriction.
    private static func groups(_ body: JSONObject) throws(APIError) -> Change<[String]> {
        let name = "accessibleByGroupIds"
        guard let value = body[name] else { return .keep }
        if value.isNull { return .clear }
        guard let items = value.array else {
            throw APIError(422, "accessible-by-group-ids-not-array", "\(name) must be a list.")
        }
        guard items.count <= groupLimit else {
            throw APIError(422, "too-many-group-ids", "\(name) may have at most \(groupLimit) ids.")
        }
        let groups = items.compactMap(\.string)
        guard groups.count == items.count else { throw .invalidInput("\(name) must be a list of strings.") }
        guard groups.allSatisfy({ $0.unicodeScalars.count <= groupLength }) else {
            throw APIError(422, "group-id-too-large", "An id of \(name) may have at most \(groupLength) characters.")
        }
        return .set(groups)
    }
}

enum PageWriteSQL {
    /// Comments get the page's new address: a first part here, the rest after the answer.
    static func change(
        _ page: Page, _ write: PageWrite, _ services: Services, in session: inout Session
    ) throws(APIError) {
        let groups = write.groups.applied(to: page.groupIDs)
        try session.run(
            """
            UPDATE page SET title = COALESCE(?2, title), url = COALESCE(?3, url), url_id = COALESCE(?4, url_id),
                            group_ids = ?5, version = version + 1
            WHERE id = ?1
            """,
            .integer(page.id), .text(write.title), .text(write.url), .text(write.urlID),
            .text(groups.map(JSONText.list)))
        if let urlID = write.urlID, urlID != page.urlID {
            try session.run(
                "UPDATE OR IGNORE subscription SET url_id = ?3 WHERE tenant_id = ?1 AND url_id = ?2",
                .text(page.tenant), .text(page.urlID), .text(urlID))
        }
        guard let url = write.url else { return }
        try PageAddresses.begin(url, of: page, services, in: &session)
    }

    static func countComments(of page: Int64, in session: inout Session) throws(APIError) -> Int {
        try session.first("SELECT COUNT(*) FROM comment WHERE page_id = ?1", .integer(page)) {
            (row) throws(APIError) -> Int in row.int(0)
        } ?? 0
    }

    /// Its comments stay, and bring it back when something happens there.
    static func delete(_ page: Page, in session: inout Session) throws(APIError) {
        let removed = try session.run(
            "DELETE FROM page WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM comment AS c WHERE c.page_id = page.id)",
            .integer(page.id))
        guard removed == 0 else { return }
        // Who may read what stays is not forgotten.
        try session.run(
            "UPDATE page SET is_removed = 1, title = NULL, version = version + 1 WHERE id = ?1", .integer(page.id))
    }
}
