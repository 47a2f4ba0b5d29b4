import JSON
import Storage
import Testing
import WebSocket

@testable import Live

@Suite struct LiveEventTests {
    private func object(_ event: NewEvent, stamp: Int64 = 77) throws -> JSONObject {
        try #require(try JSONValue.parse(event.body(stamp)).object)
    }

    @Test func `the envelope stands before the rest`() throws {
        let event = LiveEvent.make(.newComment, broadcastID: "AbC.1", at: 5) { $0.member("x", 1) }
        #expect(
            String(decoding: event.body(77), as: UTF8.self)
                == #"{"type":"new-comment","timestamp":77,"broadcastId":"AbC.1","x":1}"#)
        #expect(event.broadcastID == "AbC.1")
        #expect(event.audience == .everyone)
    }

    @Test func `an event without a sender gets an id of its own`() throws {
        let event = LiveEvent.make(.deletedComment, broadcastID: nil, audience: .moderators, at: 5) { _ in }
        #expect(event.broadcastID == event.id)
        #expect(try object(event)["broadcastId"] == .string(event.id))
        #expect(event.audience == .moderators)
        #expect(LiveEvent.make(.deletedComment, broadcastID: nil, at: 5) { _ in }.id != event.id)
    }

    @Test func `an empty id stays empty`() throws {
        #expect(try object(LiveEvent.make(.newVote, broadcastID: "", at: 5) { _ in })["broadcastId"] == .string(""))
    }

    @Test func `no percent sign leaves unescaped`() throws {
        let event = LiveEvent.make(.updatedComment, broadcastID: "100%", at: 5) { $0.member("url", "%D7%91\"") }
        #expect(!event.body(1).contains(UInt8(ascii: "%")))
        #expect(try object(event)["url"] == .string("%D7%91\""))
        #expect(try object(event)["broadcastId"] == .string("100%"))
    }

    @Test(arguments: [
        (LiveEventType.newComment, "new-comment"), (.updatedComment, "updated-comment"),
        (.deletedComment, "deleted-comment"),
        (.newVote, "new-vote"), (.deletedVote, "deleted-vote"), (.threadStateChange, "thread-state-change"),
    ])
    func `types have their words`(type: LiveEventType, word: String) throws {
        #expect(try object(LiveEvent.make(type, broadcastID: "", at: 0) { _ in })["type"] == .string(word))
    }
}

@Suite struct PresenceEventTests {
    private func frames(joined: [String] = [], left: [String] = [], count: Int = 3) throws -> [JSONObject] {
        try PresenceEvent.frames(.init(joined: joined, left: left, count: count)).map(Frames.object)
    }

    @Test func `who left is told before who joined, each in a frame of its own`() throws {
        let frames = try frames(joined: ["a", "b%"], left: ["c"])
        #expect(
            frames.map { $0.members.map(\.name) } == [
                ["type", "bId", "ts", "ul", "sc"], ["type", "bId", "ts", "uj", "sc"],
            ])
        #expect(frames[0]["ul"] == .array([.string("c")]))
        #expect(frames[1]["uj"] == .array([.string("a"), .string("b%")]))
        #expect(frames.allSatisfy { $0["type"] == .string("p-u") && $0["sc"] == .integer(3) })
        #expect(frames[0]["bId"] != frames[1]["bId"])
    }

    @Test func `only what there is to tell is told`() throws {
        #expect(try frames(joined: ["a"]).map { $0.members.map(\.name) } == [["type", "bId", "ts", "uj", "sc"]])
        #expect(try frames(left: ["a"]).map { $0.members.map(\.name) } == [["type", "bId", "ts", "ul", "sc"]])
        #expect(try frames().map { $0.members.map(\.name) } == [["type", "bId", "ts", "sc"]])
    }

    @Test func `presence moves nobody's place in the log`() throws {
        #expect(
            try frames(joined: ["a"], left: ["b"]).allSatisfy { $0["timestamp"] == nil && $0["broadcastId"] == nil })
    }
}
