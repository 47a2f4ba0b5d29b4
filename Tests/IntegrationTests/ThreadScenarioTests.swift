import JSON
import TestSupport
import Testing

/// The whole life of a thread, as two people and an administrator see it.
@Suite struct ThreadScenarioTests {
    let scene: Scene
    let ann: Reader
    let bob: Reader
    let admin: Reader

    init() throws {
        scene = try Scene()
        ann = try scene.reader(.ann)
        bob = try scene.reader(.bob)
        admin = try scene.reader(.admin)
    }

    @Test func aPageThatNobodyWroteOnIsEmpty() throws {
        let answer = try ann.comments(["direction": "NF", "skip": "0", "limit": "31", "asTree": "true"])
        #expect(answer.isSuccess)
        #expect(answer["comments"] == [])
        #expect(answer["commentCount"] == 0)
        #expect(answer["hasMore"] == false)
        #expect(answer["isClosed"] == false)
        #expect(answer["isSiteAdmin"] == false)
        #expect(answer["user", "id"]?.string == scene.wireID(.ann))
        #expect(try admin.comments()["isSiteAdmin"] == true)
    }

    @Test func aCommentArrivesOnceAtThePeerAndAtItsAuthor() throws {
        let (annLive, bobLive) = (try ann.listen(), try bob.listen())
        let answer = try ann.post("Hello, **world**", broadcastID: "Mine-1")
        let id = try #require(answer["comment", "_id"]?.string)
        #expect(answer["comment", "commenterName"] == "Tester Ann")
        #expect(answer["comment", "userId"]?.string == scene.wireID(.ann))
        #expect(answer["userIdWS"] == nil)
        for live in [annLive, bobLive] {
            let events = try live.settled()
            #expect(events.map(\.brief) == ["new-comment \(id)"])
            let event = try #require(events.first)
            #expect(event.broadcastID == "Mine-1")
            #expect(event["comment", "commentHTML"] == answer["comment", "commentHTML"])
            #expect(event["comment", "comment"] == "Hello, **world**")
            #expect(event["comment", "parentId"] ?? .null == .null)
            try expectFullComment(event)
        }
        #expect(try bob.list().map(\.id) == [id])
        #expect(try bob.comments()["commentCount"] == 1)
    }

    /// What every client needs of a comment in an event, deletions included.
    private func expectFullComment(_ event: JSONValue) throws {
        let comment = try #require(event["comment"]?.object)
        let keys = [
            "_id", "tenantId", "urlId", "commenterName", "commentHTML", "comment", "verified", "url", "approved",
            "locale", "date", "userId", "votes", "votesUp", "votesDown",
        ]
        for key in keys { #expect(comment[key] != nil, "\(event.type) lacks \(key)") }
        for key in ["commenterEmail", "email", "ip", "ipHash", "editKey", "verificationId"] {
            #expect(comment[key] == nil, "\(event.type) tells \(key)")
        }
        let date = try #require(comment["date"]?.string)
        #expect(date.count == 20 && date.hasSuffix("Z"), "whole seconds, since some clients read no fractions: \(date)")
    }

    @Test func repliesNestAsDeepAsPeopleGo() throws {
        let live = try bob.listen()
        var chain = [try ann.posted("root")]
        for depth in 1...4 {
            let writer = depth.isMultiple(of: 2) ? ann : bob
            chain.append(try writer.posted("depth \(depth)", replyingTo: chain[depth - 1]))
        }
        let events = try live.settled()
        #expect(events.map(\.brief) == chain.map { "new-comment \($0)" })
        #expect(events.dropFirst().map { $0["comment", "parentId"]?.string } == chain.dropLast())

        let tree = try ann.comments([
            "asTree": "true", "maxTreeDepth": "999", "countChildren": "true", "countAll": "true", "direction": "NF",
        ])
        #expect(tree["commentCount"] == 5)
        var level = tree["comments"]?.array ?? []
        for (depth, id) in chain.enumerated() {
            #expect(level.map(\.id) == [id])
            #expect(level.first?["parentId"]?.string == (depth == 0 ? nil : chain[depth - 1]))
            #expect(level.first?["childCount"] == .integer(depth < 4 ? 1 : 0))
            #expect(level.first?["nestedChildrenCount"] == .integer(Int64(4 - depth)))
            #expect(level.first?["hasChildren"] == .bool(depth < 4))
            level = level.first?["children"]?.array ?? []
        }
        #expect(level.isEmpty)
        #expect(try ann.comments()["commentCount"] == 1, "without countAll only roots count")
        #expect(try ann.order("OF") == chain)
    }

    @Test func aReplyNeedsAParentOnItsPage() throws {
        let elsewhere = try ann.on("another-page").posted("elsewhere")
        #expect(try ann.post("lost", replyingTo: elsewhere).code == "not-found")
        #expect(try ann.post("lost", replyingTo: "no-such-comment").status == 404)
        #expect(try ann.list().isEmpty)
    }

    @Test func anEditReachesThePeerAndStays() throws {
        let live = try bob.listen()
        let id = try ann.posted("First words")
        #expect(try bob.voted(id) != "")
        #expect(try bob.edit(id, "Not mine").status == 401)
        let answer = try ann.edit(id, "Better *words*", query: ["broadcastId": "edit-1"])
        #expect(answer.isSuccess)
        let html = try #require(answer["comment", "commentHTML"])
        #expect(html.string?.contains("Better") == true)
        let events = try live.settled()
        #expect(events.map(\.brief) == ["new-comment \(id)", "new-vote \(id)", "updated-comment \(id)"])
        #expect(events.last?.broadcastID == "edit-1")
        #expect(events.last?["comment", "commentHTML"] == html)
        #expect(events.last?["comment", "comment"] == "Better *words*")
        #expect(events.last?["comment", "votesUp"] == 1, "clients replace the whole comment")
        try expectFullComment(try #require(events.last))
        #expect(try ann.text(id)["commentText"] == "Better *words*")
        #expect(try ann.comment(id)?["commentHTML"] == html)
        #expect(try admin.edit(id, "An administrator's words").isSuccess)
        #expect(try bob.comment(id)?["commentHTML"]?.string?.contains("administrator") == true)
    }

    @Test func whoeverGotAnAnswerReadsWhatItSaid() throws {
        // Every reader is on a connection of its own, so on any of the loops.
        let readers = try (0..<6).map { _ in try scene.reader(nil) }
        var ids: [String] = []
        for number in 0..<24 {
            ids.insert(try ann.posted("Number \(number)"), at: 0)
            for reader in readers { #expect(try reader.order("NF") == ids) }
        }
        #expect(try ann.edit(ids[0], "changed").isSuccess)
        for reader in readers { #expect(try reader.comment(ids[0])?["commentHTML"] == "changed") }
        _ = try bob.voted(ids[0])
        for reader in readers { #expect(try reader.comment(ids[0])?["votesUp"] == 1) }
        #expect(try ann.delete(ids[0]).isSuccess)
        for reader in readers { #expect(try reader.order("NF") == Array(ids.dropFirst())) }
    }
}
