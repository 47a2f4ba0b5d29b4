import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// Ten thousand notices of one comment: made after the answer, each exactly once, whatever happens meanwhile.
@Suite struct NoticeCrashTests {
    private static let subscribers: Int64 = 10_000

    private let folder: String
    private let tenant = ParleyProcess.Tenant(id: "crowd", apiKey: "CROWDKEY")

    init() throws {
        folder = NSTemporaryDirectory() + "/parley-notices-\(UUID().uuidString)"
    }

    /// A server on the folder, which one after the other uses.
    private func server() throws -> ParleyProcess {
        try ParleyProcess(.data(folder), environment: ["PARLEY_TENANTS": "\(tenant.id):\(tenant.apiKey)"])
    }

    private func query(_ sql: String) throws -> Int64 {
        let connection = try Connection(path: folder + "/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare(sql)
        return try statement.step() ? statement.int64(0) : 0
    }

    /// People who subscribed to the page, as rows: asking ten thousand times would take long.
    private func makeSubscribers() throws {
        let connection = try Connection(path: folder + "/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(
            script: """
                BEGIN IMMEDIATE;
                CREATE TEMP TABLE number AS
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.subscribers))
                    SELECT i FROM n;
                INSERT INTO person (tenant_id, id, is_simple, username, username_key, display_key, created_at, updated_at)
                SELECT 'crowd', 'crowd:s' || i, 0, 's' || i, 's' || i, 's' || i, 1, 1 FROM number;
                INSERT INTO subscription (id, tenant_id, url_id, owner_key, user_id, url, created_at)
                SELECT 'subscription-' || i, 'crowd', 'page', 'crowd:s' || i, 'crowd:s' || i, '', 1 FROM number;
                COMMIT;
                """)
    }

    /// Waits until so many notices are there, or none is left to make.
    private func wait(_ server: ParleyProcess, for count: Int64) throws {
        let deadline = Deadline(.seconds(60))
        let client = try server.client()
        while try query("SELECT COUNT(*) FROM notice") < count {
            try #require(deadline.milliseconds > 0)
            guard try query("SELECT COUNT(*) FROM notice_job") > 0 else { return }
            _ = try client.request("GET", "/user-notifications/get-count", ["tenantId": tenant.id])
        }
    }

    @Test func everySubscriberIsToldOnceThoughTheServerIsKilledInBetween() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var server = try server()
        try makeSubscribers()
        let author = try server.reader(.author, of: tenant, at: "page")
        let first = try author.posted("Hello, all of you")
        let second = try author.posted("And once more")
        for part: Int64 in [1, 2500, 9000] {
            try wait(server, for: part)
            #expect(try server.kill() == .signal(9))
            let made = try query("SELECT COUNT(*) FROM notice")
            #expect(made < 2 * Self.subscribers, "killed before the end")
            server = try self.server()
        }
        try wait(server, for: 2 * Self.subscribers)
        #expect(try query("SELECT COUNT(*) FROM notice") == 2 * Self.subscribers)
        #expect(try query("SELECT COUNT(DISTINCT owner_key) FROM notice") == Self.subscribers)
        #expect(try query("SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM notice GROUP BY owner_key)") == 2)
        let reader = try server.reader(Person("s77"), of: tenant, at: "page")
        #expect(try reader.told() == ["3 \(second)", "3 \(first)"])
        // The notices of a comment that is gone are gone at once, the rows after a while.
        #expect(try server.reader(.author, of: tenant, at: "page").delete(first).isSuccess)
        #expect(try reader.told() == ["3 \(second)"])
        #expect(try reader.bell() == 1)
        #expect(try server.kill() == .signal(9))
        server = try self.server()
        let deadline = Deadline(.seconds(60))
        while try query("SELECT COUNT(*) FROM notice_job") > 0 {
            try #require(deadline.milliseconds > 0)
            #expect(try server.reader(Person("s77"), of: tenant, at: "page").bell() == 1)
        }
        #expect(try query("SELECT COUNT(*) FROM notice") == Self.subscribers)
        #expect(try server.terminate() == .status(0))
    }
}
