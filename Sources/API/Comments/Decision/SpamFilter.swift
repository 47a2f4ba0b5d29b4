import Domain
import JSON
import Storage

/// What a tenant's moderators taught about spam.
enum SpamFilter {
    /// Features of a tenant that are kept, and a few more between two times of clearing up. Those that were seen least, and
    /// of these the oldest, go.
    static let vocabularyLimit = 20_000
    /// Lessons of a tenant that can be taken back: the newest.
    static let lessonLimit = 20_000
    /// Lessons between two times of clearing up.
    private static let clearingInterval: Int64 = 50

    /// Asks once for all that is known. On any lane.
    static func logOdds(_ source: String, tenant: String, in session: inout Session) throws(APIError) -> Double {
        let features = SpamFeatures.of(source)
        var counts: [String: SpamCount] = [:]
        var total = SpamCount(spam: 0, ham: 0)
        try session.forEach(
            """
            SELECT NULL, spam_count, ham_count FROM spam_total WHERE tenant_id = ?1
            UNION ALL
            SELECT feature, spam_count, ham_count FROM spam_feature
            WHERE tenant_id = ?1 AND feature IN (SELECT value FROM json_each(?2))
              AND EXISTS (SELECT 1 FROM spam_total WHERE tenant_id = ?1)
            """,
            .text(tenant), .text(JSONText.list(features))
        ) { (row) throws(APIError) in
            let count = SpamCount(spam: Double(row.int64(1)), ham: Double(row.int64(2)))
            if let feature = row.textOrNil(0) { counts[feature] = count } else { total = count }
        }
        return SpamModel.shipped.logOdds(features, counts: counts, total: total)
    }

    // MARK: Lessons

    /// Learns from a moderator's act; each comment teaches one thing at a time.
    static func learn(
        from act: ModerationAct, _ comment: CommentRecord, in session: inout Session
    ) throws(APIError) {
        switch act {
        case .markSpam: try teach(comment, isSpam: true, in: &session)
        case .markNotSpam: try teach(comment, isSpam: false, in: &session)
        case .putBack(let verdict) where verdict.isSpam || verdict.isApproved:
            try teach(comment, isSpam: verdict.isSpam, in: &session)
        case .approve(true) where !comment.isSpam && !comment.isApproved:
            try teach(comment, isSpam: false, in: &session)
        // That it shall not be shown does not make it spam.
        case .approve(false), .putBack: try forget(comment, in: &session)
        case .approve, .review, .countFlag, .clearFlags: break
        }
    }

    private static func teach(
        _ comment: CommentRecord, isSpam: Bool, in session: inout Session
    ) throws(APIError) {
        if let known = try lesson(of: comment, in: &session) {
            guard known.isSpam != isSpam else { return }
            try count(known.features, known.isSpam, -1, comment.tenant, in: &session)
        }
        let features = JSONText.list(SpamFeatures.of(comment.source))
        try session.run(
            """
            INSERT INTO spam_lesson (tenant_id, comment_id, is_spam, features, learned_at)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (tenant_id, comment_id) DO UPDATE
            SET is_spam = excluded.is_spam, features = excluded.features, learned_at = excluded.learned_at
            """,
            .text(comment.tenant), .text(comment.id), .bool(isSpam), .text(features), .integer(session.now))
        try count(features, isSpam, 1, comment.tenant, in: &session)
        try clearUp(comment.tenant, in: &session)
    }

    private static func forget(_ comment: CommentRecord, in session: inout Session) throws(APIError) {
        guard let known = try lesson(of: comment, in: &session), !known.isSpam else { return }
        try count(known.features, known.isSpam, -1, comment.tenant, in: &session)
        try session.run(
            "DELETE FROM spam_lesson WHERE tenant_id = ?1 AND comment_id = ?2", .text(comment.tenant),
            .text(comment.id))
    }

    private static func lesson(
        of comment: CommentRecord, in session: inout Session
    ) throws(APIError) -> (isSpam: Bool, features: String)? {
        try session.first(
            "SELECT is_spam, features FROM spam_lesson WHERE tenant_id = ?1 AND comment_id = ?2",
            .text(comment.tenant), .text(comment.id)
        ) { (row) throws(APIError) -> (isSpam: Bool, features: String) in (row.bool(0), row.text(1)) }
    }

    /// Adds to the counts, or takes away what was added.
    private static func count(
        _ features: String, _ isSpam: Bool, _ change: Int64, _ tenant: String, in session: inout Session
    ) throws(APIError) {
        let (spam, ham): (Int64, Int64) = isSpam ? (change, 0) : (0, change)
        if change > 0 {
            try session.run(
                """
                INSERT INTO spam_feature (tenant_id, feature, spam_count, ham_count, seen_at)
                SELECT ?1, value, ?3, ?4, ?5 FROM json_each(?2) WHERE true
                ON CONFLICT (tenant_id, feature) DO UPDATE
                SET spam_count = spam_count + ?3, ham_count = ham_count + ?4, seen_at = ?5
                """,
                .text(tenant), .text(features), .integer(spam), .integer(ham), .integer(session.now))
        } else {
            // One that went and came back may have fewer than are taken away.
            try session.run(
                """
                UPDATE spam_feature SET spam_count = max(0, spam_count + ?3), ham_count = max(0, ham_count + ?4)
                WHERE tenant_id = ?1 AND feature IN (SELECT value FROM json_each(?2))
                """,
                .text(tenant), .text(features), .integer(spam), .integer(ham))
            try session.run(
                """
                DELETE FROM spam_feature WHERE tenant_id = ?1 AND spam_count = 0 AND ham_count = 0
                  AND feature IN (SELECT value FROM json_each(?2))
                """,
                .text(tenant), .text(features))
        }
        try session.run(
            """
            INSERT INTO spam_total (tenant_id, spam_count, ham_count, lesson_count)
            VALUES (?1, max(0, ?2), max(0, ?3), 1)
            ON CONFLICT (tenant_id) DO UPDATE
            SET spam_count = max(0, spam_count + ?2), ham_count = max(0, ham_count + ?3),
                lesson_count = lesson_count + max(0, ?2 + ?3)
            """,
            .text(tenant), .integer(spam), .integer(ham))
    }

    // MARK: Bounds

    private static func clearUp(_ tenant: String, in session: inout Session) throws(APIError) {
        let lessons = try session.first(
            "SELECT lesson_count FROM spam_total WHERE tenant_id = ?1", .text(tenant)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        guard let lessons, lessons % clearingInterval == 0 else { return }
        try session.run(
            """
            DELETE FROM spam_feature WHERE tenant_id = ?1 AND feature IN (
                SELECT feature FROM spam_feature WHERE tenant_id = ?1
                ORDER BY spam_count + ham_count, seen_at
                LIMIT max(0, (SELECT COUNT(*) FROM spam_feature WHERE tenant_id = ?1) - ?2))
            """,
            .text(tenant), .int(vocabularyLimit))
        try session.run(
            """
            DELETE FROM spam_lesson WHERE tenant_id = ?1 AND comment_id IN (
                SELECT comment_id FROM spam_lesson WHERE tenant_id = ?1 ORDER BY learned_at
                LIMIT max(0, (SELECT COUNT(*) FROM spam_lesson WHERE tenant_id = ?1) - ?2))
            """,
            .text(tenant), .int(lessonLimit))
    }
}
