import HTTP1
import Outbound
import Reactor
import TestSupport
import Testing

@Suite struct RedirectTests {
    private func client(_ servers: StandIn..., hosts: [String] = []) throws -> OutboundClient {
        try OutboundClient(
            policy: AddressPolicy(allowedHosts: servers.map { "127.0.0.1:\($0.port)" } + hosts))
    }

    private func request(_ url: String, _ method: Method = .get, redirects: Int = 3) -> OutboundRequest {
        var request = OutboundRequest(url, method: method)
        request.redirects = redirects
        return request
    }

    /// `/0` leads to `/1` and so on, up to a number.
    private func chain(_ last: Int) throws -> StandIn {
        try StandIn { request in
            let number = Int(request.target.dropFirst()) ?? 0
            return number == last
                ? StandIn.answer("200 OK", [], "there")
                : StandIn.answer("302 Found", [("Location", "\(number + 1)")])
        }
    }

    @Test func redirectsAreFollowedUpToANumber() throws {
        let server = try chain(3)
        #expect(try client(server).send(request(server.url("/0"))).body == Array("there".utf8))
        #expect(server.requests.map(\.target) == ["/0", "/1", "/2", "/3"])
        #expect(throws: OutboundError.badRedirect) { try client(server).send(request(server.url("/0"), redirects: 2)) }
    }

    @Test func aLoopEnds() throws {
        let server = try StandIn { request in StandIn.answer("307 Again", [("Location", request.target)]) }
        #expect(throws: OutboundError.badRedirect) { try client(server).send(request(server.url("/x"), redirects: 5)) }
        #expect(server.requests.count == 6)
    }

    @Test func withoutAllowanceARedirectIsAnAnswer() throws {
        let server = try chain(3)
        let answer = try client(server).send(request(server.url("/0"), redirects: 0))
        #expect(answer.status == 302 && answer.headers["location"] == "1" && server.requests.count == 1)
    }

    @Test func aRedirectWithoutPlaceIsAnAnswer() throws {
        let server = try StandIn { _ in StandIn.answer("301 Moved") }
        #expect(try client(server).send(request(server.url())).status == 301)
    }

    @Test(arguments: [
        "http://127.0.0.1:1/", "http://localhost:1/", "http://169.254.169.254/latest/meta-data", "http://[::1]:1/",
        "//10.0.0.1/", "http://0x7f000001:1/",
    ])
    func aRedirectToTheInsideIsNotFollowed(_ place: String) throws {
        let server = try StandIn { _ in StandIn.answer("302 Found", [("Location", place)]) }
        #expect(throws: OutboundError.forbiddenAddress) { try client(server).send(request(server.url())) }
    }

    @Test(arguments: ["ftp://example.com/", "file:///etc/passwd", "http://u:p@example.com/", "http://", "/a b"])
    func aRedirectToNowhereIsNotFollowed(_ place: String) throws {
        let server = try StandIn { _ in StandIn.answer("302 Found", [("Location", place)]) }
        #expect(throws: OutboundError.badRedirect) { try client(server).send(request(server.url())) }
    }

    @Test(arguments: [
        ("301 Moved", Method.post, "GET"), ("302 Found", .post, "GET"), ("303 See Other", .put, "GET"),
        ("303 See Other", .head, "HEAD"), ("307 Temporary", .post, "POST"), ("308 Permanent", .put, "PUT"),
        ("302 Found", .put, "PUT"),
    ])
    func theMethodFollowsTheStatus(_ status: String, _ method: Method, _ next: String) throws {
        let server = try StandIn { request in
            request.target == "/end" ? StandIn.answer() : StandIn.answer(status, [("Location", "/end")])
        }
        var request = request(server.url("/"), method)
        if method != .head { request.body = Array("body".utf8) }
        request.headers = ["content-type": "text/plain", "authorization": "secret"]
        _ = try client(server).send(request)
        let last = try #require(server.requests.last)
        let keepsBody = next == method.rawValue && method != .head
        #expect(last.method == next && last.header("authorization") == "secret")
        #expect(last.body == (keepsBody ? Array("body".utf8) : []))
        #expect(last.header("content-type") == (next == method.rawValue ? "text/plain" : nil))
    }

    @Test func secretsDoNotFollowToAnotherOrigin() throws {
        let other = try StandIn { _ in StandIn.answer() }
        let server = try StandIn { _ in StandIn.answer("307 Temporary", [("Location", other.url("/x"))]) }
        var request = request(server.url(), .post)
        request.headers = [
            "authorization": "s", "token": "s", "x-key": "s", "cookie": "s", "content-type": "text/plain",
        ]
        request.body = Array("body".utf8)
        _ = try client(server, other).send(request)
        let last = try #require(other.requests.first)
        #expect(
            Set(last.headers.map(\.name)) == [
                "host", "connection", "content-length", "content-type", "user-agent", "accept-encoding",
            ])
        #expect(last.body == Array("body".utf8))
    }

    @Test func theTimeIsForAllRedirectsTogether() throws {
        let server = try StandIn { request in
            request.target == "/end" ? [.wait] : StandIn.answer("302 Found", [("Location", "/end")])
        }
        var limits = OutboundLimits()
        limits.totalMilliseconds = 50
        #expect(throws: OutboundError.timedOut) { try client(server).send(request(server.url()), limits: limits) }
    }
}
