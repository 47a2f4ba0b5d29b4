import Bytes
import JSON
import TestSupport
import Testing

extension Reader {
    /// The bell's number.
    func bell() throws -> Int64 {
        let answer = try client.request(
            "GET", "/user-notifications/get-count", ["tenantId": tenant, "sso": sso])
        return try #require(answer["count"]?.integer, "\(answer.status): \(answer.text)")
    }

    /// This person's notices, newest first.
    func notices() throws -> [JSONValue] {
        let answer = try client.request("GET", "/user-notifications", ["tenantId": tenant, "sso": sso])
        return try #require(answer["notifications"]?.array, "\(answer.status): \(answer.text)")
    }

    /// A change that must be taken; `path` follows `/user-notifications`.
    func notice(_ path: String, _ query: QueryItems = [:]) throws {
        let answer = try client.request(
            "POST", "/user-notifications" + path, ["tenantId": tenant, "sso": sso] + query)
        try #require(answer.isSuccess, "\(answer.status): \(answer.text)")
    }

    /// This person's `userIdWS`.
    func token() throws -> String { try #require(comments()["userIdWS"]?.string) }

    /// Opens the socket that follows a person and no page.
    func follow(_ token: String, room: String? = nil) throws -> WebSocketClient {
        try WebSocketClient(
            port: client.port,
            [
                "tenantIdWS": "__internal_profiles", "urlId": room ?? "__internal_profiles:\(token)",
                "userIdWS": token,
            ])
    }
}

extension WebSocketClient {
    /// The next event about notices.
    func bellEvent() throws -> JSONValue { try event("notification", "notification-update") }
}
