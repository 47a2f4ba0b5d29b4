import JSON
import TestSupport
import Testing

/// Notices, the bell and subscriptions for a site's backend (contract: admin 5.12 to 5.14).
@Suite struct BackendBellTests {
    /// A site where the author has two answers.
    private static func answered() throws -> (site: Site, author: Reader, root: String) {
        let site = try Site()
        let author = try site.known(.author)
        let root = try author.posted("Root")
        for number in 1...2 { _ = try site.reader(.reader(number)).posted("Reply", replyingTo: root) }
        try site.settle()
        return (site, author, root)
    }

    // MARK: Notices

    @Test func noticesAreListedCountedAndMarked() throws {
        let (site, author, _) = try Self.answered()
        let all = try site.does("GET", "notifications", ["userId": "author"])
        let notices = try #require(all["notifications"]?.array)
        #expect(notices.count == 2)
        #expect(notices.allSatisfy { $0["userId"]?.string == site.wireID("author") && $0["viewed"] == false })
        #expect(notices.allSatisfy { $0["createdAt"]?.string?.count == 24 })
        let id = try #require(notices[0]["_id"]?.string)
        try site.does("PATCH", "notifications/\(id)", ["userId": "author"], ["viewed": true])
        let count = { (query: QueryItems) in try site.does("GET", "notifications/count", query)["count"]?.integer }
        #expect(try count(["userId": "author", "viewed": "true"]) == 1)
        #expect(try count(["userId": .some(site.wireID("author")), "viewed": "false", "type": "0"]) == 1)
        #expect(try count(["type": "7"]) == 0)
        #expect(try count(["urlId": "page", "userId": "author"]) == 2)
        #expect(try count(["urlId": "other"]) == 0)
        #expect(try count(["userId": "author", "fromCommentId": notices[0]["fromCommentId"]?.string]) == 1)
        #expect(try author.bell() == 1)
        try site.does("PATCH", "notifications/\(id)", [:], ["optedOut": true])
        #expect(try site.does("GET", "notifications", ["viewed": "true"])["notifications", 0, "optedOut"] == true)
        #expect(try site.does("GET", "notifications", ["userId": "author", "skip": "2"])["notifications"] == [])
        try site.refuses(422, "unexpected-param", "PATCH", "notifications/\(id)", [:], ["sent": true])
        try site.refuses(422, "invalid-input", "PATCH", "notifications/\(id)", [:], ["viewed": "true"])
        try site.refuses(403, "unauthorized", "PATCH", "notifications/\(id)", ["userId": "x"], ["viewed": false])
        try site.refuses(404, "not-found", "PATCH", "notifications/unknown", [:], ["viewed": true])
        try site.refuses(422, "invalid-input", "GET", "notifications", ["viewed": "maybe"])
        try site.refuses(422, "invalid-skip", "GET", "notifications", ["skip": "-1"])
        try Site().refuses(404, "not-found", "PATCH", "notifications/\(id)", [:], ["viewed": true])
    }

    @Test func theBellIsReadAndCleared() throws {
        let (site, author, _) = try Self.answered()
        let path = "notification-count/\(site.wireID("author"))"
        let bell = try site.does("GET", path)["data"]
        #expect(bell?["_id"]?.string == site.wireID("author") && bell?["count"] == 2)
        try site.does("DELETE", path)
        try site.refuses(404, "not-found", "GET", path)
        #expect(try author.bell() == 0)
        let unread = try site.does("GET", "notifications", ["userId": "author", "viewed": "false"])
        #expect(unread["notifications"]?.array?.count == 2)
        try site.does("DELETE", path)
        try site.does("DELETE", "notification-count/nobody")
        try site.refuses(404, "not-found", "GET", "notification-count/nobody")
    }

    // MARK: Subscriptions

    @Test func subscriptionsAreMadeChangedAndEnded() throws {
        let site = try Site()
        let author = try site.known(.author)
        let body: JSONValue = [
            "urlId": "page", "userId": "author", "url": "https://example.com/page", "pageTitle": "A page",
            "notificationFrequency": 1,
        ]
        let made = try #require(try site.does("POST", "subscriptions", [:], body)["subscription"])
        #expect(made["userId"]?.string == site.wireID("author") && made["notificationFrequency"] == 1)
        try site.refuses(422, "already-exists", "POST", "subscriptions", [:], body)
        try site.does("POST", "subscriptions", [:], ["urlId": "page", "anonUserId": "x"])
        #expect(try site.does("GET", "subscriptions", ["userId": "author"])["subscriptions"] == [made])
        #expect(try site.does("GET", "subscriptions")["subscriptions", 0, "anonUserId"] == "anon:x")
        let id = try #require(made["id"]?.string)
        let changed = try site.does("PATCH", "subscriptions/\(id)", [:], ["notificationFrequency": 2])
        #expect(changed["subscription", "notificationFrequency"] == 2)
        _ = try site.saved("News", query: ["populateNotifications": "true"])
        try site.settle()
        #expect(try author.told().first?.hasPrefix("3 ") == true)
        try site.refuses(403, "unauthorized", "DELETE", "subscriptions/\(id)", ["userId": "x"])
        try site.does("DELETE", "subscriptions/\(id)", ["userId": "author"])
        try site.refuses(404, "not-found", "DELETE", "subscriptions/\(id)")
        #expect(try site.does("GET", "subscriptions", ["userId": "author"])["subscriptions"] == [])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let site = try Site()
        let cases: [(String, JSONValue)] = [
            ("missing-url-id", ["anonUserId": "x"]), ("missing-url-id", ["urlId": "null", "anonUserId": "x"]),
            ("unexpected-param", ["urlId": "page"]),
            ("unexpected-param", ["urlId": "page", "anonUserId": "x", "other": 1]),
            ("invalid-user", ["urlId": "page", "userId": "nobody"]),
            ("invalid-input", ["urlId": "page", "anonUserId": "x", "notificationFrequency": 3]),
            ("invalid-input", ["urlId": "page", "anonUserId": "x", "notificationFrequency": "1"]),
        ]
        for (code, body) in cases { try site.refuses(422, code, "POST", "subscriptions", [:], body) }
        let made = try site.does("POST", "subscriptions", [:], ["urlId": "page", "anonUserId": "x"])
        let id = try #require(made["subscription", "id"]?.string)
        try site.refuses(422, "unexpected-param", "PATCH", "subscriptions/\(id)", [:], ["urlId": "other"])
        try site.refuses(422, "invalid-input", "PATCH", "subscriptions/\(id)", [:], ["notificationFrequency": 3])
        try site.refuses(404, "not-found", "PATCH", "subscriptions/unknown", [:], ["notificationFrequency": 1])
        try Site().refuses(404, "not-found", "DELETE", "subscriptions/\(id)")
    }
}
