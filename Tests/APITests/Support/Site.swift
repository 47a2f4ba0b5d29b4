import Crypto
import Bytes
import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// One server for all tests of the target: each test has a tenant of its own on it.
enum SharedServer {
    /// Where its data is, so that tests can seed and look at rows.
    static let folder: String = {
        let folder = NSTemporaryDirectory() + "/parley-api-\(UUID().uuidString)"
        atexit { try? FileManager.default.removeItem(atPath: SharedServer.folder) }
        return folder
    }()

    private static let started = Result { try ParleyProcess(.data(folder)) }

    static func process() throws -> ParleyProcess { try started.get() }
}

/// A tenant that one test has for itself, as `parley seed` made it.
struct Site {
    let tenant: ParleyProcess.Tenant

    /// - Parameters:
    ///   - settings: widget settings.
    ///   - isExempt: whether the owner has an address of test suites, to whom limits do not apply.
    ///   - pages: as in a seed file, without `tenant`.
    init(
        _ settings: JSONValue = [:], isExempt: Bool = true, domains: [String] = [], allowsSimpleSSO: Bool = true,
        pages: [JSONValue] = []
    ) throws {
        tenant = ParleyProcess.Tenant(
            id: "t" + Hex.encode(SecureRandom.bytes(8)), apiKey: SecureRandom.upperAlphanumeric(32))
        let id = JSONValue.string(tenant.id)
        let row: JSONValue = [
            "id": id, "key": .string(tenant.apiKey), "settings": settings, "allowsSimpleSSO": .bool(allowsSimpleSSO),
            "ownerEmail": .string(isExempt ? "owner@fctest.com" : "owner@example.com"),
            "domains": .array(domains.map { .string($0) }),
        ]
        _ = try SharedServer.process()
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

    func seed(_ state: JSONValue) throws { try ParleyProcess.seed(state, into: SharedServer.folder) }

    /// Somebody signed on securely, or nobody, on a connection of their own.
    func reader(_ person: Person? = nil, at page: String = "page") throws -> Reader {
        try SharedServer.process().reader(person, of: tenant, at: page)
    }

    func client() throws -> HTTPClient { try SharedServer.process().client() }

    /// A signed token; equal persons get equal ones within a millisecond only.
    func token(_ person: Person, at milliseconds: Int64? = nil) -> String {
        SSO.secure(person, key: tenant.apiKey, milliseconds: milliseconds)
    }

    /// Everything that is stored of the tenant: equal before and after means that nothing was written.
    func rows() throws -> [String] {
        let connection = try Connection(path: SharedServer.folder + "/parley.db", access: .readOnly)
        var rows: [String] = []
        for table in ["person", "guest", "page", "comment", "vote", "block", "event_log"] {
            rows += try Self.rows("SELECT * FROM \(table) WHERE tenant_id = ?1", tenant.id, connection, table)
        }
        let flags = """
            SELECT f.* FROM comment_flag AS f JOIN comment AS c ON c.seq = f.comment_seq WHERE c.tenant_id = ?1
            """
        return rows + (try Self.rows(flags, tenant.id, connection, "flag"))
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
