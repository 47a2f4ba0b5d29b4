import Domain
import Storage

enum NewCommentSQL {
    /// How long a guest may change a comment, milliseconds.
    static let editKeyLifetime: Int64 = 24 * 3600 * 1000

    /// - Returns: the id of the new comment.
    static func insert(
        _ input: NewComment, _ author: CommentAuthor, parent: CommentRecord?, page: Page, editKey: String?,
        in session: inout Session
    ) throws(APIError) -> String {
        let id = Identifier.timeOrdered(at: session.now)
        let rendered = input.draft.rendered
        let caller = author.caller
        try session.run(
            """
            INSERT INTO comment (
                id, tenant_id, page_id, parent_seq, parent_id, user_id, anon_user_id, author_key, commenter_name,
                commenter_email, commenter_link, display_label, source, html, url, locale, created_at, client_date,
                local_date_string, local_date_hours, score, is_verified, is_by_admin, is_by_moderator, has_images,
                has_links, has_code, rating, feedback_ids, question_values, mentions, meta, moderation_groups,
                edit_key_hash, edit_key_expires_at, text_digest)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                    ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36)
            """,
            .text(id), .text(page.tenant), .integer(page.id), .int(parent?.seq), .text(parent?.id),
            .text(caller.person?.id), .text(caller.guest?.id), .text(author.key), .text(author.name),
            .text(author.email), .text(input.link), .text(author.label), .text(input.draft.source),
            .text(rendered.html), .text(input.url), .text(input.locale), .integer(session.now), .int(input.clientDate),
            .text(input.localDateString), .int(input.localDateHours),
            .real(Relevance.score(votesUp: 0, votesDown: 0, createdAt: session.now)), .bool(caller.isVerified),
            .bool(caller.isAdmin), .bool(caller.person?.isModerator ?? false), .bool(rendered.hasImages),
            .bool(rendered.hasLinks), .bool(rendered.hasCode), .double(input.rating), .text(input.feedbackIDs),
            .text(input.questionValues), .text(input.draft.mentionsText), .text(input.meta),
            .text(input.moderationGroups), .text(editKey.map(Identifier.hash)),
            .int(editKey.map { _ in session.now + editKeyLifetime }), .text(CommentLimits.digest(input)))
        try HashTags.replace(input.draft.hashTags, of: session.lastInsertRowID, in: &session)
        return id
    }

    static func update(_ seq: Int64, _ draft: CommentDraft, in session: inout Session) throws(APIError) {
        let rendered = draft.rendered
        try session.run(
            """
            UPDATE comment SET source = ?2, html = ?3, has_images = ?4, has_links = ?5, has_code = ?6, mentions = ?7,
                               text_digest = ?8, edited_at = ?9
            WHERE seq = ?1
            """,
            .integer(seq), .text(draft.source), .text(rendered.html), .bool(rendered.hasImages),
            .bool(rendered.hasLinks), .bool(rendered.hasCode), .text(draft.mentionsText),
            .text(Identifier.hash(ofSecret: draft.fingerprint)), .integer(session.now))
        try HashTags.replace(draft.hashTags, of: seq, in: &session)
    }
}
