import RichText
import Testing

@Suite struct CommentRendererTests {
    private func html(_ source: String, _ change: (inout RenderOptions) -> Void = { _ in }) -> String {
        render(source, change).html
    }

    private func render(_ source: String, _ change: (inout RenderOptions) -> Void = { _ in }) -> RenderedComment {
        var options = RenderOptions()
        change(&options)
        return CommentRenderer.render(source, options)
    }

    @Test func thereAreEnoughCases() {
        #expect(RenderCase.all.count >= 240)
    }

    @Test(arguments: RenderCase.all)
    func aSourceRendersAsTheTableSays(_ subject: RenderCase) {
        #expect(html(subject.source) == subject.html)
    }

    @Test func nothingRendersAsNothing() {
        for source in ["", " ", "\n\n", "\t", "<b></b>", "\u{FEFF}", "\0"] {
            #expect(render(source) == RenderedComment(html: "", plainText: ""))
        }
    }

    @Test func lineEndsOfAnyKindAreLineBreaks() {
        for end in ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"] { #expect(html("a\(end)b") == "a<br />b") }
        #expect(html("a\r\n\r\nb") == "a<br /><br />b")
    }

    @Test func directionOverridesAreRemovedAndMarksStay() {
        #expect(html("a\u{202E}b\u{2066}c\u{2069}") == "abc")
        #expect(html("\u{200F}مرحبا\u{200E}") == "\u{200F}مرحبا\u{200E}")
    }

    @Test func textIsComposed() {
        #expect(Array(html("e\u{301} plain").utf8) == Array("\u{E9} plain".utf8))
        #expect(Array(html("<b>e&#x301;</b>").utf8) == Array("<b>\u{E9}</b>".utf8))
    }

    @Test func plainTextHasTheTextWithoutMarkup() {
        let rendered = render("**a** &amp; <i>b</i>\n\n- c\n- `d`\n\n<pre>e\nf</pre>[g](https://x.test)<br>h")
        #expect(rendered.plainText == "a & b\nc\nd\ne\nf\ng\nh")
    }

    @Test func linksCanBeText() {
        let source = "[a](https://x.test) <a href=\"https://x.test\">b</a> https://x.test/#c <https://y.test>"
        let rendered = render(source) { $0.linksAsText = true }
        #expect(rendered.html == "a b https://x.test/#c https://y.test")
        #expect(!rendered.hasLinks && rendered.linkHosts.isEmpty && rendered.hashTags.isEmpty)
    }

    @Test func imagesCanBeLeftOut() {
        let source = "a <img src=\"https://x.test/i\"> [img]https://x.test/i[/img] ![b](https://x.test/i) c"
        let rendered = render(source) { $0.allowsImages = false }
        #expect(!rendered.hasImages && rendered.linkHosts.isEmpty && !rendered.html.contains("<"))
    }

    @Test func spoilersNeedPermission() {
        let source = "||a *b*|| <span class=\"spoiler\">c</span> d || e ||f"
        #expect(html(source) == "||a <i>b</i>|| c d || e ||f")
        #expect(
            html(source) { $0.allowsSpoilers = true }
                == "<span class=\"spoiler\">a <i>b</i></span> <span class=\"spoiler\">c</span> d || e ||f")
    }

    @Test func spoilersEndWithTheirParagraph() {
        #expect(html("||a\n\nb||") { $0.allowsSpoilers = true } == "||a<br /><br />b||")
        #expect(html("||a\nb||") { $0.allowsSpoilers = true } == "<span class=\"spoiler\">a<br />b</span>")
    }

    @Test(arguments: [
        ("Hi @Ann!", "Hi <b>@Ann</b>!"),
        ("@Ann Lee and @Ann", "<b>@Ann Lee</b> and <b>@Ann</b>"),
        ("@Ann\u{A0}x", "<b>@Ann</b>\u{A0}x"),
        ("@Anna joe@Ann @ann", "@Anna joe@Ann @ann"),
        ("@Ännchen @Ann\u{E9}", "@Ännchen @Ann\u{E9}"),
        ("`@Ann` <code>@Ann</code>", "<code>@Ann</code> <code>@Ann</code>"),
        ("<i>@Ann</i>\n@Ann", "<i><b>@Ann</b></i><br /><b>@Ann</b>"),
        ("@Raz_Dva_ ok", "<b>@Raz_Dva_</b> ok"),
        ("@<b>Ann</b>", "@<b>Ann</b>"),
    ])
    func mentionsAreSetInBold(_ source: String, _ expected: String) {
        let tags = ["@Ann", "@Ann Lee", "@Raz_Dva_", "", "@", "@@@", "no"]
        #expect(html(source) { $0.mentionTags = tags } == expected)
    }

    @Test func mentionsInLinksStayPlain() {
        let rendered = html("[@Ann](https://x.test) https://x.test/@Ann") { $0.mentionTags = ["@Ann"] }
        #expect(!rendered.contains("<b>"))
    }

    @Test func hashTagsAreReportedOnceAsWritten() {
        let source = "#One #two-b ##three_c, #ONE x#no #日本 #é! &#35;four `#no` <code>#no</code> "
        let rendered = render(source + "https://x.test/#no [#no](https://x.test) # #")
        #expect(rendered.hashTags == ["One", "two-b", "three_c", "日本", "é", "four"])
        #expect(rendered.html.hasPrefix("#One #two-b ##three_c, #ONE x#no #日本 #é! #four <code>#no</code>"))
    }

    @Test func hashTagsHaveLimits() {
        #expect(render((0...60).map { "#t\($0) " }.joined()).hashTags.count == 50)
        #expect(render("#" + String(repeating: "a", count: 199)).hashTags.count == 1)
        #expect(render("#" + String(repeating: "a", count: 200)).hashTags.isEmpty)
    }

    @Test func hostsOfLinksAndImagesAreReportedOnce() {
        let source = "https://B.test/x [a](http://u@a.test:80) <img src=\"https://b.test/i\"> <https://xn--e1a.test>"
        let rendered = render(source + " [m](mailto:a@c.test) https://Ä.test")
        #expect(rendered.linkHosts == ["b.test", "a.test", "xn--e1a.test", "ä.test"])
        #expect(rendered.hasLinks && rendered.hasImages && !rendered.hasCode)
    }

    @Test func kindsOfContentAreReported() {
        #expect(render("`a`").hasCode && render("```\na\n```").hasCode && render("<pre>a</pre>").hasCode)
        #expect(!render("<code></code>").hasCode && !render("`a").hasCode)
        #expect(render("[a](mailto:a@b.test)").hasLinks && !render("<a href=\"x\">a</a>").hasLinks)
        #expect(render("![](https://x.test/i)").hasImages && !render("[img]x[/img]").hasImages)
    }

    @Test func aURLMayHave2048Bytes() {
        let longest = "https://x.test/" + String(repeating: "a", count: 2048 - 15)
        for source in [longest, "[img]\(longest)[/img]", "[a](\(longest))", "<a href=\"\(longest)\">a</a>"] {
            #expect(html(source).contains("<a href") || html(source).contains("<img"))
            let tooLong = html(source.replacing(longest, with: longest + "a"))
            #expect(!tooLong.contains("<a href") && !tooLong.contains("<img"))
        }
    }

    @Test func only500URLsAreLinked() {
        let rendered = html(String(repeating: "https://x.test ", count: 501))
        #expect(rendered.split(separator: "<a ").count == 500)
        #expect(rendered.hasSuffix("</a> https://x.test"))
    }

    @Test func aSourceWithTooMuchMarkupIsPlainText() {
        #expect(html(String(repeating: "*a* ", count: 400)).hasPrefix("<i>a</i> <i>a</i>"))
        #expect(html(String(repeating: "*a* ", count: 401)).hasPrefix("*a* *a*"))
        #expect(html(String(repeating: "<b>a</b>", count: 200)).hasPrefix("<b>a</b>"))
        #expect(html(String(repeating: "<b>a</b>", count: 200) + "<b>").hasPrefix("&lt;b&gt;a&lt;/b&gt;"))
    }

    @Test func nestingHasALimit() {
        let rendered = html(String(repeating: "<b>", count: 100) + "x" + String(repeating: "</b>", count: 100))
        #expect(rendered == String(repeating: "<b>", count: 48) + "x" + String(repeating: "</b>", count: 48))
    }
}
