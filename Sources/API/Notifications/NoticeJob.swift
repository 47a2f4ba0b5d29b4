import Domain
import Storage

/// Notices that are still to be made or taken away, and how far that is.
struct NoticeJob: Sendable {
    enum Kind: Int, Sendable {
        case visible = 0
        case edited = 1
        case gone = 2
    }

    /// Who comes first is told why first: nobody is told twice of one comment.
    enum Phase: Int, Sendable {
        /// People whom the comment names, and whom it answers.
        case named = 0
        /// Others who wrote in the thread.
        case thread = 1
        /// Whoever subscribed to the page; for roots.
        case subscribers = 2
    }

    /// A place in the work: the owners up to one, in one phase.
    struct Place: Sendable, Equatable {
        var phase: Phase
        var doneTo = ""
    }

    let id: Int64
    let tenant: String
    let kind: Kind
    let commentSeq: Int64
    let place: Place
    let createdAt: Int64

    // MARK: Storage

    static func insert(
        _ kind: Kind, _ comment: Int64, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            "INSERT INTO notice_job (tenant_id, kind, comment_seq, created_at) VALUES (?1, ?2, ?3, ?4)",
            .text(tenant), .int(kind.rawValue), .integer(comment), .integer(session.now))
    }

    /// One for each of the comments that somebody was told of.
    /// - Returns: how many.
    static func insertGone(
        _ comments: [Int64], tenant: String, in session: inout Session
    ) throws(APIError) -> Int {
        try session.run(
            """
            INSERT INTO notice_job (tenant_id, kind, comment_seq, created_at)
            SELECT ?1, ?2, gone.value, ?3 FROM json_each(?4) AS gone
            WHERE EXISTS (SELECT 1 FROM notice AS n WHERE n.comment_seq = gone.value)
            """,
            .text(tenant), .int(Kind.gone.rawValue), .integer(session.now), .text(JSONText.numbers(comments)))
    }

    /// The oldest jobs that were not begun, and the oldest that were: short ones do not wait for long ones.
    /// - Parameter limit: of each.
    static func next(_ limit: Int, in session: inout Session) throws(APIError) -> (new: [NoticeJob], begun: [NoticeJob])
    {
        let new = try session.query(
            """
            SELECT id, tenant_id, kind, comment_seq, phase, done_to, created_at FROM notice_job
            WHERE phase = 0 ORDER BY id LIMIT ?1
            """,
            .int(limit), row: job)
        let begun = try session.query(
            """
            SELECT id, tenant_id, kind, comment_seq, phase, done_to, created_at FROM notice_job
            WHERE phase > 0 ORDER BY id LIMIT ?1
            """,
            .int(limit), row: job)
        return (new.compactMap { $0 }, begun.compactMap { $0 })
    }

    private static func job(_ row: borrowing Row) throws(APIError) -> NoticeJob? {
        guard let kind = Kind(rawValue: row.int(2)), let phase = Phase(rawValue: row.int(4)) else { return nil }
        return NoticeJob(
            id: row.int64(0), tenant: row.text(1), kind: kind, commentSeq: row.int64(3),
            place: Place(phase: phase, doneTo: row.text(5)), createdAt: row.int64(6))
    }

    /// Notes how far the job is; nil is its end.
    /// - Returns: whether it still was where it was read.
    func move(to next: Place?, in session: inout Session) throws(APIError) -> Bool {
        guard let next else {
            return try session.run(
                "DELETE FROM notice_job WHERE id = ?1 AND phase = ?2 AND done_to = ?3",
                .integer(id), .int(place.phase.rawValue), .text(place.doneTo)) > 0
        }
        return try session.run(
            "UPDATE notice_job SET phase = ?4, done_to = ?5 WHERE id = ?1 AND phase = ?2 AND done_to = ?3",
            .integer(id), .int(place.phase.rawValue), .text(place.doneTo), .int(next.phase.rawValue),
            .text(next.doneTo)) > 0
    }
}
