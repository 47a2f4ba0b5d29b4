import Domain
import JSON
import RichText
import Storage

/// The body of a call that makes or changes a post, checked and rendered before the writer's turn. Members that are not
/// in it are nil; those that are there and empty clear what the post has.
struct FeedDraft: Sendable {
    let fromUserID: String?
    let fromUserName: String?
    private let title: String?
    private let html: String?
    private let media: String?
    private let links: String?
    private let tags: String?
    private let meta: String?

    /// - Throws: `malformed-json`, `invalid-input` (400), `comment-too-big`, `restricted-link` (422).
    init(_ visit: Visit) throws(APIError) {
        try self.init(visit.call.bodyObject(), visit.tenant.settings)
    }

    /// - Throws: `comment-too-big`, `restricted-link` (422), `invalid-input` (400).
    init(_ body: JSONObject, _ settings: WidgetSettings) throws(APIError) {
        let userID = try body.label("fromUserId", limit: FeedLimits.titleLength)
        fromUserID = userID?.isEmpty == true ? nil : userID
        let name = try body.label("fromUserDisplayName", limit: FeedLimits.titleLength).map(CommenterName.cleaned)
        fromUserName = name?.isEmpty == true ? nil : name
        title = try body.label("title", limit: FeedLimits.titleLength)
        html = try Self.content(body, settings)
        media = try FeedParts.media(body, settings)
        links = try FeedParts.links(body, settings)
        tags = try FeedParts.tags(body)
        meta = try FeedParts.meta(body)
    }

    /// As a comment's text: the same markup is read, and the same may come out (contract: live 5.2).
    private static func content(_ body: JSONObject, _ settings: WidgetSettings) throws(APIError) -> String? {
        guard let source = try body.text("contentHTML") else { return nil }
        guard source.utf8.count <= CommentDraft.hardLimit else { throw .commentTooBig(FeedLimits.contentLength) }
        let rendered = CommentRenderer.render(source, RenderOptions(settings))
        guard rendered.plainText.count <= FeedLimits.contentLength else {
            throw .commentTooBig(FeedLimits.contentLength)
        }
        try CommentDraft.checkLinks(rendered.linkHosts, settings)
        let isVisible =
            rendered.hasImages || rendered.hasEmbeds || rendered.plainText.unicodeScalars.contains(where: \.isVisible)
        return isVisible ? rendered.html : ""
    }

    /// The content with what this body says.
    func applied(to content: FeedContent) -> FeedContent {
        FeedContent(
            title: title ?? content.title, html: html ?? content.html, media: media ?? content.media,
            links: links ?? content.links, tags: tags ?? content.tags, meta: meta ?? content.meta)
    }
}
