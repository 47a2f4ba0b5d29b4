import Domain
import Testing

@Suite struct PageIdentityTests {
    @Test(arguments: [
        "https://h/july-2019/?fbclid=IwAR1s", "https://h/july-2019/?utm_source=x&utm_medium=y",
        "https://h/july-2019/?UTM_Campaign=x&gclid=1", "https://h/july-2019/?", "https://h/july-2019/?&&",
        "  https://h/july-2019/\n", "https://h/july-2019/?_ga=1&igsh=2&mc_eid=3&ref_src=twsrc",
    ])
    func `tracking keys do not make another page`(address: String) {
        #expect(PageIdentity.canonical(address) == "https://h/july-2019/")
    }

    @Test func `significant keys stay, in one order`() {
        #expect(PageIdentity.canonical("https://h/p?b=2&fbclid=x&a=1") == "https://h/p?a=1&b=2")
        #expect(PageIdentity.canonical("https://h/p?a=1&b=2") == "https://h/p?a=1&b=2")
        #expect(PageIdentity.canonical("https://h/p?a=2&a=1") == "https://h/p?a=1&a=2")
        #expect(PageIdentity.canonical("https://h/p?id=utm_source") == "https://h/p?id=utm_source")
        #expect(PageIdentity.canonical("https://h/p?myfbclid=1") == "https://h/p?myfbclid=1")
    }

    @Test func `letters are one page however they are escaped or composed`() {
        let page = "https://h/medico-peste-ב-review/"
        for address in [page, "https://h/medico-peste-%D7%91-review/", "https://h/medico-peste-%d7%91-review/"] {
            #expect(PageIdentity.canonical(address) == page)
        }
        let accent = "https://h/caf\u{E9}"
        for address in [accent, "https://h/cafe\u{301}", "https://h/caf%C3%A9", "https://h/cafe%CC%81"] {
            #expect(PageIdentity.canonical(address).map { Array($0.utf8) } == Array(accent.utf8))
        }
        #expect(PageIdentity.canonical("cafe\u{301}").map { Array($0.utf8) } == Array("caf\u{E9}".utf8))
    }

    @Test(arguments: [
        ("https://h/a%2fb", "https://h/a%2Fb"), ("https://h/%25d7%2591", "https://h/%25d7%2591"),
        ("https://h/%ff%D7%91", "https://h/%FFב"), ("https://h/%d7", "https://h/%D7"),
        ("https://h/100%", "https://h/100%"),
        ("https://h/%zz", "https://h/%zz"), ("https://h/%E2%82%AC%F0%9F%98%80", "https://h/€😀"),
        ("https://h/%ed%a0%80", "https://h/%ED%A0%80"), ("https://h/?a=%3d", "https://h/?a=%3D"),
    ])
    func `escapes have one form`(address: String, page: String) {
        #expect(PageIdentity.canonical(address) == page)
    }

    @Test func `white space in an address is always escaped`() {
        #expect(PageIdentity.canonical("https://h/a b") == "https://h/a%20b")
        #expect(PageIdentity.canonical("https://h/a%20b") == "https://h/a%20b")
        #expect(PageIdentity.canonical("https://h/a%C2%A0") == "https://h/a%C2%A0")
        #expect(PageIdentity.canonical("https://h/a\u{A0}b") == "https://h/a%C2%A0b")
        #expect(PageIdentity.canonical("https://h/?b=1 &a=2") == "https://h/?a=2&b=1%20")
    }

    @Test func `the fragment, the case and the slashes are kept`() {
        #expect(PageIdentity.canonical("https://h/p?utm_id=1#/route?utm_id=1") == "https://h/p#/route?utm_id=1")
        #expect(PageIdentity.canonical("HTTPS://Host/Path//?utm_id=1") == "HTTPS://Host/Path//")
        let apart = ["https://h/p", "https://h/p/", "https://h/P", "http://h/p", "https://h/p#a", "https://h/p?"]
        #expect(Set(apart.compactMap(PageIdentity.canonical)).count == 5)
    }

    @Test func `an id that is no address is only trimmed and composed`() {
        #expect(PageIdentity.canonical(" post-1?utm_source=x&b=1&a=2 ") == "post-1?utm_source=x&b=1&a=2")
        #expect(PageIdentity.canonical("/zh/a") == "/zh/a")
        #expect(PageIdentity.canonical("/a") != PageIdentity.canonical("/zh/a"))
        #expect(PageIdentity.canonical("ftp://h/?utm_id=1") == "ftp://h/?utm_id=1")
        #expect(PageIdentity.canonical("%d7%91") == "%d7%91")
    }

    @Test(arguments: ["", " ", "\t\n", "\u{A0}", "\u{200B}", "null", " null ", "undefined", "undefined\n"])
    func `what scripts send by mistake names no page`(urlID: String) {
        #expect(PageIdentity.canonical(urlID) == nil)
    }

    @Test(arguments: ["a\u{0}b", "a\u{1B}", "a\nb", "\u{9F}", "https://h/\u{0}", "https://h/#\u{7F}"])
    func `control characters name no page`(urlID: String) {
        #expect(PageIdentity.canonical(urlID) == nil)
    }

    @Test(arguments: ["nullable", "Null", "0", "false", "undefined/"])
    func `other words name pages`(urlID: String) {
        #expect(PageIdentity.canonical(urlID) == urlID)
    }

    @Test func `2048 bytes name a page and 2049 do not`() {
        let longest = String(repeating: "a", count: 2048)
        #expect(PageIdentity.canonical(longest) == longest)
        #expect(PageIdentity.canonical(longest + "a") == nil)
        #expect(PageIdentity.canonical(" " + longest + " ") == longest)
        #expect(PageIdentity.canonical(String(repeating: "é", count: 1024))?.utf8.count == 2048)
        #expect(PageIdentity.canonical(String(repeating: "é", count: 1024) + "a") == nil)
    }

    @Test func `the length counts after the escapes are undone`() {
        let short = "https://h/"
        let escaped = String(repeating: "%D7%91", count: 1019)
        #expect(PageIdentity.canonical(short + escaped)?.utf8.count == 2048)
        #expect(PageIdentity.canonical(short + escaped + "%D7%91") == nil)
        let spaced = { (count: Int) in short + String(repeating: " ", count: count) + "b" }
        #expect(PageIdentity.canonical(spaced(679))?.utf8.count == 2048)
        #expect(PageIdentity.canonical(spaced(680)) == nil)
        #expect(PageIdentity.canonical(String(repeating: " ", count: 6143) + "a") == "a")
        #expect(PageIdentity.canonical(String(repeating: " ", count: 6144) + "a") == nil)
    }

    @Test func `marks after separators hide neither query nor parameter`() {
        #expect(PageIdentity.canonical("https://h/?\u{301}b&\u{301}a") == "https://h/?\u{301}a&\u{301}b")
        #expect(PageIdentity.canonical("https://h/?zA&z=%CC%B8") == "https://h/?zA&z\u{2260}")
        #expect(PageIdentity.canonical("https://h/?m%E2%84%AAt_tok=1") == "https://h/")
    }

    @Test(arguments: 1...20)
    func `canonicalising twice changes nothing`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "/", "?", "&", "&", "=", "#", "%", "%2", "%2F", "%d7%91", "%D7", "%E2%80%80", "%C2%85", "%CC%81", "%CC%B8",
            "%E1%84%80", "%E1%85%A1", "%E2%84%AA", "%20", "%00", "utm_", "utm_a=1", "fbclid", "fbclid=2", "a", "b", "z",
            "0",
            "9", "A", "e", " ", "\u{A0}", "\u{301}", "\u{338}", "\u{200B}", "é", "ב", "😀", "<", ">", "+", "\u{2000}",
            "\r\n",
            "\u{1D160}", "\u{958}", "https://", "null",
        ]
        for _ in 0..<2000 {
            let start = random.pick(["http://h", "https://", "HTTP://h/", "", "p"])
            let address = start + (0..<random.below(14)).map { _ in random.pick(pieces) }.joined()
            guard let once = PageIdentity.canonical(address) else { continue }
            let twice = PageIdentity.canonical(once)
            try #require(twice.map { Array($0.utf8) } == Array(once.utf8), "\(address.debugDescription)")
        }
    }
}
