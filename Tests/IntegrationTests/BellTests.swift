import JSON
import TestSupport
import Testing
import WebSocket

/// The bell as people hear it: live frames, several devices, and a number that is always right.
@Suite struct BellTests {
    private static let frameKeys: Set<String> = [
        "_id", "tenantId", "userId", "anonUserId", "urlId", "url", "pageTitle", "relatedObjectType", "relatedObjectId",
        "viewed", "isUnreadMessage", "sent", "createdAt", "type", "fromCommentId", "fromUserName", "fromUserId",
        "fromUserAvatarSrc", "optedOut",
    ]
    private static let voteKeys = frameKeys.subtracting(["fromCommentId"]).union([
        "fromVoteId", "count", "relatedIds", "fromUserIds", "fromUserNames",
    ])

    private static func keys(_ value: JSONValue?) -> Set<String> {
        Set(value?.object?.members.map(\.name) ?? [])
    }

    @Test func aNoticeReachesAllDevicesOfItsOwnerAndNobodyElse() throws {
        let scene = try Scene()
        let (ann, bob, carol) = (try scene.reader(.ann), try scene.reader(.bob), try scene.reader(.carol))
        let root = try ann.posted("Hello")
        let devices = [try ann.listen(), try scene.reader(.ann, at: "elsewhere").listen()]
        let others = [try bob.listen(), try carol.listen()]
        let reply = try bob.posted("Hello Ann", replyingTo: root)
        var told: JSONValue?
        for device in devices {
            let event = try device.bellEvent()
            #expect(Self.keys(event) == ["type", "timestamp", "broadcastId", "notification"])
            #expect(event.type == "notification")
            let notice = try #require(event["notification"])
            #expect(Self.keys(notice) == Self.frameKeys)
            #expect(notice["userId"] == .string(scene.wireID(.ann)) && notice["anonUserId"] == .null)
            #expect(notice["tenantId"] == .string(scene.tenant.id))
            #expect(notice["type"] == 0 && notice["relatedObjectType"] == 0)
            #expect(notice["relatedObjectId"] == .string(root) && notice["fromCommentId"] == .string(reply))
            #expect(notice["viewed"] == false && notice["sent"] == false && notice["optedOut"] == false)
            #expect(notice["isUnreadMessage"] == false)
            #expect(notice["fromUserName"] == "Tester Bob")
            #expect(notice["createdAt"]?.string?.count == "2026-01-02T03:04:05Z".count)
            #expect(told == nil || told == notice)
            told = notice
        }
        #expect(try ann.notices().first?["_id"] == told?["_id"])
        #expect(try ann.bell() == 1)
        // What one device marks, the other shows before the answer is there.
        try ann.notice("/\(told?.id ?? "")/mark/read")
        for device in devices {
            let event = try #require(try device.settled(presence: true).first { $0.type.hasPrefix("notification") })
            #expect(event.type == "notification-update")
            #expect(event["notification", "_id"] == told?["_id"] && event["notification", "viewed"] == true)
        }
        try ann.notice("/\(told?.id ?? "")/mark/unread")
        try ann.notice("/reset-count")
        try ann.notice("/reset-count")
        let updates = try devices[0].settled(presence: true)
        #expect(updates.map(\.type) == ["notification-update", "notification-update"])
        #expect(Self.keys(updates.last) == ["type", "timestamp", "broadcastId"])
        for other in others {
            #expect(try other.settled(presence: true).allSatisfy { !$0.type.hasPrefix("notification") })
        }
        #expect(try ann.log(token: ann.token()).allSatisfy { !$0.type.hasPrefix("notification") })
    }

    /// A client adds one for each `notification`, and asks for the number after a `notification-update`.
    @Test func theNumberThatAClientCountsIsTheNumberThatIs() throws {
        let scene = try Scene()
        let (ann, bob, carol) = (try scene.reader(.ann), try scene.reader(.bob), try scene.reader(.carol))
        let root = try ann.posted("Hello")
        let live = try ann.listen()
        var counted: Int64 = 0
        let hear = { (type: String) in
            let event = try live.bellEvent()
            #expect(event.type == type)
            counted = type == "notification" ? counted + 1 : try ann.bell()
            #expect(try ann.bell() == counted)
            return event
        }
        _ = try bob.posted("Look, @Tester Ann")
        #expect(try hear("notification")["notification", "type"] == 7)
        let reply = try bob.posted("An answer", replyingTo: root)
        let answered = try hear("notification")
        let vote = try bob.voted(root)
        let first = try hear("notification")
        #expect(Self.keys(first["notification"]) == Self.voteKeys)
        #expect(first["notification", "fromVoteId"] == .string(vote))
        #expect(counted == 3)
        // A second vote renews the notice and does not raise the number.
        _ = try carol.voted(root)
        #expect(try hear("notification-update")["notification", "count"] == 2)
        #expect(counted == 3)
        let id = try #require(answered["notification"]?.id)
        try ann.notice("/\(id)/mark-opted/out", ["commentId": reply])
        #expect(try hear("notification-update")["notification", "optedOut"] == true)
        _ = try carol.posted("Unheard", replyingTo: root)
        _ = try carol.posted("Heard, @Tester Ann", replyingTo: root)
        #expect(try hear("notification")["notification", "type"] == 7)
        #expect(counted == 4)
        #expect(try bob.delete(reply).isSuccess)
        #expect(try hear("notification-update")["notification"] == nil)
        #expect(counted == 3)
        #expect(try bob.unvote(root, vote: vote).isSuccess)
        #expect(try hear("notification-update")["notification", "fromUserNames"] == ["Tester Carol"])
        try ann.notice("/reset-count")
        _ = try hear("notification-update")
        #expect(counted == 0)
        #expect(try ann.notices().filter { $0["viewed"] == "" }.count == 3)
        try ann.notice("/reset")
        _ = try hear("notification-update")
        #expect(try ann.notices().allSatisfy { $0["viewed"] == "true" })
        // Votes on what she opted out of are not told either.
        try ann.notice("/\(first["notification"]?.id ?? "")/mark-opted/in", ["commentId": root])
        #expect(try hear("notification-update")["notification", "optedOut"] == false)
        _ = try bob.voted(root)
        #expect(try hear("notification")["notification", "count"] == 2)
        #expect(try ann.comments(["includeNotificationCount": "true"])["notificationCount"] == 1)
    }

    @Test func aGuestHearsToo() throws {
        let scene = try Scene()
        let guest = try scene.reader(nil)
        let post = try guest.post("Hello", extras: ["commenterName": "Gus", "commenterEmail": "gus@example.com"])
        let live = try guest.live(guest.comments(["sessionId": post["user", "sessionId"]?.string]))
        _ = try scene.reader(.bob).posted("Hello guest", replyingTo: post["comment", "_id"]?.string)
        let event = try live.bellEvent()
        #expect(event["notification", "anonUserId"] == post["user", "id"])
        #expect(event["notification", "userId"] == .null)
    }

    // MARK: The feed of one person

    @Test func aFeedFollowsOnePersonAndNoPage() throws {
        let scene = try Scene()
        let (ann, bob) = (try scene.reader(.ann), try scene.reader(.bob))
        let token = try ann.token()
        let encoded = "__internal_profiles%3A\(token)"
        let feeds = [try ann.follow(token), try ann.follow(token, room: encoded)]
        let page = try bob.listen()
        _ = try page.presence { $0["sc"] == 1 }
        let root = try ann.posted("Hello")
        let reply = try bob.posted("Hello Ann", replyingTo: root)
        for feed in feeds { #expect(try feed.bellEvent()["notification", "fromCommentId"] == .string(reply)) }
        try ann.notice("/reset")
        for feed in feeds { #expect(try feed.settled(presence: true).map(\.type) == ["notification-update"]) }
        // Whoever is only in the feed is on no page.
        let status = try ann.client.request(
            "GET", "/user-presence-status",
            ["tenantId": scene.tenant.id, "urlIdWS": scene.page, "userIds": scene.wireID(.ann)])
        #expect(status["userIdsOnline", .key(scene.wireID(.ann))] == false)
    }

    @Test func aFeedIsForItsOwnerOnly() throws {
        let scene = try Scene()
        let (ann, bob) = (try scene.reader(.ann), try scene.reader(.bob))
        let (token, other) = (try ann.token(), try bob.token())
        let silent = [
            try bob.follow(other, room: "__internal_profiles:\(token)"), try bob.follow("nobody"),
            try bob.follow(String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A")),
        ]
        let own = try ann.follow(token)
        let root = try ann.posted("Hello")
        _ = try bob.posted("Hello Ann", replyingTo: root)
        _ = try own.bellEvent()
        for socket in silent { #expect(try socket.settled(presence: true).isEmpty) }
        for (room, token) in [("__internal_profiles:\(token)", other), ("__internal_profiles:x", "x"), ("", token)] {
            let answer = try ann.client.request(
                "GET", "/event-log/__internal_profiles",
                ["urlId": room, "userIdWS": token, "startTime": "0"])
            #expect(answer.status == 403 && answer.code == "unauthorized-page")
        }
        let fault = #expect(throws: ConnectionFault.self) {
            try WebSocketClient(port: scene.server.port, ["tenantIdWS": "__internal_profiles", "userIdWS": token])
        }
        guard case .unexpected(let text) = fault else { return #expect(Bool(false), "\(String(describing: fault))") }
        #expect(text.hasPrefix("status 400"))
    }

    @Test func onePersonHasTwentyFeedsAtMost() throws {
        let scene = try Scene()
        let ann = try scene.reader(.ann)
        let token = try ann.token()
        let feeds = try (0..<20).map { _ in try ann.follow(token) }
        let fault = #expect(throws: ConnectionFault.self) { try ann.follow(token) }
        guard case .unexpected(let text) = fault else { return #expect(Bool(false), "\(String(describing: fault))") }
        #expect(text.hasPrefix("status 429"))
        let root = try ann.posted("Hello")
        _ = try scene.reader(.bob).posted("Hello Ann", replyingTo: root)
        for feed in feeds { #expect(try feed.bellEvent().type == "notification") }
    }

    @Test func aFeedThatWasAwayFindsWhatItMissed() throws {
        let scene = try Scene()
        let (ann, bob) = (try scene.reader(.ann), try scene.reader(.bob))
        let token = try ann.token()
        let room = "__internal_profiles:\(token)"
        let root = try ann.posted("Hello")
        let log = { (start: Int64, end: Int64?) in
            let answer = try ann.client.request(
                "GET", "/event-log/__internal_profiles",
                ["urlId": room, "userIdWS": token, "startTime": "\(start)", "endTime": end.map { "\($0)" }])
            let entries = try #require(answer["events"]?.array, "\(answer.status): \(answer.text)")
            #expect(entries.allSatisfy { $0["tenantId"] == "__internal_profiles" && $0["urlId"] == .string(room) })
            return try entries.map { try JSONValue.parse($0["data"]?.string ?? "") }
        }
        #expect(try log(0, nil).isEmpty)
        let before = try ann.follow(token)
        _ = try bob.posted("First", replyingTo: root)
        _ = try bob.posted("Second", replyingTo: root)
        let pushed = [try before.bellEvent(), try before.bellEvent()]
        // With an open socket, only what came before it.
        #expect(try log(0, nil).isEmpty)
        try before.close()
        let deadline = Deadline.usual
        var missed = try log(0, nil)
        while missed.isEmpty, deadline.milliseconds > 0 { missed = try log(0, nil) }
        #expect(missed.map { $0["notification"]?.id } == pushed.map { $0["notification"]?.id })
        #expect(missed.allSatisfy { $0.type == "notification" })
        #expect(Set(missed.flatMap { Self.keys($0) }) == ["type", "timestamp", "broadcastId", "notification"])
        #expect(Self.keys(missed.first?["notification"]) == Self.frameKeys)
        let stamp = missed.first?.stamp ?? 0
        #expect(try log(stamp, nil).count == missed.count { $0.stamp > stamp })
        #expect(try log(0, stamp - 1).isEmpty)
    }
}
