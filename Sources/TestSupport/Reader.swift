import Bytes
import Crypto
import JSON
import Testing

/// Somebody at a page: what a client of the contract does, one call each. Used by one thread at a time.
package struct Reader {
    package let client: HTTPClient
    /// Tenant id.
    package let tenant: String
    /// The page's id.
    package let page: String
    /// Value of `sso`; nil for somebody who is not signed in.
    package let sso: String?

    package init(_ client: HTTPClient, tenant: String, page: String, sso: String? = nil) {
        self.client = client
        self.tenant = tenant
        self.page = page
        self.sso = sso
    }

    /// The same tenant, page and connection as somebody else.
    package func signedOn(_ sso: String?) -> Reader { Reader(client, tenant: tenant, page: page, sso: sso) }

    /// The same person on another page.
    package func on(_ page: String) -> Reader { Reader(client, tenant: tenant, page: page, sso: sso) }

    /// A fresh broadcast id.
    package static func broadcastID() -> String { Hex.encode(SecureRandom.bytes(8)) }

    /// Reads the page.
    package func comments(
        _ query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let basics: QueryItems = ["urlId": page, "sso": sso]
        return try client.request("GET", "/comments/\(tenant)", basics + query, sourceLocation: sourceLocation)
    }

    /// Posts a comment.
    /// - Parameters:
    ///   - parent: id of the comment that it replies to.
    ///   - extras: more members of the body, for example `["commenterEmail": "guest@example.com"]`.
    package func post(
        _ text: String, replyingTo parent: String? = nil, broadcastID: String = Reader.broadcastID(),
        extras: JSONValue = [:], query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        var body = JSONObject()
        body.append("comment", .string(text))
        for (name, value) in extras.object?.members ?? [] { body.append(name, value) }
        if body["commenterName"] == nil { body.append("commenterName", "Guest") }
        body.append("url", .string("https://example.com/\(page)"))
        body.append("urlId", .string(page))
        if let parent { body.append("parentId", .string(parent)) }
        let basics: QueryItems = ["urlId": page, "broadcastId": broadcastID, "sso": sso]
        return try client.request(
            "POST", "/comments/\(tenant)", basics + query, body: .object(body), sourceLocation: sourceLocation)
    }

    /// Posts a comment that must be taken.
    /// - Returns: its id.
    package func posted(
        _ text: String, replyingTo parent: String? = nil, broadcastID: String = Reader.broadcastID(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let answer = try post(
            text, replyingTo: parent, broadcastID: broadcastID, sourceLocation: sourceLocation)
        return try #require(
            answer.isSuccess ? answer["comment", "_id"]?.string : nil, "\(answer.status): \(answer.text)",
            sourceLocation: sourceLocation)
    }
}

extension Reader {
    /// Votes.
    package func vote(
        _ comment: String, up: Bool = true, query: QueryItems = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let body: JSONValue = [
            "voteDir": up ? "up" : "down", "commenterEmail": nil, "commenterName": nil, "url": nil,
        ]
        return try call(
            "POST", comment, "/vote", ["urlId": page] + query, body: body, sourceLocation: sourceLocation)
    }

    /// Takes a vote back.
    package func unvote(
        _ comment: String, vote: String, query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try call("DELETE", comment, "/vote/\(vote)", ["urlId": page] + query, sourceLocation: sourceLocation)
    }

    /// Reads the source of a comment.
    package func text(
        _ comment: String, query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try call("GET", comment, "/text", query, sourceLocation: sourceLocation)
    }

    /// Changes the source of a comment.
    package func edit(
        _ comment: String, _ text: String, query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try call(
            "POST", comment, "/update-text", query, body: ["comment": .string(text)], sourceLocation: sourceLocation)
    }

    /// Deletes a comment.
    package func delete(
        _ comment: String, query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try call("DELETE", comment, "", query, sourceLocation: sourceLocation)
    }

    /// `pin`, `unpin`, `lock` or `unlock`.
    package func mark(
        _ comment: String, _ verb: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try call("POST", comment, "/\(verb)", [:], sourceLocation: sourceLocation)
    }

    /// Flags a comment, or takes the flag back.
    package func flag(
        _ comment: String, _ isFlagged: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            "POST", "/flag-comment/\(comment)", ["tenantId": tenant, "isFlagged": "\(isFlagged)", "sso": sso],
            sourceLocation: sourceLocation)
    }

    /// Blocks the author of a comment, or lets them in again.
    /// - Parameter known: ids whose state the answer shall tell.
    package func block(
        _ comment: String, _ isBlocked: Bool = true, known: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            isBlocked ? "POST" : "DELETE", "/block-from-comment/\(comment)", ["tenantId": tenant, "sso": sso],
            body: ["commentIds": .array(known.map { .string($0) })], sourceLocation: sourceLocation)
    }

    /// Opens the live socket that an answer to `comments` names.
    package func live(_ read: Answer, sourceLocation: SourceLocation = #_sourceLocation) throws -> WebSocketClient {
        let room = try #require(read["urlIdWS"]?.string, sourceLocation: sourceLocation)
        let query: QueryItems = [
            "urlId": PercentEncoding.decode(Array(room.utf8), plusIsSpace: false),
            "userIdWS": read["userIdWS"]?.string, "tenantIdWS": read["tenantIdWS"]?.string,
        ]
        return try WebSocketClient(port: client.port, query)
    }

    private func call(
        _ method: String, _ comment: String, _ rest: String, _ query: QueryItems, body: JSONValue? = nil,
        sourceLocation: SourceLocation
    ) throws -> Answer {
        let given = query.items.contains { $0.name == "broadcastId" }
        let broadcast: QueryItems = ["broadcastId": given || method == "GET" ? nil : Reader.broadcastID(), "sso": sso]
        return try client.request(
            method, "/comments/\(tenant)/\(comment)\(rest)", broadcast + query, body: body,
            sourceLocation: sourceLocation)
    }
}
