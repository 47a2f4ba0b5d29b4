import Bytes
import JSON
import TestSupport
import Testing
import WebSocket

/// The live socket: who lands in which room, and what travels there.
@Suite struct LiveTests {
    let scene: Scene
    let ann: Reader
    let bob: Reader

    init() throws {
        scene = try Scene(page: "https://example.com/a b?x=1%25&y=ü#frag%41")
        ann = try scene.reader(.ann)
        bob = try scene.reader(.bob)
    }

    /// Opens a socket with `urlId` exactly as given.
    private func open(_ urlID: String, token: String = "", tenant: String? = nil) throws -> WebSocketClient {
        let query = "urlId=\(urlID)&userIdWS=\(token)&tenantIdWS=\(tenant ?? scene.tenant.id)"
        return try WebSocketClient(port: scene.server.port, path: "/sub?\(query)")
    }

    @Test func everySpellingOfARoomLeadsIntoIt() throws {
        let answer = try ann.comments()
        let room = try #require(answer["urlIdWS"]?.string)
        let token = try #require(answer["userIdWS"]?.string)
        #expect(answer["tenantIdWS"]?.string == scene.tenant.id)
        let encode = { PercentEncoding.encodeComponent($0) }
        let page = try #require(answer["urlIdClean"]?.string)
        let spellings = [room, encode(room), encode(encode(room)), encode(page)]
        let sockets = try spellings.map { try open($0, token: token) }
        let id = try bob.posted("Hello, all of you")
        for (socket, spelling) in zip(sockets, spellings) {
            #expect(try socket.settled().map(\.brief) == ["new-comment \(id)"], "urlId=\(spelling)")
            let decoded = PercentEncoding.decode(Array(spelling.utf8), plusIsSpace: false)
            let status = try ann.client.request(
                "GET", "/user-presence-status",
                ["tenantId": scene.tenant.id, "urlIdWS": decoded, "userIds": scene.wireID(.ann)])
            #expect(status["userIdsOnline", .key(scene.wireID(.ann))] == true, "urlIdWS=\(spelling)")
        }
    }

    @Test func aTokenThatNobodyMadeConnectsAllTheSame() throws {
        let stranger = try open("https://fastcomments.com/", token: "conctest", tenant: "demo")
        let other = try open("some-page", token: "swift-test-4711")
        let id = try ann.on("some-page").posted("Hello")
        #expect(try other.settled().map(\.brief) == ["new-comment \(id)"])
        #expect(try stranger.settled().isEmpty)
        #expect(try other.presence { $0["sc"] == 1 }.allSatisfy { $0["uj"] == nil })
    }

    @Test(arguments: [
        ("/sub?userIdWS=x&tenantIdWS=demo", "400"), ("/sub?urlId=page&userIdWS=x", "400"),
        ("/sub?urlId=page&userIdWS=x&tenantIdWS=nowhere", "404"),
    ])
    func aSocketWithoutARoomIsRefused(_ path: String, _ status: String) throws {
        let fault = #expect(throws: ConnectionFault.self) {
            try WebSocketClient(port: scene.server.port, path: path)
        }
        guard case .unexpected(let text) = fault else { return #expect(Bool(false), "\(String(describing: fault))") }
        #expect(text.hasPrefix("status \(status)"))
    }

    @Test func noFrameHoldsAPercentSign() throws {
        let person = Person("per%cent", username: "100 % Ann")
        let writer = try scene.reader(person)
        let live = try bob.listen()
        let text = "100 % of %41 and %22 and %"
        let id = try writer.posted(text)
        _ = try writer.voted(id)
        #expect(try writer.edit(id, text + "!").isSuccess)
        #expect(try writer.delete(id).isSuccess)
        try live.ping()
        var texts: [String] = []
        while texts.count < 4 {
            guard case .text(let bytes) = try live.next() else { continue }
            #expect(!bytes.contains(0x25))
            let event = try JSONValue.parse(bytes)
            if event.type == "p-u" { continue }
            texts.append(event["comment", "comment"]?.string ?? event["vote", "userId"]?.string ?? "")
        }
        #expect(texts == [text, scene.wireID(person), text + "!", text + "!"])
        let entries = try bob.log(token: nil)
        #expect(entries.first?["comment", "comment"]?.string == text)
        #expect(entries.first?["comment", "commenterName"] == "100 % Ann")
    }

    @Test func aTextPingGetsNoAnswer() throws {
        let live = try bob.listen()
        _ = try live.presence { $0["sc"] == 1 }
        for _ in 0..<3 { try live.send(text: "ping") }
        #expect(try live.settled(presence: true).isEmpty)
        let id = try ann.posted("Still there?")
        #expect(try live.settled().map(\.brief) == ["new-comment \(id)"])
    }

    @Test func aBroadcastIDComesBackAsItWas() throws {
        let live = try bob.listen()
        for id in [
            "9C9D-UPPER-lower", "k3x.1700000000000", "with \"quotes\" and ü%", String(repeating: "x", count: 128),
        ] {
            _ = try ann.posted("Hello \(id.count)", broadcastID: id)
            #expect(try live.settled().map(\.broadcastID) == [id])
        }
        #expect(try ann.post("Too long", broadcastID: String(repeating: "x", count: 129)).status == 400)
    }

    @Test func aReaderWhoIsStuckIsSentAwayAndOthersGetEverything() throws {
        let live = try bob.listen()
        let read = try ann.comments()
        let query: QueryItems = [
            "urlId": PercentEncoding.decode(Array((read["urlIdWS"]?.string ?? "").utf8), plusIsSpace: false),
            "userIdWS": "stuck", "tenantIdWS": scene.tenant.id,
        ]
        let stuck = try WebSocketClient(port: scene.server.port, query, receiveBuffer: 2048)
        _ = try live.presence { $0["sc"] == 2 }
        let text = String(repeating: "🦉", count: 1900)
        var events: [JSONValue] = []
        let posted = Gathered<String>()
        let scene = scene
        // Far more than the kernel's buffers and the server's patience hold; until the room has one reader less.
        for round in 0..<60 where !events.contains(where: { $0["sc"] == 1 }) {
            try Crowd.run(4) { thread in
                let writer = try scene.reader(.reader(thread))
                for number in 0..<10 { posted.add(try writer.posted("\(round) \(number) \(text)")) }
            }
            events += try live.settled(presence: true)
        }
        let heard = events.compactMap(\.subject)
        #expect(heard.count == posted.all.count)
        #expect(Set(heard) == Set(posted.all))
        #expect(try stuck.nextClose() == .tryAgainLater)
    }
}
