import Bytes
import Crypto
import Foundation
import JSON
import SQLite
import TestSupport
import Testing

/// A server with two tenants, everybody who may call it, and what they call for.
final class AccessSite {
    /// How somebody shows who they are, and which tenant they name.
    struct Role {
        let tenant: ParleyProcess.Tenant
        var query: QueryItems = [:]
        var headers: [(String, String)] = []
    }

    static let operatorKey = "the-key-of-the-operator"

    let tenant: ParleyProcess.Tenant
    let other: ParleyProcess.Tenant
    private(set) var roles: [String: Role] = [:]
    private let server: SeededServer
    private let client: HTTPClient
    private let reader: Connection
    private let recipes: [String: AccessTable.Recipe]
    private var objects: [String: String] = [:]
    private var tables: [String: [String]] = [:]
    private var version: Int64 = 0

    init(_ table: AccessTable) throws {
        server = try SeededServer.own([
            "PARLEY_OPERATOR_KEY": Self.operatorKey, "PARLEY_METRICS_TOKEN": "a-token-of-enough-characters",
        ])
        client = try server.client()
        tenant = try server.process.makeTenant()
        other = try server.process.makeTenant()
        recipes = table.recipes
        reader = try Connection(path: server.folder + "/parley.db", access: .readOnly)
        reader.setBusyTimeout(milliseconds: 10_000)
        try makeRoles()
    }

    private func makeRoles() throws {
        let bound = Person("bound", extras: ["isModerator": true])
        _ = try send(
            "POST", "/api/v1/moderators?tenantId={tenant}", as: keyed,
            body: #"{"name":"Bound","email":"bound@example.com","moderationGroupIds":["elsewhere"]}"#)
        _ = try send("POST", "/api/v1/comments?tenantId={tenant}", as: keyed, body: Self.firstComment)
        let guest = try Reader(client, tenant: tenant.id, page: "page").post(
            "Hello", extras: ["commenterName": "Guest", "commenterEmail": "guest@example.com"])
        let session: QueryItems = ["sessionId": guest["user", "sessionId"]?.string]
        let (cookie, site) = (try accountCookie(), "http://127.0.0.1:\(server.process.port)")
        let foreign = SSO.secure(.admin, key: other.apiKey)
        roles = [
            "none": Role(tenant: tenant), "guest": Role(tenant: tenant, query: session),
            "simple": signed(SSO.simple(Person("simple", extras: ["isAdmin": true]))),
            "reader": signed(SSO.secure(.reader(1), key: tenant.apiKey)),
            "author": signed(SSO.secure(.author, key: tenant.apiKey)),
            "mod": signed(SSO.secure(.moderator, key: tenant.apiKey)),
            "bound": signed(SSO.secure(bound, key: tenant.apiKey)),
            "admin": signed(SSO.secure(.admin, key: tenant.apiKey)), "admin2": signed(foreign),
            "admin2own": Role(tenant: other, query: ["sso": foreign]), "key": keyed,
            "key2": Role(tenant: tenant, headers: [("x-api-key", other.apiKey)]),
            "key2own": Role(tenant: other, headers: [("x-api-key", other.apiKey)]),
            "operator": Role(tenant: tenant, headers: [("x-api-key", Self.operatorKey)]),
            "cookie": Role(tenant: tenant, headers: [("cookie", cookie)]),
            "cookiepage": Role(tenant: tenant, headers: [("cookie", cookie), ("origin", site)]),
            "cookiesite": Role(
                tenant: tenant, headers: [("cookie", cookie), ("origin", "https://elsewhere.example")]),
        ]
        let namesake = Role(tenant: other, query: ["sso": SSO.secure(.author, key: other.apiKey)])
        _ = try send("GET", "/comments/{tenant}?urlId=page", as: namesake)
        _ = try send(
            "PUT", "/api/v1/sso-users?tenantId={tenant}", as: keyed,
            body: #"{"id":"mine","username":"Mine","email":"mine@example.com"}"#)
        for role in roles.values where role.query.items.contains(where: { $0.name == "sso" }) {
            _ = try send("GET", "/comments/{tenant}?urlId=page", as: role)
        }
    }

    private static let firstComment =
        #"{"comment":"First","commenterName":"Author","url":"https://example.com/page","urlId":"page","locale":"en_us"}"#

    private var keyed: Role { Role(tenant: tenant, headers: [("x-api-key", tenant.apiKey)]) }

    private func signed(_ sso: String) -> Role { Role(tenant: tenant, query: ["sso": sso]) }

    /// A session of somebody who owns the tenant.
    private func accountCookie() throws -> String {
        _ = try send(
            "POST", "/api/v1/tenant-users?tenantId={tenant}", as: keyed,
            body: #"{"username":"Owner","email":"second-{new}@fctest.com","isAccountOwner":true}"#)
        let token = Hex.encode(SecureRandom.bytes(20))
        let hash = Hex.encode(Digest.sha256(Array(token.utf8)))
        try execute(
            """
            INSERT INTO account_session (token_hash, account_id, created_at, expires_at)
            SELECT '\(hash)', id, created_at, created_at + 86400000 FROM account WHERE tenant_id = '\(tenant.id)'
              AND email LIKE 'second-%'
            """)
        return "parley.sid=\(token)"
    }

    // MARK: Calls

    /// Calls as somebody, with objects that are there.
    func ask(_ request: AccessTable.Request, spelled target: String? = nil, as role: Role) throws -> Answer {
        try send(request.method, target ?? request.target, as: role, body: request.body)
    }

    private func send(_ method: String, _ target: String, as role: Role, body: String? = nil) throws -> Answer {
        let new = Hex.encode(SecureRandom.bytes(8))
        let (target, text) = (try filled(target, role, new, isPath: true), try body.map { try filled($0, role, new) })
        let parts = target.split(separator: "?", maxSplits: 1)
        var query: QueryItems = [:]
        for pair in parts.dropFirst().joined().split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query.append(String(sides[0]), PercentEncoding.decode(Array(sides[1].utf8), plusIsSpace: false))
        }
        var (headers, bytes) = (role.headers, text.map { Array($0.utf8) })
        switch text?.split(separator: " ").first {
        case "@image":
            headers.append(("content-type", Form.contentType))
            bytes = Form(try TestImage.file("photo.jpg"), type: "image/jpeg").body
        case "@form":
            headers.append(("content-type", "application/x-www-form-urlencoded"))
            bytes = text.map { Array($0.dropFirst(6).utf8) }
        default:
            if text != nil { headers.append(("content-type", "application/json")) }
        }
        if method != "GET", bytes == nil { bytes = [] }
        client.checksContract = parts[0] != "/user-presence-heartbeat"
        return try client.send(method, String(parts[0]), query + role.query, headers: headers, body: bytes)
    }

    /// A text with objects in place of their names.
    private func filled(_ text: String, _ role: Role, _ new: String, isPath: Bool = false) throws -> String {
        var text = text.replacingOccurrences(of: #"\{=([^}]*)\}"#, with: "$1", options: .regularExpression)
            .replacingOccurrences(of: "{tenant}", with: role.tenant.id)
            .replacingOccurrences(of: "{home}", with: tenant.id).replacingOccurrences(of: "{new}", with: new)
        for name in recipes.keys where text.contains("{\(name)}") {
            let id = try object(name)
            text = text.replacingOccurrences(of: "{\(name)}", with: isPath ? PercentEncoding.encodeComponent(id) : id)
        }
        return text
    }

    /// Id of an object, which is made when there is none.
    private func object(_ name: String) throws -> String {
        if let id = objects[name] { return id }
        let id: String
        switch try #require(recipes[name]) {
        case .request(let request, let path):
            let answer = try ask(request, as: keyed)
            var value = answer.json
            for name in path { value = Int(name).map { value?.array?[$0] } ?? value?.object?[name] }
            id = try #require(value?.string, "\(name): \(answer.status) \(answer.text)")
        case .statements(let text):
            id = Hex.encode(SecureRandom.bytes(8))
            try execute(try filled(text, keyed, id))
        }
        objects[name] = id
        return id
    }

    /// Makes what a call needs.
    func prepare(_ request: AccessTable.Request) throws {
        _ = try filled(request.target + (request.body ?? ""), keyed, "")
    }

    /// What a call may have used up, and what hangs on that.
    func forget(_ request: AccessTable.Request) { forget(request.target + (request.body ?? "")) }

    private func forget(_ text: String) {
        for name in recipes.keys where text.contains("{\(name)}") && objects.removeValue(forKey: name) != nil {
            for (other, recipe) in recipes where recipe.text.contains("{\(name)}") { forget("{\(other)}") }
        }
    }

    private func execute(_ sql: String) throws {
        let connection = try Connection(path: server.folder + "/parley.db", access: .readWrite)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute(script: sql)
    }

    // MARK: Rows

    /// Waits until nothing is written any more and remembers what is there.
    func settle() throws {
        var last = try currentVersion()
        var since = Date()
        try until {
            let now = try currentVersion()
            if now != last { (last, since) = (now, Date()) }
            return Date().timeIntervalSince(since) > 0.3
        }
        try look()
    }

    /// Names of the tables that changed since they were looked at last.
    func changes() throws -> [String] {
        guard try currentVersion() != version else { return [] }
        let before = tables
        try look()
        return tables.keys.filter { tables[$0] != before[$0] }.sorted()
    }

    private func look() throws {
        version = try currentVersion()
        for table in try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
            tables[table] = try texts("SELECT * FROM \"\(table)\"").sorted()
        }
    }

    private func currentVersion() throws -> Int64 {
        let statement = try reader.prepare("PRAGMA data_version")
        return try statement.step() ? statement.int64(0) : 0
    }

    private func texts(_ sql: String) throws -> [String] {
        let statement = try reader.prepare(sql)
        var rows: [String] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map(statement.text).joined(separator: "|"))
        }
        return rows
    }
}
