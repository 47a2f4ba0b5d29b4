import API
import HTTP1
import Server
import TestSupport
import Testing

/// The route table against the contract, both ways.
@Suite struct RouteTests {
    private static let ours: Set<String> = [
        "GET /", "GET /moderate", "GET /moderate/page.js", "GET /moderate/page.css",
        "GET /auth/my-account/moderate-comments/live",
        "GET /auth/my-account/moderate-comments/mod_api/removed-comments",
        "GET /auth/my-account/moderate-comments/removed-comments",
        "GET /auth/my-account/moderate-comments/mod_api/banned-users",
        "GET /auth/my-account/moderate-comments/banned-users",
        "GET /auth/my-account/moderate-comments/mod_api/thread-state",
        "GET /auth/my-account/moderate-comments/thread-state", "GET /uploads/{}", "GET /exports/{}", "GET /healthz",
        "GET /sub",
        "GET /metrics", "PUT /user-presence-heartbeat",
        "POST /auth/tenant-signup", "POST /auth/login", "GET /auth/logout", "GET /auth/my-account",
        "GET /auth/login-link", "POST /auth/login-link",
        "GET /auth/my-account/api-secret", "PUT /api/v1/sso-users", "GET /api/v1/me",
        "GET /api/v1/webhooks", "POST /api/v1/webhooks", "DELETE /api/v1/webhooks/{}",
        "GET /api/v1/webhooks/sample-payloads",
        "GET /api/v1/question-results-aggregate", "POST /api/v1/question-results-aggregate/bulk",
        "GET /api/v1/question-results-aggregate/combine/comments",
        "GET /test-e2e/api/tenant/by-email/{}", "DELETE /test-e2e/api/tenant/by-email/{}",
    ]

    private let routes = Set(
        API.routes(hasSuiteKeys: true).routes.map { "\($0.method.rawValue) \(Self.shape($0.pattern))" })

    /// Names of parameters are our own business.
    private static func shape(_ path: String) -> String {
        let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }
        return "/" + segments.joined(separator: "/")
    }

    /// Every operation, those of moderation with and without the segment `mod_api`.
    private static func operations() throws -> Set<String> {
        var operations: Set<String> = []
        for operation in try Contract.load().operations {
            operations.insert("\(operation.method) \(shape(operation.path))")
            let short = operation.path.split(separator: "/").filter { $0 != "mod_api" }.joined(separator: "/")
            operations.insert("\(operation.method) \(shape(short))")
        }
        return operations
    }

    @Test func everyOperationHasARoute() throws {
        #expect(try Self.operations().subtracting(routes).sorted() == [])
    }

    @Test func everyRouteIsAnOperationOrOurOwn() throws {
        #expect(try routes.subtracting(Self.operations()).subtracting(Self.ours).sorted() == [])
    }
}
