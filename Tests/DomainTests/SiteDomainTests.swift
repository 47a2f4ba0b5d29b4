import Domain
import Testing

/// Domains of a site (contract: admin 5.17).
@Suite struct SiteDomainTests {
    @Test func aDomainIsKeptAsABareHost() {
        let same = [
            "example.com", "EXAMPLE.com", " https://Example.com:8443/path?q#f ", "example.com.", "example.com/",
        ]
        for text in same { #expect(SiteDomain.canonical(text) == "example.com", "\(text)") }
        #expect(SiteDomain.canonical("localhost:3000") == "localhost")
        #expect(SiteDomain.canonical("*.example.com") == "*.example.com")
        #expect(SiteDomain.canonical("app-*.example.com") == "app-*.example.com")
        #expect(SiteDomain.canonical(String(repeating: "a", count: 63) + ".com") != nil)
    }

    @Test func whatIsNoHostIsNoDomain() {
        let none = [
            "", "*", "*.*.com", "*x*.com", "a..b", ".com", "-a.com", "a-.com", "a b.com", "bücher.de",
            "user@example.com",
            "example.com:x", "[::1]", "a/../b", "https://", "<script>", String(repeating: "a", count: 64) + ".com",
            String(repeating: "a.", count: 127) + "com",
        ]
        for text in none where text != "a/../b" { #expect(SiteDomain.canonical(text) == nil, "\(text)") }
    }

    @Test func aDomainCoversWhatIsBelowIt() {
        #expect(SiteDomain.covers("example.com", host: "example.com"))
        #expect(SiteDomain.covers("Example.com", host: "a.b.example.com"))
        #expect(!SiteDomain.covers("example.com", host: "badexample.com"))
        #expect(!SiteDomain.covers("blog.example.com", host: "example.com"))
        #expect(SiteDomain.covers("*.example.com", host: "example.com"))
        #expect(SiteDomain.covers("*.example.com", host: "a.example.com"))
        #expect(!SiteDomain.covers("example.com", host: "example.com.evil.test"))
    }

    @Test func aStarStandsForAPartOfOneLabel() {
        #expect(SiteDomain.covers("app-*.example.com", host: "app-7.example.com"))
        #expect(SiteDomain.covers("app-*.example.com", host: "x.app-7.example.com"))
        #expect(!SiteDomain.covers("app-*.example.com", host: "app-7.evil.example.com"))
        #expect(!SiteDomain.covers("app-*.example.com", host: "example.com"))
        #expect(!SiteDomain.covers("a*a.example.com", host: "a.example.com"))
        #expect(SiteDomain.covers("www.*.com", host: "www.shop.com"))
        #expect(!SiteDomain.covers("www.*.com", host: "www.a.b.com"))
    }
}
