import Domain
import HTTP1

/// Operations of the contract that are not built yet. They answer 501, so that a client learns it at once.
package enum NotBuiltRoutes {
    static func register(on routes: inout Routes) {
        for (method, pattern, operation) in operations {
            for pattern in spellings(pattern) {
                routes.add(
                    method, pattern, operation, allowsCrossOrigin: !pattern.hasPrefix("/api/v1/"),
                    work: .instant { (_) throws(APIError) -> Reply in throw .notBuilt(operation) })
            }
        }
    }

    /// Clients of two generations spell the paths of moderation with and without a segment.
    private static func spellings(_ pattern: String) -> [String] {
        let parts = pattern.split(separator: "/")
        guard parts.contains("mod_api") else { return [pattern] }
        return [pattern, "/" + parts.filter { $0 != "mod_api" }.joined(separator: "/")]
    }

    /// Method, path and name, in the order of the contract.
    package static let operations: [(Method, String, String)] = []
}

extension APIError {
    static func notBuilt(_ what: String) -> APIError {
        APIError(501, "not-implemented", "\(what) is not built yet. The README lists what is.")
    }
}
