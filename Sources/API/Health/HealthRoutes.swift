import Domain
import HTTP1
import JSON
import Server
import Storage

/// Whether the server can do its work.
enum HealthRoutes {
    static func register(on routes: inout Routes) {
        routes.add(
            .get, "/healthz", "healthz",
            work: .write { (_, _) throws(APIError) -> WriteUnit in
                { (session) throws(APIError) -> Reply in
                    try Health.check(&session)
                    return .json(Healthy())
                }
            })
    }
}

private struct Healthy: JSONWritable, Sendable {
    func write(to json: inout JSONWriter) {
        json.object { $0.member("status", "ok") }
    }
}
