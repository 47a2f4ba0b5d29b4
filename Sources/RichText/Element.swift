/// The elements that pass from one stage of the renderer to the next. Whatever is not here never reaches the output.
enum Element: String, CaseIterable {
    case b, strong, i, em, u, strike, code, pre, span, a, ul, ol, li
    /// Lines of it begin with `> ` in the output.
    case blockquote
    /// Any block whose tags become line breaks.
    case div

    /// Blocks in the output, where a line break before or after would only add an empty line.
    var isBlock: Bool { self == .ul || self == .ol || self == .li || self == .pre }

    /// What a tag of the source stands for, by its lower-case name.
    init?(sourceName: String) {
        switch sourceName {
        case "s", "del": self = .strike
        case "p", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "header", "footer", "main", "aside", "nav",
            "table", "tr", "caption", "dl", "dt", "dd", "figure", "figcaption", "address", "center", "details",
            "summary", "form", "fieldset":
            self = .div
        default: self.init(rawValue: sourceName)
        }
    }

    /// Elements that go with everything in them.
    static let dropped: Set<String> = [
        "script", "style", "iframe", "object", "svg", "math", "template", "noscript", "textarea", "title", "xmp",
        "noembed", "noframes", "plaintext", "select", "audio", "video", "canvas", "applet", "head", "frameset",
    ]
}

/// The classes that a span may carry.
enum SpanClass: String {
    case spoiler, mention, hashtag
}
