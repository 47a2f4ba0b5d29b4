import JSON
import TestSupport
import Testing
import WebSocket

extension LiveTests {
    @Test func theLogLeavesOutWhatWasPushed() throws {
        let before = try ann.posted("Before")
        let read = try bob.comments()
        let token = read["userIdWS"]?.string
        let live = try bob.live(read)
        let after = try (0..<3).map { try ann.posted("After \($0)") }
        _ = try ann.voted(before)
        let log = try bob.log(token: token)
        #expect(log.map(\.brief) == ["new-comment \(before)"])
        #expect(try live.settled().map(\.brief) == after.map { "new-comment \($0)" } + ["new-vote \(before)"])
        #expect(try bob.log(token: "somebody-without-a-socket").count == 5)
        try live.close()
        #expect(try bob.log(token: token).count == 5)
    }

    @Test func aFirstConnectAmidWritesSeesEverythingExactlyOnce() throws {
        let scene = scene
        let posted = Gathered<String>()
        let finish = Crowd.start(2) { thread in
            let writer = try scene.reader(.reader(thread))
            for number in 0..<60 { posted.add(try writer.posted("\(thread) \(number)")) }
        }
        var seen: [[JSONValue]] = []
        var sockets: [WebSocketClient] = []
        for number in 0..<10 {
            let reader = try scene.reader(.reader(100 + number))
            let read = try reader.comments()
            let live = try reader.live(read)
            sockets.append(live)
            seen.append(try reader.log(token: read["userIdWS"]?.string))
        }
        try finish()
        for (live, log) in zip(sockets, seen) {
            let all = try (log + live.settled()).compactMap(\.subject)
            #expect(all.count == 120)
            #expect(Set(all) == Set(posted.all))
        }
    }

    @Test func aReconnectSeesEachMissedEventExactlyOnce() throws {
        let read = try bob.comments()
        let token = read["userIdWS"]?.string
        var live = try bob.live(read)
        let first = try ann.posted("Seen")
        let last = try #require(try live.settled().last?.stamp)
        try live.close()
        let root = try ann.posted("Missed")
        let reply = try ann.posted("Missed too", replyingTo: root)
        _ = try ann.voted(first)
        #expect(try ann.delete(root).isSuccess)
        live = try bob.live(read)
        let pushed = try ann.posted("Seen again")
        let expected = [
            "new-comment \(root)", "new-comment \(reply)", "new-vote \(first)", "deleted-comment \(reply)",
            "deleted-comment \(root)",
        ]
        // Some clients resume from the last stamp, others from the millisecond after it.
        for start in [last, last + 1] { #expect(try bob.log(token: token, from: start).map(\.brief) == expected) }
        #expect(try live.settled().map(\.brief) == ["new-comment \(pushed)"])
    }

    @Test func theStartIsExclusiveAndTheEndInclusive() throws {
        for number in 0..<3 { _ = try ann.posted("Number \(number)") }
        let stamps = try bob.log(token: nil).map(\.stamp)
        #expect(stamps.count == 3)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 + 2 <= $1 })
        #expect(try bob.log(token: nil, from: stamps[0]).map(\.stamp) == Array(stamps.dropFirst()))
        #expect(try bob.log(token: nil, from: stamps[0] - 1).map(\.stamp) == stamps)
        #expect(try bob.log(token: nil, from: stamps[2]).isEmpty)
        #expect(try bob.log(token: nil, to: stamps[0]).map(\.stamp) == [stamps[0]])
        #expect(try bob.log(token: nil, to: stamps[0] - 1).isEmpty)
        #expect(try bob.on("silent").log(token: nil).isEmpty)
    }

    @Test func aBurstAheadOfTheClockIsInTheLogAtOnce() throws {
        let root = try ann.posted("Root")
        var parent = root
        for number in 0..<40 { parent = try ann.posted("Reply \(number)", replyingTo: parent) }
        #expect(try ann.delete(root).isSuccess)
        let log = try bob.log(token: nil, to: SSO.now)
        #expect(log.filter { $0.type == "deleted-comment" }.count == 41)
        #expect(log.last?.subject == root)
    }

    @Test func theGlobalLogHoldsAllPages() throws {
        let first = try ann.on("one").posted("One")
        let second = try ann.on("two").posted("Two")
        let query: QueryItems = ["urlId": "one", "userIdWS": "nobody", "startTime": "0"]
        let answer = try ann.client.request("GET", "/event-log/global/\(scene.tenant.id)", query)
        let entries = answer["events"]?.array ?? []
        #expect(entries.compactMap { $0["urlId"]?.string } == ["one", "two"])
        #expect(try entries.map { try JSONValue.parse($0["data"]?.string ?? "").subject } == [first, second])
        let slash = try ann.client.request("GET", "/event-log/\(scene.tenant.id)/", query)
        #expect(slash["events"]?.array?.count == 1)
    }

    @Test(arguments: ["startTime", "urlId"])
    func aLogWithoutItsBoundsIsRefused(_ missing: String) throws {
        var query: QueryItems = ["userIdWS": "nobody"]
        for (name, value) in [("startTime", "0"), ("urlId", "page")] where name != missing { query.append(name, value) }
        let answer = try ann.client.request("GET", "/event-log/\(scene.tenant.id)", query)
        #expect((400..<500).contains(answer.status))
    }
}
