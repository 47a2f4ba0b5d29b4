/// How a tenant wants comments rendered.
package struct RenderOptions: Sendable {
    /// Links become their text.
    package var linksAsText = false
    /// Images are kept.
    package var allowsImages = true
    /// Hosts whose players may be embedded beside the well-known ones; nil when none may.
    package var embedHosts: [String]?
    /// Spoilers are marked.
    package var allowsSpoilers = false
    /// Texts that name people, with `@`; they are set in bold where they stand in plain text.
    package var mentionTags: [String] = []
    /// Where hash tags lead, by the tag in composed lower case without `#`; the others are text.
    package var hashTagAddresses: [String: String] = [:]

    /// Everything as usual.
    package init() {}
}

/// A comment's source made safe to show.
package struct RenderedComment: Sendable, Equatable {
    /// HTML of the allow-list only.
    package var html: String
    /// The text without markup, for searching and comparing.
    package var plainText: String
    /// At least one image is shown.
    package var hasImages: Bool
    /// At least one player is shown.
    package var hasEmbeds = false
    /// At least one link is shown.
    package var hasLinks: Bool
    /// At least one piece of code is shown.
    package var hasCode: Bool
    /// Hosts that links and images point to, lower case, each once.
    package var linkHosts: [String]
    /// Hash tags in the text outside code and links, without `#`, as written, each once.
    package var hashTags: [String]

    /// A comment without images, links and code.
    package init(html: String, plainText: String) {
        self.html = html
        self.plainText = plainText
        hasImages = false
        hasLinks = false
        hasCode = false
        linkHosts = []
        hashTags = []
    }
}
