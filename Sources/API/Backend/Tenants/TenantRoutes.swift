import Bytes
import Crypto
import Domain
import HTTP1
import JSON
import Storage

/// Tenants for their own backends, and for whoever runs the server (contract: admin 5.7, 5.25).
enum TenantRoutes {
    private static let pageSize = 100
    private static let resource = "Tenant"

    static func register(on routes: inout Routes) {
        routes.backend(.get, "tenants", "GetTenants", admitsOperator: true, read: getTenants)
        routes.backend(.post, "tenants", "CreateTenant", admitsOperator: true, prepare: createTenant)
        routes.backend(.get, "tenants/{id}", "GetTenant", admitsOperator: true, read: getTenant)
        routes.backend(.patch, "tenants/{id}", "UpdateTenant", admitsOperator: true, prepare: updateTenant)
        routes.backend(.delete, "tenants/{id}", "DeleteTenant", admitsOperator: true, write: deleteTenant)
        routes.backend(.get, "me", "GetMe", read: getMe)
    }

    // MARK: Reading

    /// The operator's key sees all.
    private static func getTenants(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let tenants = try BackendTenant.list(
            of: visit.isOperator ? nil : visit.tenant.id, meta: filter(visit), skip: visit.skip(), limit: pageSize,
            in: &session)
        return .json(Answer { $0.member("tenants", tenants) })
    }

    /// - Throws: `invalid-input` (422).
    private static func filter(_ visit: BackendVisit) throws(APIError) -> JSONObject {
        guard let text = visit.call.text("meta") else { return JSONObject() }
        var body = JSONObject()
        guard let value = try? JSONValue.parse(text), value.object != nil else {
            throw .invalidInput("The query parameter meta must be a JSON object of texts.")
        }
        body.append("meta", value)
        return try TenantWrite.meta(body) ?? JSONObject()
    }

    private static func getTenant(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let tenant = try require(visit, in: &session)
        return .json(Answer { $0.member("tenant", tenant) })
    }

    /// The tenant of the path: the caller's own, one that the caller made, or any for the operator.
    /// - Throws: `not-found` (404), `unauthorized` (403).
    private static func require(_ visit: BackendVisit, in session: inout Session) throws(APIError) -> BackendTenant {
        guard let tenant = try BackendTenant.find(visit.call.parameter("id"), in: &session) else {
            throw APIError(404, "not-found", "There is no tenant with this id.")
        }
        guard visit.isOperator || tenant.id == visit.tenant.id || tenant.parent == visit.tenant.id else {
            throw APIError(403, "unauthorized", "This tenant belongs to somebody else.", phrase: .notAllowed)
        }
        return tenant
    }

    private static func getMe(_ visit: BackendVisit, _: inout Session) throws(APIError) -> Reply {
        .json(
            Answer { json in
                json.member("tenantId", visit.tenant.id)
                json.member("tenantName", visit.tenant.name)
                json.member("authType", "api-key")
                json.member("scopes", ["read", "write"])
            })
    }

    // MARK: Writing

    /// - Throws: `unauthorized` (403).
    private static func requireOperator(_ visit: BackendVisit) throws(APIError) {
        if visit.isOperator { return }
        let reason =
            visit.call.services.operatorKey == nil
            ? "Tenants are made and deleted by the operator of this server, who has set no operator key."
            : "Tenants are made and deleted with the operator's key."
        throw APIError(403, "unauthorized", reason, phrase: .notAllowed)
    }

    private static func createTenant(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        try requireOperator(visit)
        guard try BackendTenant.find(visit.tenant.id, in: &session)?.parent == nil else {
            throw APIError(403, "unauthorized", "A tenant that another one made makes none.", phrase: .notAllowed)
        }
        let write = try TenantWrite(visit, over: nil, at: session.now)
        try write.requireAll()
        return { (session) throws(APIError) -> Reply in
            let id = Hex.encode(SecureRandom.bytes(8))
            try write.insert(id, parent: visit.tenant.id, in: &session)
            try TenantSQL.addKey(Identifier.apiKey(), to: id, in: &session)
            try visit.note(.create, resource, id, in: &session)
            guard let tenant = try BackendTenant.find(id, in: &session) else { throw .internal("No new tenant.") }
            return .json(Answer { $0.member("tenant", tenant) })
        }
    }

    private static func updateTenant(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let write = try TenantWrite(visit, over: try require(visit, in: &session), at: session.now)
        return { (session) throws(APIError) -> Reply in
            let former = try require(visit, in: &session)
            try write.save(over: former, in: &session)
            try visit.note(.update, resource, former.id, in: &session)
            return .success
        }
    }

    private static func deleteTenant(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        try requireOperator(visit)
        let tenant = try require(visit, in: &session)
        guard visit.call.text("sure") == "true" else {
            throw APIError(422, "unsure", "All of the tenant's data goes. Say so with the query parameter sure=true.")
        }
        try TenantRemoval.begin(tenant.id, in: &session)
        visit.call.services.tasks.wake()
        // The log of the tenant goes with it.
        if tenant.id != visit.tenant.id { try visit.note(.delete, resource, tenant.id, in: &session) }
        return .success
    }
}
