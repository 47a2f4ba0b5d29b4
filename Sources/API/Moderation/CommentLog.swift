import Domain
import Storage

/// What happens to a comment, as its log names it (contract: admin 6.2).
enum CommentLogEvent: String, Sendable {
    case anonymized = "Anonymized"
    case restoredFromAnonymized = "RestoredFromAnonymized"
    case reviewStatusChanged = "ReviewStatusChanged"
    case spamStatusChanged = "SpamStatusChanged"
    case approveStatusChanged = "ApproveStatusChanged"
    case textChanged = "TextChanged"
    case votesChanged = "VotesChanged"
    case badgeAwarded = "BadgeAwarded"
    case flagged = "Flagged"
    case unFlagged = "UnFlagged"
    // Decisions about new texts.
    case badWordsFoundBadPhrase = "BadWordsFoundBadPhrase"
    case badWordsFoundBadWord = "BadWordsFoundBadWord"
    case isSpamDueToBadWords = "IsSpamDueToBadWords"
    case spamRuleMatch = "SpamRuleMatch"
    case isSpam = "IsSpam"
    case isSpamRepeatComment = "IsSpamRepeatComment"
    case notSpamPerfectTrustFactor = "NotSpamPerfectTrustFactor"
    case notSpamFromEngine = "NotSpamFromEngine"
    case repeatCommentCheckIgnored = "RepeatCommentCheckIgnored"
    case notApprovedLowTrustFactor = "NotApprovedLowTrustFactor"
    case notApprovedRequiresApproval = "NotApprovedRequiresApproval"
}

enum CommentLog {
    /// - Parameters:
    ///   - actor: whose name moderators read; nil is the program.
    ///   - before: what was changed; nil where the event says it all.
    static func note(
        _ event: CommentLogEvent, _ comment: CommentRecord, by actor: String?, before: String? = nil,
        after: String? = nil, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO comment_log (tenant_id, comment_id, happened_at, event, actor, before, after)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            .text(comment.tenant), .text(comment.id), .integer(session.now), .text(event.rawValue), .text(actor),
            .text(before), .text(after))
    }

    /// Forgets what happened to those of the comments that somebody wrote who is deleted. Before they go.
    static func forget(_ seqs: [Int64], by author: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            DELETE FROM comment_log WHERE (tenant_id, comment_id) IN (
                SELECT tenant_id, id FROM comment
                WHERE seq IN (SELECT value FROM json_each(?1)) AND author_key = ?2)
            """,
            .text(JSONText.numbers(seqs)), .text(author))
    }

    /// What a phase of a decision says of a comment.
    static func note(
        _ event: CommentLogEvent, _ id: String, _ tenant: String, phase: String, reason: String?,
        in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO comment_log (tenant_id, comment_id, happened_at, event, phase, after)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            .text(tenant), .text(id), .integer(session.now), .text(event.rawValue), .text(phase), .text(reason))
    }
}
