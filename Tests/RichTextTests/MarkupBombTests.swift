import FuzzBodies
import RichText
import Testing

/// Sources that want a parser to work much: what comes of them grows with their length and no faster, and no more of
/// them is markup than is quickly read. How long they take is measured by `benchmarks richtext`.
@Suite struct MarkupBombTests {
    private static let size = 65_536

    static let bombs: [String] = [
        "[", "![", "[a](", "[a](b", "![a](<b", "*a ", "**a __b ", "_*", "***", "~~a", "||a", "`", "``` ", "> ",
        "> > - ", "- ", "- a\n", "1. a\n", "\t- a\n", "a\n=\n", "# a\n", "|a|b|\n|-|-|\n|c|d|\n", "|a", "<b>",
        "<b><i><u>", "<div>", "<ul><li>", "<pre>", "<table><tr><td>", "<a ", "<a href='http://a.b/'>", "<!--",
        "<![CDATA[", "</b>", "<b a=\"", "&", "&amp;", "&#x1F600;", "&lt;b&gt;", "http://a.b ", "https://a.b/(",
        "a@a.b ", "[img]", "[a](http://b.c) ", "@", "#a ", "\\*", "\\", "e\u{301}", "\u{202E}", "\r\n", "  \n",
    ]

    @Test(arguments: bombs)
    func whatComesOfABombIsBounded(_ unit: String) {
        let whole = String(repeating: unit, count: Self.size / unit.utf8.count)
        // Deep rather than long, and broken off at the other end.
        let nested = String(repeating: unit, count: 200) + "x" + String(repeating: String(unit.reversed()), count: 200)
        for source in [whole, nested, whole + "\n\n" + nested, "x" + whole] {
            let html = CommentRenderer.render(source).html
            var checker = AllowedHTML(html)
            #expect(checker.violation() == nil)
            #expect(html.utf8.count <= 10 * source.utf8.count + 1000)
            // Each piece of markup and each address makes an element at most, which begins and ends; each line, a break.
            let lines = source.utf8.count { $0 == 10 }
            #expect(html.utf8.count { $0 == UInt8(ascii: "<") } <= 2 * (1600 + 400 + 500) + lines)
        }
    }
}
