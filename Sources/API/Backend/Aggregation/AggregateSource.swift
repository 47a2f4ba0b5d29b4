import Domain
import JSON
import Storage

/// One field of what can be counted. What names or finds people beyond their ids, and what is secret, is none.
struct AggregateField: Sendable {
    enum Kind: Sendable {
        case text
        case number
        case flag
        /// Milliseconds.
        case date
        /// JSON array.
        case list
    }

    let name: String
    let kind: Kind
    /// Of the row `r`.
    let sql: StaticString

    static func text(_ name: String, _ sql: StaticString) -> AggregateField { .init(name: name, kind: .text, sql: sql) }
    static func number(_ name: String, _ sql: StaticString) -> AggregateField {
        .init(name: name, kind: .number, sql: sql)
    }
    static func flag(_ name: String, _ sql: StaticString) -> AggregateField { .init(name: name, kind: .flag, sql: sql) }
    static func date(_ name: String, _ sql: StaticString) -> AggregateField { .init(name: name, kind: .date, sql: sql) }
    static func list(_ name: String, _ sql: StaticString) -> AggregateField { .init(name: name, kind: .list, sql: sql) }

    /// What a request compares with; nil when it does not fit.
    func value(_ json: JSONValue) -> Value? {
        switch kind {
        case .text, .list:
            if let text = json.string { return .text(text) }
            return json.double == nil ? nil : .text(String(decoding: json.jsonBytes(), as: UTF8.self))
        case .number: return (json.double ?? json.string.flatMap { Double($0) }).map { .real($0) }
        case .flag:
            guard let text = json.string else { return json.bool.map { .bool($0) } }
            return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case .date: return (json.integer ?? json.string.flatMap(ISODate.parse)).map { .integer($0) }
        }
    }

    /// A column as text; empty for nothing.
    func text(_ row: borrowing Row, _ column: Int) -> String {
        guard !row.isNull(column) else { return "" }
        switch kind {
        case .flag: return row.bool(column) ? "true" : "false"
        case .date: return ISODate.format(milliseconds: row.int64(column))
        case .text, .number, .list: return row.text(column)
        }
    }
}

/// What can be counted (contract: admin 5.22): rows of one kind, of one tenant or of several.
struct AggregateSource: Sendable {
    let name: String
    let from: StaticString
    /// With the list of tenants as its only value, unless that stands in `from`.
    let condition: StaticString
    let fields: [AggregateField]

    init(_ name: String, _ from: StaticString, _ condition: StaticString, _ fields: [AggregateField]) {
        self.name = name
        self.from = from
        self.condition = condition
        self.fields = fields
    }

    static func find(_ name: String) -> AggregateSource? { all.first { $0.name == name } }

    /// - Throws: `invalid-input` (400).
    func field(_ name: String) throws(APIError) -> AggregateField {
        guard let field = fields.first(where: { $0.name == name }) else {
            let names = fields.map(\.name).joined(separator: ", ")
            throw .invalidInput("\(self.name) has no field \(name.cut(to: 100)). It has \(names).")
        }
        return field
    }
}

extension AggregateSource {
    static let all: [AggregateSource] = comments + votes + pages + people + progress + bells + logs

    private static let commentFields: [AggregateField] = [
        .text("id", "r.id"), .text("urlId", "(SELECT p.url_id FROM page AS p WHERE p.id = r.page_id)"),
        .text("url", "r.url"), .text("domain", "r.domain"), .text("userId", "r.user_id"),
        .text("anonUserId", "r.anon_user_id"), .text("commenterName", "r.commenter_name"),
        .text("parentId", "r.parent_id"), .date("date", "r.created_at"), .text("locale", "r.locale"),
        .number("votes", "(r.votes_up - r.votes_down)"), .number("votesUp", "r.votes_up"),
        .number("votesDown", "r.votes_down"), .number("flagCount", "r.flag_count"),
        .number("viewCount", "r.view_count"),
        .number("rating", "r.rating"), .flag("approved", "r.is_approved"), .flag("reviewed", "r.is_reviewed"),
        .flag("isSpam", "r.is_spam"), .flag("verified", "r.is_verified"), .flag("isDeleted", "r.is_deleted"),
        .flag("isDeletedUser", "r.is_deleted_user"), .flag("isByAdmin", "r.is_by_admin"),
        .flag("isByModerator", "r.is_by_moderator"), .flag("isLocked", "r.is_locked"),
        .flag("isPinned", "(r.pinned_at IS NOT NULL)"), .flag("hasImages", "r.has_images"),
        .flag("hasLinks", "r.has_links"), .flag("hasCode", "r.has_code"), .list("feedbackIds", "r.feedback_ids"),
        .list("moderationGroupIds", "r.moderation_groups"),
    ]

    private static let comments = [
        AggregateSource(
            "Comment", "FROM comment AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))", commentFields),
        AggregateSource(
            "CommentDeleted", "FROM trash AS t JOIN trash_comment AS r ON r.seq = t.seq",
            "WHERE t.tenant_id IN (SELECT value FROM json_each(?))",
            commentFields + [.date("deletedAt", "t.removed_at")]),
        AggregateSource(
            "QuestionResult", "FROM question_result AS r JOIN question_config AS q ON q.id = r.question_id",
            "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("urlId", "r.url_id"), .text("userId", "r.user_id"),
                .text("anonUserId", "r.anon_user_id"), .text("questionId", "r.question_id"),
                .text("commentId", "r.comment_id"), .number("value", "r.value"), .date("createdAt", "r.created_at"),
            ]),
    ]

    private static let voteFields: [AggregateField] = [
        .text("id", "r.id"), .text("userId", "r.user_id"), .text("anonUserId", "r.anon_user_id"),
        .text("commentId", "(SELECT c.id FROM comment AS c WHERE c.seq = r.comment_seq)"),
        .number("direction", "r.direction"), .date("createdAt", "r.created_at"),
    ]

    private static let votes = [
        AggregateSource(
            "Vote", "FROM vote AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?)) AND r.user_id IS NOT NULL",
            voteFields),
        AggregateSource(
            "AnonymousVote", "FROM vote AS r",
            "WHERE r.tenant_id IN (SELECT value FROM json_each(?)) AND r.user_id IS NULL", voteFields),
    ]

    private static let pages = [
        AggregateSource(
            "Page", "FROM page AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?)) AND r.is_removed = 0",
            [
                .text("id", "r.id"), .text("urlId", "r.url_id"), .text("url", "r.url"), .text("title", "r.title"),
                .flag("isClosed", "r.is_closed"), .date("createdAt", "r.created_at"),
                .list("accessibleByGroupIds", "r.group_ids"),
            ]),
        AggregateSource(
            "PageReact", "FROM page_react AS r JOIN page AS p ON p.id = r.page_id",
            "WHERE p.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.rowid"), .text("urlId", "p.url_id"), .text("reactId", "r.react_id"),
                .text("userId", "r.user_id"), .date("createdAt", "r.created_at"),
            ]),
    ]

    private static let people = [
        AggregateSource(
            "User", "FROM account AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .number("loginCount", "r.login_count"), .date("signUpDate", "r.created_at"),
                .date("lastLoginDate", "r.last_login_at"),
            ]),
        AggregateSource(
            "SSOUser", "FROM person AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("locale", "r.locale"), .number("loginCount", "r.login_count"),
                .flag("isAdmin", "r.is_admin"), .flag("isModerator", "r.is_moderator"),
                .date("signUpDate", "r.created_at"), .list("groupIds", "r.group_ids"),
            ]),
        AggregateSource(
            "Moderator", "FROM moderator AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("userId", "r.user_id"), .flag("acceptedInvite", "r.has_accepted"),
                .number("markReviewedCount", "r.reviewed_count"), .number("deletedCount", "r.deleted_count"),
                .number("markedSpamCount", "r.spam_count"), .number("approvedCount", "r.approved_count"),
                .number("bannedCount", "r.banned_count"), .date("createdAt", "r.created_at"),
            ]),
        AggregateSource(
            "BannedUser", "FROM ban AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("bannedByUserId", "r.banned_by"), .flag("isShadow", "r.is_shadow"),
                .date("bannedUntil", "r.until"), .date("createdAt", "r.created_at"),
            ]),
        AggregateSource(
            "BlockedUser", "FROM block AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.rowid"), .text("userId", "r.blocker_key"), .text("blockedUserId", "r.blocked_key"),
                .date("createdAt", "r.created_at"),
            ]),
        AggregateSource(
            "UserBadge", "FROM user_badge AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("userId", "r.user_key"), .text("badgeId", "r.badge_id"),
                .flag("displayedOnComments", "r.is_displayed"), .date("createdAt", "r.received_at"),
            ]),
    ]

    /// Of whoever wrote something that is there.
    private static let progress = [
        AggregateSource(
            "UserBadgeProgress",
            """
            FROM (
                SELECT tenant_id, author_key AS id, id AS first_id, MIN(created_at) AS first_at FROM comment
                WHERE tenant_id IN (SELECT value FROM json_each(?)) AND author_key IS NOT NULL AND is_deleted = 0
                GROUP BY tenant_id, author_key
            ) AS r
            """,
            "WHERE TRUE",
            [
                .text("id", "r.id"), .text("userId", "r.id"), .text("firstCommentId", "r.first_id"),
                .date("firstCommentDate", "r.first_at"),
                .number(
                    "manualTrustFactor",
                    """
                    (SELECT t.factor FROM manual_trust AS t WHERE t.tenant_id = r.tenant_id AND t.user_key = r.id)
                    """),
                .date(
                    "tosAcceptedAt",
                    """
                    (SELECT t.accepted_at FROM terms_acceptance AS t
                     WHERE t.tenant_id = r.tenant_id AND t.person_id = r.id)
                    """),
            ])
    ]

    private static let bells = [
        AggregateSource(
            "UserNotification", "FROM notice AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("userId", "r.owner_key"), .number("type", "r.kind"),
                .flag("viewed", "r.is_viewed"), .flag("sent", "r.is_sent"), .date("createdAt", "r.created_at"),
            ]),
        AggregateSource(
            "UserSubscription", "FROM subscription AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("urlId", "r.url_id"), .text("userId", "r.user_id"),
                .text("anonUserId", "r.anon_user_id"), .number("notificationFrequency", "r.notification_frequency"),
                .date("createdAt", "r.created_at"),
            ]),
    ]

    private static let logs = [
        AggregateSource(
            "TenantAuditLog", "FROM audit_log AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.id"), .text("resourceName", "r.resource"), .text("crudType", "r.act"),
                .text("from", "r.origin"), .text("userId", "r.actor_id"), .date("when", "r.happened_at"),
            ]),
        // What moderators and the filter said, as long as the log has it.
        AggregateSource(
            "SpamEvent", "FROM comment_log AS r",
            """
            WHERE r.tenant_id IN (SELECT value FROM json_each(?)) AND r.event IN (
                'SpamStatusChanged', 'IsSpam', 'IsSpamDueToBadWords', 'IsSpamRepeatComment', 'SpamRuleMatch',
                'NotSpamPerfectTrustFactor', 'NotSpamFromEngine')
            """,
            [
                .text("id", "r.id"), .text("commentId", "r.comment_id"), .text("type", "r.event"),
                .flag(
                    "isSpam",
                    """
                    CASE r.event WHEN 'SpamStatusChanged' THEN r.after = 'true' ELSE r.event NOT LIKE 'Not%' END
                    """),
                .flag("byModerator", "(r.actor IS NOT NULL)"), .date("createdAt", "r.happened_at"),
            ]),
        AggregateSource(
            "TenantDailyUsage", "FROM daily_usage AS r", "WHERE r.tenant_id IN (SELECT value FROM json_each(?))",
            [
                .text("id", "r.day"), .number("commentCreateCount", "r.comments"),
                .number("conversationCreateCount", "r.conversations"), .number("voteCount", "r.votes"),
                .number("accountCreatedCount", "r.accounts"), .date("createdAt", "(r.day * 86400000)"),
            ]),
    ]
}
