import Domain
import HTTP1

/// How clients want their answers packed (RFC 9110, section 12.5.3).
enum ContentCoding {
    /// Whether the client takes gzip.
    static func acceptsGzip(_ head: RequestHead) -> Bool {
        guard let field = head.headers["accept-encoding"] else { return false }
        var acceptsAny = false
        for entry in field.split(separator: ",") {
            let parts = entry.split(separator: ";").map { String($0).trimmed.lowercased() }
            guard let name = parts.first else { continue }
            let isRefused = parts.dropFirst().contains { isZero($0) }
            if name == "gzip" || name == "x-gzip" { return !isRefused }
            if name == "*" { acceptsAny = !isRefused }
        }
        return acceptsAny
    }

    /// `q=0`, `q=0.0` and so on.
    private static func isZero(_ parameter: String) -> Bool {
        guard parameter.hasPrefix("q=") else { return false }
        return Double(parameter.dropFirst(2)) == 0
    }
}
