import JSON
import TestSupport
import Testing

/// What a moderator who is bound to groups may not see and do, on every route (contract: admin 1.2, 5.11, 7).
@Suite struct BoundModeratorTests {
    private struct Route: Sendable {
        let method: String
        let path: String
        var query: QueryItems = [:]
        var body: JSONValue?
    }

    /// Of a comment, whose id takes the place of `{id}`.
    private static let ofComment: [Route] = [
        Route(method: "GET", path: "comment/{id}"), Route(method: "GET", path: "comment-children/{id}"),
        Route(method: "GET", path: "get-comment-text/{id}"), Route(method: "GET", path: "logs/{id}"),
        Route(method: "GET", path: "get-comment-ban-status/{id}"), Route(method: "GET", path: "pre-ban-summary/{id}"),
        Route(method: "GET", path: "ban-users/from-comment/{id}"),
        Route(method: "POST", path: "ban-user/from-comment/{id}", query: ["banEmail": "true"]),
        Route(method: "POST", path: "set-comment-approval-status/{id}", query: ["approved": "false"]),
        Route(method: "POST", path: "set-comment-spam-status/{id}", query: ["spam": "true"]),
        Route(method: "POST", path: "set-comment-review-status/{id}", query: ["reviewed": "true"]),
        Route(method: "POST", path: "flag-comment/{id}"), Route(method: "POST", path: "un-flag-comment/{id}"),
        Route(method: "POST", path: "remove-comment/{id}"),
        Route(method: "POST", path: "restore-deleted-comment/{id}"),
        Route(method: "POST", path: "set-comment-text/{id}", body: ["comment": "Mine"]),
        Route(method: "POST", path: "vote/{id}", query: ["direction": "up"]),
        Route(method: "DELETE", path: "vote/{id}/x"),
        Route(method: "POST", path: "adjust-comment-votes/{id}", body: ["adjustVoteAmount": 1]),
        Route(method: "GET", path: "get-user-internal-profile", query: ["commentId": "{id}"]),
        Route(method: "GET", path: "get-manual-badges-for-user", query: ["commentId": "{id}"]),
        Route(method: "PUT", path: "award-badge", query: ["commentId": "{id}", "badgeId": "x"]),
        Route(method: "PUT", path: "remove-badge", query: ["commentId": "{id}", "badgeId": "x"]),
    ]

    /// Of somebody, or of a page, with which the moderator has nothing to do.
    private static let ofOthers: [Route] = [
        Route(method: "GET", path: "get-trust-factor", query: ["userId": "author"]),
        Route(method: "PUT", path: "set-trust-factor", query: ["userId": "author", "trustFactor": "5"]),
        Route(method: "GET", path: "get-manual-badges-for-user", query: ["badgesUserId": "author"]),
        Route(method: "PUT", path: "award-badge", query: ["userId": "author", "badgeId": "x"]),
        Route(method: "PUT", path: "remove-badge", query: ["userId": "author", "badgeId": "x"]),
        Route(method: "PUT", path: "close-thread", query: ["urlId": "page"]),
        Route(method: "PUT", path: "reopen-thread", query: ["urlId": "page"]),
        Route(method: "GET", path: "thread-state", query: ["urlId": "page"]),
        Route(method: "POST", path: "ban-user/undo", body: ["changelog": ["createdBannedUserId": "x"]]),
    ]

    private let site: Site
    private let foreign: String
    private let own: String

    init() throws {
        site = try Site()
        foreign = try Self.posted("Secret words", ["other"], try site.known(.author))
        own = try Self.posted("Common words", ["g", "h"], try site.known(.reader(1)).on("mine"))
        try site.known(.moderator)
        try site.does(
            "POST", "moderators", [:],
            ["name": "Mod", "email": "mod@example.com", "userId": "moderator", "moderationGroupIds": ["g"]])
    }

    private static func posted(_ text: String, _ groups: JSONValue, _ reader: Reader) throws -> String {
        let answer = try reader.post(text, extras: ["moderationGroupIds": groups])
        return try #require(answer["comment", "_id"]?.string, "\(answer.text)")
    }

    private func call(_ reader: Reader, _ route: Route, _ id: String) throws -> Answer {
        var query: QueryItems = [:]
        for (name, value) in route.query.items { query = query + [name: value == "{id}" ? id : value] }
        let path = route.path.split(separator: "/").map { $0 == "{id}" ? id : String($0) }.joined(separator: "/")
        return try reader.moderating(route.method, path, query, body: route.body)
    }

    @Test func nothingOfAForeignCommentIsToldOrDone() throws {
        let moderator = try site.reader(.moderator)
        for route in Self.ofComment {
            let answer = try site.refuses(404, "not-found") { try call(moderator, route, foreign) }
            #expect(answer.status == 404, "\(route.path)")
        }
        for route in Self.ofOthers {
            let answer = try site.refuses(404, "not-found") { try call(moderator, route, foreign) }
            #expect(answer.status == 404, "\(route.path)")
        }
        try site.refuses(403, "unauthorized") { try moderator.moderating("POST", "api/export") }
        try site.refuses(403, "unauthorized") {
            try moderator.moderating("GET", "api/export/status", ["batchJobId": "x"])
        }
    }

    @Test func ofTheirOwnTheyAreToldAndMayDecide() throws {
        let moderator = try site.reader(.moderator)
        let refused: Set<String> = ["vote/{id}/x", "restore-deleted-comment/{id}", "award-badge", "remove-badge"]
        let last: Set<String> = ["remove-comment/{id}", "ban-user/from-comment/{id}"]
        for route in Self.ofComment where !refused.contains(route.path) && !last.contains(route.path) {
            try site.takes { try call(moderator, route, own) }
        }
        try site.takes { try moderator.moderating("GET", "get-trust-factor", ["userId": "reader-1"]) }
        try site.takes { try moderator.moderating("PUT", "close-thread", ["urlId": "mine"]) }
        let ban = try site.takes { try moderator.ban(own) }
        let changelog = try #require(ban["changelog"])
        try site.takes { try moderator.moderating("POST", "ban-user/undo", body: ["changelog": changelog]) }
    }

    @Test func listsHaveTheirOwnOnly() throws {
        let moderator = try site.reader(.moderator)
        let answer = { (path: String, query: QueryItems) in
            try site.takes { try moderator.moderating("GET", path, query) }
        }
        #expect(try answer("count", [:])["count"] == 1)
        let list = try answer("api/comments", [:])["comments"]?.array ?? []
        #expect(list.map { $0["_id"] } == [.string(own)])
        #expect(try answer("api/ids", [:])["ids"] == [.string(own)])
        #expect(try answer("search/comments/summary", ["value": "words"])["commentCount"] == 1)
        #expect(try answer("search/pages", ["value": "page"])["pages"] == [])
        #expect(try answer("search/pages", ["value": "mine"])["pages", 0, "commentCount"] == 1)
        #expect(try answer("search/users", ["value": "author"])["users"] == [])
        #expect(try answer("search/users", ["value": "reader"])["users", 0, "username"] == "reader-1")
        #expect(try answer("search/suggest", ["text-search": "author"])["users"] == [])
        #expect(try answer("removed-comments", [:])["comments"] == [])
        #expect(try answer("banned-users", [:])["totalCount"] == 0)
        #expect(try answer("thread-state", ["urlId": "mine"])["isClosed"] == false)
        let both: JSONValue = ["ids": [.string(own), .string(foreign)]]
        let named = try site.takes { try moderator.moderating("POST", "comments-by-ids", body: both) }
        #expect(named["comments"]?.array?.count == 1)
    }

    @Test func anAddressAndAnAccountAreBoundAsWell() throws {
        let signed = try site.known(Person("sam", email: "Bound@example.com"))
        let made = try site.does(
            "POST", "moderators", [:],
            ["name": "Bound", "email": "bound@example.com", "moderationGroupIds": ["g"]])
        let id = try #require(made["moderator", "_id"]?.string)
        try site.execute("UPDATE moderator SET has_accepted = 1 WHERE id = '\(id)'")
        try site.takes { try signed.moderating("GET", "comment/\(own)") }
        try site.refuses(404, "not-found") { try signed.moderating("GET", "comment/\(foreign)") }
        try site.takes {
            try signed.moderating("POST", "set-comment-review-status/\(own)", ["reviewed": "true"])
        }
        #expect(try site.does("GET", "moderators/\(id)")["moderator", "markReviewedCount"] == 1)
    }
}
