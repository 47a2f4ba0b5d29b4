import Outbound
import Testing

@Suite struct OutboundURLTests {
    @Test(arguments: [
        ("http://Example.com", "http://example.com/", "example.com", 80),
        ("HTTPS://example.com:443/a/b?c=d#e", "https://example.com/a/b?c=d", "example.com", 443),
        ("https://example.com:8443?x", "https://example.com:8443/?x", "example.com", 8443),
        ("http://[::1]:80/", "http://[::1]/", "::1", 80), ("http://a_b-c.d./", "http://a_b-c.d./", "a_b-c.d.", 80),
        ("http://127.0.0.1:/%20", "http://127.0.0.1/%20", "127.0.0.1", 80),
    ])
    func anAddressIsTakenApart(_ text: String, _ whole: String, _ host: String, _ port: UInt16) throws {
        let url = try #require(OutboundURL(text))
        #expect(url.text == whole && url.host == host && url.port == port)
        #expect(OutboundURL(whole) == url)
    }

    @Test(arguments: [
        "", "example.com", "//example.com", "ftp://example.com/", "http://", "http:///a", "http://user@example.com/",
        "http://a:b@example.com/", "http://exa mple.com/", "http://example.com/a b", "http://example.com/\r\nX: y",
        "http://exämple.com/", "http://example.com/ü", "http://example.com:0/", "http://example.com:65536/",
        "http://example.com:+80/", "http://example.com:8a/", "http://example.com\\@evil.com/",
        "http://example.com/a\\b", "http://a..b/", "http://.a/", "http://./", "http://[::1/", "http://[1.2.3.4]/",
        "http://[::1]x/", "http://[fe80::1%25eth0]/", "http://a%2Eb/", "javascript://a/",
    ])
    func whatIsNoAddressIsRefused(_ text: String) {
        #expect(OutboundURL(text) == nil)
    }

    @Test func anAddressHasALimit() {
        let start = "http://a/"
        let longest = start + String(repeating: "x", count: OutboundURL.maximumLength - start.utf8.count)
        #expect(OutboundURL(longest) != nil)
        #expect(OutboundURL(longest + "x") == nil)
    }

    /// RFC 3986, section 5.4, where it applies.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../../../../g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("https://x:9/y", "https://x:9/y"),
    ])
    func aReferenceIsResolved(_ reference: String, _ target: String) throws {
        let base = try #require(OutboundURL("http://a/b/c/d;p?q"))
        #expect(base.resolving(reference)?.text == target)
    }

    @Test(arguments: ["javascript:alert(1)", "ftp://x/", "//u@x/", "/a b", "http:g"])
    func aReferenceToElsewhereIsRefused(_ reference: String) throws {
        let base = try #require(OutboundURL("http://a:8080/b"))
        #expect(base.resolving(reference) == nil)
    }
}
