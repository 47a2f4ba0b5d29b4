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
        if let parent = visit.call.text("parentTenantId"), parent != visit.tenant.id {
            throw .invalidInput("No tenant of this server has tenants below it.")
        }
        guard let source = try AggregateSource.find(body.text("resourceName") ?? "") else {
            return .response(UnknownResource().response())
        }
        let query = try AggregateQuery(body, of: source)
        let result = try AggregateResult.load(query, tenant: visit.tenant.id, in: &session)
        let scanned = hasStats ? try AggregateResult.scanned(query, tenant: visit.tenant.id, in: &session) : 0
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
