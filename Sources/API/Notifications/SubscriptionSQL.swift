import Domain
import Storage

/// Who hears of new threads on a page.
enum SubscriptionSQL {
    static func exists(
        _ owner: String, _ urlID: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM subscription WHERE tenant_id = ?1 AND url_id = ?2 AND owner_key = ?3",
            .text(tenant), .text(urlID), .text(owner)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// - Returns: 1, or 0 when there is one already.
    static func insert(
        _ caller: Caller, _ owner: String, _ urlID: String, url: String, title: String, in session: inout Session
    ) throws(APIError) -> Int {
        try session.run(
            """
            INSERT INTO subscription (
                id, tenant_id, url_id, owner_key, user_id, anon_user_id, url, page_title, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (tenant_id, url_id, owner_key) DO NOTHING
            """,
            .text(Identifier.timeOrdered(at: session.now)), .text(caller.tenant.id), .text(urlID), .text(owner),
            .text(caller.person?.id), .text(caller.guest?.id), .text(url), .text(title.isEmpty ? nil : title),
            .integer(session.now))
    }

    /// - Returns: 1, or 0 when there is none.
    static func delete(
        _ owner: String, _ urlID: String, tenant: String, in session: inout Session
    ) throws(APIError) -> Int {
        try session.run(
            "DELETE FROM subscription WHERE tenant_id = ?1 AND url_id = ?2 AND owner_key = ?3",
            .text(tenant), .text(urlID), .text(owner))
    }

    /// Whether anybody hears of the page.
    static func hasSubscribers(_ urlID: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            "SELECT 1 FROM subscription WHERE tenant_id = ?1 AND url_id = ?2 LIMIT 1", .text(tenant), .text(urlID)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Those who subscribed before a moment, in the order of their ids, from one on.
    static func owners(
        _ urlID: String, tenant: String, before moment: Int64, after owner: String, limit: Int,
        in session: inout Session
    ) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT owner_key FROM subscription
            WHERE tenant_id = ?1 AND url_id = ?2 AND owner_key > ?3 AND created_at <= ?4
            ORDER BY owner_key LIMIT ?5
            """,
            .text(tenant), .text(urlID), .text(owner), .integer(moment), .int(limit)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}
