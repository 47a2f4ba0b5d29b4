import Bytes
import Crypto
import Foundation
import JSON
import SQLite
import Synchronization
import TestSupport
import Testing

/// A server with a folder that tests can seed and look into.
final class SeededServer: Sendable {
    let process: ParleyProcess
    let folder: String

    private init(_ environment: [String: String]) throws {
        folder = NSTemporaryDirectory() + "/parley-api-\(UUID().uuidString)"
        process = try ParleyProcess(.data(folder), environment: environment)
    }

    deinit {
        _ = try? process.kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The running ones by purpose. They end with the tests.
    private static let kept: Mutex<[String: SeededServer]> = {
        atexit { SeededServer.kept.withLock { $0 = [:] } }
        return Mutex([:])
    }()

    private static func keep(_ purpose: String, _ environment: [String: String]) throws -> SeededServer {
        try kept.withLock { kept in
            if let known = kept[purpose] { return known }
            let server = try SeededServer(environment)
            kept[purpose] = server
            return server
        }
    }

    /// The one for all tests that need nothing else.
    static func shared() throws -> SeededServer { try keep("shared", [:]) }

    /// Behind proxies that it trusts, and without the routes for test suites.
    static func proxied() throws -> SeededServer {
        try keep("proxied", ["PARLEY_TRUSTED_PROXIES": "127.0.0.1,10.9.9.9", "PARLEY_E2E_KEY": ""])
    }

    /// One for uploads, whose folder is compared with its rows: for one test at a time.
    static func uploads(_ suite: String) throws -> SeededServer { try keep("uploads: \(suite)", [:]) }

    /// One that may call this machine, and tries again after a second.
    static func calling() throws -> SeededServer { try keep("calling", WebhookReceiver.environment) }

    /// One that a test may stop.
    static func own(_ environment: [String: String] = [:]) throws -> SeededServer { try SeededServer(environment) }

    func client() throws -> HTTPClient { try process.client() }
}

/// A tenant that one test has for itself, as `parley seed` made it.
struct Site {
    let tenant: ParleyProcess.Tenant
    private let server: SeededServer

    /// - Parameters:
    ///   - settings: widget settings.
    ///   - isExempt: whether the owner has an address of test suites, to whom limits do not apply.
    ///   - pages: as in a seed file, without `tenant`.
    init(
        _ settings: JSONValue = [:], isExempt: Bool = true, domains: [String] = [], allowsSimpleSSO: Bool = true,
        pages: [JSONValue] = [], on server: SeededServer? = nil
    ) throws {
        self.server = try server ?? .shared()
        tenant = ParleyProcess.Tenant(
            id: "t" + Hex.encode(SecureRandom.bytes(8)), apiKey: SecureRandom.upperAlphanumeric(32))
        let id = JSONValue.string(tenant.id)
        let row: JSONValue = [
            "id": id, "key": .string(tenant.apiKey), "settings": settings, "allowsSimpleSSO": .bool(allowsSimpleSSO),
            "ownerEmail": .string(isExempt ? "owner@fctest.com" : "owner@example.com"),
            "domains": .array(domains.map { .string($0) }),
        ]
        try seed([
            "tenants": [row],
            "pages": .array(
                pages.map { page in
                    var object = page.object ?? JSONObject()
                    object.append("tenant", id)
                    return .object(object)
                }),
        ])
    }

    /// Makes the tenant's settings just these, as `parley config import` does.
    func config(_ rules: JSONValue) throws {
        try ParleyProcess.config(rules, of: tenant.id, in: server.folder)
    }

    func seed(_ state: JSONValue) throws { try ParleyProcess.seed(state, into: server.folder) }

    /// Somebody signed on securely, or nobody, on a connection of their own.
    func reader(_ person: Person? = nil, at page: String = "page") throws -> Reader {
        try server.process.reader(person, of: tenant, at: page)
    }

    func client() throws -> HTTPClient { try server.client() }

    /// A signed token; equal persons get equal ones within a millisecond only.
    func token(_ person: Person, at milliseconds: Int64? = nil) -> String {
        SSO.secure(person, key: tenant.apiKey, milliseconds: milliseconds)
    }

    /// Everything that is stored of the tenant: equal before and after means that nothing was written.
    func rows() throws -> [String] {
        let connection = try Connection(path: server.folder + "/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        var rows: [String] = []
        let tables = [
            "person", "guest", "page", "comment", "vote", "block", "feed_post", "feed_post_tag", "feed_react",
            "event_log", "subscription", "upload", "comment_log", "export_job", "trash", "ban", "ban_before",
            "long_task",
            "ban_preference", "badge", "user_badge", "manual_trust", "hash_tag", "account", "login_letter",
            "person_tombstone", "moderator", "api_token", "webhook", "webhook_event",
            "webhook_sweep", "domain_config", "daily_usage", "question_config", "question_result",
            "email_template", "email_template_error", "spam_feature", "spam_total", "spam_lesson",
        ]
        for table in tables {
            rows += try Self.rows("SELECT * FROM \(table) WHERE tenant_id = ?1", tenant.id, connection, table)
        }
        // What the banned try is noted, whatever becomes of it.
        let audit = """
            SELECT * FROM audit_log WHERE tenant_id = ?1 AND description NOT LIKE 'Banned user%'
            """
        rows += try Self.rows(audit, tenant.id, connection, "audit_log")
        let reacts = """
            SELECT r.* FROM page_react AS r JOIN page AS p ON p.id = r.page_id WHERE p.tenant_id = ?1
            """
        rows += try Self.rows(reacts, tenant.id, connection, "page_react")
        let flags = """
            SELECT f.* FROM comment_flag AS f JOIN comment AS c ON c.seq = f.comment_seq WHERE c.tenant_id = ?1
            """
        return rows + (try Self.rows(flags, tenant.id, connection, "flag"))
    }

    /// Rows of a statement with the tenant as `?1`, as texts.
    func table(_ sql: String) throws -> [[String]] {
        let connection = try Connection(path: server.folder + "/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare(sql)
        try statement.bind(tenant.id, 1)
        var rows: [[String]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map(statement.text)) }
        return rows
    }

    /// The first number of a row of the database, for example a count.
    func number(_ sql: String) throws -> Int64 {
        let connection = try Connection(path: server.folder + "/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare(sql)
        try statement.bind(tenant.id, 1)
        return try statement.step() ? statement.int64(0) : 0
    }

    /// Brings the store into a state that no request of ours makes. What readers keep of a page is forgotten.
    func execute(_ sql: String) throws {
        let connection = try Connection(path: server.folder + "/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(script: sql)
        try connection.execute(script: "UPDATE page SET version = version + 1 WHERE tenant_id = '\(tenant.id)'")
    }

    /// Rows of a table with a condition, `vote WHERE direction = 1`.
    func count(_ table: String) throws -> Int64 {
        let connection = try Connection(path: server.folder + "/parley.db", access: .readOnly)
        connection.setBusyTimeout(milliseconds: 10_000)
        let statement = try connection.prepare("SELECT COUNT(*) FROM \(table)")
        return try statement.step() ? statement.int64(0) : 0
    }

    /// Gives a post of the feed a weight, as a tenant's backend may.
    func weigh(_ post: String, _ weight: Double) throws {
        try execute("UPDATE feed_post SET weight = \(weight) WHERE id = '\(post)'")
    }

    /// Takes the approval of a comment away.
    func hide(_ comment: String) throws {
        try execute("UPDATE comment SET is_approved = 0 WHERE id = '\(comment)'")
    }

    private static func rows(
        _ sql: String, _ tenant: String, _ connection: Connection, _ table: String
    ) throws -> [String] {
        let statement = try connection.prepare(sql)
        try statement.bind(tenant, 1)
        var rows: [String] = []
        while try statement.step() {
            rows.append(([table] + (0..<statement.columnCount).map(statement.text)).joined(separator: "|"))
        }
        return rows.sorted()
    }

    /// The answer must be a refusal of this kind, and nothing may have been written.
    @discardableResult
    func refuses(
        _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ request: () throws -> Answer
    ) throws -> Answer {
        let before = try rows()
        let answer = try request()
        #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.code == code, sourceLocation: sourceLocation)
        #expect(try rows() == before, sourceLocation: sourceLocation)
        return answer
    }

    /// The answer must be a success.
    @discardableResult
    func takes(
        sourceLocation: SourceLocation = #_sourceLocation, _ request: () throws -> Answer
    ) throws -> Answer {
        let answer = try request()
        #expect(answer.isSuccess, "\(answer.status): \(answer.text)", sourceLocation: sourceLocation)
        return answer
    }
}

extension Person {
    /// The same person with other members of the sign-on data.
    func with(_ extras: JSONValue) -> Person {
        var person = self
        person.extras = extras
        return person
    }
}

/// What a guest sends along.
let guestExtras: JSONValue = ["commenterName": "Guest", "commenterEmail": "guest@example.com"]

/// Asks again and again until it is so.
/// - Throws: `ConnectionFault.timedOut` when it never is.
func until(by deadline: Deadline = .usual, _ condition: () throws -> Bool) throws {
    while try !condition() {
        guard deadline.milliseconds > 0 else { throw ConnectionFault.timedOut }
    }
}
