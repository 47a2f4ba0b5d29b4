import Domain
import Storage

/// What a backend may set of a comment, as it is kept.
struct CommentFields: Sendable {
    private var userID: String?
    private var guestID: String?
    private var name: String
    private var email: String?
    private var link: String?
    var html: String
    private var url: String
    private var rawURLID: String?
    private var parentSeq: Int64?
    private var parentID: String?
    private var createdAt: Int64
    private var localDateString: String?
    private var localDateHours: Int64?
    var votesUp: Int64
    var votesDown: Int64
    private var expireAt: Int64?
    private var isVerified: Bool
    private var verifiedAt: Int64?
    private var isParentNotified: Bool?
    private var isTenantNotified: Bool?
    private var externalID: String?
    private var externalParentID: String?
    private var avatar: String?
    private var isDeletedUser: Bool
    private var isByAdmin: Bool
    private var isByModerator: Bool
    private var pinnedAt: Int64?
    private var isLocked: Bool
    private var label: String?
    private var meta: String?
    private var moderationGroups: String?
    private var feedbackIDs: String?
    private var ownWords: OwnWords
    private var domain: String?

    private init(_ row: borrowing Row) {
        userID = row.textOrNil(0)
        guestID = row.textOrNil(1)
        name = row.text(2)
        email = row.textOrNil(3)
        link = row.textOrNil(4)
        html = row.text(5)
        url = row.text(6)
        rawURLID = row.textOrNil(7)
        parentSeq = row.int64OrNil(8)
        parentID = row.textOrNil(9)
        createdAt = row.int64(10)
        localDateString = row.textOrNil(11)
        localDateHours = row.int64OrNil(12)
        votesUp = row.int64(13)
        votesDown = row.int64(14)
        expireAt = row.int64OrNil(15)
        isVerified = row.bool(16)
        verifiedAt = row.int64OrNil(17)
        isParentNotified = row.boolOrNil(18)
        isTenantNotified = row.boolOrNil(19)
        externalID = row.textOrNil(20)
        externalParentID = row.textOrNil(21)
        avatar = row.textOrNil(22)
        isDeletedUser = row.bool(23)
        isByAdmin = row.bool(24)
        isByModerator = row.bool(25)
        pinnedAt = row.int64OrNil(26)
        isLocked = row.bool(27)
        label = row.textOrNil(28)
        meta = row.textOrNil(29)
        moderationGroups = row.textOrNil(30)
        feedbackIDs = row.textOrNil(31)
        ownWords = OwnWords(rawValue: row.int(32))
        domain = row.textOrNil(33)
    }

    static func load(_ seq: Int64, in session: inout Session) throws(APIError) -> CommentFields {
        let fields = try session.first(
            """
            SELECT user_id, anon_user_id, commenter_name, commenter_email, commenter_link, html, url, url_id_raw,
                   parent_seq, parent_id, created_at, local_date_string, local_date_hours, votes_up, votes_down,
                   expire_at, is_verified, verified_at, is_parent_notified, is_tenant_notified, external_id,
                   external_parent_id, avatar, is_deleted_user, is_by_admin, is_by_moderator, pinned_at, is_locked,
                   display_label, meta, moderation_groups, feedback_ids, own_words, domain
            FROM comment WHERE seq = ?1
            """,
            .integer(seq)
        ) { (row) throws(APIError) -> CommentFields in CommentFields(row) }
        guard let fields else { throw .commentNotFound }
        return fields
    }

    func save(_ seq: Int64, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE comment SET
                user_id = ?2, anon_user_id = ?3, author_key = COALESCE(?2, ?3), commenter_name = ?4,
                commenter_email = ?5, commenter_link = ?6, html = ?7, url = ?8, url_id_raw = ?9, parent_seq = ?10,
                parent_id = ?11, created_at = ?12, local_date_string = ?13, local_date_hours = ?14, votes_up = ?15,
                votes_down = ?16, expire_at = ?17, is_verified = ?18, verified_at = ?19, is_parent_notified = ?20,
                is_tenant_notified = ?21, external_id = ?22, external_parent_id = ?23, avatar = ?24,
                is_deleted_user = ?25, is_by_admin = ?26, is_by_moderator = ?27, pinned_at = ?28, is_locked = ?29,
                display_label = ?30, meta = ?31, moderation_groups = ?32, feedback_ids = ?33, own_words = ?34,
                domain = ?35, score = ?36, email_key = ?37, email_domain = ?38
            WHERE seq = ?1
            """,
            .integer(seq), .text(userID), .text(guestID), .text(name), .text(email), .text(link), .text(html),
            .text(url), .text(rawURLID), .int(parentSeq), .text(parentID), .integer(createdAt), .text(localDateString),
            .int(localDateHours), .integer(votesUp), .integer(votesDown), .int(expireAt), .bool(isVerified),
            .int(verifiedAt), .bool(isParentNotified), .bool(isTenantNotified), .text(externalID),
            .text(externalParentID), .text(avatar), .bool(isDeletedUser), .bool(isByAdmin), .bool(isByModerator),
            .int(pinnedAt), .bool(isLocked), .text(label), .text(meta), .text(moderationGroups), .text(feedbackIDs),
            .int(ownWords.rawValue), .text(domain),
            .real(Relevance.score(votesUp: votesUp, votesDown: votesDown, createdAt: createdAt)),
            .text(email.map(EmailAddress.key)), .text(email.map(EmailAddress.domain)))
    }

    // MARK: Changes

    mutating func apply(_ patch: CommentPatch, at now: Int64) {
        applyPlace(patch)
        applyWords(patch)
        createdAt = patch.date ?? createdAt
        localDateString = patch.localDateString.applied(to: localDateString)
        localDateHours = patch.localDateHours.applied(to: localDateHours)
        expireAt = patch.expireAt.applied(to: expireAt)
        if let isVerified = patch.isVerified, isVerified != self.isVerified {
            self.isVerified = isVerified
            verifiedAt = isVerified ? now : nil
        }
        verifiedAt = patch.verifiedAt.applied(to: verifiedAt)
        isParentNotified = patch.isParentNotified ?? isParentNotified
        isTenantNotified = patch.isTenantNotified ?? isTenantNotified
        externalID = patch.externalID.applied(to: externalID)
        externalParentID = patch.externalParentID.applied(to: externalParentID)
        isDeletedUser = patch.isDeletedUser ?? isDeletedUser
        isByAdmin = patch.isByAdmin ?? isByAdmin
        isByModerator = patch.isByModerator ?? isByModerator
        if let isPinned = patch.isPinned { pinnedAt = isPinned ? pinnedAt ?? now : nil }
        isLocked = patch.isLocked ?? isLocked
        meta = patch.meta.applied(to: meta)
        if let groups = patch.moderationGroups { moderationGroups = JSONText.list(groups) }
        feedbackIDs = patch.feedbackIDs ?? feedbackIDs
    }

    private mutating func applyPlace(_ patch: CommentPatch) {
        if let url = patch.url.value {
            self.url = PageFacts(url: url).url
            domain = WebAddress.host(self.url) ?? domain
        }
        rawURLID = patch.rawURLID.applied(to: rawURLID)
    }

    /// They show from now on, whatever the person is called.
    private mutating func applyWords(_ patch: CommentPatch) {
        if let name = patch.name.value {
            self.name = name
            ownWords.insert(.name)
        }
        email = patch.email.applied(to: email)
        if case .keep = patch.link {
        } else {
            link = patch.link.value
            ownWords.insert(.link)
        }
        if case .keep = patch.avatar {
        } else {
            avatar = patch.avatar.value
            ownWords.insert(.avatar)
        }
        if case .keep = patch.label {
        } else {
            label = patch.label.value
            ownWords.insert(.label)
        }
    }

    /// - Parameter author: nil is nobody.
    mutating func setAuthor(_ author: NamedIdentity?) {
        userID = author?.userID
        guestID = author?.guestID
        guard let author else { return }
        if let name = author.name, !ownWords.contains(.name) { self.name = name }
        email = author.email ?? email
        isByAdmin = author.isAdmin
        isByModerator = author.isModerator
    }

    mutating func setParent(_ parent: CommentRecord?) {
        parentSeq = parent?.seq
        parentID = parent?.id
    }

    /// Brings comments to another page.
    static func move(_ seqs: [Int64], to page: Int64, in session: inout Session) throws(APIError) {
        let list = Value.text(JSONText.numbers(seqs))
        try session.run(
            "UPDATE comment SET page_id = ?2 WHERE seq IN (SELECT value FROM json_each(?1))", list, .integer(page))
        try CommentSearch.move(seqs, to: page, in: &session)
    }
}
