import HTTP1
import Server

/// Cross-origin headers (contract: public 1.4): the page's own origin comes back, with credentials.
struct CrossOrigin: Sendable {
    private let origin: String?
    private let isAllowed: Bool

    init(_ head: RequestHead, isAllowed: Bool) {
        origin = head.headers["origin"]
        self.isAllowed = isAllowed
    }

    func apply(to response: inout Response) {
        response.headers.set("x-content-type-options", "nosniff")
        guard isAllowed else { return }
        response.headers.set("cross-origin-resource-policy", "cross-origin")
        let others = response.headers["vary"].map { ", \($0)" } ?? ""
        response.headers.set("vary", "Origin" + others)
        guard let origin else { return }
        response.headers.set("access-control-allow-origin", origin)
        response.headers.set("access-control-allow-credentials", "true")
    }

    /// The answer to `OPTIONS`.
    func preflight() -> Response {
        var response = Response(status: 204)
        apply(to: &response)
        guard isAllowed, origin != nil else { return response }
        response.headers.set("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
        response.headers.set("access-control-allow-headers", "content-type, x-api-key")
        response.headers.set("access-control-max-age", "86400")
        return response
    }
}
