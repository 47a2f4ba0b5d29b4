import Domain
import JSON
import Live
import Storage

/// Views as rows: each viewer counts once for a comment, and again two years later.
enum ViewSQL {
    /// For so long a viewer is not counted again, milliseconds.
    static let lifetime: Int64 = 2 * 365 * 24 * 3600 * 1000
    /// So many viewers of a comment are remembered, the newest; older ones would count again.
    static let rememberedViewers: Int64 = 20_000
    /// A comment with more viewers than are remembered is trimmed once in so many.
    private static let trimEvery: Int64 = 1000
    /// Rows deleted in one step.
    private static let stepRows: Int64 = 512
    /// Comments looked at in one step.
    private static let stepComments = 20

    /// What became of one comment.
    private struct Change {
        let seq: Int64
        let id: String
        let total: Int64
        let isPublic: Bool
    }

    /// Counts the views that are new and tells those who see the comments the new totals.
    static func count(_ unit: [PageViews], in session: inout Session) throws(APIError) {
        for views in unit {
            var changes: [Change] = []
            for (seq, viewers) in views.viewers.sorted(by: { $0.key < $1.key }) {
                if let change = try count(seq, viewers, in: &session) { changes.append(change) }
            }
            guard !changes.isEmpty else { continue }
            try session.run("UPDATE page SET view_version = view_version + 1 WHERE id = ?1", .integer(views.page))
            try announce(changes.filter(\.isPublic), page: views.page, in: &session)
        }
    }

    /// One event for each circle of people who see the same comments.
    private static func announce(_ changes: [Change], page: Int64, in session: inout Session) throws(APIError) {
        guard !changes.isEmpty, let page = try PageSQL.find(id: page, in: &session),
            let tenant = try TenantSQL.find(page.tenant, in: &session)
        else { return }
        var circles: [Audience: [Change]] = [:]
        for change in changes {
            let circle = try CommentSight.audience(of: change.seq, on: page, tenant, in: &session)
            circles[circle, default: []].append(change)
        }
        for (audience, changes) in circles {
            let told = changes.map { (id: $0.id, total: $0.total) }
            let event = LiveEvent.make(
                .viewCounts, broadcastID: nil, audience: audience, isLogged: false, at: session.now
            ) { json in
                json.key("changes")
                json.object { json in
                    for (id, total) in told {
                        json.key(id)
                        json.int(total)
                    }
                }
            }
            try session.emit(event, to: page.room)
        }
    }

    private static func count(
        _ seq: Int64, _ viewers: [Int64], in session: inout Session
    ) throws(APIError) -> Change? {
        let added = try session.run(
            """
            INSERT INTO comment_view (comment_seq, viewer, seen_at)
            SELECT c.seq, v.value, ?3 FROM comment AS c JOIN json_each(?2) AS v WHERE c.seq = ?1
            ON CONFLICT (comment_seq, viewer) DO UPDATE SET seen_at = excluded.seen_at
                WHERE comment_view.seen_at <= excluded.seen_at - ?4
            """,
            .integer(seq), .text(JSONText.numbers(viewers)), .integer(session.now), .integer(lifetime))
        guard added > 0 else { return nil }
        let change = try session.first(
            """
            UPDATE comment SET view_count = view_count + ?2 WHERE seq = ?1
            RETURNING id, view_count, is_approved = 1 AND is_spam = 0
            """,
            .integer(seq), .integer(Int64(added))
        ) { (row) throws(APIError) -> Change in
            Change(seq: seq, id: row.text(0), total: row.int64(1), isPublic: row.bool(2))
        }
        if let total = change?.total, total > rememberedViewers,
            total / trimEvery != (total - Int64(added)) / trimEvery
        {
            try trim(seq, in: &session)
        }
        return change
    }

    private static func trim(_ seq: Int64, in session: inout Session) throws(APIError) {
        try session.run(
            """
            DELETE FROM comment_view WHERE comment_seq = ?1 AND viewer IN (
                SELECT viewer FROM comment_view WHERE comment_seq = ?1 ORDER BY seen_at DESC LIMIT -1 OFFSET ?2)
            """,
            .integer(seq), .integer(rememberedViewers))
    }

    // MARK: Clearing away

    /// The first of the next few comments that has views past its time, or is gone; and where the next step goes on, which is
    /// 0 at the end. For readers.
    static func useless(
        after seq: Int64, in session: inout Session
    ) throws(APIError) -> (seq: Int64?, next: Int64) {
        var cursor = seq
        for _ in 0..<stepComments {
            let next = try session.first(
                "SELECT comment_seq FROM comment_view WHERE comment_seq > ?1 ORDER BY comment_seq LIMIT 1",
                .integer(cursor)
            ) { (row) throws(APIError) -> Int64 in row.int64(0) }
            guard let next else { return (nil, 0) }
            let isUseless = try session.first(
                """
                SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM comment WHERE seq = ?1)
                    OR EXISTS (SELECT 1 FROM comment_view WHERE comment_seq = ?1 AND seen_at <= ?2)
                """,
                .integer(next), .integer(session.now - lifetime)
            ) { (row) throws(APIError) -> Int in row.int(0) }
            // Looked at again: a step deletes only so many rows.
            if isUseless != nil { return (next, next - 1) }
            cursor = next
        }
        return (nil, cursor)
    }

    static func deleteUseless(_ seq: Int64, in session: inout Session) throws(APIError) {
        try session.run(
            """
            DELETE FROM comment_view WHERE comment_seq = ?1 AND viewer IN (
                SELECT viewer FROM comment_view
                WHERE comment_seq = ?1
                  AND (seen_at <= ?2 OR NOT EXISTS (SELECT 1 FROM comment WHERE seq = ?1))
                LIMIT ?3)
            """,
            .integer(seq), .integer(session.now - lifetime), .integer(stepRows))
    }
}
