import JSON
import TestSupport
import Testing

/// Reactions to posts of the feed, and their numbers (contract: live 5.2, 5.5).
@Suite struct FeedReactTests {
    private static func site() throws -> (site: Site, id: String) {
        let site = try Site()
        return (site, try site.reader(.author).shared("Post"))
    }

    private static func reacts(_ site: Site, _ id: String) throws -> JSONValue? {
        let stats = try site.reader().stats([id])["stats", .key(id), "reacts"]
        #expect(try site.reader().feed()["feedPosts", 0, "reacts"] == stats)
        return stats
    }

    @Test func reactionsCountOncePerPersonAndKind() throws {
        let (site, id) = try Self.site()
        let (one, two) = (try site.reader(.reader(1)), try site.reader(.reader(2)))
        let answer = try site.takes { try one.react(id, "h") }
        #expect(answer.json == ["status": "success", "reactType": "h", "isUndo": false])
        try site.takes { try two.react(id, "h") }
        try site.takes { try one.react(id, "l") }
        #expect(try Self.reacts(site, id) == ["h": 2, "l": 1])
        let before = try site.rows()
        try site.takes { try one.react(id, "h") }
        #expect(try site.rows() == before)
        let undone = try site.takes { try one.react(id, "h", undo: true) }
        #expect(undone.json == ["status": "success", "reactType": "h", "isUndo": true])
        #expect(try Self.reacts(site, id) == ["h": 1, "l": 1])
        try site.takes { try two.react(id, "h", undo: true) }
        #expect(try Self.reacts(site, id) == ["l": 1])
        let after = try site.rows()
        for type in ["h", "never"] { try site.takes { try two.react(id, type, undo: true) } }
        #expect(try site.rows() == after)
    }

    @Test func withoutAKindItIsALike() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.reader(1))
        let path = "/feed-posts/\(site.tenant.id)/react/\(id)"
        for body in [[:], ["reactType": nil], ["reactType": ""]] as [JSONValue] {
            let answer = try site.takes { try reader.client.request("POST", path, ["sso": reader.sso], body: body) }
            #expect(answer["reactType"] == "l" && answer["isUndo"] == false)
        }
        let empty = try site.takes { try reader.client.request("POST", path, ["sso": reader.sso]) }
        #expect(empty["reactType"] == "l")
        #expect(try Self.reacts(site, id) == ["l": 1])
        try site.refuses(400, "malformed-json") {
            try reader.client.request("POST", path, ["sso": reader.sso], body: "l")
        }
        try site.refuses(400, "invalid-input") {
            try reader.client.request("POST", path, ["sso": reader.sso], body: ["reactType": 1])
        }
        try site.refuses(400, "invalid-input") { try reader.react(id, query: ["broadcastId": longID]) }
        try site.refuses(400, "invalid-input") {
            try reader.client.request("POST", path, ["sso": reader.sso, "isUndo": "maybe"], body: [:])
        }
    }

    private let longID = String(repeating: "b", count: 129)

    @Test func aKindIsAPlainWord() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.reader(1))
        _ = try reader.feed()
        for type in ["l l", "ü", "a.b", "👍", "\u{0}"] {
            try site.refuses(400, "invalid-input") { try reader.react(id, type) }
        }
        try site.takes { try reader.react(id, String(repeating: "x", count: 32)) }
        try site.refuses(422, "react-id-too-long") { try reader.react(id, String(repeating: "x", count: 33)) }
        for unknown in ["x", "000000000000000000000000"] {
            try site.refuses(404, "not-found") { try reader.react(unknown) }
        }
    }

    @Test func aPostHasAHundredKindsAtMost() throws {
        let (site, id) = try Self.site()
        for number in 0..<100 { try site.takes { try site.reader(.reader(number / 20)).react(id, "t\(number)") } }
        let reader = try site.reader(.reader(5))
        _ = try reader.feed()
        try site.refuses(400, "invalid-input") { try reader.react(id, "one-more") }
        try site.takes { try reader.react(id, "t7") }
        try site.takes { try site.reader(.reader(0)).react(id, "t8", undo: true) }
        try site.takes { try reader.react(id, "one-more") }
    }

    @Test func nobodyAddsMoreThanTwentyKinds() throws {
        let (site, id) = try Self.site()
        let reader = try site.reader(.reader(1))
        for number in 0..<20 { try site.takes { try reader.react(id, "t\(number)") } }
        try site.refuses(400, "invalid-input") { try reader.react(id, "one-more") }
        try site.takes { try site.reader(.author).react(id, "known") }
        try site.takes { try reader.react(id, "known") }
        try site.takes { try reader.react(id, "t3") }
        try site.takes { try reader.react(try site.reader(.author).shared("Other"), "one-more") }
        for type in ["t0", "t1"] { try site.takes { try reader.react(id, type, undo: true) } }
        try site.takes { try reader.react(id, "one-more") }
    }

    @Test func aPageThatTheRequestNamesHasNoSayInTheFeed() throws {
        let (site, id) = try Self.site()
        try site.config([
            ["settings": ["requireSSO": true, "readonly": true]],
            ["page": "lax", "settings": ["requireSSO": false, "readonly": false]],
        ])
        let (reader, stranger) = (try site.reader(.reader(1)), try site.reader())
        let lax: QueryItems = ["urlId": "lax"]
        _ = try reader.feed()
        try site.refuses(401, "locked") { try reader.react(id, query: lax) }
        try site.refuses(401, "locked") { try reader.share(["title": "T"], query: lax) }
        try site.refuses(401, "locked") { try site.reader(.author).reshare(id, ["title": "T"], query: lax) }
        try site.refuses(401, "locked") { try site.reader(.author).unshare(id, query: lax) }
        try site.refuses(403, "unauthorized-page") { try stranger.feed(lax) }
        for part in ["stats", "user-reacts"] {
            try site.refuses(403, "unauthorized-page") {
                try stranger.client.request("GET", "/feed-posts/\(site.tenant.id)/\(part)", ["postIds": id] + lax)
            }
        }
    }

    @Test func ownReactionsAreTheCallers() throws {
        let (site, id) = try Self.site()
        let other = try site.reader(.author).shared("Other")
        let reader = try site.reader(.reader(1))
        try site.takes { try reader.react(id, "h") }
        let expected: JSONValue = [id: ["h": true]]
        #expect(try reader.ownReacts([other, id, "unknown"])["reacts"] == expected)
        #expect(try site.reader(.reader(1)).ownReacts([id])["reacts"] == expected)
        #expect(try reader.ownReacts([])["reacts"] == [:])
        #expect(try site.reader(.author).ownReacts([id])["reacts"] == [:])
        #expect(try site.reader().ownReacts([id])["reacts"] == [:])
        try site.takes { try site.reader(.author).unshare(id) }
        #expect(try reader.ownReacts([id])["reacts"] == [:])
    }

    @Test func statsTellWhatReadersSee() throws {
        let (site, id) = try Self.site()
        let other = try site.reader(.author).shared("Other")
        let writer = try site.reader(.reader(1), at: "post:\(id)")
        #expect(try writer.comments()["urlIdClean"]?.string == "post:\(id)")
        let root = try writer.posted("Root")
        let reply = try writer.posted("Reply", replyingTo: root)
        _ = try writer.posted("Deeper", replyingTo: reply)
        let stats = try site.reader().stats([id, other, "unknown", id])["stats"]
        #expect(
            stats == [
                id: ["reacts": [:], "commentCount": 3], other: ["reacts": [:], "commentCount": 0],
            ] as JSONValue)
        #expect(try site.reader().feed()["feedPosts", 1, "commentCount"] == 3)
        #expect(try writer.comments(["countAll": "true"])["commentCount"] == 3)
        try site.takes { try writer.delete(reply) }
        #expect(try site.reader().stats([id])["stats", .key(id), "commentCount"] == 1)
        try site.takes { try writer.delete(root) }
        #expect(try site.reader().feed()["feedPosts", 1, "commentCount"] == 0)
        try site.refuses(400, "invalid-input") { try site.reader().stats([]) }
    }

    @Test func placeholdersAndHiddenCommentsDoNotCount() throws {
        let site = try Site(["commentThreadDeleteMode": 1])
        let id = try site.reader(.author).shared("Post")
        let writer = try site.reader(.reader(1), at: "post:\(id)")
        let root = try writer.posted("Root")
        let reply = try writer.posted("Reply", replyingTo: root)
        _ = try writer.posted("Deeper", replyingTo: reply)
        try site.takes { try writer.delete(root) }
        #expect(try site.reader().stats([id])["stats", .key(id), "commentCount"] == 2)
        try site.hide(reply)
        // What stands below a hidden comment is hidden with it.
        #expect(try site.reader().stats([id])["stats", .key(id), "commentCount"] == 0)
    }

    @Test func aThousandPostsMayBeAskedAbout() throws {
        let (site, id) = try Self.site()
        let ids = [id] + (1..<1000).map { "x\($0)" }
        #expect(try site.reader().stats(ids)["stats", .key(id)] != nil)
        try site.takes { try site.reader().ownReacts(ids) }
        try site.refuses(400, "invalid-input") { try site.reader().stats(ids + ["one-more"]) }
        try site.refuses(400, "invalid-input") { try site.reader().ownReacts(ids + ["one-more"]) }
    }

    @Test func deletingAPostTakesItsReactionsAndHidesItsComments() throws {
        let (site, id) = try Self.site()
        let silent = try site.reader(.author).shared("Never commented")
        let writer = try site.reader(.reader(1), at: "post:\(id)")
        let comment = try writer.posted("Root")
        try site.takes { try writer.react(id) }
        for post in [id, silent] { try site.takes { try site.reader(.author).unshare(post) } }
        #expect(try !site.rows().contains { $0.hasPrefix("feed_react") })
        // The log tells for a while what was announced, as of comments.
        #expect(try !site.rows().contains { $0.contains("Never commented") && !$0.hasPrefix("event_log") })
        for reader in [writer, writer.signedOn(nil), writer.on("post:\(silent)")] {
            try site.refuses(403, "unauthorized-page") { try reader.comments() }
            try site.refuses(403, "unauthorized-page") { try reader.post("More") }
        }
        try site.refuses(403, "unauthorized-page") { try writer.vote(comment) }
        #expect(try site.reader(.admin, at: "post:\(id)").comments()["comments"]?.array?.count == 1)
        #expect(try site.reader().stats([id])["stats"] == [:])
    }

    @Test func theFeedsRoomIsNoPage() throws {
        let (site, _) = try Self.site()
        for name in ["__feeds__", " __feeds__ "] {
            try site.refuses(422, "missing-url-id") { try site.reader(.author, at: name).post("x") }
            try site.refuses(422, "missing-url-id") { try site.reader(.author, at: name).comments() }
        }
    }
}
