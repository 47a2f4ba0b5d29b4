import Domain
import Storage

/// Comments on posts: each has a thread of its own (contract: live 5.5).
enum FeedCommentSQL {
    /// The page id of a post's thread.
    static func page(of post: String) -> String { "post:" + post }

    /// How many comments everybody sees, replies included; posts without any are left out.
    static func counts(
        _ ids: [String], _ tenant: Tenant, _ threads: ThreadCache, in session: inout Session
    ) throws(APIError) -> [String: Int] {
        let rows = try session.query(
            """
            SELECT wanted.value, count(*) - sum(c.is_deleted), sum(c.is_approved = 0 OR c.is_spam = 1)
            FROM json_each(?2) AS wanted
            JOIN page AS p ON p.tenant_id = ?1 AND p.url_id = 'post:' || wanted.value
            JOIN comment AS c ON c.page_id = p.id
            GROUP BY wanted.key
            """,
            .text(tenant.id), .list(ids)
        ) { (row) throws(APIError) -> (String, Int, Int) in (row.text(0), row.int(1), row.int(2)) }
        var counts: [String: Int] = [:]
        for (id, count, hidden) in rows {
            counts[id] = count
            // What stands below a hidden comment is hidden too, which only the thread itself knows.
            guard hidden > 0, let page = try PageSQL.find(page(of: id), tenant: tenant.id, in: &session) else {
                continue
            }
            let direction = tenant.settings.defaultDirection
            counts[id] = try threads.index(of: page, viewer: .reader, direction: direction, in: &session).totalCount
        }
        return counts
    }

    /// Nobody but administrators enters the thread of a deleted post, whether it was begun or not.
    static func hidePage(of post: String, tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO page (tenant_id, url_id, url, group_ids, version, created_at, updated_at)
            VALUES (?1, ?2, '', '[]', ?3, ?3, ?3)
            ON CONFLICT (tenant_id, url_id) DO UPDATE SET group_ids = '[]', version = page.version + 1
            """,
            .text(tenant), .text(page(of: post)), .integer(session.now))
    }
}
