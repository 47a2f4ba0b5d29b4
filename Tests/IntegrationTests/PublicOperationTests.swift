import Bytes
import JSON
import TestSupport
import Testing

/// Every public operation, called once by each kind of visitor. The client holds each answer against the contract.
@Suite struct PublicOperationTests {
    enum Visitor: String, CaseIterable, Sendable {
        case person
        case guest
        case administrator
    }

    /// What is refused, with its status; everything else succeeds.
    private static let refusals: [Visitor: [String: Int]] = [
        .person: [
            "PinComment": 401, "UnPinComment": 401, "LockComment": 401, "UnLockComment": 401, "GetGifLarge": 404,
            "GetCommentVoteUserNames": 401,
        ],
        .guest: [
            "GetUserNotifications": 401, "ResetUserNotifications": 401, "GetUserNotificationCount": 401,
            "ResetUserNotificationCount": 401, "UpdateUserNotificationStatus": 401,
            "UpdateUserNotificationCommentSubscriptionStatus": 401, "UpdateUserNotificationPageSubscriptionStatus": 401,
            "CreateFeedPostPublic": 401, "UpdateFeedPostPublic": 401, "ReactFeedPostPublic": 401,
            "DeleteFeedPostPublic": 401, "FlagCommentPublic": 401,
            "BlockFromCommentPublic": 401, "UnBlockCommentPublic": 401, "PinComment": 401, "UnPinComment": 401,
            "LockComment": 401, "UnLockComment": 401, "GetGifLarge": 404, "VoteComment": 401, "DeleteCommentVote": 404,
            "GetCommentVoteUserNames": 401, "GetCommentText": 401, "SetCommentText": 401,
            "DeleteCommentPublic": 401,
        ],
        .administrator: ["GetGifLarge": 404],
    ]

    @Test(arguments: Visitor.allCases)
    func everyPublicOperationAnswers(visitor: Visitor) throws {
        let scene = try Scene()
        let host = try scene.reader(.bob)
        var tour = Tour(
            try scene.reader(
                visitor == .guest ? nil : visitor == .administrator ? .admin : .ann), host: host,
            contract: try Contract.load())
        try tour.reads()
        try tour.notices()
        try tour.page()
        try tour.feed()
        try tour.others()
        try tour.comments()
        let expected = try Tour.publicOperations()
        #expect(Set(tour.statuses.keys) == expected)
        let refused = tour.statuses.filter { $0.value != 200 }
        #expect(refused == Self.refusals[visitor] ?? [:])
    }
}

/// One visitor's way through all public operations.
private struct Tour {
    let visitor: Reader
    /// Somebody else, whose comments and posts the visitor meets.
    let host: Reader
    let contract: Contract
    private(set) var statuses: [String: Int] = [:]

    init(_ visitor: Reader, host: Reader, contract: Contract) {
        self.visitor = visitor
        self.host = host
        self.contract = contract
    }

    /// The operations that readers' clients call: neither the server-to-server API nor moderation.
    static func publicOperations() throws -> Set<String> {
        Set(
            try Contract.load().operations.filter {
                !$0.path.hasPrefix("/api/v1/") && !$0.path.hasPrefix("/auth/my-account/")
            }.map(\.id))
    }

    @discardableResult
    private mutating func call(
        _ method: String, _ path: String, _ query: QueryItems = [:], body: JSONValue? = nil
    ) throws -> Answer {
        let basics: QueryItems = ["sso": visitor.sso]
        return note(method, path, try visitor.client.request(method, path, basics + query, body: body))
    }

    @discardableResult
    private mutating func note(_ method: String, _ path: String, _ answer: Answer) -> Answer {
        let name = contract.operation(method, path)?.id ?? "\(method) \(path)"
        statuses[name] = max(answer.status, statuses[name] ?? 0)
        if answer.status != 200 { #expect(answer["status"] == "failed", "\(name): \(answer.text)") }
        return answer
    }

    mutating func reads() throws {
        let tenant = visitor.tenant
        let page = try call("GET", "/comments/\(tenant)", ["urlId": visitor.page])
        try call(
            "GET", "/user-presence-status",
            ["tenantId": tenant, "urlIdWS": page["urlIdWS"]?.string, "userIds": "\(tenant):bob"])
        try call("GET", "/event-log/\(tenant)", ["urlId": visitor.page, "userIdWS": "x", "startTime": "0"])
        try call("GET", "/event-log/global/\(tenant)", ["urlId": visitor.page, "userIdWS": "x", "startTime": "0"])
        try call("GET", "/user-search/\(tenant)", ["urlId": visitor.page, "usernameStartsWith": "Te"])
        try call("GET", "/translations/widgets/comment-ui", ["locale": "fr_fr", "useFullTranslationIds": "true"])
        try call("GET", "/pages/\(tenant)")
        try call("GET", "/pages/\(tenant)/users/online", ["urlId": visitor.page])
        try call("GET", "/pages/\(tenant)/users/offline", ["urlId": visitor.page])
        try call("GET", "/pages/\(tenant)/users/info", ["ids": "\(tenant):bob,\(tenant):nobody"])
        try call("GET", "/comments-for-user", ["userId": "\(tenant):bob"])
        try call("GET", "/gifs/trending/\(tenant)")
        try call("GET", "/gifs/search/\(tenant)", ["search": "cats"])
        try call("GET", "/gifs/get-large/\(tenant)", ["largeInternalURLSanitized": "https://example.com/a.gif"])
    }

    mutating func notices() throws {
        let tenant: QueryItems = ["tenantId": visitor.tenant]
        if visitor.sso != nil {
            let own = try visitor.posted("A root")
            _ = try host.posted("A reply", replyingTo: own)
        }
        let subscription: QueryItems = ["urlId": visitor.page, "url": "https://example.com/", "pageTitle": "A page"]
        try call("POST", "/user-notifications/set-subscription-state/subscribe", tenant + subscription)
        try call("GET", "/user-notifications/get-count", tenant)
        let list = try call("GET", "/user-notifications", tenant + ["urlId": visitor.page, "includeContext": "true"])
        let first = list["notifications"]?.array?.first?.object
        let id = first?["_id"]?.string ?? "none"
        try call("POST", "/user-notifications/\(id)/mark/read", tenant)
        let comment = first?["fromCommentId"]?.string ?? "none"
        try call("POST", "/user-notifications/\(id)/mark-opted/out", tenant + ["commentId": comment])
        try call("POST", "/user-notifications/reset", tenant)
        try call("POST", "/user-notifications/reset-count", tenant)
    }

    mutating func page() throws {
        let tenant = visitor.tenant
        let query: QueryItems = ["urlId": visitor.page, "title": "A page"]
        for method in ["POST", "GET", "DELETE"] { try call(method, "/page-reacts/v1/likes/\(tenant)", query) }
        for method in ["POST", "GET", "DELETE"] {
            try call(method, "/page-reacts/v2/\(tenant)", query + (method == "GET" ? [:] : ["id": "love"]))
        }
        try call("GET", "/page-reacts/v2/\(tenant)/list", query + ["id": "love"])
    }

    mutating func feed() throws {
        let feed = "/feed-posts/\(visitor.tenant)"
        let post: JSONValue = ["title": "A title", "contentHTML": "A text"]
        let made = try host.client.request("POST", feed, ["sso": host.sso], body: post)
        let other = try #require(made["feedPost", "_id"]?.string)
        let own = try call("POST", feed, body: ["title": "Mine", "contentHTML": "A text"])["feedPost", "_id"]?.string
        try call("GET", feed, ["includeUserInfo": "true"])
        try call("POST", "\(feed)/react/\(other)", ["isUndo": "false"], body: ["reactType": "l"])
        try call("GET", "\(feed)/user-reacts", ["postIds": other])
        try call("GET", "\(feed)/stats", ["postIds": other])
        try call("PUT", "\(feed)/\(own ?? other)", body: ["title": "Mine, changed"])
        try call("DELETE", "\(feed)/\(own ?? other)")
    }

    mutating func others() throws {
        let picture = try #require(
            Base64.decode(
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        let head =
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
        let path = "/upload-image/\(visitor.tenant)"
        note(
            "POST", path,
            try visitor.client.send(
                "POST", path, ["sso": visitor.sso, "sizePreset": "CrossPlatform"],
                headers: [("content-type", "multipart/form-data; boundary=b")],
                body: Array(head.utf8) + picture + Array("\r\n--b--\r\n".utf8)))
        try call("PUT", "/auth/logout")
    }

    mutating func comments() throws {
        let tenant = visitor.tenant
        let other = try host.posted("Somebody else's")
        let broadcast: QueryItems = ["broadcastId": "b"]
        let body: JSONValue = [
            "comment": "Mine", "commenterName": "Guest", "commenterEmail": "guest@example.com",
            "url": "https://example.com/", "urlId": .string(visitor.page),
        ]
        let made = try call("POST", "/comments/\(tenant)", broadcast + ["urlId": visitor.page], body: body)
        let own = try #require(made["comment", "_id"]?.string)
        try call("GET", "/comments/\(tenant)/\(own)/text")
        try call("POST", "/comments/\(tenant)/\(own)/update-text", broadcast, body: ["comment": "Mine, changed"])
        let vote = try call(
            "POST", "/comments/\(tenant)/\(other)/vote", broadcast + ["urlId": visitor.page],
            body: ["voteDir": "up", "commenterName": nil, "commenterEmail": nil, "url": nil])
        try call("GET", "/comments/\(tenant)/\(other)/votes", ["dir": "1"])
        try call(
            "DELETE", "/comments/\(tenant)/\(other)/vote/\(vote["voteId"]?.string ?? "none")",
            broadcast + ["urlId": visitor.page])
        let place: QueryItems = ["tenantId": tenant]
        try call("POST", "/flag-comment/\(other)", place + ["isFlagged": "true"])
        try call("POST", "/block-from-comment/\(other)", place, body: ["commentIds": []])
        try call("GET", "/check-blocked-comments", place + ["commentIds": other])
        try call("DELETE", "/block-from-comment/\(other)", place, body: ["commentIds": []])
        for verb in ["pin", "unpin", "lock", "unlock"] {
            try call("POST", "/comments/\(tenant)/\(other)/\(verb)", broadcast)
        }
        try call("DELETE", "/comments/\(tenant)/\(own)", broadcast)
    }
}
