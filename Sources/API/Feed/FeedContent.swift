import Domain

/// What a post says, as it is stored: plain text, safe HTML, and JSON texts; empty is none.
struct FeedContent: Sendable, Equatable {
    var title = ""
    var html = ""
    var media = ""
    var links = ""
    var tags = ""
    var meta = ""

    /// Something to look at.
    var isShowable: Bool { ![title, html, media, links].allSatisfy(\.isEmpty) }

    /// By which a repetition is recognised: tags and the site's own data do not count.
    var digest: String { Identifier.hash(ofSecret: [title, html, media, links].joined(separator: "\u{0}")) }

    /// - Throws: `missing-content` (422), `invalid-input` (400).
    func check() throws(APIError) {
        guard isShowable else {
            throw APIError(
                422, "missing-content", "A post needs a title, contentHTML, media or links.", phrase: .commentEmpty)
        }
        let size = [title, html, media, links, tags, meta].reduce(0) { $0 + $1.utf8.count }
        guard size <= FeedLimits.bytes else {
            throw .invalidInput("The post has \(size) bytes; at most \(FeedLimits.bytes) are allowed.")
        }
    }
}
