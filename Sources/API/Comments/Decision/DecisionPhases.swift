import Domain
import RichText
import Storage

extension DecisionPhase {
    /// Trust from which on nothing is spam.
    private static let perfectTrust = 100
    /// Trust above which somebody may repeat themselves, and the filter must be surer.
    private static let halfTrust = 50

    @Sendable
    static func countRate(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        guard matter.questions.contains(.rate), !matter.tenant.isExemptFromLimits else { return }
        try matter.services.limits.checkComments(matter.limitKeys, limit: matter.limit, at: session.now)
    }

    /// Masks, or calls it spam.
    @Sendable
    static func lookForProfanity(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        guard matter.questions.contains(.profanity), !matter.isStaff, let first = matter.screening.words.first else {
            return
        }
        if matter.tenant.moderation.sendsProfaneToSpam {
            if matter.questions.contains(.spam) { verdict.markSpam(.isSpamDueToBadWords, first.text) }
        } else {
            verdict.mask(first.isPhrase ? .badWordsFoundBadPhrase : .badWordsFoundBadWord, first.text)
        }
    }

    /// What the site itself says of certain words.
    @Sendable
    static func followRules(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        guard matter.questions.contains(.spam), !matter.isStaff else { return }
        switch matter.draft.verdict.isSpam {
        case true: verdict.markSpam(.spamRuleMatch, matter.draft.verdict.rule)
        case false: verdict.isNotSpam = true
        case nil: break
        }
    }

    /// What moderators marked before.
    @Sendable
    static func askFilter(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        guard matter.questions.contains(.spam), !matter.isStaff, !verdict.isNotSpam, !verdict.isSpam,
            let odds = matter.screening.spamOdds, odds >= SpamModel.threshold
        else { return }
        let trust = try trust(of: matter, in: &session)
        if trust >= perfectTrust { return verdict.note(.notSpamPerfectTrustFactor, nil) }
        if trust > halfTrust, odds < SpamModel.trustedThreshold {
            return verdict.note(.notSpamFromEngine, String(trust))
        }
        verdict.markSpam(.isSpam, "naive Bayes, \(Int(odds.rounded()))")
    }

    @Sendable
    static func lookForRepetition(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        let settings = matter.tenant.moderation
        guard matter.questions.contains(.repetition), settings.repeatAction != .allow,
            !matter.tenant.isExemptFromLimits, !matter.draft.verdict.ignoresRepeat, !matter.draft.rendered.hasImages,
            matter.draft.rendered.plainText.visibleCount >= settings.repeatMinimum,
            try Repetition.isOne(matter, in: &session)
        else { return }
        let trust = try trust(of: matter, in: &session)
        if trust > halfTrust { return verdict.note(.repeatCommentCheckIgnored, "trust \(trust)") }
        guard settings.repeatAction == .spam else {
            throw APIError(422, "duplicate", "You have just posted the same text here.", phrase: .duplicate)
        }
        if !matter.isStaff { verdict.markSpam(.isSpamRepeatComment) }
    }

    /// Somebody whom a moderator trusts little waits.
    @Sendable
    static func askTrust(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        guard matter.questions.contains(.approval), !matter.isStaff, verdict.isApproved, let key = matter.authorKey,
            let trust = try Trust.manual(key, tenant: matter.tenant.id, in: &session),
            trust < ModerationSettings.lowTrust
        else { return }
        verdict.hold(.notApprovedLowTrustFactor, String(trust))
    }

    @Sendable
    static func askApproval(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        guard matter.questions.contains(.approval), !matter.isStaff, verdict.isApproved else { return }
        let isApproved = try matter.tenant.moderation.approves(isVerified: matter.isVerified) {
            () throws(APIError) -> Bool in
            guard let key = matter.authorKey else { return false }
            return try KnownAuthorSQL.hasVisible(key, tenant: matter.tenant.id, in: &session)
        }
        if !isApproved { verdict.hold(.notApprovedRequiresApproval) }
    }

    /// Whether spam is kept at all.
    @Sendable
    static func applyPolicy(
        _ matter: CommentMatter, _ verdict: inout CommentVerdict, _ session: inout Session
    ) throws(APIError) {
        guard verdict.isSpam, matter.mayRefuse, matter.tenant.moderation.refusesSpam else { return }
        throw APIError(422, "spam", "The comment looks like spam.", phrase: .spam)
    }

    private static func trust(of matter: CommentMatter, in session: inout Session) throws(APIError) -> Int {
        guard let key = matter.authorKey else { return 0 }
        return try Trust.of(key, tenant: matter.tenant.id, in: &session).factor ?? 0
    }
}

/// Who was approved before.
enum KnownAuthorSQL {
    /// Of the newest comments of somebody, that many are looked at.
    private static let limit = 200

    static func hasVisible(_ key: String, tenant: String, in session: inout Session) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM (
                SELECT is_approved, is_spam, is_deleted FROM comment WHERE tenant_id = ?1 AND author_key = ?2
                ORDER BY seq DESC LIMIT ?3
            ) WHERE is_approved = 1 AND is_spam = 0 AND is_deleted = 0 LIMIT 1
            """,
            .text(tenant), .text(key), .int(limit)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}

/// Somebody says the same twice (contract: public 6.2, admin 8.1).
enum Repetition {
    /// Within this time the same text on the same page is a repetition, milliseconds.
    static let window: Int64 = 30_000
    /// The newest comments of the page among which it is looked for.
    private static let recentComments = 100
    /// The newest comments of the author that are compared.
    private static let comparisons = 10

    static func isOne(_ matter: CommentMatter, in session: inout Session) throws(APIError) -> Bool {
        let former = try recent(matter, in: &session)
        if former.contains(where: { $0.digest == matter.draft.digest }) { return true }
        return former.contains { Similarity.isNearRepetition(matter.draft.source, of: $0.source) }
    }

    /// What the author said lately in the same place. A guest without a session is a new one each time: name and address
    /// stand for the person.
    private static func recent(
        _ matter: CommentMatter, in session: inout Session
    ) throws(APIError) -> [(digest: String?, source: String)] {
        try session.query(
            """
            SELECT text_digest, source FROM comment
            WHERE seq IN (
                SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key = ?2 ORDER BY seq DESC LIMIT ?6)
              AND created_at > ?4 AND parent_id IS NOT DISTINCT FROM ?5
              AND page_id = (SELECT id FROM page WHERE tenant_id = ?1 AND url_id = ?3)
            ORDER BY seq DESC
            """,
            .text(matter.tenant.id), .text(matter.authorKey), .text(matter.urlID),
            .integer(session.now - window), .text(matter.parentID), .int(comparisons), row: text)
            + (try matter.passerBy.map { (guest) throws(APIError) in try recent(matter, guest, in: &session) } ?? [])
    }

    /// What somebody of the same name and address said lately in the same place.
    private static func recent(
        _ matter: CommentMatter, _ guest: (name: String, email: String?), in session: inout Session
    ) throws(APIError) -> [(digest: String?, source: String)] {
        try session.query(
            """
            SELECT text_digest, source FROM (
                SELECT c.* FROM comment AS c JOIN page AS p ON p.id = c.page_id
                WHERE p.tenant_id = ?1 AND p.url_id = ?2 ORDER BY c.seq DESC LIMIT ?7
            ) AS recent
            WHERE created_at > ?3 AND parent_id IS NOT DISTINCT FROM ?4 AND anon_user_id IS NOT NULL
              AND commenter_name = ?5 AND commenter_email IS NOT DISTINCT FROM ?6
            LIMIT ?8
            """,
            .text(matter.tenant.id), .text(matter.urlID), .integer(session.now - window), .text(matter.parentID),
            .text(guest.name), .text(guest.email), .int(recentComments), .int(comparisons), row: text)
    }

    private static func text(_ row: borrowing Row) throws(APIError) -> (digest: String?, source: String) {
        (row.textOrNil(0), row.text(1))
    }
}
