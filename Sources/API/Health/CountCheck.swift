import Domain
import Storage

/// Counts that are kept beside what they count, against what they count. Triggers keep them, so a difference comes from
/// somebody who changed the database by hand, or from a fault.
package enum CountCheck {
    /// A count that is not what it should be.
    package struct Finding: Sendable {
        /// Which count it is, in words.
        package let what: String
        /// As it was kept.
        package let kept: Int
        /// As it is.
        package let counted: Int
    }

    /// Counts again all that is kept of one tenant. On any lane; reads every comment.
    package static func findings(tenant: String, in session: inout Session) throws(APIError) -> [Finding] {
        try comments(tenant, in: &session) + pageReacts(tenant, in: &session) + feedReacts(tenant, in: &session)
    }

    /// Comments of all tenants that are not deleted, as they are counted.
    package static func comments(in session: inout Session) throws(APIError) -> Int {
        try session.first("SELECT COALESCE(SUM(count), 0) FROM comment_count") {
            (row) throws(APIError) -> Int in row.int(0)
        } ?? 0
    }

    /// Makes the counts of one tenant right. On the writer.
    package static func repair(tenant: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM comment_count WHERE tenant_id = ?1", .text(tenant))
        try session.run(
            """
            INSERT INTO comment_count (tenant_id, state, count)
            SELECT tenant_id, is_approved + 2 * is_spam + 4 * is_reviewed + 8 * (flag_count > 0) + 16 * is_locked,
                   COUNT(*)
            FROM comment INDEXED BY comment_by_date WHERE tenant_id = ?1 AND is_deleted = 0 GROUP BY 1, 2
            """,
            .text(tenant))
        try session.run(
            "DELETE FROM page_react_count WHERE page_id IN (SELECT id FROM page WHERE tenant_id = ?1)", .text(tenant))
        try session.run(
            """
            INSERT INTO page_react_count (page_id, version, react_id, count)
            SELECT r.page_id, r.version, r.react_id, COUNT(*)
            FROM page AS g JOIN page_react AS r ON r.page_id = g.id WHERE g.tenant_id = ?1 GROUP BY 1, 2, 3
            """,
            .text(tenant))
        try session.run(
            "DELETE FROM feed_react_total WHERE post_id IN (SELECT id FROM feed_post WHERE tenant_id = ?1)",
            .text(tenant))
        try session.run(
            """
            INSERT INTO feed_react_total (post_id, react_type, total)
            SELECT r.post_id, r.react_type, COUNT(*)
            FROM feed_post AS f JOIN feed_react AS r ON r.post_id = f.id WHERE f.tenant_id = ?1 GROUP BY 1, 2
            """,
            .text(tenant))
    }

    private static func comments(_ tenant: String, in session: inout Session) throws(APIError) -> [Finding] {
        try session.query(
            """
            SELECT state, SUM(kept), SUM(counted) FROM (
                SELECT state, count AS kept, 0 AS counted FROM comment_count WHERE tenant_id = ?1
                UNION ALL
                SELECT is_approved + 2 * is_spam + 4 * is_reviewed + 8 * (flag_count > 0) + 16 * is_locked, 0, COUNT(*)
                FROM comment INDEXED BY comment_by_date WHERE tenant_id = ?1 AND is_deleted = 0 GROUP BY 1)
            GROUP BY state HAVING SUM(kept) <> SUM(counted) ORDER BY state
            """,
            .text(tenant)
        ) { (row) throws(APIError) -> Finding in
            Finding(what: "comments that are " + states(row.int(0)), kept: row.int(1), counted: row.int(2))
        }
    }

    private static func states(_ state: Int) -> String {
        let words = [
            state & 1 != 0 ? "approved" : "not approved", state & 2 != 0 ? "spam" : nil,
            state & 4 != 0 ? "reviewed" : "not reviewed", state & 8 != 0 ? "flagged" : nil,
            state & 16 != 0 ? "locked" : nil,
        ]
        return words.compactMap { $0 }.joined(separator: ", ")
    }

    private static func pageReacts(_ tenant: String, in session: inout Session) throws(APIError) -> [Finding] {
        try session.query(
            """
            SELECT url_id, react_id, SUM(kept), SUM(counted) FROM (
                SELECT g.id, g.url_id, k.version, k.react_id, k.count AS kept, 0 AS counted
                FROM page AS g JOIN page_react_count AS k ON k.page_id = g.id WHERE g.tenant_id = ?1
                UNION ALL
                SELECT g.id, g.url_id, r.version, r.react_id, 0, COUNT(*)
                FROM page AS g JOIN page_react AS r ON r.page_id = g.id WHERE g.tenant_id = ?1 GROUP BY 1, 2, 3, 4)
            GROUP BY id, url_id, version, react_id HAVING SUM(kept) <> SUM(counted) ORDER BY url_id, react_id
            """,
            .text(tenant)
        ) { (row) throws(APIError) -> Finding in
            let name = row.text(1).isEmpty ? "likes" : "reactions \"\(row.text(1))\""
            return Finding(what: "\(name) to the page \(row.text(0))", kept: row.int(2), counted: row.int(3))
        }
    }

    private static func feedReacts(_ tenant: String, in session: inout Session) throws(APIError) -> [Finding] {
        try session.query(
            """
            SELECT id, react_type, SUM(kept), SUM(counted) FROM (
                SELECT f.id, k.react_type, k.total AS kept, 0 AS counted
                FROM feed_post AS f JOIN feed_react_total AS k ON k.post_id = f.id WHERE f.tenant_id = ?1
                UNION ALL
                SELECT f.id, r.react_type, 0, COUNT(*)
                FROM feed_post AS f JOIN feed_react AS r ON r.post_id = f.id WHERE f.tenant_id = ?1 GROUP BY 1, 2)
            GROUP BY id, react_type HAVING SUM(kept) <> SUM(counted) ORDER BY id, react_type
            """,
            .text(tenant)
        ) { (row) throws(APIError) -> Finding in
            Finding(
                what: "reactions \"\(row.text(1))\" to the feed post \(row.text(0))", kept: row.int(2),
                counted: row.int(3))
        }
    }
}
