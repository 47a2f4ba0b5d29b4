import Crypto
import Domain
import HTTP1
import Server
import Storage

/// What an operator's monitoring reads (Prometheus text format 0.0.4).
enum MetricsRoutes {
    static func register(on routes: inout Routes) {
        routes.add(.get, "/metrics", "metrics", allowsCrossOrigin: false) { (call, session) throws(APIError) -> Reply in
            try admit(call)
            var text = MetricsText()
            call.services.metrics.write(to: &text)
            try StoreMetrics.write(to: &text, in: &session)
            var response = Response(status: 200, body: .bytes(Array(text.text.utf8)))
            response.headers.set("content-type", "text/plain; version=0.0.4; charset=utf-8")
            response.headers.set("cache-control", "no-store")
            return .response(response)
        }
    }

    /// - Throws: `not-found` (404) while there is no token, `unauthorized` (401) for another one.
    private static func admit(_ call: Call) throws(APIError) {
        guard let token = call.services.metrics.token else {
            throw APIError(
                404, "not-found", "Metrics are off. Start the server with PARLEY_METRICS_TOKEN to read them.")
        }
        let shown = call.request.head.headers["authorization"] ?? ""
        guard Secret.equal(shown, "Bearer \(token)") else {
            throw APIError(401, "unauthorized", "Send the header Authorization: Bearer with the metrics token.")
        }
    }
}

/// Numbers that the database keeps.
private enum StoreMetrics {
    static func write(to text: inout MetricsText, in session: inout Session) throws(APIError) {
        // Of the state, 1 is approved and 2 is spam.
        let counts = try session.query("SELECT state & 3, SUM(count) FROM comment_count GROUP BY 1") {
            (row) throws(APIError) -> (Int, Int) in (row.int(0), row.int(1))
        }
        let comments = Dictionary(uniqueKeysWithValues: counts)
        text.one("parley_comments_held", .gauge, "Comments that are hidden and no spam.", comments[0] ?? 0)
        text.one(
            "parley_comments_spam", .gauge, "Comments that are spam.", (comments[2] ?? 0) + (comments[3] ?? 0))
    }
}
