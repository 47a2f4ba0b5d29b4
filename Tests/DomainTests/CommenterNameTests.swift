import Domain
import Testing

@Suite struct CommenterNameTests {
    @Test(arguments: [
        ("Раз_Два  Три_34567", "Раз_Два Три_34567"), ("Élodie_Ö", "Élodie_Ö"), ("E\u{301}lodie", "\u{C9}lodie"),
        ("Jérôme — “quotes”", "Jérôme — “quotes”"), ("  Kim \t Li\u{A0} ", "Kim Li"), ("\u{202E}evil", "evil"),
        ("a\u{2066}b\u{2069}c", "abc"), ("\u{61C}مرحبا (abc) 123", "مرحبا (abc) 123"), ("x\r\nBcc: a@b", "xBcc: a@b"),
        ("\u{0}a\u{7F}\u{FEFF}", "a"), ("\u{3164}\u{115F}", ""), ("😀 é", "😀 é"), ("", ""), (" \u{301}", "\u{301}"),
        ("name <a href=\"javascript:alert('XSS1')\" onmouseover=\"alert('XSS2')\">XSS</a>", "name XSS"),
        ("<b>Kim</b>", "Kim"), ("a<b", "a"), ("<<b>script>", "script>"), ("<\u{301}b>x", "x"),
        ("<b>\u{301}x", "\u{301}x"),
        ("1 > 0", "1 > 0"), ("Tom & \"Jerry\"", "Tom & \"Jerry\""),
    ])
    func `a name is shown without markup, controls and spare spaces`(name: String, cleaned: String) {
        #expect(Array(CommenterName.cleaned(name).unicodeScalars) == Array(cleaned.unicodeScalars))
    }

    @Test(arguments: 1...5)
    func `cleaning twice changes nothing and lets no bracket open`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "<", ">", "/", "b", " ", "\u{301}", "\u{338}", "\u{200B}", "\u{202E}", "é", "\n", "\u{3000}", "&lt;", "😀",
        ]
        for _ in 0..<1000 {
            let name = (0..<random.below(12)).map { _ in random.pick(pieces) }.joined()
            let once = CommenterName.cleaned(name)
            try #require(CommenterName.cleaned(once) == once, "\(name.debugDescription)")
            try #require(!once.unicodeScalars.contains { $0 == "<" || $0.isInvisibleControl })
        }
    }

    @Test(arguments: [
        (CommenterName.Format.asEntered, "kim van li", "kim van li"), (.capitalised, "kim van li", "Kim Van Li"),
        (.lastInitial, "kim van li", "kim van L."), (.lastInitial, "kim", "kim"), (.allInitials, "kim li", "K. L."),
        (.anonymous, "kim li", "Anonymous"), (.capitalised, "éva ßen", "Éva SSen"), (.allInitials, "", ""),
        (.lastInitial, "kim 👩‍👩‍👧‍👦x", "kim 👩‍👩‍👧‍👦."),
    ])
    func `a tenant chooses how names are shown`(format: CommenterName.Format, name: String, shown: String) {
        #expect(CommenterName.formatted(name, as: format) == shown)
    }

    @Test func `the formats have the numbers of the setting`() {
        #expect((0...4).map { CommenterName.Format(rawValue: $0) != nil } == [true, true, true, true, true])
        #expect(CommenterName.Format(rawValue: 5) == nil)
    }
}
