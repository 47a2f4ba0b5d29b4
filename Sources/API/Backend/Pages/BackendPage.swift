import Domain
import JSON
import Storage

/// A page as a backend reads it (contract: admin 5.3).
struct BackendPage: JSONWritable, Sendable {
    let page: Page
    let url: String
    let title: String
    private let createdAt: Int64
    private var totals = CommentTotals()

    private init(_ row: borrowing Row) {
        page = Page(
            id: row.int64(0), tenant: row.text(1), urlID: row.text(2), isClosed: row.bool(3),
            groupIDs: row.textOrNil(4).map(JSONText.strings), version: row.int64(5), viewVersion: row.int64(6))
        url = row.text(7)
        title = row.text(8)
        createdAt = row.int64(9)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", String(page.id))
            json.member("urlId", page.urlID)
            json.member("url", url)
            json.member("title", title)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("commentCount", totals.all)
            json.member("rootCommentCount", totals.roots)
            json.member("isClosed", page.isClosed)
            if let groups = page.groupIDs { json.member("accessibleByGroupIds", groups) }
        }
    }

    // MARK: Storage

    /// All pages, oldest first.
    static func all(_ visit: BackendVisit, in session: inout Session) throws(APIError) -> [BackendPage] {
        let pages = try session.query(
            """
            SELECT id, tenant_id, url_id, is_closed, group_ids, version, view_version, url, title, created_at
            FROM page WHERE tenant_id = ?1 AND is_removed = 0 ORDER BY created_at, id
            """,
            .text(visit.tenant.id), row: page)
        return try counted(pages, visit, in: &session)
    }

    static func find(
        urlID: String, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BackendPage? {
        let found = try session.first(
            """
            SELECT id, tenant_id, url_id, is_closed, group_ids, version, view_version, url, title, created_at
            FROM page WHERE tenant_id = ?1 AND url_id = ?2 AND is_removed = 0
            """,
            .text(visit.tenant.id), .text(urlID), row: page)
        return try counted(found.map { [$0] } ?? [], visit, in: &session).first
    }

    static func isThere(_ urlID: String, _ visit: BackendVisit, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM page WHERE tenant_id = ?1 AND url_id = ?2 AND is_removed = 0", .text(visit.tenant.id),
            .text(urlID)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Counts comments: not for the writer.
    static func totals(
        of page: Page, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> CommentTotals {
        let services = visit.call.services
        return try services.pageCounts.totals(of: [page], services.threads, in: &session)[page.id] ?? CommentTotals()
    }

    /// With totals that were read before.
    /// - Throws: `page-does-not-exist` (404).
    static func require(
        _ id: String, _ visit: BackendVisit, totals: CommentTotals = CommentTotals(), in session: inout Session
    ) throws(APIError) -> BackendPage {
        let found = try session.first(
            """
            SELECT id, tenant_id, url_id, is_closed, group_ids, version, view_version, url, title, created_at
            FROM page WHERE tenant_id = ?1 AND id = ?2 AND is_removed = 0
            """,
            .text(visit.tenant.id), .integer(Int64(id) ?? 0), row: page)
        guard var page = found else {
            throw APIError(404, "page-does-not-exist", "There is no page with this id.")
        }
        page.totals = totals
        return page
    }

    private static func page(_ row: borrowing Row) throws(APIError) -> BackendPage { BackendPage(row) }

    private static func counted(
        _ pages: [BackendPage], _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> [BackendPage] {
        guard !pages.isEmpty else { return [] }
        let services = visit.call.services
        let totals = try services.pageCounts.totals(of: pages.map(\.page), services.threads, in: &session)
        return pages.map { page in
            var page = page
            page.totals = totals[page.page.id] ?? CommentTotals()
            return page
        }
    }
}
