import Bytes
import RichText

/// The comment renderer: whatever the source, nothing comes out but HTML of the allow-list, also when its own output is
/// rendered again.
package enum RichTextFuzz: FuzzBody {
    /// The first byte chooses the options, the rest is the source.
    package static func run(_ data: [UInt8]) {
        guard let first = data.first else { return }
        var options = RenderOptions()
        options.linksAsText = first & 1 != 0
        options.allowsImages = first & 2 == 0
        options.allowsSpoilers = first & 4 != 0
        options.mentionTags = first & 8 != 0 ? ["@Ann", "@Ann Lee"] : []
        var source = String(decoding: data.dropFirst(), as: UTF8.self)
        for _ in 0..<2 {
            let rendered = CommentRenderer.render(source, options)
            var checker = AllowedHTML(rendered.html, allowsLinks: !options.linksAsText, options.allowsImages)
            let violation = checker.violation()
            precondition(violation == nil, "\(violation ?? "") in \(rendered.html)")
            source = rendered.html
        }
    }
}

/// Reads HTML that must be of the allow-list, letter by letter; knows nothing of how it was made.
package struct AllowedHTML {
    private let html: String
    private let bytes: [UInt8]
    private var index = 0
    private let allowsLinks: Bool
    private let allowsImages: Bool
    private var open: [String] = []

    private static let simple: Set<String> = [
        "b", "strong", "i", "em", "u", "strike", "code", "pre", "ul", "ol", "li",
    ]

    package init(_ html: String, allowsLinks: Bool = true, _ allowsImages: Bool = true) {
        self.html = html
        bytes = [UInt8](html.utf8)
        self.allowsLinks = allowsLinks
        self.allowsImages = allowsImages
    }

    /// What is wrong; nil when nothing is.
    package mutating func violation() -> String? {
        if let scalar = html.unicodeScalars.first(where: Self.isForbidden) { return "the character \(scalar.value)" }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                guard readTag() else { return "a tag at \(index)" }
            case UInt8(ascii: ">"): return "a bare > at \(index)"
            case ASCII.ampersand:
                guard skip("&amp;") || skip("&lt;") || skip("&gt;") else { return "a bare & at \(index)" }
            case ASCII.lineFeed where !open.contains("pre"): return "a line feed at \(index)"
            default: index += 1
            }
        }
        return open.isEmpty ? nil : "\(open) left open"
    }

    private mutating func readTag() -> Bool {
        if skip("<br />") { return true }
        if skip("</") { return readName().map { open.popLast() == $0 } ?? false }
        if skip("<img class=\"inline-image\" src=\"") || skip("<img src=\"") {
            return allowsImages && readURL(["http://", "https://"]) && skip("\">")
        }
        if skip("<a href=\"") {
            guard allowsLinks, !open.contains("a"), readURL(["http://", "https://", "mailto:"]) else { return false }
            open.append("a")
            return skip("\" rel=\"nofollow noopener\" target=\"_blank\">")
                || skip("\" rel=\"nofollow noopener\" target=\"_blank\" class=\"inline-image\">")
        }
        if skip("<span class=\"") {
            open.append("span")
            return skip("spoiler\">") || skip("mention\">") || skip("hashtag\">")
        }
        guard skip("<"), let name = readName(), Self.simple.contains(name) else { return false }
        open.append(name)
        return true
    }

    /// A name and the `>` after it.
    private mutating func readName() -> String? {
        let name = bytes[index...].prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
        index += name.count
        return skip(">") ? String(decoding: name, as: UTF8.self) : nil
    }

    private mutating func readURL(_ schemes: [String]) -> Bool {
        guard schemes.contains(where: { bytes[index...].starts(with: $0.utf8) }) else { return false }
        while index < bytes.count, bytes[index] != ASCII.quote {
            switch bytes[index] {
            case ASCII.ampersand:
                guard skip("&amp;") else { return false }
            case 0...ASCII.space, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"), UInt8(ascii: "\\"):
                return false
            default: index += 1
            }
        }
        return true
    }

    private mutating func skip(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF, 0xFEFF: true
        default: false
        }
    }
}
