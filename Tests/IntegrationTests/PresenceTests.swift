import JSON
import TestSupport
import Testing
import WebSocket

/// Who is told of whom, and what can be asked (contract: live 4).
@Suite struct PresenceTests {
    private let scene: Scene
    private let ann: Reader
    private let bob: Reader

    init() throws {
        scene = try Scene()
        ann = try scene.reader(.ann)
        bob = try scene.reader(.bob)
    }

    private func names(_ event: JSONValue, _ key: String, _ id: String) -> Bool {
        event.value(at: [.key(key)])?.array?.contains(.string(id)) == true
    }

    private func status(_ ids: [String], room: String? = nil) throws -> Answer {
        let room = try room ?? #require(try ann.comments()["urlIdWS"]?.string)
        return try ann.client.request(
            "GET", "/user-presence-status",
            ["tenantId": scene.tenant.id, "urlIdWS": room, "userIds": ids.joined(separator: ",")])
    }

    @Test func aThirdSeesSomebodyComeGoAndComeBackInThatOrder() throws {
        let bobID = scene.wireID(.bob)
        let live = try ann.listen()
        let first = try bob.listen()
        var events = try live.presence { names($0, "uj", bobID) }
        try first.close(.goingAway)
        events += try live.presence { names($0, "ul", bobID) }
        let second = try bob.listen()
        events += try live.presence { names($0, "uj", bobID) }
        let about = events.filter { names($0, "uj", bobID) || names($0, "ul", bobID) }
        #expect(about.map { names($0, "uj", bobID) ? "in" : "out" } == ["in", "out", "in"])
        #expect(about.map { $0["sc"] } == [2, 1, 2])
        for event in events { #expect(event["uj"] == nil || event["ul"] == nil) }
        #expect(try live.settled(presence: true).allSatisfy { !names($0, "uj", bobID) && !names($0, "ul", bobID) })
        try second.close()
    }

    @Test func aCrowdIsCountedAndNotNamed() throws {
        let bobID = scene.wireID(.bob)
        let annLive = try ann.listen()
        _ = try annLive.presence { $0["sc"] == 1 }
        let query: QueryItems = ["urlId": scene.page, "userIdWS": "", "tenantIdWS": scene.tenant.id]
        let strangers = try (0..<498).map { _ in try WebSocketClient(port: scene.server.port, query) }
        #expect(try bob.comments()["presencePollState"] == nil, "499 are no crowd")
        let bobLive = try bob.listen()
        let read = try bob.comments()
        #expect(read["presencePollState"] == 1 && read["urlIdWS"] != nil)
        let told = try annLive.presence { ($0["sc"]?.integer ?? 0) >= 500 }
        #expect(told.last?["sc"] == 500)
        #expect(told.allSatisfy { $0["uj"]?.array?.contains(.string(bobID)) != true && $0["ul"] == nil })
        #expect(try status([bobID])["userIdsOnline", .key(bobID)] == true, "asked, the server does say who is there")
        let list = try ann.client.request("GET", "/pages/\(scene.tenant.id)/users/online", ["urlId": scene.page])
        #expect(list["totalCount"] == 500 && list["anonCount"] == 498)
        #expect(list["users"]?.array?.map { $0["displayName"] } == ["Tester Ann", "Tester Bob"])
        try bobLive.close()
        try eventually { try status([bobID])["userIdsOnline", .key(bobID)] == false }
        #expect(try bob.comments()["presencePollState"] == nil)
        withExtendedLifetime(strangers) {}
    }

    @Test func fiveHundredIDsAreAnsweredAtOnce() throws {
        let live = try bob.listen()
        let ids = { (count: Int) in (1..<count).map { "id\($0)" } + [scene.wireID(.bob)] }
        let answer = try status(ids(500))
        #expect(answer.isSuccess && answer["userIdsOnline"]?.object?.members.count == 500)
        #expect(answer["userIdsOnline", .key(scene.wireID(.bob))] == true)
        #expect(answer["userIdsOnline"]?.object?.members.count { $0.value == true } == 1)
        let refused = try status(ids(501))
        #expect(refused.status == 422 && refused.code == "invalid-input")
        let twice = try status(["x", scene.wireID(.bob), "x"])
        #expect(twice["userIdsOnline"]?.object?.members.map(\.name) == ["x", scene.wireID(.bob)])
        try live.close()
    }

    @Test func aRoomThatIsNoneHasNobody() throws {
        let live = try bob.listen()
        let id = scene.wireID(.bob)
        for room in ["null", "undefined", "%", "other:page", "\(scene.tenant.id):"] {
            let answer = try status([id], room: room)
            #expect(answer.isSuccess && answer["userIdsOnline", .key(id)] == false, "\(room): \(answer.text)")
        }
        let unknown = try ann.client.request(
            "GET", "/user-presence-status", ["tenantId": "nobody-here", "urlIdWS": "x", "userIds": "x"])
        #expect(unknown.status == 404 && unknown.code == "invalid-tenant")
        // One client sends its own token for the room.
        let token = try bob.comments()["userIdWS"]?.string
        #expect(try status([id], room: token)["userIdsOnline", .key(id)] == true)
        try live.close()
        try eventually { try status([id], room: token)["userIdsOnline", .key(id)] == false }
    }

    @Test func aHeartbeatIsTakenFromOldClients() throws {
        bob.client.checksContract = false
        let query: QueryItems = ["tenantId": scene.tenant.id, "urlIdWS": "x", "sso": bob.sso]
        #expect(try bob.client.request("PUT", "/user-presence-heartbeat", query).isSuccess)
        let unknown = try bob.client.request("PUT", "/user-presence-heartbeat", ["tenantId": "nobody-here"])
        #expect(unknown.status == 404 && unknown.code == "invalid-tenant")
        let broken = try bob.client.request(
            "PUT", "/user-presence-heartbeat", ["tenantId": scene.tenant.id, "sso": "x"])
        #expect(broken.status == 401 && broken.code == "malformed-sso")
    }

    @Test func withoutLiveCommentingClientsNeedNotAsk() throws {
        let folder = try Folder()
        let server = try ParleyProcess(.data(folder.path + "/data"))
        try ParleyProcess.seed(
            ["tenants": [["id": "quiet", "settings": ["disableLiveCommenting": true]]]], into: folder.path + "/data")
        let answer = try server.client().request("GET", "/comments/quiet", ["urlId": "page"])
        #expect(answer["presencePollState"] == 0 && answer["urlIdWS"] == nil)
        try server.terminate()
    }
}
