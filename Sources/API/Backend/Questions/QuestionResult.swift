import Domain
import JSON
import Storage

/// One answer to a question (contract: admin 5.19); closed key set.
struct QuestionResult: JSONWritable, Sendable {
    var id = ""
    var tenant = ""
    var urlID = ""
    /// Wire id of a guest; empty for none.
    var guestID = ""
    /// Wire id of a person; empty for none.
    var userID = ""
    var createdAt: Int64 = 0
    var value: Int64 = 0
    var questionID = ""
    /// Only while there is such a comment.
    var commentID: String?
    /// A JSON array of names with values.
    var meta: String?
    var addressHash = ""

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("tenantId", tenant)
            json.member("urlId", urlID)
            json.member("anonUserId", guestID)
            json.member("userId", userID)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("value", value)
            json.member("commentId", orNull: commentID)
            json.member("questionId", questionID)
            json.key("meta")
            if let meta { json.raw(meta.utf8) } else { json.null() }
            json.member("ipHash", addressHash)
        }
    }
}

enum QuestionResultSQL {
    private static func row(_ row: borrowing Row) throws(APIError) -> QuestionResult {
        QuestionResult(
            id: row.text(0), tenant: row.text(1), urlID: row.text(2), guestID: row.text(3), userID: row.text(4),
            createdAt: row.int64(5), value: row.int64(6), questionID: row.text(7), commentID: row.textOrNil(8),
            meta: row.textOrNil(9), addressHash: row.text(10))
    }

    /// Which results a list is of; nil is all.
    struct Filter: Sendable {
        var urlID: String?
        var userIDs: [String]?
        var questionIDs: [String]?
        /// Milliseconds, inclusive.
        var start: Int64 = .min
    }

    /// Oldest first.
    static func list(
        _ filter: Filter, skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [QuestionResult] {
        try session.query(
            """
            SELECT r.id, r.tenant_id, r.url_id, r.anon_user_id, r.user_id, r.created_at, r.value, r.question_id,
                   (SELECT c.id FROM comment AS c
                    WHERE c.id = r.comment_id AND c.tenant_id = r.tenant_id AND c.is_deleted = 0),
                   r.meta, r.address_hash
            FROM question_result AS r
            WHERE r.tenant_id = ?1 AND r.created_at >= ?2 AND (?3 IS NULL OR r.url_id = ?3)
              AND (?4 IS NULL OR r.user_id IN (SELECT value FROM json_each(?4)))
              AND (?5 IS NULL OR r.question_id IN (SELECT value FROM json_each(?5)))
              AND EXISTS (SELECT 1 FROM question_config AS q WHERE q.id = r.question_id)
            ORDER BY r.created_at, r.id LIMIT ?6 OFFSET ?7
            """,
            .text(tenant), .integer(filter.start), .text(filter.urlID), filter.userIDs.map(Value.list) ?? .null,
            filter.questionIDs.map(Value.list) ?? .null, .int(limit), .int(skip), row: row)
    }

    /// Those that there are, in any order.
    static func find(
        _ ids: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [QuestionResult] {
        try session.query(
            """
            SELECT r.id, r.tenant_id, r.url_id, r.anon_user_id, r.user_id, r.created_at, r.value, r.question_id,
                   (SELECT c.id FROM comment AS c
                    WHERE c.id = r.comment_id AND c.tenant_id = r.tenant_id AND c.is_deleted = 0),
                   r.meta, r.address_hash
            FROM question_result AS r
            WHERE r.id IN (SELECT value FROM json_each(?2)) AND +r.tenant_id = ?1
              AND EXISTS (SELECT 1 FROM question_config AS q WHERE q.id = r.question_id)
            """,
            .text(tenant), .list(ids), row: row)
    }

    static func insert(_ result: QuestionResult, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO question_result (
                id, tenant_id, question_id, url_id, user_id, anon_user_id, comment_id, value, created_at, address_hash,
                meta)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            .text(result.id), .text(result.tenant), .text(result.questionID), .text(result.urlID),
            .text(result.userID), .text(result.guestID), .text(result.commentID), .integer(result.value),
            .integer(result.createdAt), .text(result.addressHash), .text(result.meta))
    }

    static func update(_ result: QuestionResult, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE question_result SET question_id = ?2, url_id = ?3, user_id = ?4, anon_user_id = ?5, comment_id = ?6,
                                       value = ?7, meta = ?8
            WHERE id = ?1
            """,
            .text(result.id), .text(result.questionID), .text(result.urlID), .text(result.userID),
            .text(result.guestID), .text(result.commentID), .integer(result.value), .text(result.meta))
    }

    static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM question_result WHERE id = ?1", .text(id))
    }

    /// The answers that came with a comment. What names no question of the site, or answers it with what it does not
    /// take, is no result; the comment keeps it as it was sent.
    static func insert(_ row: CommentRow, comment id: String, in session: inout Session) throws(APIError) {
        guard let text = row.questionValues, let answers = (try? JSONValue.parse(text))?.object else { return }
        let known = try QuestionConfigSQL.find(answers.members.map(\.name), tenant: row.page.tenant, in: &session)
        for config in known {
            guard let answer = answers[config.id], let value = QuestionResultWrite.whole(answer),
                config.bounds.contains(Double(value))
            else { continue }
            let result = QuestionResult(
                id: Identifier.timeOrdered(at: row.createdAt), tenant: row.page.tenant, urlID: row.page.urlID,
                guestID: row.guestID ?? "", userID: row.userID ?? "", createdAt: row.createdAt, value: value,
                questionID: config.id, commentID: id, addressHash: row.addressHash ?? "")
            try insert(result, in: &session)
        }
    }
}
