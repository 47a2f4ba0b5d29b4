import SQLite
import TestSupport
import Testing

/// What the server does by itself: throws away what is too old, completes what older versions did not keep, and carries on
/// after a crash.
@Suite struct UpkeepScenarioTests {
    private let folder: Folder
    private let scene: Scene

    init() throws {
        folder = try Folder()
        scene = try Scene(in: folder)
    }

    private func number(_ sql: String) throws -> Int64 {
        let connection = try Connection(path: folder.path + "/data/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare(sql)
        return try statement.step() ? statement.int64(0) : 0
    }

    private func execute(_ sql: String) throws {
        let connection = try Connection(path: folder.path + "/data/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(script: sql)
    }

    private func wait(_ condition: () throws -> Bool) throws {
        let deadline = Deadline(.seconds(60))
        while try !condition() { try #require(deadline.milliseconds > 0) }
    }

    private func copies(_ count: Int, of comment: String, under parent: String? = nil) throws {
        let seq = parent.map { "(SELECT seq FROM comment WHERE id = '\($0)')" } ?? "NULL"
        let id = parent.map { "'\($0)'" } ?? "NULL"
        try execute(
            """
            CREATE TEMP TABLE number AS
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i FROM n;
            INSERT INTO comment (
                id, tenant_id, page_id, parent_seq, parent_id, user_id, author_key, commenter_name, source, html, url,
                created_at, score)
            SELECT c.id || '-' || n.i, c.tenant_id, c.page_id, \(seq), \(id), c.user_id, c.author_key, 'Ann', 'x', 'x',
                   'https://old.example/page', c.created_at, 0
            FROM number AS n JOIN comment AS c ON c.id = '\(comment)';
            """)
    }

    @Test func whatIsTooOldGoesThoughItIsMuch() throws {
        let ann = try scene.reader(.ann)
        let admin = try scene.reader(.admin)
        let first = try ann.posted("First")
        let young = try ann.posted("Young")
        try copies(450, of: first)
        try admin.decide("ban-user/from-comment/\(first)", ["banEmail": "true", "deleteAllUsersComments": "true"])
        try wait { try number("SELECT COUNT(*) FROM long_task") == 0 }
        #expect(try number("SELECT COUNT(*) FROM trash") == 452)
        #expect(try scene.server.kill() == .signal(9))
        try execute(
            """
            UPDATE trash SET removed_at = 1 WHERE id <> '\(young)';
            INSERT INTO comment_log (tenant_id, comment_id, happened_at, event) SELECT tenant_id, id, 1, 'Flagged' FROM trash;
            CREATE TEMP TABLE old AS SELECT * FROM audit_log;
            DELETE FROM audit_log;
            INSERT INTO audit_log (tenant_id, happened_at, resource, act, origin, description)
            SELECT tenant_id, 1, 'Old', 'c', 'ui', 'Old' FROM trash;
            INSERT INTO audit_log (tenant_id, happened_at, resource, act, origin, description)
            SELECT tenant_id, happened_at, resource, act, origin, description FROM old;
            """)
        let server = try ParleyProcess(.data(folder.path + "/data"))
        try wait { try number("SELECT COUNT(*) FROM trash") == 1 }
        try wait { try number("SELECT COUNT(*) FROM audit_log WHERE resource = 'Old'") == 0 }
        #expect(try number("SELECT COUNT(*) FROM trash_comment") == 1)
        #expect(try number("SELECT COUNT(*) FROM comment_log WHERE happened_at = 1") == 1)
        #expect(try number("SELECT COUNT(*) FROM audit_log WHERE resource = 'BannedUser'") == 1)
        #expect(try server.terminate() == .status(0))
    }

    @Test func hostsOfOldCommentsAreFilledIn() throws {
        let ann = try scene.reader(.ann)
        try copies(450, of: try ann.posted("First"))
        #expect(try scene.server.kill() == .signal(9))
        try execute(
            """
            UPDATE comment SET domain = NULL;
            UPDATE comment SET url = '' WHERE seq % 2 = 0;
            INSERT INTO server_state (key, value) SELECT 'domain-backfill', MAX(seq) FROM comment;
            """)
        let server = try ParleyProcess(.data(folder.path + "/data"))
        try wait { try number("SELECT COUNT(*) FROM server_state WHERE key = 'domain-backfill'") == 0 }
        #expect(
            try number("SELECT COUNT(*) FROM comment WHERE seq % 2 = 1 AND domain <> 'old.example'") <= 1)
        #expect(try number("SELECT COUNT(*) FROM comment WHERE domain = 'old.example'") >= 224)
        #expect(try number("SELECT COUNT(*) FROM comment WHERE seq % 2 = 0 AND domain IS NOT NULL") == 0)
        #expect(try server.terminate() == .status(0))
    }

    @Test(arguments: ["set-comment-approval-status", "remove-comment"])
    func whatIsLongEndsThoughTheServerIsKilledInBetween(_ act: String) throws {
        let ann = try scene.reader(.ann)
        let admin = try scene.reader(.admin)
        let root = try ann.posted("Root")
        try copies(3000, of: root, under: root)
        try admin.decide("\(act)/\(root)", act.hasPrefix("set") ? ["approved": "false"] : [:])
        #expect(try scene.server.kill() == .signal(9))
        #expect(try number("SELECT COUNT(*) FROM long_task") == 1)
        let server = try ParleyProcess(.data(folder.path + "/data"))
        #expect(try server.reader(.bob, of: scene.tenant, at: scene.page).list().isEmpty)
        try wait { try number("SELECT COUNT(*) FROM long_task") == 0 }
        let gone = "SELECT COUNT(*) FROM event_log WHERE data LIKE '{\"type\":\"deleted-comment\"%'"
        #expect(try number(gone) == 3001)
        #expect(try number("SELECT COUNT(*) FROM comment") == (act.hasPrefix("set") ? 3001 : 0))
        #expect(try server.terminate() == .status(0))
    }
}
