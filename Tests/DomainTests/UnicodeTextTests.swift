import Domain
import Testing

@Suite struct UnicodeTextTests {
    @Test(arguments: [
        ("abc", "abc"), ("e\u{301}", "\u{E9}"), ("\u{212A}", "K"), ("\u{1100}\u{1161}", "\u{AC00}"), ("", ""),
        ("a\u{323}\u{307}", "\u{1EA1}\u{307}"), ("\u{FF53}", "\u{FF53}"),
    ])
    func `text is composed canonically`(text: String, composed: String) {
        #expect(Array(text.composed.utf8) == Array(composed.utf8))
    }

    @Test(arguments: [
        (" a b ", "a b"), ("\u{3000}a\r\n", "a"), ("", ""), (" \t", ""), ("a \u{301}", "a \u{301}"), ("\u{2028}é", "é"),
    ])
    func `white space at the ends goes`(text: String, trimmed: String) {
        #expect(Array(text.trimmed.utf8) == Array(trimmed.utf8))
    }

    @Test(arguments: [
        ("", 0), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧‍👦", 1), ("👩🏻‍❤️‍💋‍👨🏿", 1), ("a\r\nb", 3),
        ("e" + String(repeating: "\u{301}", count: 9), 1), ("e" + String(repeating: "\u{301}", count: 10), 2),
        ("e" + String(repeating: "\u{301}", count: 99), 10), ("e" + String(repeating: "\u{301}", count: 100), 11),
    ])
    func `what is seen as one character counts once, unless it is made of too much`(text: String, count: Int) {
        #expect(text.visibleCount == count)
    }

    @Test(arguments: [
        ("\u{0}a\u{7}b\n", "a b"), ("a\u{9B}", "a"), ("\u{1}\u{200B}\u{FE0F}\u{E0001}", ""), (" 👩‍👧 ", "👩‍👧"), ("", ""),
        ("\u{202E}", ""), ("می‌خواهم", "می‌خواهم"),
    ])
    func `a line has no control characters, and something to see`(text: String, line: String) {
        #expect(Array(text.line.utf8) == Array(line.utf8))
    }

    @Test func `a text is cut between characters, at a number of code points`() {
        #expect(String(repeating: "é", count: 200).cut(to: 100) == String(repeating: "é", count: 100))
        let family = "👩‍👩‍👧‍👦"
        #expect(family.unicodeScalars.count == 7)
        #expect(String(repeating: family, count: 60).cut(to: 34) == String(repeating: family, count: 4))
        #expect(String(repeating: family, count: 60).cut(to: 35) == String(repeating: family, count: 5))
        #expect("x\u{301}y".cut(to: 2) == "x\u{301}")
        #expect("x\u{301}y".cut(to: 1) == "x")
        #expect("ab".cut(to: 2) == "ab")
        #expect("ab".cut(to: 3) == "ab")
        #expect("ab".cut(to: 0).isEmpty)
    }

    @Test(
        arguments: [
            "\u{0}", "\u{1F}", "\u{7F}", "\u{9F}", "\u{200B}", "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}",
            "\u{2069}", "\u{61C}", "\u{FEFF}",
        ] as [Unicode.Scalar])
    func `controls and direction marks are known`(scalar: Unicode.Scalar) {
        #expect(scalar.isInvisibleControl)
    }

    @Test(
        arguments: [" ", "~", "\u{A0}", "é", "\u{200A}", "\u{2010}", "\u{202F}", "\u{205F}", "\u{2070}", "😀"]
            as [Unicode.Scalar])
    func `their neighbours are not`(scalar: Unicode.Scalar) {
        #expect(!scalar.isInvisibleControl)
    }
}
