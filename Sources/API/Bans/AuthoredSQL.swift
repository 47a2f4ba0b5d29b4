import Domain
import Storage

/// What somebody wrote, by whatever they are recognised. Neither placeholders nor what administrators and moderators
/// wrote is in it. Groups are those of a moderator, whose concern alone is meant; nil is everything.
enum AuthoredSQL {
    /// Newest first.
    /// - Parameter before: only older ones.
    static func newest(
        _ choice: IdentityChoice, groups: [String]?, before: Int64, limit: Int, tenant: String,
        in session: inout Session
    ) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT seq FROM (
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key = ?2 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0
                      AND (?8 IS NULL OR EXISTS (
                          SELECT 1 FROM json_each(moderation_groups) AS own
                          WHERE own.value IN (SELECT value FROM json_each(?8))))
                    ORDER BY seq DESC LIMIT ?7)
                UNION
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND email_key = ?3 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0
                      AND (?8 IS NULL OR EXISTS (
                          SELECT 1 FROM json_each(moderation_groups) AS own
                          WHERE own.value IN (SELECT value FROM json_each(?8))))
                    ORDER BY seq DESC LIMIT ?7)
                UNION
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND email_domain = ?4 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0
                      AND (?8 IS NULL OR EXISTS (
                          SELECT 1 FROM json_each(moderation_groups) AS own
                          WHERE own.value IN (SELECT value FROM json_each(?8))))
                    ORDER BY seq DESC LIMIT ?7)
                UNION
                SELECT * FROM (
                    SELECT seq FROM comment WHERE tenant_id = ?1 AND address_hash = ?5 AND seq < ?6 AND is_deleted = 0
                      AND is_by_admin = 0 AND is_by_moderator = 0
                      AND (?8 IS NULL OR EXISTS (
                          SELECT 1 FROM json_each(moderation_groups) AS own
                          WHERE own.value IN (SELECT value FROM json_each(?8))))
                    ORDER BY seq DESC LIMIT ?7))
            ORDER BY seq DESC LIMIT ?7
            """,
            .text(tenant), .text(choice.key), .text(choice.emailKey), .text(choice.emailDomain),
            .text(choice.addressHash), .integer(before), .int(limit), groups.map(Value.list) ?? .null
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// How many there are by any of these, given as lists.
    static func count(
        _ choice: IdentityLists, groups: [String]?, tenant: String, in session: inout Session
    ) throws(APIError) -> Int64 {
        try session.first(
            """
            SELECT COUNT(*) FROM (
                SELECT seq, moderation_groups FROM comment
                WHERE tenant_id = ?1 AND author_key IN (SELECT value FROM json_each(?2))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0
                UNION
                SELECT seq, moderation_groups FROM comment
                WHERE tenant_id = ?1 AND email_key IN (SELECT value FROM json_each(?3))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0
                UNION
                SELECT seq, moderation_groups FROM comment
                WHERE tenant_id = ?1 AND email_domain IN (SELECT value FROM json_each(?4))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0
                UNION
                SELECT seq, moderation_groups FROM comment
                WHERE tenant_id = ?1 AND address_hash IN (SELECT value FROM json_each(?5))
                  AND is_deleted = 0 AND is_by_admin = 0 AND is_by_moderator = 0)
            WHERE ?6 IS NULL OR EXISTS (
                SELECT 1 FROM json_each(moderation_groups) AS own
                WHERE own.value IN (SELECT value FROM json_each(?6)))
            """,
            .text(tenant), .list(choice.keys), .list(choice.emailKeys), .list(choice.emailDomains),
            .list(choice.addressHashes), groups.map(Value.list) ?? .null
        ) { (row) throws(APIError) -> Int64 in row.int64(0) } ?? 0
    }

    /// The names that their authors have now, without repeats and in order.
    static func names(
        _ choice: IdentityLists, groups: [String]?, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT DISTINCT COALESCE(NULLIF(p.display_name, ''), p.username, c.commenter_name) AS name
            FROM (
                SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key IN (SELECT value FROM json_each(?2))
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND email_key IN (SELECT value FROM json_each(?3))
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND email_domain IN (SELECT value FROM json_each(?4))
                UNION
                SELECT seq FROM comment WHERE tenant_id = ?1 AND address_hash IN (SELECT value FROM json_each(?5))
            ) AS found JOIN comment AS c ON c.seq = found.seq
            LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id
            WHERE c.is_deleted = 0 AND c.is_by_admin = 0 AND c.is_by_moderator = 0
              AND (?7 IS NULL OR EXISTS (
                  SELECT 1 FROM json_each(c.moderation_groups) AS own
                  WHERE own.value IN (SELECT value FROM json_each(?7))))
            ORDER BY name LIMIT ?6
            """,
            .text(tenant), .list(choice.keys), .list(choice.emailKeys), .list(choice.emailDomains),
            .list(choice.addressHashes), .int(limit), groups.map(Value.list) ?? .null
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}
