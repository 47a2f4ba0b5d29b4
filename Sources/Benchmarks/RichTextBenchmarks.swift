import RichText

/// Comments of everyday size, and the costliest sources of 64 KiB: no more than 10 ms each.
enum RichTextBenchmarks {
    static var all: [Benchmark] {
        [
            rendering("richtext/plain, 204 bytes", plain, operations: 20_000),
            rendering("richtext/mixed, 219 bytes", mixed, operations: 5000),
        ]
            + hostile.map { unit in
                let source = String(repeating: unit, count: 65_536 / unit.utf8.count)
                return rendering("richtext/64 KiB of \(unit.debugDescription)", source, operations: 20)
            }
            + mostMarkup.map { unit, count in
                let filling = "&" + String(repeating: "plain text ", count: (65_536 - unit.utf8.count * count) / 11)
                let source = String(repeating: unit, count: count) + filling
                return rendering("richtext/64 KiB with \(count) × \(unit.debugDescription)", source, operations: 20)
            }
    }

    private static let plain = """
        I read this twice and still think that the second half is the better one. The author could have said more about \
        the cost, though; my own numbers for last year look quite different from those in the table.
        """

    private static let mixed = """
        I **read** this <b>twice</b> &amp; still think that the [second half](https://example.com/x) is the better one.
        The author could have said `more` about the cost; my own numbers for @Ann Lee #year look quite different.
        """

    private static let hostile = [
        "<a ", "[", "*a ", "> ", "<b>", "![a](<b", "`", "a@a.", "http://", "<", "&", "[img]", "@", "#a", "||", "_*",
        "- ", "- a\n", "\t- a\n", "a\n=\n", "plain text, and more of it ", "é", "e\u{301}", "日本", "http://a.b ", "#é ",
        "<pre>x</pre>", "<!--", "[a](http://b.c) ", "~~a~~ ", "[a](", "**a __b ", "> > - ", "|a|b|\n|-|-|\n|c|d|\n",
        "<table><tr><td>", "<ul><li>", "<a href='http://a.b/'>", "<![CDATA[", "&#x1F600;", "  \n",
    ]

    /// As much as is still read as markup.
    private static let mostMarkup = [
        ("*a ", 799), ("**a** ", 199), ("[a](b) ", 799), ("- a\n", 532), ("a\n", 1598), ("<b>", 400), ("<b><p>", 200),
        ("<a href='http://b.c'>x</a>", 200), ("<pre>x</pre>", 400), ("`a` ", 799), ("\\*", 799), ("~~a~~ ", 399),
    ]

    private static func rendering(_ name: String, _ source: String, operations: Int) -> Benchmark {
        Benchmark(name, operations: operations) { measure in
            try measure { times in
                for _ in 0..<times { _ = CommentRenderer.render(source) }
            }
        }
    }
}
