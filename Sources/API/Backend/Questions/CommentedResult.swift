import Domain
import JSON
import Storage

/// An answer and the comment that it came with; closed key set.
struct CommentedResult: JSONWritable, Sendable {
    private let result: QuestionResult
    private let comment: AnsweringComment?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("comment")
            if let comment { comment.write(to: &json) } else { json.null() }
            json.member("result", result)
        }
    }

    /// Newest first.
    /// - Parameters:
    ///   - lowest: of the values, inclusive, as is the highest.
    static func list(
        _ query: QuestionSumsQuery, from lowest: Double, to highest: Double, limit: Int, tenant: String,
        in session: inout Session
    ) throws(APIError) -> [CommentedResult] {
        var found: [(createdAt: Int64, id: String)] = []
        for config in try QuestionConfigSQL.find(query.questionIDs, tenant: tenant, in: &session) {
            found += try session.query(
                """
                SELECT created_at, id FROM question_result INDEXED BY question_result_by_question
                WHERE tenant_id = ?1 AND question_id = ?2 AND created_at >= ?3 AND value BETWEEN ?4 AND ?5
                  AND (?6 IS NULL OR url_id = ?6)
                ORDER BY created_at DESC, id DESC LIMIT ?7
                """,
                .text(tenant), .text(config.id), .integer(query.start), .real(lowest), .real(highest),
                .text(query.urlID), .int(limit)
            ) { (row) throws(APIError) -> (createdAt: Int64, id: String) in (row.int64(0), row.text(1)) }
        }
        let ids = found.sorted { $0 > $1 }.prefix(limit).map(\.id)
        let results = try QuestionResultSQL.find(ids, tenant: tenant, in: &session)
        let comments = try AnsweringComment.load(results.compactMap(\.commentID), tenant: tenant, in: &session)
        return results.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map { result in
            CommentedResult(result: result, comment: result.commentID.flatMap { comments[$0] })
        }
    }
}

/// A comment in its innermost form.
private struct AnsweringComment: JSONWritable, Sendable {
    private let record: CommentRecord
    private let details: CommentDetails

    /// By their ids.
    static func load(
        _ ids: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [String: AnsweringComment] {
        let seqs = try session.query(
            "SELECT seq FROM comment WHERE +tenant_id = ?1 AND id IN (SELECT value FROM json_each(?2))",
            .text(tenant), .list(ids)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
        let details = try CommentDetails.load(seqs, in: &session)
        var comments: [String: AnsweringComment] = [:]
        for record in try CommentSQL.records(seqs, in: &session) {
            guard let details = details[record.seq] else { continue }
            comments[record.id] = AnsweringComment(record: record, details: details)
        }
        return comments
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", record.id)
            json.member("urlId", details.urlID)
            json.member("urlIdRaw", ifPresent: details.rawURLID)
            json.member("pageTitle", orNull: details.pageTitle)
            record.writeSharedMembers(to: &json)
            record.writeInnerMembers(to: &json)
            json.member("commenterName", record.name)
            json.member("commenterEmail", orNull: record.email)
            json.member("commenterLink", orNull: record.link)
            json.key("date")
            json.date(milliseconds: record.createdAt)
            json.member("reviewed", record.state.isReviewed)
            json.member("viewCount", record.viewCount)
            details.writeMembers(to: &json)
        }
    }
}
