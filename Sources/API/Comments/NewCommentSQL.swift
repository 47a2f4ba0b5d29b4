import Domain
import RichText
import Storage

enum NewCommentSQL {
    /// How long a guest may change a comment, milliseconds.
    static let editKeyLifetime: Int64 = 24 * 3600 * 1000

    /// - Returns: the id of the new comment.
    static func insert(_ row: CommentRow, in session: inout Session) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: row.createdAt)
        let rendered = row.draft.rendered
        try session.run(
            """
            INSERT INTO comment (
                id, tenant_id, page_id, parent_seq, parent_id, user_id, anon_user_id, author_key, commenter_name,
                commenter_email, commenter_link, display_label, source, html, url, locale, created_at, client_date,
                local_date_string, local_date_hours, score, is_verified, is_by_admin, is_by_moderator, has_images,
                has_links, has_code, rating, feedback_ids, question_values, mentions, meta, moderation_groups,
                edit_key_hash, edit_key_expires_at, text_digest, is_reviewed, address_hash, domain, email_key,
                email_domain, is_approved, is_spam, is_ai_spam, pinned_at, votes_up, votes_down, avatar, url_id_raw,
                product_id, is_parent_notified, is_tenant_notified, verified_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                    ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41,
                    ?42, ?43, ?44, ?45, ?46, ?47, ?48, ?49, ?50, ?51, ?52, ?53)
            """,
            .text(id), .text(row.page.tenant), .integer(row.page.id), .int(row.parent?.seq), .text(row.parent?.id),
            .text(row.userID), .text(row.guestID), .text(row.userID ?? row.guestID), .text(row.name),
            .text(row.email), .text(row.link), .text(row.label), .text(row.draft.source), .text(rendered.html),
            .text(row.url), .text(row.locale), .integer(row.createdAt), .int(row.clientDate),
            .text(row.localDateString), .int(row.localDateHours),
            .real(Relevance.score(votesUp: row.votesUp, votesDown: row.votesDown, createdAt: row.createdAt)),
            .bool(row.isVerified),
            .bool(row.isByAdmin), .bool(row.isByModerator), .bool(rendered.hasImages), .bool(rendered.hasLinks),
            .bool(rendered.hasCode), .double(row.rating), .text(row.feedbackIDs), .text(row.questionValues),
            .text(row.draft.mentionsText), .text(row.meta), .text(row.moderationGroups),
            .text(row.editKey.map(Identifier.hash)), .int(row.editKey.map { _ in session.now + editKeyLifetime }),
            .text(row.draft.digest), .bool(row.isReviewed ?? (row.isByAdmin || row.isByModerator)),
            .text(row.addressHash),
            .text(row.domain ?? WebAddress.host(row.url)), .text(row.email.map(EmailAddress.key)),
            .text(row.email.map(EmailAddress.domain)), .bool(row.isApproved), .bool(row.isSpam), .bool(row.isAISpam),
            .int(row.pinnedAt), .integer(row.votesUp), .integer(row.votesDown), .text(row.avatar), .text(row.rawURLID),
            .int(row.productID), .bool(row.isParentNotified), .bool(row.isTenantNotified), .int(row.verifiedAt))
        let seq = session.lastInsertRowID
        try CommentSearch.insert(seq, page: row.page.id, words: row.draft.words, in: &session)
        try HashTagSQL.store(
            row.draft.hashTags, of: seq, tenant: row.page.tenant, makesNew: row.draft.makesHashTags, isEdit: false,
            in: &session)
        try QuestionResultSQL.insert(row, comment: id, in: &session)
        return id
    }

    static func update(
        _ seq: Int64, _ draft: CommentDraft, tenant: String, in session: inout Session
    ) throws(APIError) {
        let rendered = draft.rendered
        try session.run(
            """
            UPDATE comment SET source = ?2, html = ?3, has_images = ?4, has_links = ?5, has_code = ?6, mentions = ?7,
                               text_digest = ?8, edited_at = ?9
            WHERE seq = ?1
            """,
            .integer(seq), .text(draft.source), .text(rendered.html), .bool(rendered.hasImages),
            .bool(rendered.hasLinks), .bool(rendered.hasCode), .text(draft.mentionsText),
            .text(draft.digest), .integer(session.now))
        try CommentSearch.replace(seq, words: draft.words, in: &session)
        try HashTagSQL.store(
            draft.hashTags, of: seq, tenant: tenant, makesNew: draft.makesHashTags, isEdit: true, in: &session)
    }
}

/// A comment about to be stored.
struct CommentRow {
    /// Where it stands above; a root has none.
    struct Parent {
        let seq: Int64
        let id: String
    }

    let page: Page
    let parent: Parent?
    let draft: CommentDraft
    let name: String
    let createdAt: Int64
    var userID: String?
    var guestID: String?
    var email: String?
    var link: String?
    var label: String?
    var url = ""
    var locale: String?
    var clientDate: Int64?
    var localDateString: String?
    var localDateHours: Int64?
    var isVerified = false
    var isByAdmin = false
    var isByModerator = false
    var rating: Double?
    var feedbackIDs: String?
    var questionValues: String?
    var meta: String?
    var moderationGroups: String?
    var editKey: String?
    /// Of the client.
    var addressHash: String?
    // What only a site's backend says.
    var isApproved = true
    var isSpam = false
    var isAISpam = false
    /// nil is what follows from the author.
    var isReviewed: Bool?
    var pinnedAt: Int64?
    var votesUp: Int64 = 0
    var votesDown: Int64 = 0
    var avatar: String?
    /// nil is the host of the address.
    var domain: String?
    var rawURLID: String?
    var productID: Int64?
    var isParentNotified: Bool?
    var isTenantNotified: Bool?
    var verifiedAt: Int64?

    init(page: Page, parent: Parent?, draft: CommentDraft, name: String, createdAt: Int64) {
        self.page = page
        self.parent = parent
        self.draft = draft
        self.name = name
        self.createdAt = createdAt
    }

    /// With what was decided; what the author says of it stays unless it is spam.
    mutating func apply(_ verdict: CommentVerdict) {
        isApproved = isApproved && verdict.isApproved
        isSpam = isSpam || verdict.isSpam
        isAISpam = verdict.isSpam
    }

    /// From a request and whoever wrote it.
    init(
        _ input: NewComment, _ author: CommentAuthor, parent: CommentRecord?, page: Page, editKey: String?,
        at now: Int64
    ) {
        self.init(
            page: page, parent: parent.map { Parent(seq: $0.seq, id: $0.id) }, draft: input.draft, name: author.name,
            createdAt: now)
        userID = author.caller.person?.id
        guestID = author.caller.guest?.id
        email = author.email
        link = input.link
        label = author.label
        url = input.facts.url
        locale = input.locale
        clientDate = input.clientDate
        localDateString = input.localDateString
        localDateHours = input.localDateHours
        isVerified = author.caller.isVerified
        isByAdmin = author.caller.isAdmin
        isByModerator = author.caller.isModerator
        rating = input.rating
        feedbackIDs = input.feedbackIDs
        questionValues = input.questionValues
        meta = input.meta
        moderationGroups = input.moderationGroups
        self.editKey = editKey
        let call = input.visit.call
        addressHash = call.services.addresses.of(call.clientAddress.key, tenant: page.tenant)
    }
}
