import JSON
import TestSupport
import Testing

/// What all routes share: paths, queries, origins (contract: public 1).
@Suite struct TransportTests {
    private static func site(domains: [String] = []) throws -> Site {
        try Site(domains: domains, pages: [["urlId": "a b", "comments": [["name": "G", "comment": "Hello"]]]])
    }

    // MARK: Routes

    @Test(arguments: [
        "/nowhere", "/comments", "/comments/a/b/c/d", "/api/v1/nothing", "/comments//x", "/..", "/%2e%2e/etc",
    ])
    func thereIsNothingAtOtherPaths(_ path: String) throws {
        let answer = try SeededServer.shared().client().request("GET", path)
        #expect(answer.status == 404 && answer.code == "not-found")
        #expect(answer["status"] == "failed" && answer["reason"]?.string?.isEmpty == false)
    }

    @Test func otherMethodsAreNamed() throws {
        let answer = try SeededServer.shared().client().request("PUT", "/comments/demo")
        #expect(answer.status == 405 && answer.code == "method-not-allowed")
        #expect(answer.header("allow") == "GET, HEAD, POST")
    }

    @Test func everyOperationIsBuilt() throws {
        let client = try SeededServer.shared().client()
        for operation in try Contract.load().operations {
            let path = operation.path.split(separator: "/").map { $0.hasPrefix("{") ? "x" : String($0) }
            let answer = try client.request(operation.method, "/" + path.joined(separator: "/"), body: [:])
            // Without its parameters, an operation refuses for a reason of its own; logging out has none.
            let isFine = (400..<500).contains(answer.status) || operation.id == "LogoutPublic"
            #expect(isFine, "\(operation.id): \(answer.status)")
            #expect(answer.status != 405 && answer["reason"] != "There is nothing at this path.", "\(operation.id)")
        }
    }

    @Test func aSlashAtTheEndCountsForNothing() throws {
        let site = try Self.site()
        let client = try site.client()
        let answer = try client.request("GET", "/comments/\(site.tenant.id)/", ["urlId": "a b", "count": "30"])
        #expect(answer["comments", 0, "commentHTML"] == "Hello")
        try site.takes {
            try client.request(
                "POST", "/comments/\(site.tenant.id)/", ["urlId": "a b", "sso": site.token(.author)],
                body: ["comment": "Hello"])
        }
        #expect(try client.request("GET", "/comments/\(site.tenant.id)//", ["urlId": "a b"]).status == 404)
    }

    @Test func headIsGetWithoutABody() throws {
        let site = try Self.site()
        let client = try site.client()
        let head = try client.request("HEAD", "/comments/\(site.tenant.id)", ["urlId": "a b"])
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(Int(head.header("content-length") ?? "0") ?? 0 > 100)
        #expect(try client.request("HEAD", "/comments/unknown", ["urlId": "a b"]).status == 404)
        #expect(try client.request("HEAD", "/flag-comment/x").status == 405)
        // The connection is still in step.
        #expect(try client.request("GET", "/comments/\(site.tenant.id)", ["urlId": "a b"]).isSuccess)
    }

    // MARK: Bytes

    @Test func pathsAndQueriesAreUTF8() throws {
        let client = try SeededServer.shared().client()
        for path in ["/comments/%FF", "/comments/demo/%C3%28/text", "/comments/%ED%A0%80"] {
            let answer = try client.request("GET", path)
            #expect(answer.status == 400 && answer.code == "invalid-input")
        }
        for query in ["urlId=%FF", "urlId=a&x=%C3%28", "%FF=1"] {
            let answer = try client.request("GET", "/comments/demo?" + query)
            #expect(answer.status == 400 && answer.code == "invalid-input")
        }
    }

    @Test func rawBytesThatAreNoUTF8AreNoRequest() throws {
        let connection = try RawConnection(port: SeededServer.shared().process.port)
        try connection.send(
            Array("GET /comments/demo?urlId=".utf8) + [0xC3, 0x28] + Array(" HTTP/1.1\r\nhost: x\r\n\r\n".utf8))
        #expect(try connection.readAnswer().status == 400)
    }

    @Test func halfAnEscapeIsItself() throws {
        let site = try Self.site()
        let client = try site.client()
        client.checksContract = false
        let answer = try client.request("GET", "/comments/\(site.tenant.id)?urlId=100%&x=%4")
        #expect(answer["urlIdClean"] == "100%")
    }

    // MARK: Plus signs

    @Test(arguments: [
        ("urlId=a+b", nil, "a+b"), ("urlId=a+b&x=%2B", nil, "a b"), ("urlId=a+b&x=%2b", nil, "a b"),
        ("urlId=a+b", "OpenAPI-Generator/1.0.0/go", "a b"), ("urlId=a+b", "OpenAPI-Generator/1.0.0/java", "a+b"),
        ("urlId=a%20b", nil, "a b"), ("urlId=a%2Bb", nil, "a+b"), ("urlId=a%2Bb+c", nil, "a+b c"),
    ])
    func aPlusSignIsLiteralExceptInForms(_ query: String, _ agent: String?, _ page: String) throws {
        let client = try Self.site().client()
        client.checksContract = false
        let tenant = try Self.site().tenant.id
        let headers = agent.map { [("user-agent", $0)] } ?? []
        let answer = try client.request("GET", "/comments/\(tenant)?\(query)", headers: headers)
        #expect(answer["urlIdClean"]?.string == page)
    }

    @Test func signOnDataMayHoldALiteralPlusSign() throws {
        let site = try Self.site()
        // Somewhere among these names is one whose base64 has a plus sign.
        let tokens = (0..<200).map {
            site.token(Person("p", username: "~>\(String(repeating: "?", count: $0 % 7))>>\($0)"))
        }
        let token = try #require(tokens.first { $0.contains("+") })
        let client = try site.client()
        client.checksContract = false
        let raw = token.replacing("\"", with: "%22").replacing("{", with: "%7B").replacing("}", with: "%7D")
        let answer = try client.request("GET", "/comments/\(site.tenant.id)?urlId=page&sso=\(raw)")
        #expect(answer["user", "id"]?.string == "\(site.tenant.id):p")
    }

    // MARK: Origins

    @Test func thePagesOwnOriginComesBack() throws {
        let site = try Self.site()
        let client = try site.client()
        let origin = [("origin", "https://site.example")]
        for path in ["/comments/\(site.tenant.id)", "/comments/unknown", "/nowhere", "/gifs/trending/x"] {
            let answer = try client.request("GET", path, ["urlId": "a b"], headers: origin)
            #expect(answer.header("access-control-allow-origin") == "https://site.example", "\(path)")
            #expect(answer.header("access-control-allow-credentials") == "true")
            #expect(answer.header("vary")?.hasPrefix("Origin") == true)
            #expect(answer.header("cross-origin-resource-policy") == "cross-origin")
            #expect(answer.header("x-content-type-options") == "nosniff")
        }
        let plain = try client.request("GET", "/comments/\(site.tenant.id)", ["urlId": "a b"])
        #expect(plain.header("access-control-allow-origin") == nil)
        #expect(plain.header("vary") == "Origin, Accept-Encoding")
        #expect(plain.header("set-cookie") == nil)
    }

    @Test func browsersMayAskFirst() throws {
        let client = try SeededServer.shared().client()
        let answer = try client.request(
            "OPTIONS", "/comments/demo",
            headers: [
                ("origin", "https://site.example"), ("access-control-request-method", "POST"),
                ("access-control-request-headers", "content-type"),
            ])
        #expect((200..<300).contains(answer.status) && answer.body.isEmpty)
        #expect(answer.header("access-control-allow-origin") == "https://site.example")
        #expect(answer.header("access-control-allow-credentials") == "true")
        let methods = answer.header("access-control-allow-methods") ?? ""
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] { #expect(methods.contains(method)) }
        let headers = answer.header("access-control-allow-headers")?.lowercased() ?? ""
        #expect(headers.contains("content-type") && headers.contains("x-api-key"))
    }

    @Test func noBrowserCallsTheBackendsRoutes() throws {
        let client = try SeededServer.shared().client()
        for (method, path) in [
            ("GET", "/api/v1/comments"), ("OPTIONS", "/api/v1/comments"), ("GET", "/api/v1/pages"),
            ("GET", "/api/v1/nothing"), ("PUT", "/api/v1/comments"),
        ] {
            let answer = try client.request(method, path, headers: [("origin", "https://site.example")])
            #expect(!answer.headers.contains { $0.name.hasPrefix("access-control") }, "\(method) \(path)")
        }
    }

    @Test(arguments: [
        ("https://example.com", true), ("https://www.example.com:8443", true), ("http://EXAMPLE.com", true),
        ("https://other.example", true), ("https://a.other.example", true), ("https://evil.test", false),
        ("https://example.com.evil.test", false), ("https://notexample.com", false), ("null", false),
        ("https://example.com@evil.test", false),
    ])
    func aTenantMayServeItsOwnDomainsOnly(_ origin: String, _ isServed: Bool) throws {
        let site = try Self.site(domains: ["Example.com", "*.other.example"])
        let call = { (name: String, value: String) in
            try site.client().request(
                "GET", "/comments/\(site.tenant.id)", ["urlId": "a b"], headers: [(name, value)])
        }
        let answer = try call("origin", origin)
        #expect(answer.status == (isServed ? 200 : 403))
        #expect(isServed || answer.code == "domain-unauthorized")
        if origin != "null" { #expect(try call("referer", origin + "/page").status == (isServed ? 200 : 403)) }
        if !isServed {
            try site.refuses(403, "domain-unauthorized") {
                try site.client().request(
                    "POST", "/comments/\(site.tenant.id)", ["urlId": "a b", "sso": site.token(.author)],
                    headers: [("origin", origin)], body: ["comment": "Hello"])
            }
        }
    }

    @Test func clientsWithoutAnOriginAreServed() throws {
        let site = try Self.site(domains: ["example.com"])
        try site.takes { try site.reader(at: "a b").comments() }
    }
}
