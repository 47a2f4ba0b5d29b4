import Crypto
import HTTP1
import Outbound
import Reactor
import TestSupport
import Testing

/// Calls to a server of this process.
@Suite struct OutboundClientTests {
    private func client(_ server: StandIn, also hosts: [String] = []) throws -> OutboundClient {
        try OutboundClient(policy: AddressPolicy(allowedHosts: ["127.0.0.1:\(server.port)"] + hosts))
    }

    private func failure(
        _ request: OutboundRequest, _ client: OutboundClient, _ limits: OutboundLimits = OutboundLimits()
    ) -> OutboundError? {
        #expect(throws: OutboundError.self) { try client.send(request, limits: limits) }
    }

    @Test(arguments: [Method.get, .post, .put, .delete, .patch])
    func aCallBringsItsAnswer(_ method: Method) throws {
        let server = try StandIn { request in
            StandIn.answer(
                "201 Made", [("X-Kind", request.method)], "got " + String(decoding: request.body, as: UTF8.self))
        }
        let body = method == .get ? nil : Array("some body".utf8)
        let request = OutboundRequest(
            server.url("/a/b?c=%20d"), method: method, headers: ["X-Key": "k", "content-length": "99"], body: body)
        let answer = try client(server).send(request)
        #expect(answer.status == 201 && answer.headers["x-kind"] == method.rawValue)
        #expect(String(decoding: answer.body, as: UTF8.self) == (body == nil ? "got " : "got some body"))
        let seen = try #require(server.requests.first)
        #expect(seen.target == "/a/b?c=%20d" && seen.header("x-key") == "k")
        #expect(seen.header("host") == "127.0.0.1:\(server.port)" && seen.header("connection") == "close")
        #expect(seen.header("user-agent") == "Parley" && seen.header("accept-encoding") == "identity")
        #expect(seen.headers.filter { $0.name == "content-length" }.map(\.value) == (body == nil ? [] : ["9"]))
    }

    @Test func anAnswerToHeadHasNoBody() throws {
        let server = try StandIn { _ in StandIn.text("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n") + [.wait] }
        let answer = try client(server).send(OutboundRequest(server.url(), method: .head))
        #expect(answer.status == 200 && answer.body.isEmpty)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "HTTP/1.0 200\r\n\r\nabc",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc and more",
    ])
    func everyFramingIsUnderstood(_ text: String) throws {
        let server = try StandIn { _ in StandIn.text(text) }
        #expect(try client(server).send(OutboundRequest(server.url())).body == Array("abc".utf8))
    }

    // MARK: Where to

    @Test(arguments: [
        "http://127.0.0.1:PORT/", "http://localhost:PORT/", "http://2130706433:PORT/", "http://0x7f.1:PORT/",
        "http://0:PORT/", "http://[::1]:PORT/", "http://[::ffff:127.0.0.1]:PORT/", "http://169.254.169.254/latest/",
        "http://10.0.0.1/",
    ])
    func addressesOfTheInsideAreNotCalled(_ text: String) throws {
        let server = try StandIn { _ in StandIn.answer() }
        let client = try OutboundClient()
        let url = text.replacing("PORT", with: "\(server.port)")
        #expect(failure(OutboundRequest(url), client) == .forbiddenAddress)
        #expect(server.requests.isEmpty)
    }

    @Test func ofANamesAddressesOnlyPublicOnesAreCalled() throws {
        let server = try StandIn { _ in StandIn.answer() }
        let inside = SocketAddress.all(host: "127.0.0.1", port: server.port, isNumeric: true)
        let client = try OutboundClient { _, _ in inside }
        #expect(failure(OutboundRequest("http://example.com:\(server.port)/"), client) == .forbiddenAddress)
        let named = try OutboundClient(policy: AddressPolicy(allowedHosts: ["example.com"])) { _, _ in inside }
        #expect(try named.send(OutboundRequest("http://example.com:\(server.port)/")).status == 200)
        #expect(server.requests.map { $0.header("host") } == ["example.com:\(server.port)"])
    }

    @Test func aNameIsLookedUpOnceForEachCall() throws {
        let server = try StandIn { _ in StandIn.answer() }
        let count = Counter()
        let client = try OutboundClient(policy: AddressPolicy(allowedHosts: ["example.com"])) { _, _ in
            count.add()
            return SocketAddress.all(host: "127.0.0.1", port: server.port, isNumeric: true)
        }
        _ = try client.send(OutboundRequest("http://example.com:\(server.port)/"))
        #expect(count.value == 1)
    }

    @Test func theNextAddressIsTriedWhenOneDoesNotAnswer() throws {
        let server = try StandIn { _ in StandIn.answer() }
        let closed = try StandIn { _ in [] }
        let port = closed.port
        closed.stop()
        let client = try OutboundClient(policy: AddressPolicy(allowedHosts: ["example.com"])) { _, _ in
            SocketAddress.all(host: "127.0.0.2", port: port, isNumeric: true)
                + SocketAddress.all(host: "127.0.0.1", port: server.port, isNumeric: true)
        }
        #expect(try client.send(OutboundRequest("http://example.com/")).status == 200)
    }

    @Test func aNameWithoutAddressIsUnknown() throws {
        let client = try OutboundClient { _, _ in [] }
        #expect(failure(OutboundRequest("http://example.com/"), client) == .unknownHost)
    }

    @Test func nobodyListens() throws {
        let server = try StandIn { _ in [] }
        server.stop()
        guard case .unreachable = failure(OutboundRequest(server.url()), try client(server)) else {
            return #expect(Bool(false))
        }
    }

    @Test(arguments: ["", "http://", "ftp://example.com/", "http://example.com/\r\nx: y", "http://a b/"])
    func whatIsNoAddressIsNotCalled(_ url: String) throws {
        #expect(failure(OutboundRequest(url), try OutboundClient()) == .malformedRequest)
    }

    @Test func aHeaderCannotBecomeTwo() throws {
        let server = try StandIn { _ in StandIn.answer() }
        let request = OutboundRequest(server.url(), headers: ["x": "a\r\ny: b"])
        _ = try client(server).send(request)
        #expect(server.requests[0].header("x") == nil && server.requests[0].header("y") == nil)
    }

    // MARK: Limits

    @Test func theBodyOfAnAnswerHasALimit() throws {
        let server = try StandIn { _ in StandIn.answer("200 OK", [], String(repeating: "x", count: 1000)) }
        var limits = OutboundLimits()
        limits.responseBytes = 1000
        #expect(try client(server).send(OutboundRequest(server.url()), limits: limits).body.count == 1000)
        limits.responseBytes = 999
        #expect(failure(OutboundRequest(server.url()), try client(server), limits) == .tooLarge)
    }

    @Test func anAnswerThatNeverEndsIsTooLarge() throws {
        let server = try StandIn { _ in
            StandIn.text("HTTP/1.1 200 OK\r\n\r\n")
                + Array(repeating: .send(Array(repeating: 0x78, count: 1 << 16)), count: 1000)
        }
        #expect(failure(OutboundRequest(server.url()), try client(server)) == .tooLarge)
        let heads = try StandIn { _ in
            StandIn.text("HTTP/1.1 200 OK\r\n") + Array(repeating: .send(Array("a: b\r\n".utf8)), count: 20_000)
        }
        #expect(failure(OutboundRequest(heads.url()), try client(heads)) == .tooLarge)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc"])
    func aServerThatFallsSilentIsLeft(_ text: String) throws {
        let server = try StandIn { _ in StandIn.text(text) + [.wait] }
        var limits = OutboundLimits()
        limits.totalMilliseconds = 50
        #expect(failure(OutboundRequest(server.url()), try client(server), limits) == .timedOut)
    }

    @Test func aLookUpThatTakesTooLongIsLeft() throws {
        let gate = Gate()
        let client = try OutboundClient { _, _ in
            gate.wait()
            return []
        }
        var limits = OutboundLimits()
        limits.totalMilliseconds = 50
        #expect(failure(OutboundRequest("http://example.com/"), client, limits) == .timedOut)
        gate.open()
    }

    @Test func lookUpsThatHangAreBounded() throws {
        let gate = Gate()
        let client = try OutboundClient { _, _ in
            gate.wait()
            return []
        }
        var limits = OutboundLimits()
        limits.totalMilliseconds = 1
        let failures = (0..<33).map { _ in failure(OutboundRequest("http://example.com/"), client, limits) }
        #expect(failures == Array(repeating: .timedOut, count: 32) + [.unavailable])
        gate.open()
    }

    // MARK: Lies

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc",
        "HTTP/1.1 200 OK\r\nconte", "",
    ])
    func anAnswerThatIsCutOffIsNone(_ text: String) throws {
        let server = try StandIn { _ in StandIn.text(text) }
        #expect(failure(OutboundRequest(server.url()), try client(server)) == .truncated)
    }

    @Test func aConnectionThatIsResetIsNoAnswer() throws {
        let server = try StandIn { _ in StandIn.text("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc") + [.reset] }
        #expect(failure(OutboundRequest(server.url()), try client(server)) == .truncated)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd", ParseFailure.malformedContentLength),
        ("HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", .conflictingFraming),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", .malformedStatusLine),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", .malformedChunk),
    ])
    func anAnswerThatCouldBeReadInTwoWaysIsNone(_ text: String, _ reason: ParseFailure) throws {
        let server = try StandIn { _ in StandIn.text(text) }
        #expect(failure(OutboundRequest(server.url()), try client(server)) == .malformedAnswer(reason))
    }

    @Test func errorsDoNotTellTheAddress() {
        let errors: [OutboundError] = [
            .malformedRequest, .forbiddenAddress, .unknownHost, .unreachable("x"), .timedOut, .insecure("x"),
            .malformedAnswer(.malformedChunk), .truncated, .tooLarge, .badRedirect, .unavailable,
        ]
        for error in errors { #expect(error.reason.hasSuffix(".") && !error.reason.contains("http")) }
    }
}
