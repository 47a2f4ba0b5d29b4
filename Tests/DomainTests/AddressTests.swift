import Domain
import Testing

@Suite struct EmailAddressTests {
    @Test(arguments: [
        "a@b.c", "me+tag@x.org", "Jérôme@exämple.fr", "kim@localhost", "kim@LOCALHOST", "o'brien@x.ie", "a@[127.0.0.1]",
    ])
    func `an address is one`(text: String) { #expect(EmailAddress.isValid(text)) }

    @Test(arguments: [
        "", "@", "a", "a@", "@b.c", "a@b", "a@b@c.d", "a b@c.d", "a@b..c", "a@.c", "a@b.", "<a@b.c>",
        "a@b.c\r\nBcc: x@y.z",
        "a\u{200B}@b.c", "a@b.c ", "a@localhost.",
    ])
    func `anything else is none`(text: String) { #expect(!EmailAddress.isValid(text)) }

    @Test func `1000 bytes are an address and 1001 are not`() {
        #expect(EmailAddress.isValid(String(repeating: "a", count: 996) + "@b.c"))
        #expect(!EmailAddress.isValid(String(repeating: "a", count: 997) + "@b.c"))
    }

    @Test func `owners of test suites are known by their domain`() {
        #expect(EmailAddress.isOfTestSuite("x@fctest.com"))
        #expect(EmailAddress.isOfTestSuite("X@FCTest.com"))
        for other in [nil, "", "x@fctest.com.evil", "x@notfctest.com", "x@a.fctest.com", "fctest.com"] {
            #expect(!EmailAddress.isOfTestSuite(other))
        }
    }
}

@Suite struct WebAddressTests {
    @Test(arguments: [
        "http://h", "https://h.com/a?b=1#c", "HTTPS://h/", "https://h/é", "https://[::1]:80/", "http://a@b:1",
    ])
    func `an absolute web address is one`(text: String) { #expect(WebAddress.isWeb(text)) }

    @Test(arguments: [
        "", "name@example.com", "javascript:alert(1)", "//evil", "/\\evil", "http:/h", "http://", "https://?a",
        "http://:80",
        "http://x.com/?'onmouseover='alert(document.domain)'x='", "https://h/\"", "https://h/<b>", "https://h/`",
        "https://h/\\", "https://h/a b", "https://h/\u{3000}", "https://h/\u{202E}", "data:text/html,x", " http://h",
        "ftp://h", "https://h/\n",
    ])
    func `anything else is none`(text: String) { #expect(!WebAddress.isWeb(text)) }

    @Test func `3000 bytes are an address and 3001 are not`() {
        let start = "https://h/"
        #expect(WebAddress.isWeb(start + String(repeating: "a", count: 2990)))
        #expect(!WebAddress.isWeb(start + String(repeating: "a", count: 2991)))
    }

    @Test(arguments: [
        ("https://H.com/a", "h.com"), ("https://h:8080", "h"), ("https://good@evil/", "evil"),
        ("http://[::1]:80/", "[::1]"), ("https://H.com./a", "h.com"), ("https://h.com.:80", "h.com"),
        ("https://evil\\@good.com", "evil"), ("https://evil?@good.com", "evil"), ("https://evil#@good.com", "evil"),
        ("https://evil/\u{301}.good.com", "evil"), ("https://u:p@h:1/x", "h"), ("http://a@b@c", "c"),
    ])
    func `the host is what a browser would call`(text: String, host: String) { #expect(WebAddress.host(text) == host) }

    @Test(arguments: ["", "null", "h.com", "mailto:a@b", "https://", "https:///a", "https://:80"])
    func `a text without a host has none`(text: String) { #expect(WebAddress.host(text) == nil) }
}
