import JSON
import TestSupport
import Testing

extension Site {
    /// Calls as the site's own backend; `path` follows `/api/v1/`.
    func api(
        _ method: String, _ path: String, _ query: QueryItems = [:], _ body: JSONValue? = nil,
        key: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client().request(
            method, "/api/v1/\(path)", ["tenantId": tenant.id] + query,
            headers: [("x-api-key", key ?? tenant.apiKey)], body: body, sourceLocation: sourceLocation)
    }

    /// As ``api(_:_:_:_:key:sourceLocation:)``, and it must be taken.
    @discardableResult
    func does(
        _ method: String, _ path: String, _ query: QueryItems = [:], _ body: JSONValue? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try takes(sourceLocation: sourceLocation) {
            try api(method, path, query, body, sourceLocation: sourceLocation)
        }
    }

    /// The call must be refused and leave nothing.
    @discardableResult
    func refuses(
        _ status: Int, _ code: String, _ method: String, _ path: String, _ query: QueryItems = [:],
        _ body: JSONValue? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try refuses(status, code, sourceLocation: sourceLocation) {
            try api(method, path, query, body, sourceLocation: sourceLocation)
        }
    }

    /// Wire id of somebody.
    func wireID(_ id: String) -> String { "\(tenant.id):\(id)" }

    /// Saves a comment that everybody sees.
    /// - Returns: its id.
    func saved(
        _ text: String, _ members: JSONValue = [:], query: QueryItems = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let answer = try does(
            "POST", "comments", query, Self.comment(text, ["approved": true], members), sourceLocation: sourceLocation)
        return try #require(answer["comment", "id"]?.string, sourceLocation: sourceLocation)
    }

    /// The body of a new comment; later members win.
    static func comment(_ text: String, _ members: JSONValue...) -> JSONValue {
        var body: [(String, JSONValue)] = [
            ("comment", .string(text)), ("commenterName", "Somebody"), ("url", "https://example.com/page"),
            ("urlId", "page"), ("locale", "en_us"),
        ]
        for more in members { body += (more.object?.members ?? []).map { ($0.name, $0.value) } }
        var object = JSONObject()
        for (name, value) in body { object.append(name, value) }
        return .object(object)
    }

    /// One comment as the backend reads it.
    func stored(_ id: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
        try #require(try does("GET", "comments/\(id)", sourceLocation: sourceLocation)["comment"])
    }
}
