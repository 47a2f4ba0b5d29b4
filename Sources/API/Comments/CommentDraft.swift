import Domain
import JSON
import RichText
import Storage

/// The source of a comment with everything that can be made of it before the writer's turn: rendering is the costly
/// part of a post, and hostile sources must cost the poster's loop, not the writer.
struct CommentDraft: Sendable {
    /// Longest source, in UTF-8 bytes.
    static let hardLimit = 64 * 1024

    let source: String
    let rendered: RenderedComment
    let mentions: [Mention]
    let hashTags: [HashTag]
    /// Tags that the tenant does not have are made.
    let makesHashTags: Bool
    /// What a search finds it by.
    let words: String
    /// By which a repetition is recognised.
    let digest: String
    /// What the site's rules about words say.
    let verdict: SpamRule.Verdict

    /// Reads `comment`, `mentions` and `hashTags` of a body.
    /// - Parameters:
    ///   - settings: of the page; nil for what holds everywhere.
    ///   - rights: whom the author may name.
    ///   - format: how names stand in the text; nil is as the page shows them.
    /// - Throws: `empty-comment`, `comment-too-big`, `restricted-link` (422), `invalid-input` (400).
    init(
        _ body: JSONObject, tenant: Tenant, settings: WidgetSettings? = nil, naming rights: MentionRights = .unlimited,
        as format: CommenterName.Format? = nil, in session: inout Session
    ) throws(APIError) {
        guard let source = try body.text("comment") else { throw .invalidInput("comment is missing.") }
        // A site's own backend knows all names.
        let format = format ?? settings?.nameFormat ?? .asEntered
        let settings = settings ?? tenant.settings
        guard !source.trimmed.isEmpty else {
            throw APIError(422, "empty-comment", "The comment has no text.", phrase: .commentEmpty)
        }
        guard source.utf8.count <= Self.hardLimit else { throw .commentTooBig(settings.maximumCommentLength) }
        self.source = source
        mentions = try MentionResolver.resolve(
            source, body.objects("mentions") ?? [], tenant, rights, as: format, in: &session)
        var options = RenderOptions(settings)
        options.mentionTags = mentions.map(\.tag)
        let rendered = CommentRenderer.render(source, options)
        guard rendered.hasImages || rendered.hasEmbeds || rendered.plainText.unicodeScalars.contains(where: \.isVisible)
        else {
            throw APIError(422, "empty-comment", "Nothing of the comment can be shown.", phrase: .commentEmpty)
        }
        // What is shown counts: neither tags nor the addresses of images (contract: public 7.7).
        guard rendered.plainText.visibleCount <= settings.maximumCommentLength else {
            throw .commentTooBig(settings.maximumCommentLength)
        }
        try Self.checkLinks(rendered.linkHosts, settings)
        hashTags = try HashTags.list(found: rendered.hashTags, listed: body.objects("hashTags") ?? [])
        makesHashTags = !settings.disablesNewHashTags
        options.hashTagAddresses = try HashTagSQL.addresses(
            rendered.hashTags.map(HashTags.normalised), tenant: tenant.id, in: &session)
        // The tenant's own links are no concern of the rule about links.
        self.rendered = options.hashTagAddresses.isEmpty ? rendered : CommentRenderer.render(source, options)
        words = SearchText.indexed(rendered.plainText)
        verdict = SpamRule.verdict(settings.spamRules, on: source, rendered.plainText)
        digest = Identifier.hash(ofSecret: CommentRules.fingerprint(rendered.plainText))
    }

    /// A draft with what can be found out of it before the writer's turn; parameters as above.
    /// - Parameter locale: of the author; nil is not known.
    static func screened(
        _ body: JSONObject, tenant: Tenant, settings: WidgetSettings, naming rights: MentionRights = .unlimited,
        as format: CommenterName.Format? = nil, locale: String?, in session: inout Session
    ) throws(APIError) -> (draft: CommentDraft, screening: Screening) {
        let draft = try CommentDraft(
            body, tenant: tenant, settings: settings, naming: rights, as: format, in: &session)
        let screening = try Screening(draft, tenant: tenant, locale: locale, in: &session) {
            (text, session) throws(APIError) -> CommentDraft in
            try CommentDraft(
                body.replacing("comment", .string(text)), tenant: tenant, settings: settings, naming: rights,
                as: format, in: &session)
        }
        return (draft, screening)
    }

    /// - Throws: `restricted-link` (422) for a host that the tenant does not allow.
    static func checkLinks(_ hosts: [String], _ settings: WidgetSettings) throws(APIError) {
        guard let allowed = settings.linkHosts else { return }
        for host in hosts where !allowed.contains(where: { host == $0 || host.hasSuffix("." + $0) }) {
            var error = APIError(422, "restricted-link", "Links to \(host) are not allowed.", phrase: .linkNotAllowed)
            error.phraseDetail = host
            throw error
        }
    }

    /// The mentions as they are kept; nil for none.
    var mentionsText: String? { mentions.isEmpty ? nil : JSONText.text(.array(mentions.map(\.json))) }
}

extension RenderOptions {
    /// As the tenant wants what people write.
    init(_ settings: WidgetSettings) {
        self.init()
        linksAsText = settings.rendersLinksAsText
        allowsImages = !settings.disablesImages
        embedHosts = settings.embedHosts
        allowsSpoilers = settings.enablesSpoilers
    }
}

extension APIError {
    static func commentTooBig(_ limit: Int) -> APIError {
        var error = APIError(
            422, "comment-too-big", "The comment has more than \(limit) characters.", phrase: .commentTooBig)
        error.maxCharacterLength = limit
        error.phraseDetail = String(limit)
        return error
    }
}
