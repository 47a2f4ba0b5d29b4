import Domain
import HTTP1
import JSON
import Server
import Storage

/// A call of a site's own backend, by its key (contract: admin 1.1). The key may do everything within its tenant.
struct BackendVisit: Sendable {
    let call: Call
    let tenant: Tenant
    /// With the key of whoever runs the server, which opens few routes.
    let isOperator: Bool

    /// - Parameter admitsOperator: whether the operator's key opens the route too.
    /// - Throws: `missing-tenant-id` (422), `invalid-tenant-id` (404), `missing-api-key`, `invalid-api-key` (401),
    ///   `rate-limited` (429).
    init(
        _ call: Call, isCounted: Bool, admitsOperator: Bool, in session: inout Session
    ) throws(APIError) {
        self.call = call
        tenant = try Self.tenant(call, in: &session)
        isOperator = try Self.isOperator(call, tenant, admitsOperator, in: &session)
        // Not the key itself: memory that is dumped shall not hold it twice.
        guard isCounted, !tenant.isExemptFromLimits else { return }
        try call.services.limits.admitBackend(tenant.id, at: session.now)
    }

    private static func tenant(_ call: Call, in session: inout Session) throws(APIError) -> Tenant {
        let headers = call.request.head.headers
        guard let id = call.text("tenantId") ?? present(headers["x-tenant-id"]) else {
            throw APIError(422, "missing-tenant-id", "The query parameter tenantId is missing.")
        }
        guard let tenant = try TenantSQL.find(id, in: &session) else {
            throw APIError(404, "invalid-tenant-id", "There is no tenant with this id.")
        }
        return tenant
    }

    /// Characters of a key that nobody guesses; those that Parley makes have more.
    private static let shortestSafeKey = 16

    /// Looks at the key.
    /// - Returns: whether it is the operator's, and none of the tenant's.
    private static func isOperator(
        _ call: Call, _ tenant: Tenant, _ admitsOperator: Bool, in session: inout Session
    ) throws(APIError) -> Bool {
        guard let key = present(call.request.head.headers["x-api-key"]) ?? call.text("API_KEY") else {
            throw APIError(401, "missing-api-key", "The header x-api-key is missing.")
        }
        // Suites that run beside the server try wrong keys too.
        let limits = tenant.isExemptFromLimits && call.clientAddress.isLoopback ? nil : call.services.limits
        // Whoever has the right key is not kept waiting for what others try from the same address, unless it is so short
        // that it may have been guessed.
        if key.utf8.count < shortestSafeKey { try limits?.checkKeys(of: call.clientAddress, at: session.now) }
        if opens(key, tenant, call, at: session.now) { return false }
        if admitsOperator, let known = call.services.operatorKey, Secret.equal(known, key) { return true }
        if let parent = tenant.parent, let parent = try TenantSQL.find(parent, in: &session),
            opens(key, parent, call, at: session.now)
        {
            return false
        }
        try limits?.checkKeys(of: call.clientAddress, at: session.now)
        limits?.noteWrongKey(of: call.clientAddress, at: session.now)
        throw APIError(401, "invalid-api-key", "This API key is not one of the tenant's.")
    }

    private static func opens(_ key: String, _ tenant: Tenant, _ call: Call, at now: Int64) -> Bool {
        if tenant.keys.contains(where: { Secret.equal($0, key) }) { return true }
        guard !tenant.tokens.isEmpty, let token = tenant.tokens[Identifier.hash(ofSecret: key)], token.expiresAt > now
        else { return false }
        call.services.keyUse.note(token.id, at: now)
        return true
    }

    private static func present(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    // MARK: Parameters

    /// `true`, `false`, `1` or `0`; nil when absent.
    func flag(_ name: String) throws(APIError) -> Bool? { try call.flag(name, status: 422) }

    /// How many rows are passed over.
    /// - Throws: `invalid-skip` (422).
    func skip() throws(APIError) -> Int { try call.count("skip", code: "invalid-skip") ?? 0 }

    /// How many rows there may be.
    /// - Throws: `invalid-limit` (422).
    func limit(usual: Int, maximum: Int) throws(APIError) -> Int {
        guard let limit = try call.count("limit", code: "invalid-limit") else { return usual }
        guard (1...maximum).contains(limit) else {
            throw APIError(422, "invalid-limit", "The query parameter limit must be 1 to \(maximum).")
        }
        return limit
    }

    /// The body, in which nothing but these members may stand.
    /// - Throws: `malformed-json` (400), `code` (422).
    func body(only names: Set<String>, orRefuse code: String = "unexpected-param") throws(APIError) -> JSONObject {
        let body = try call.bodyObject()
        if let other = body.members.first(where: { !names.contains($0.name) }) {
            throw APIError(422, code, "The body may not have \(other.name.cut(to: 100)).")
        }
        return body
    }

    /// The body with at least one member.
    /// - Throws: `malformed-json` (400), `empty-request` (422).
    func filledBody() throws(APIError) -> JSONObject {
        let body = try call.bodyObject(mayBeEmpty: true)
        guard !body.members.isEmpty else { throw APIError(422, "empty-request", "The body is empty.") }
        return body
    }
}

extension Routes {
    /// A backend's read.
    mutating func backend(
        _ method: Method = .get, _ path: String, _ operation: String, admitsOperator: Bool = false,
        read handler: @escaping @Sendable (BackendVisit, inout Session) throws(APIError) -> Reply
    ) {
        add(method, Self.backendBase + path, operation, allowsCrossOrigin: false) {
            (call, session) throws(APIError) -> Reply in
            try Self.unprocessable { () throws(APIError) -> Reply in
                // A read that takes long runs again without a budget, and is counted once.
                let visit = try BackendVisit(
                    call, isCounted: session.budgetMilliseconds != nil, admitsOperator: admitsOperator, in: &session)
                return try handler(visit, &session)
            }
        }
    }

    /// A backend's write: the handler runs on the writer.
    mutating func backend(
        _ method: Method, _ path: String, _ operation: String, admitsOperator: Bool = false,
        write handler: @escaping @Sendable (BackendVisit, inout Session) throws(APIError) -> Reply
    ) {
        backend(method, path, operation, admitsOperator: admitsOperator) { (visit, _) throws(APIError) -> WriteUnit in
            { (session) throws(APIError) -> Reply in try handler(visit, &session) }
        }
    }

    /// A backend's write with work to do before the writer's turn, such as reading the body.
    mutating func backend(
        _ method: Method, _ path: String, _ operation: String, bodyLimit: Int = Routes.ordinaryBody,
        admitsOperator: Bool = false,
        prepare: @escaping @Sendable (BackendVisit, inout Session) throws(APIError) -> WriteUnit
    ) {
        let work = Endpoint.Work.write { (call, session) throws(APIError) -> WriteUnit in
            let unit = try Self.unprocessable { () throws(APIError) -> WriteUnit in
                let isFirst = session.budgetMilliseconds != nil || call.request.body.count > LoopHost.largeBody
                let visit = try BackendVisit(
                    call, isCounted: isFirst, admitsOperator: admitsOperator, in: &session)
                return try prepare(visit, &session)
            }
            return { (session) throws(APIError) -> Reply in
                try Self.unprocessable { () throws(APIError) -> Reply in try unit(&session) }
            }
        }
        add(method, Self.backendBase + path, operation, bodyLimit: bodyLimit, allowsCrossOrigin: false, work: work)
    }

    /// A backend's write in several units of the writer.
    mutating func backend(
        _ method: Method, _ path: String, _ operation: String, bodyLimit: Int,
        parts prepare: @escaping @Sendable (BackendVisit, inout Session) throws(APIError) -> PartUnit
    ) {
        let work = Endpoint.Work.parts { (call, session) throws(APIError) -> PartUnit in
            let unit = try Self.unprocessable { () throws(APIError) -> PartUnit in
                let isFirst = session.budgetMilliseconds != nil || call.request.body.count > LoopHost.largeBody
                return try prepare(
                    try BackendVisit(call, isCounted: isFirst, admitsOperator: false, in: &session), &session)
            }
            return Self.unprocessable(part: unit)
        }
        add(method, Self.backendBase + path, operation, bodyLimit: bodyLimit, allowsCrossOrigin: false, work: work)
    }

    private static func unprocessable(part: @escaping PartUnit) -> PartUnit {
        { (session) throws(APIError) -> PartOutcome in
            let outcome = try unprocessable { () throws(APIError) -> PartOutcome in try part(&session) }
            switch outcome {
            case .done: return outcome
            case .more(let next): return .more(unprocessable(part: next))
            }
        }
    }

    private static let backendBase = "/api/v1/"

    /// What is 400 on public routes is 422 here (contract: admin 1.3).
    private static func unprocessable<Value>(_ body: () throws(APIError) -> Value) throws(APIError) -> Value {
        do {
            return try body()
        } catch {
            var error = error
            if error.status == 400, error.code == "invalid-input" { error.status = 422 }
            throw error
        }
    }
}
