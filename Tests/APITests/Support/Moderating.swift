import Foundation
import JSON
import TestSupport
import Testing

extension Reader {
    /// Calls an operation of moderation.
    func moderating(
        _ method: String, _ path: String, _ query: QueryItems = [:], body: JSONValue? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            method, "/auth/my-account/moderate-comments/mod_api/\(path)", ["tenantId": tenant, "sso": sso] + query,
            body: body, sourceLocation: sourceLocation)
    }

    /// Bans the author of a comment.
    func ban(
        _ comment: String, _ query: QueryItems = ["banEmail": "true"],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try moderating("POST", "ban-user/from-comment/\(comment)", query, sourceLocation: sourceLocation)
    }
}

extension Site {
    /// Calls a route for backends, with the tenant's key.
    func backend(
        _ method: String, _ path: String, _ query: QueryItems = [:], body: JSONValue? = nil, key: String? = nil
    ) throws -> Answer {
        try client().request(
            method, "/api/v1/" + path, ["tenantId": tenant.id] + query,
            headers: [("x-api-key", key ?? tenant.apiKey)], body: body)
    }

    /// Wire id of somebody who signed on.
    func wireID(_ person: Person) -> String { "\(tenant.id):\(person.id)" }

    /// Every operation of moderation refuses whoever may not call it.
    func refusesStrangers(
        _ method: String, _ path: String, _ query: QueryItems = [:], body: JSONValue? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let nobody = try reader()
        try refuses(401, "not-logged-in", sourceLocation: sourceLocation) {
            try nobody.moderating(method, path, query, body: body)
        }
        let stranger = try known(.reader(99))
        try refuses(403, "unauthorized", sourceLocation: sourceLocation) {
            try stranger.moderating(method, path, query, body: body)
        }
        let simple = nobody.signedOn(SSO.simple(.admin))
        _ = try simple.comments()
        try refuses(403, "unauthorized", sourceLocation: sourceLocation) {
            try simple.moderating(method, path, query, body: body)
        }
        try refuses(401, "malformed-sso", sourceLocation: sourceLocation) {
            try nobody.signedOn("{").moderating(method, path, query, body: body)
        }
    }
}
