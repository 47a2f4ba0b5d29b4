import JSON
import TestSupport
import Testing
import WebSocket

extension LiveTests {
    private func joined(_ events: [JSONValue]) -> [String] {
        events.flatMap { $0["uj"]?.array ?? [] }.compactMap(\.string)
    }

    private func left(_ events: [JSONValue]) -> [String] {
        events.flatMap { $0["ul"]?.array ?? [] }.compactMap(\.string)
    }

    private func names(_ event: JSONValue, _ key: String, _ id: String) -> Bool {
        event.value(at: [.key(key)])?.array?.contains(.string(id)) == true
    }

    private func isOnline(_ person: Person) throws -> Bool? {
        let answer = try ann.client.request(
            "GET", "/user-presence-status",
            [
                "tenantId": scene.tenant.id, "urlIdWS": try ann.comments()["urlIdWS"]?.string,
                "userIds": scene.wireID(person),
            ])
        return answer["userIdsOnline", .key(scene.wireID(person))]?.bool
    }

    @Test func peopleSeeEachOtherComeAndGo() throws {
        let (annID, bobID) = (scene.wireID(.ann), scene.wireID(.bob))
        let annLive = try ann.listen()
        let alone = try annLive.presence { names($0, "uj", annID) }
        #expect(alone.last?["sc"] == 1, "one hears of oneself")
        #expect(alone.last?["timestamp"] == nil, "presence must not move anybody's catch-up")
        #expect(alone.last?["ts"]?.integer != nil)
        #expect(alone.last?["bId"]?.string?.isEmpty == false)

        let bobLive = try bob.listen()
        for live in [annLive, bobLive] {
            #expect(try live.presence { names($0, "uj", bobID) }.last?["sc"] == 2)
        }
        let stranger = try scene.reader(nil).listen()
        #expect(try annLive.presence { $0["sc"] == 3 }.last?["uj"]?.array?.count == 1)
        try stranger.close()
        let strangerLeft = try annLive.presence { $0["sc"] == 2 }
        #expect(left(strangerLeft).count == 1 && left(strangerLeft).allSatisfy { $0.hasPrefix("anon:") })

        try bobLive.close(.goingAway)
        let gone = try annLive.presence { names($0, "ul", bobID) }
        #expect(gone.last?["sc"] == 1)
        #expect(joined(gone).isEmpty)
        let back = try bob.listen()
        #expect(joined(try annLive.presence { names($0, "uj", bobID) }) == [bobID])
        #expect(try back.close() == .normal)
    }

    @Test func aSecondTabIsNoSecondPerson() throws {
        let bobID = scene.wireID(.bob)
        let annLive = try ann.listen()
        let first = try bob.listen()
        _ = try annLive.presence { names($0, "uj", bobID) }
        let second = try scene.reader(.bob).listen()
        _ = try second.presence { $0["sc"] == 2 }
        try first.close()
        let stranger = try scene.reader(nil).listen()
        let meanwhile = try annLive.presence { $0["sc"] == 3 }
        #expect(!joined(meanwhile).contains(bobID))
        #expect(left(meanwhile).isEmpty, "the second tab is still open")
        #expect(try isOnline(.bob) == true)
        try second.close()
        let rest = try annLive.presence { names($0, "ul", bobID) }
        #expect(left(rest).filter { $0 == bobID }.count == 1)
        #expect(try isOnline(.bob) == false)
        try stranger.close()
    }

    @Test func whoeverIsBackAtOnceNeverLeft() throws {
        let bobID = scene.wireID(.bob)
        let annLive = try ann.listen()
        var bobLive = try bob.listen()
        _ = try annLive.presence { names($0, "uj", bobID) }
        for _ in 0..<3 {
            let began = ContinuousClock.now
            try bobLive.close()
            bobLive = try bob.listen()
            // On a machine that was too slow for the grace, somebody did leave.
            guard began.duration(to: .now) < .milliseconds(700) else { continue }
            #expect(try isOnline(.bob) == true)
            let events = try bobLive.presence { $0["sc"] == 2 } + annLive.settled(presence: true)
            #expect(!left(events).contains(bobID) && !joined(events).contains(bobID))
        }
        try bobLive.close()
        let gone = try annLive.presence { names($0, "ul", bobID) }
        for event in gone {
            #expect(!(event["uj"] != nil && event["ul"] != nil), "clients differ in what they apply first")
        }
    }

    @Test func presenceAnswersForEveryIDThatWasAsked() throws {
        let live = try bob.listen()
        #expect(try isOnline(.bob) == true, "at once, without waiting for the announcement")
        #expect(try isOnline(.ann) == false)
        let room = try ann.comments()["urlIdWS"]?.string
        let ids = [scene.wireID(.bob), "anon:nobody", "", "x y"]
        let answer = try ann.client.request(
            "GET", "/user-presence-status",
            ["tenantId": scene.tenant.id, "urlIdWS": room, "userIds": ids.joined(separator: ",")])
        #expect(answer["userIdsOnline", .key(ids[0])] == true)
        #expect(answer["userIdsOnline", .key(ids[1])] == false)
        #expect(answer["userIdsOnline", .key(ids[3])] == false)
        for missing in ["tenantId", "urlIdWS", "userIds"] {
            var query: QueryItems = [:]
            for (name, value) in [("tenantId", scene.tenant.id), ("urlIdWS", room ?? ""), ("userIds", "x")]
            where name != missing {
                query.append(name, value)
            }
            #expect(try ann.client.request("GET", "/user-presence-status", query).status == 422)
        }
        try live.close()
        try eventually { try isOnline(.bob) == false }
    }
}
