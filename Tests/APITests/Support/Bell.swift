import JSON
import TestSupport
import Testing

extension Reader {
    /// Lists this person's notices.
    func notices(_ query: QueryItems = [:]) throws -> Answer {
        try client.request("GET", "/user-notifications", ["tenantId": tenant, "sso": sso] + query)
    }

    /// Changes something about notices; `path` follows `/user-notifications`.
    func notice(_ path: String, _ query: QueryItems = [:]) throws -> Answer {
        try client.request("POST", "/user-notifications" + path, ["tenantId": tenant, "sso": sso] + query)
    }

    /// Subscribes to the page, or not any more.
    func subscribe(_ subscribes: Bool = true, query: QueryItems? = nil) throws -> Answer {
        try notice(
            "/set-subscription-state/" + (subscribes ? "subscribe" : "unsubscribe"),
            query ?? ["urlId": page, "url": "https://example.com/\(page)", "pageTitle": "A page"])
    }

    /// The bell's number.
    func bell(_ query: QueryItems = [:], sourceLocation: SourceLocation = #_sourceLocation) throws -> Int64 {
        let answer = try client.request(
            "GET", "/user-notifications/get-count", ["tenantId": tenant, "sso": sso] + query)
        return try #require(
            answer["count"]?.integer, "\(answer.status): \(answer.text)", sourceLocation: sourceLocation)
    }

    /// Type and related comment of each notice, newest first.
    func told(_ query: QueryItems = [:]) throws -> [String] {
        try (notices(query)["notifications"]?.array ?? []).map { notice in
            "\(notice["type"]?.integer ?? -1) \(notice["relatedObjectId"]?.string ?? "")"
        }
    }

    /// Makes this person known, so that they can be named, and gives their wire id.
    @discardableResult
    func introduced() throws -> String { try #require(comments()["user", "id"]?.string) }
}

extension Site {
    /// Waits until all notices of what was answered are made.
    func settle(by deadline: Deadline = .usual) throws {
        let client = try client()
        while try number("SELECT COUNT(*) FROM notice_job WHERE tenant_id = ?1") > 0 {
            try #require(deadline.milliseconds > 0, "the notices were not made in time")
            _ = try client.request("GET", "/user-notifications/get-count", ["tenantId": tenant.id])
        }
    }

    /// Somebody at a page who is known already.
    @discardableResult
    func known(_ person: Person, at page: String = "page") throws -> Reader {
        let reader = try reader(person, at: page)
        try reader.introduced()
        return reader
    }
}
