import CGumbo
import FuzzBodies
import RichText
import Testing

/// What comes out is of the allow-list, whatever goes in.
@Suite struct AllowListTests {
    @Test(arguments: RenderCase.all)
    func theTableRendersToAllowedHTML(_ subject: RenderCase) {
        check(subject.source)
    }

    @Test func mutationsOfTheTableRenderToAllowedHTML() {
        let sources = RenderCase.all.map { [UInt8]($0.source.utf8) }
        var generator = SeededGenerator(state: 20_260_102)
        for _ in 0..<500 {
            var source: [UInt8] = []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let piece = sources[Int.random(in: 0..<sources.count, using: &generator)]
                let cut = Int.random(in: 0...piece.count, using: &generator)
                source += Bool.random(using: &generator) ? piece[cut...] : piece[..<cut]
                if Bool.random(using: &generator) { source.append(UInt8.random(in: 0...127, using: &generator)) }
            }
            check(String(decoding: source, as: UTF8.self))
        }
    }

    static let hostileUnits = [
        "<a ", "[", "*a ", "> ", "<b>", "![a](<b", "`", "a@a.", "http://", "<", "&", "[img]", "@", "#a", "||", "_*",
        "- ", "- a\n", "a ", "\n", "<p>", "<br>", "**a ", "[a](", "<!--", "<script>", "</script>", "<pre>", "<code>x",
        "<a href=\"", "&#65;", "\\*", "~~a~~ ", "1. a\n", "```\n", "`a` ", "# a\n", "a\n=\n", "http://a.b ",
        "<svg><style>", "<blockquote>", "é", "e\u{301}", "\u{202E}", "\0", "[img]https://a.b/[/img]", "<ul><li>",
    ]

    @Test(arguments: hostileUnits)
    func sixtyFourKibibytesOfOneThingRenderToAllowedHTML(_ unit: String) {
        let source = String(repeating: unit, count: 65_536 / unit.utf8.count)
        var options = RenderOptions()
        options.allowsSpoilers = true
        var checker = AllowedHTML(CommentRenderer.render(source, options).html)
        #expect(checker.violation() == nil)
    }

    @Test func deeplyNestedListsRenderToAllowedHTML() {
        check((0..<250).map { String(repeating: "  ", count: $0) + "- a\n" }.joined())
    }

    /// With everything allowed and with everything forbidden, twice in a row.
    private func check(_ source: String) {
        var generous = RenderOptions()
        generous.allowsSpoilers = true
        generous.mentionTags = ["@Ann"]
        var strict = RenderOptions()
        strict.allowsImages = false
        strict.linksAsText = true
        for options in [generous, strict] {
            let once = CommentRenderer.render(source, options)
            let twice = CommentRenderer.render(once.html, options)
            for html in [once.html, twice.html] {
                var checker = AllowedHTML(html, allowsLinks: !options.linksAsText, options.allowsImages)
                #expect(checker.violation() == nil, "\(source.prefix(200).debugDescription)")
                #expect(foreignNames(html).isEmpty, "\(source.prefix(200).debugDescription)")
            }
        }
    }

    /// Elements and attributes that a browser's parser finds and the allow-list does not name.
    private func foreignNames(_ html: String) -> [String] {
        let elements: Set<String> = [
            "html", "b", "em", "u", "i", "strike", "pre", "span", "code", "img", "a", "strong", "ul", "ol", "li", "br",
        ]
        let attributes: Set<String> = ["href", "rel", "target", "class", "src"]
        var found: [String] = []
        let bytes = Array(html.utf8CString)
        bytes.withUnsafeBufferPointer { buffer in
            var options = kGumboDefaultOptions
            options.fragment_context = GUMBO_TAG_DIV
            guard let start = buffer.baseAddress,
                let output = gumbo_parse_with_options(&options, start, buffer.count - 1)
            else { return }
            defer { gumbo_destroy_output(&options, output) }
            var pending = [output.pointee.root]
            while let next = pending.popLast() {
                guard let node = next else { continue }
                if node.pointee.type == GUMBO_NODE_COMMENT || node.pointee.type == GUMBO_NODE_CDATA {
                    found.append("comment")
                }
                guard node.pointee.type == GUMBO_NODE_ELEMENT else { continue }
                let element = node.pointee.v.element
                let name = String(cString: gumbo_normalized_tagname(element.tag))
                if !elements.contains(name) { found.append(name) }
                for index in 0..<Int(element.attributes.length) {
                    let attribute = element.attributes.data[index]?.assumingMemoryBound(to: GumboAttribute.self)
                    let name = attribute.map { String(cString: $0.pointee.name) } ?? ""
                    if !attributes.contains(name) { found.append(name) }
                }
                for index in 0..<Int(element.children.length) {
                    pending.append(element.children.data[index]?.assumingMemoryBound(to: GumboNode.self))
                }
            }
        }
        return found
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
