import JSON
import Testing

/// The tenant's feed of posts.
extension Reader {
    /// Reads the feed.
    package func feed(
        _ query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            "GET", "/feed-posts/\(tenant)", ["sso": sso] + query, sourceLocation: sourceLocation)
    }

    /// Makes a post of the members of `body`.
    package func share(
        _ body: JSONValue, query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            "POST", "/feed-posts/\(tenant)", ["sso": sso] + query, body: body, sourceLocation: sourceLocation)
    }

    /// Makes a post that must be taken.
    /// - Returns: its id.
    package func shared(
        _ title: String, tags: [String] = [], query: QueryItems = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let body: JSONValue = ["title": .string(title), "tags": .array(tags.map { .string($0) })]
        let answer = try share(body, query: query, sourceLocation: sourceLocation)
        return try #require(
            answer.isSuccess ? answer["feedPost", "_id"]?.string : nil, "\(answer.status): \(answer.text)",
            sourceLocation: sourceLocation)
    }

    /// Changes a post.
    package func reshare(
        _ post: String, _ body: JSONValue, query: QueryItems = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            "PUT", "/feed-posts/\(tenant)/\(post)", ["sso": sso] + query, body: body, sourceLocation: sourceLocation)
    }

    /// Deletes a post.
    package func unshare(
        _ post: String, query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            "DELETE", "/feed-posts/\(tenant)/\(post)", ["sso": sso] + query, sourceLocation: sourceLocation)
    }

    /// Reacts to a post, or takes it back.
    package func react(
        _ post: String, _ type: String = "l", undo: Bool = false, query: QueryItems = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try client.request(
            "POST", "/feed-posts/\(tenant)/react/\(post)", ["sso": sso, "isUndo": "\(undo)"] + query,
            body: ["reactType": .string(type)], sourceLocation: sourceLocation)
    }

    /// Numbers of posts.
    package func stats(_ posts: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Answer {
        var query: QueryItems = ["sso": sso]
        for post in posts { query.append("postIds", post) }
        return try client.request("GET", "/feed-posts/\(tenant)/stats", query, sourceLocation: sourceLocation)
    }

    /// Own reactions to posts.
    package func ownReacts(_ posts: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Answer {
        var query: QueryItems = ["sso": sso]
        for post in posts { query.append("postIds", post) }
        return try client.request("GET", "/feed-posts/\(tenant)/user-reacts", query, sourceLocation: sourceLocation)
    }
}
