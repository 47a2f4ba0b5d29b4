import HTTP1
import Testing

@Suite struct RequestHeadTests {
    @Test func aRequestIsTakenApart() throws {
        let seen = try #require(
            transcript("GET /a/b%20c?d=e&f HTTP/1.1\r\nHost: example.com:8080\r\nX-One:  1 \t\r\nx-ONE: 2\r\n\r\n"))
        #expect(seen.failure == nil)
        let message = try #require(seen.messages.first)
        #expect(message.method == .get)
        #expect(message.target == "/a/b%20c?d=e&f")
        #expect(message.rawPath == "/a/b%20c")
        #expect(message.rawQuery == "d=e&f")
        #expect(message.authority == "example.com:8080")
        #expect(message.minorVersion == 1)
        #expect(message.headers == ["host: example.com:8080", "x-one: 1", "x-one: 2"])
        #expect(message.framing == .none)
        #expect(message.isComplete)
    }

    @Test(arguments: [
        ("/", "/", "", "h"), ("/?", "/", "", "h"), ("/a?b?c", "/a", "b?c", "h"), ("//a", "//a", "", "h"),
        ("http://x/a?b", "/a", "b", "x"), ("HTTPS://x:1", "/", "", "x:1"), ("http://x?b", "/", "b", "x"),
        ("http://[::1]:80/", "/", "", "[::1]:80"), ("/caf\u{E9}", "/caf\u{E9}", "", "h"),
    ])
    func targetsAreSplitIntoPathAndQuery(_ target: String, path: String, query: String, authority: String) throws {
        let seen = try #require(transcript(request(line: "GET \(target) HTTP/1.1")))
        let message = try #require(seen.messages.first)
        #expect(message.rawPath == path)
        #expect(message.rawQuery == query)
        #expect(message.authority == authority)
    }

    @Test func optionsMayAskAboutTheServerAsAWhole() throws {
        let seen = try #require(transcript(request(line: "OPTIONS * HTTP/1.1")))
        #expect(seen.messages.first?.rawPath == "*")
        #expect(transcript(request(line: "GET * HTTP/1.1"))?.failure == .malformedTarget)
    }

    @Test(arguments: Method.allCases)
    func everyMethodWithRoutesIsKnown(_ method: Method) {
        let seen = transcript(request(line: "\(method.rawValue) / HTTP/1.1"))
        #expect(seen?.messages.first?.method == method)
    }

    @Test(arguments: [
        ("HTTP/1.1", "X: y", true), ("HTTP/1.1", "Connection: close", false),
        ("HTTP/1.1", "Connection: a, CLOSE", false),
        ("HTTP/1.1", "Connection: closed", true), ("HTTP/1.0", "X: y", false),
        ("HTTP/1.0", "Connection: Keep-Alive", true),
        ("HTTP/1.0", "Connection: keep-alive, close", false), ("HTTP/1.1", "Connection: a\r\nConnection: close", false),
    ])
    func persistenceFollowsVersionAndConnectionHeader(_ version: String, _ line: String, keepsAlive: Bool) {
        let seen = transcript(request(line, line: "GET / \(version)"))
        #expect(seen?.messages.first?.keepsAlive == keepsAlive)
    }

    @Test(arguments: [
        ("HTTP/1.1", "Upgrade: websocket\r\nConnection: Upgrade", true),
        ("HTTP/1.1", "Upgrade: WebSocket\r\nConnection: keep-alive, upgrade", true),
        ("HTTP/1.1", "Upgrade: h2c, websocket\r\nConnection: Upgrade", true),
        ("HTTP/1.1", "Upgrade: websocket", false), ("HTTP/1.1", "Connection: Upgrade", false),
        ("HTTP/1.1", "Upgrade: websockets\r\nConnection: Upgrade", false),
        ("HTTP/1.0", "Upgrade: websocket\r\nConnection: Upgrade", false),
    ])
    func aWebSocketNeedsBothHeaders(_ version: String, _ lines: String, wants: Bool) {
        let seen = transcript(request(lines, line: "GET / \(version)"))
        #expect(seen?.messages.first?.wantsWebSocket == wants)
    }

    @Test func expectationsOtherThanContinueFail() {
        let expecting = request("Expect: 100-Continue", "Content-Length: 1", body: "x")
        #expect(transcript(expecting)?.messages.first?.expectsContinue == true)
        #expect(transcript(request("Expect: 200-ok"))?.failure == .unknownExpectation)
        let old = transcript(request("Expect: 100-continue", line: "GET / HTTP/1.0"))
        #expect(old?.messages.first?.expectsContinue == false)
    }

    @Test func oldClientsNeedNoHost() throws {
        let seen = try #require(transcript("GET / HTTP/1.0\r\n\r\n"))
        #expect(seen.failure == nil)
        #expect(seen.messages.first?.authority == "")
    }

    @Test func valuesThatAreNotUTF8AreRepaired() throws {
        let bytes = [UInt8]("GET / HTTP/1.0\r\nX: a".utf8) + [0xFF] + [UInt8]("b\r\n\r\n".utf8)
        let seen = try #require(transcript(bytes))
        #expect(seen.messages.first?.headers == ["x: a\u{FFFD}b"])
    }
}
