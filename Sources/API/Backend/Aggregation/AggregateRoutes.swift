import Domain
import HTTP1
import JSON
import Server
import Storage

/// Counts over a site's rows (contract: admin 5.22).
enum AggregateRoutes {
    static func register(on routes: inout Routes) {
        routes.backend(.post, "aggregate", "Aggregate", read: aggregate)
    }

    private static func aggregate(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let begin = Clock.wallMilliseconds
        let body = try visit.filledBody()
        let hasStats = try visit.flag("includeStats") ?? false
        let tenants = try tenants(visit, in: &session)
        guard let source = try AggregateSource.find(body.text("resourceName") ?? "") else {
            return .response(UnknownResource().response())
        }
        let query = try AggregateQuery(body, of: source)
        let result = try AggregateResult.load(query, tenants: tenants, in: &session)
        let scanned = hasStats ? try AggregateResult.scanned(query, tenants: tenants, in: &session) : 0
        return .json(
            Answer { json in
                json.member("data", result.items)
                guard hasStats else { return }
                json.key("stats")
                json.object { json in
                    json.member("scanned", scanned)
                    json.member("timeMS", max(0, Clock.wallMilliseconds - begin))
                }
            })
    }

    /// Whose rows count: with the parameter `parentTenantId`, also those of the tenants that this one made.
    private static func tenants(_ visit: BackendVisit, in session: inout Session) throws(APIError) -> [String] {
        let own = visit.tenant.id
        guard let parent = visit.call.text("parentTenantId") else { return [own] }
        guard parent == own else { throw .invalidInput("parentTenantId must be the tenant of the key.") }
        return try session.query(
            "SELECT ?1 UNION ALL SELECT id FROM tenant WHERE parent_id = ?1 AND id <> ?1", .text(own)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}

/// The one refusal with a member of its own.
private struct UnknownResource: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("status", "failed")
            json.member("reason", "There is no resource of this resourceName.")
            json.member("code", "invalid-resource-name")
            json.member("validResourceNames", AggregateSource.all.map(\.name))
        }
    }

    func response() -> Response {
        Response(status: 422, headers: ["content-type": jsonType], body: .bytes(jsonBytes()))
    }
}
