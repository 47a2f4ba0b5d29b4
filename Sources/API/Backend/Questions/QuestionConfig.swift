import Domain
import JSON
import Storage

/// A question that a site asks with its threads (contract: admin 5.19); closed key set, all of it always there.
struct QuestionConfig: JSONWritable, Sendable {
    var id = ""
    var tenant = ""
    var name = ""
    var question = ""
    var helpText = ""
    var createdAt: Int64 = 0
    /// Answers there are.
    var usedCount: Int64 = 0
    var lastUsed: Int64 = 0
    var type = ""
    var numStars: Int64 = 0
    var minimum = 0.0
    var maximum = 0.0
    var defaultValue = 0.0
    var labelNegative = ""
    var labelPositive = ""
    /// A JSON array of objects.
    var customOptions = "[]"
    /// A JSON array of texts.
    var subQuestionIDs = "[]"
    var alwaysShowsSubQuestions = false
    var reportingOrder = 0.0

    /// What may be answered.
    var bounds: ClosedRange<Double> {
        if maximum > minimum { return minimum...maximum }
        switch type {
        case "star": return 1...Double(numStars > 0 ? numStars : 5)
        case "thumbs": return 0...1
        case "nps": return 0...10
        default: return 0...100
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("tenantId", tenant)
            json.member("name", name)
            json.member("question", question)
            json.member("helpText", helpText)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("createdBy", "")
            json.member("usedCount", usedCount)
            json.key("lastUsed")
            json.date(milliseconds: lastUsed)
            json.member("type", type)
            json.member("numStars", numStars)
            for (name, number) in [
                ("min", minimum), ("max", maximum), ("defaultValue", defaultValue), ("reportingOrder", reportingOrder),
            ] {
                json.key(name)
                json.double(number)
            }
            json.member("labelNegative", labelNegative)
            json.member("labelPositive", labelPositive)
            json.key("customOptions")
            json.raw(customOptions.utf8)
            json.key("subQuestionIds")
            json.raw(subQuestionIDs.utf8)
            json.member("alwaysShowSubQuestions", alwaysShowsSubQuestions)
        }
    }
}

enum QuestionConfigSQL {
    private static func row(_ row: borrowing Row) throws(APIError) -> QuestionConfig {
        QuestionConfig(
            id: row.text(0), tenant: row.text(1), name: row.text(2), question: row.text(3), helpText: row.text(4),
            createdAt: row.int64(5), usedCount: row.int64(6), lastUsed: row.int64(7), type: row.text(8),
            numStars: row.int64(9), minimum: row.double(10), maximum: row.double(11), defaultValue: row.double(12),
            labelNegative: row.text(13), labelPositive: row.text(14), customOptions: row.text(15),
            subQuestionIDs: row.text(16), alwaysShowsSubQuestions: row.bool(17), reportingOrder: row.double(18))
    }

    /// In the order of their questions.
    static func list(
        skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [QuestionConfig] {
        try session.query(
            """
            SELECT id, tenant_id, name, question, help_text, created_at, used_count, last_used, type, num_stars,
                   min_value, max_value, default_value, label_negative, label_positive, custom_options,
                   sub_question_ids, always_shows_subs, reporting_order
            FROM question_config WHERE tenant_id = ?1 ORDER BY question, id LIMIT ?2 OFFSET ?3
            """,
            .text(tenant), .int(limit), .int(skip), row: row)
    }

    static func find(
        _ ids: [String], tenant: String, in session: inout Session
    ) throws(APIError) -> [QuestionConfig] {
        try session.query(
            """
            SELECT id, tenant_id, name, question, help_text, created_at, used_count, last_used, type, num_stars,
                   min_value, max_value, default_value, label_negative, label_positive, custom_options,
                   sub_question_ids, always_shows_subs, reporting_order
            FROM question_config WHERE +tenant_id = ?1 AND id IN (SELECT value FROM json_each(?2))
            """,
            .text(tenant), .list(ids), row: row)
    }

    /// Inserts a question, or changes what a site may change of it.
    static func save(_ config: QuestionConfig, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO question_config (
                id, tenant_id, name, question, help_text, created_at, last_used, type, num_stars, min_value, max_value,
                default_value, label_negative, label_positive, custom_options, sub_question_ids, always_shows_subs,
                reporting_order)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, question = excluded.question, help_text = excluded.help_text,
                type = excluded.type, num_stars = excluded.num_stars, min_value = excluded.min_value,
                max_value = excluded.max_value, default_value = excluded.default_value,
                label_negative = excluded.label_negative, label_positive = excluded.label_positive,
                custom_options = excluded.custom_options, sub_question_ids = excluded.sub_question_ids,
                always_shows_subs = excluded.always_shows_subs, reporting_order = excluded.reporting_order
            """,
            .text(config.id), .text(config.tenant), .text(config.name), .text(config.question),
            .text(config.helpText), .integer(config.createdAt), .text(config.type), .integer(config.numStars),
            .real(config.minimum), .real(config.maximum), .real(config.defaultValue), .text(config.labelNegative),
            .text(config.labelPositive), .text(config.customOptions), .text(config.subQuestionIDs),
            .bool(config.alwaysShowsSubQuestions), .real(config.reportingOrder))
    }

    /// Its answers go with it: they show nowhere from now on, and the rows of all but some go after the answer.
    static func delete(
        _ config: QuestionConfig, _ services: Services, in session: inout Session
    ) throws(APIError) {
        try session.run("DELETE FROM question_config WHERE id = ?1", .text(config.id))
        guard config.usedCount > 0 else { return }
        try session.run(
            "INSERT INTO question_sweep (tenant_id, question_id) VALUES (?1, ?2)",
            .text(config.tenant), .text(config.id))
        services.tasks.wake()
    }
}

/// Removes answers to questions that are gone, in small units after the answer. What is still to do stands in the
/// database.
package enum QuestionSweep {
    static let unitSize = 500

    /// Does the next part of what is to be done. Runs on the thread of tasks.
    /// - Returns: whether there may be more.
    package static func step(_ lane: ReadLane, _ writer: Writer) throws(APIError) -> Bool {
        let job = try lane.read(budgetMilliseconds: nil) {
            (session) throws(APIError) -> (tenant: String, question: String)? in
            try session.first("SELECT tenant_id, question_id FROM question_sweep LIMIT 1") {
                (row) throws(APIError) -> (tenant: String, question: String) in (row.text(0), row.text(1))
            }
        }
        guard let job else { return false }
        try writer.perform { (session) throws(APIError) in try remove(job.tenant, job.question, in: &session) }
        return true
    }

    private static func remove(
        _ tenant: String, _ question: String, in session: inout Session
    ) throws(APIError) {
        let removed = try session.run(
            """
            DELETE FROM question_result WHERE id IN (
                SELECT id FROM question_result WHERE tenant_id = ?1 AND question_id = ?2 LIMIT ?3)
            """,
            .text(tenant), .text(question), .int(unitSize))
        guard removed < unitSize else { return }
        try session.run(
            "DELETE FROM question_sweep WHERE tenant_id = ?1 AND question_id = ?2", .text(tenant), .text(question))
    }
}
