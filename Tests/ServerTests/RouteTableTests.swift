import HTTP1
import Testing

@testable import Server

@Suite struct RouteTableTests {
    private let table: RouteTable<String>

    init() {
        var router = Router<String>()
        for (method, pattern) in [
            (Method.get, "/"), (.get, "/comments/{tenantId}"), (.post, "/comments/{tenantId}"),
            (.get, "/comments/{tenantId}/{commentId}"), (.post, "/comments/search"), (.get, "/a/b/c"),
            (.get, "/a/{x}/d"), (.delete, "/a/b/c"), (.head, "/own"), (.get, "/own"),
        ] {
            router.add(method, pattern, "\(method.rawValue) \(pattern)")
        }
        table = router.frozen()
    }

    private func found(_ method: Method, _ path: String) -> String? {
        if case .found(let endpoint, _) = table.match(method, path) { endpoint } else { nil }
    }

    @Test(arguments: [
        (Method.get, "/", "GET /"), (.get, "/comments/t", "GET /comments/{tenantId}"),
        (.get, "/comments/t/", "GET /comments/{tenantId}"),
        (.get, "/comments/t/c", "GET /comments/{tenantId}/{commentId}"),
        (.post, "/comments/search", "POST /comments/search"), (.post, "/comments/other", "POST /comments/{tenantId}"),
        (.get, "/comments/search", "GET /comments/{tenantId}"), (.get, "/a/b/c", "GET /a/b/c"),
        (.get, "/a/b/d", "GET /a/{x}/d"), (.head, "/a/b/c", "GET /a/b/c"), (.head, "/own", "HEAD /own"),
        (.get, "/%61/b/c", "GET /a/b/c"),
    ])
    func aPathFindsItsRoute(_ method: Method, _ path: String, _ route: String) {
        #expect(found(method, path) == route)
    }

    @Test(arguments: [
        "/comments", "/comments//", "/comments//c", "/a/b", "/a/b/c/d", "//", "*", "", "/A/b/c", "/a/b/c//",
    ])
    func whatIsNoRouteIsNotFound(_ path: String) {
        guard case .notFound = table.match(.get, path) else {
            Issue.record("\(path) gave \(table.match(.get, path))")
            return
        }
    }

    @Test func aPathWithoutTheMethodNamesThoseItHas() {
        guard case .methodNotAllowed(let methods) = table.match(.patch, "/comments/search") else {
            Issue.record("found")
            return
        }
        #expect(methods == Method.allCases.filter { [.get, .head, .post].contains($0) })
    }

    @Test func parametersAreDecodedAndMayContainAnEncodedSlash() {
        guard case .found(_, let parameters) = table.match(.get, "/comments/a%2Fb/caf%C3%A9+%zz") else {
            Issue.record("not found")
            return
        }
        #expect(parameters["tenantId"] == "a/b")
        #expect(parameters["commentId"] == "café+%zz")
        #expect(parameters["other"] == nil)
    }

    @Test func aPathThatIsNotTextIsBad() {
        guard case .badPath = table.match(.get, "/comments/%FF") else {
            Issue.record("accepted")
            return
        }
    }

    @Test func allRoutesAreListed() {
        #expect(table.routes.count == 10)
        #expect(table.routes.first == RouteTable.Route(method: .get, pattern: "/"))
    }

    @Test func aForestOfAlternativesIsSearchedInOneWalk() {
        // Each level has a literal and a parameter; a search that tried all combinations would never end.
        var router = Router<Int>()
        for depth in 1...60 {
            router.add(.get, String(repeating: "/x", count: depth) + "/end\(depth)", depth)
            router.add(.get, String(repeating: "/x", count: depth - 1) + "/{p}/end\(depth)", depth)
        }
        let path = String(repeating: "/x", count: 60) + "/nowhere"
        guard case .notFound = router.frozen().match(.get, path) else {
            Issue.record("found")
            return
        }
    }
}
