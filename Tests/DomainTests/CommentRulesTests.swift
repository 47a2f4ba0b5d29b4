import Domain
import Testing

@Suite struct CommentRulesTests {
    @Test(arguments: [
        ("", 0), ("hello", 5), (String(repeating: "é", count: 200), 200), (String(repeating: "👩‍👩‍👧‍👦", count: 60), 60),
        ("<b>hi</b>", 2), ("a<br />b", 2), ("[img]https://h/very/long.png[/img]x", 1), ("[img]a[/img][img]b[/img]", 0),
        ("<a href=\"https://h\">x</a>", 1), ("I <3 you", 8), ("a < b > c", 9), ("<b", 2), ("x <", 3), ("</", 2),
        ("[img]abc", 8),
        ("[/img]", 6), ("<b>[img]<i>[/img]</b>", 0), ("[img]<b>[/img]>", 1), ("e\u{301}", 1), ("ab\ncd", 5),
    ])
    func `tags and addresses of images do not count`(source: String, length: Int) {
        #expect(CommentRules.countedLength(source) == length)
    }

    @Test(arguments: ["<a ", "<", "[img]", "</a", "<a [img]", "[img]<a "])
    func `hostile repetition is counted in linear time`(piece: String) {
        let times = 50_000
        #expect(CommentRules.countedLength(String(repeating: piece, count: times)) == piece.count * times)
    }

    @Test func `a repetition is known by its letters`() {
        let print = CommentRules.fingerprint("Hello, World!")
        for same in ["hello world", "HELLO... WORLD", "he\u{200B}llo\nworld", " Hello,  World? "] {
            #expect(CommentRules.fingerprint(same) == print)
        }
        #expect(CommentRules.fingerprint("Hello, Worlds!") != print)
        #expect(CommentRules.fingerprint("cafe\u{301}") == CommentRules.fingerprint("CAF\u{C9}"))
        #expect(CommentRules.fingerprint("5 + 5") != CommentRules.fingerprint("5 - 5"))
    }

    @Test func `texts without letters are still told apart`() {
        #expect(CommentRules.fingerprint("?!") == CommentRules.fingerprint("? !"))
        #expect(CommentRules.fingerprint("?!") != CommentRules.fingerprint("!!"))
        #expect(CommentRules.fingerprint("😀") != CommentRules.fingerprint("😢"))
        #expect(CommentRules.fingerprint(" ").isEmpty)
    }
}
