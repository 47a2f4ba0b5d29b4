import Domain
import JSON
import Storage

/// Comments get the new address of their page, the newest first. Those that are written meanwhile have their own.
enum PageAddresses {
    /// Comments of one unit.
    private static let unitSize = 200

    /// Takes the place of an earlier one that is not done.
    static func begin(
        _ url: String, of page: Page, _ services: Services, in session: inout Session
    ) throws(APIError) {
        let subject = String(page.id)
        try LongTask.cancel(.addresses, subject, tenant: page.tenant, in: &session)
        guard let place = try advance(url, of: page.id, before: .max, in: &session) else { return }
        var detail = JSONObject()
        detail.append("url", .string(url))
        try LongTask.begin(.addresses, subject, from: place, detail, tenant: page.tenant, services, in: &session)
    }

    /// - Returns: where to go on; nil at the end.
    static func advance(_ task: LongTask, in session: inout Session) throws(APIError) -> Int64? {
        guard let page = Int64(task.subject), let url = task.detail["url"]?.string else { return nil }
        let place = try advance(url, of: page, before: task.place, in: &session)
        if place == nil { try PageSQL.touch(page, in: &session) }
        return place
    }

    private static func advance(
        _ url: String, of page: Int64, before place: Int64, in session: inout Session
    ) throws(APIError) -> Int64? {
        let seqs = try session.query(
            "SELECT seq FROM comment WHERE page_id = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
            .integer(page), .integer(place), .int(unitSize)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        try session.run(
            """
            UPDATE comment SET url = ?2, domain = COALESCE(?3, domain)
            WHERE seq IN (SELECT value FROM json_each(?1))
            """,
            .text(JSONText.numbers(seqs)), .text(url), .text(WebAddress.host(url)))
        return seqs.count == unitSize ? seqs.last : nil
    }
}
