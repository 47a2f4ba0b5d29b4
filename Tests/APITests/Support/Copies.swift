import TestSupport
import Testing

extension Site {
    /// Puts copies of a comment into the store, `ID-1`, `ID-2` and so on.
    /// - Parameter parent: under which they stand; nil is where the original stands.
    func copy(_ comment: String, times count: Int, under parent: String? = nil) throws {
        let parentage =
            parent.map { id in
                """
                UPDATE copy SET parent_id = '\(id)', parent_seq = (SELECT seq FROM comment WHERE id = '\(id)');
                """
            } ?? ""
        try execute(
            """
            CREATE TEMP TABLE number AS
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i FROM n;
            BEGIN IMMEDIATE;
            CREATE TEMP TABLE copy AS SELECT c.* FROM number JOIN comment AS c ON c.id = '\(comment)';
            UPDATE copy SET seq = (SELECT MAX(seq) FROM comment) + rowid, id = id || '-' || rowid;
            \(parentage)
            INSERT INTO comment SELECT * FROM copy;
            COMMIT;
            """)
    }

    /// Waits until everything is done that is done after the answers.
    func finish(by deadline: Deadline = Deadline(.seconds(60))) throws {
        while try number("SELECT COUNT(*) FROM long_task WHERE tenant_id = ?1") > 0 {
            try #require(deadline.milliseconds > 0, "what changes have still to do was not done in time")
        }
    }

    /// How many comments of the tenant there are with a condition.
    func comments(_ condition: String = "1") throws -> Int64 {
        try number("SELECT COUNT(*) FROM comment WHERE tenant_id = ?1 AND \(condition)")
    }

    /// How many comments of the tenant the kept counts say there are.
    func kept() throws -> Int64 {
        try number("SELECT COALESCE(SUM(count), 0) FROM comment_count WHERE tenant_id = ?1")
    }

    /// Binds a moderator to groups.
    func bind(_ moderator: Person, to groups: String) throws {
        let id = wireID(moderator)
        try execute(
            """
            INSERT INTO moderator (id, tenant_id, user_id, moderation_groups, created_at)
            VALUES ('m-\(id)', '\(tenant.id)', '\(id)', '\(groups)', 1)
            """)
    }

    /// Puts comments into groups.
    func group(_ comments: [String], _ groups: String) throws {
        let ids = comments.map { "'\($0)'" }.joined(separator: ",")
        try execute("UPDATE comment SET moderation_groups = '\(groups)' WHERE id IN (\(ids))")
    }
}
