import Domain
import JSON
import Storage

/// A mail in a site's own words (contract: admin 5.18); closed key set.
struct EmailTemplate: JSONWritable, Sendable {
    var id = ""
    var tenant = ""
    var templateID = ""
    var displayName = ""
    var createdAt: Int64 = 0
    var updatedAt: Int64?
    /// `*` is every domain.
    var domain = "*"
    var source = ""
    /// By locale.
    var translations = JSONObject()
    var testData = JSONObject()

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("tenantId", tenant)
            json.member("emailTemplateId", templateID)
            json.member("displayName", displayName)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.key("updatedAt")
            if let updatedAt { json.date(milliseconds: updatedAt) } else { json.null() }
            json.key("updatedByUserId")
            json.null()
            json.member("domain", domain)
            json.member("ejs", source)
            json.member("translationOverridesByLocale", JSONValue.object(translations))
            json.member("testData", JSONValue.object(testData))
        }
    }

    /// - Throws: `invalid-email-template-id`, `does-not-render` (422).
    func requireRenders() throws(APIError) { _ = try rendered(locale: "en_us") }

    /// - Throws: `invalid-email-template-id`, `does-not-render` (422).
    func rendered(locale: String) throws(APIError) -> String {
        guard let definition = MailDefinition.find(templateID) else {
            throw APIError(422, "invalid-email-template-id", "There is no mail of this emailTemplateId.")
        }
        do {
            let words = MailWords(translations, definition.translations, locale: locale)
            return try MailTemplate(source).rendered(testData, words)
        } catch {
            throw APIError(422, "does-not-render", error.reason)
        }
    }
}

enum EmailTemplateSQL {
    private static func row(_ row: borrowing Row) throws(APIError) -> EmailTemplate {
        EmailTemplate(
            id: row.text(0), tenant: row.text(1), templateID: row.text(2), displayName: row.text(3),
            createdAt: row.int64(4), updatedAt: row.int64OrNil(5), domain: row.text(6), source: row.text(7),
            translations: object(row.text(8)), testData: object(row.text(9)))
    }

    private static func object(_ text: String) -> JSONObject { (try? JSONValue.parse(text))?.object ?? JSONObject() }

    /// Oldest first.
    static func list(
        skip: Int, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [EmailTemplate] {
        try session.query(
            """
            SELECT id, tenant_id, template_id, display_name, created_at, updated_at, domain, source, translations,
                   test_data
            FROM email_template WHERE tenant_id = ?1 ORDER BY created_at, id LIMIT ?2 OFFSET ?3
            """,
            .text(tenant), .int(limit), .int(skip), row: row)
    }

    static func find(_ id: String, tenant: String, in session: inout Session) throws(APIError) -> EmailTemplate? {
        try session.first(
            """
            SELECT id, tenant_id, template_id, display_name, created_at, updated_at, domain, source, translations,
                   test_data
            FROM email_template WHERE tenant_id = ?1 AND id = ?2
            """,
            .text(tenant), .text(id), row: row)
    }

    /// Id of the one for a mail on a domain.
    static func id(
        of templateID: String, on domain: String, tenant: String, in session: inout Session
    ) throws(APIError) -> String? {
        try session.first(
            "SELECT id FROM email_template WHERE tenant_id = ?1 AND template_id = ?2 AND domain = ?3",
            .text(tenant), .text(templateID), .text(domain)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    /// Id of the one for a mail with just this text.
    static func id(
        of templateID: String, source: String, tenant: String, in session: inout Session
    ) throws(APIError) -> String? {
        try session.first(
            "SELECT id FROM email_template WHERE tenant_id = ?1 AND template_id = ?2 AND source = ?3",
            .text(tenant), .text(templateID), .text(source)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }

    static func save(_ template: EmailTemplate, in session: inout Session) throws(APIError) {
        try session.run(
            """
            INSERT INTO email_template (
                id, tenant_id, template_id, display_name, created_at, updated_at, domain, source, translations,
                test_data)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (id) DO UPDATE SET
                template_id = excluded.template_id, display_name = excluded.display_name,
                updated_at = excluded.updated_at, domain = excluded.domain, source = excluded.source,
                translations = excluded.translations, test_data = excluded.test_data
            """,
            .text(template.id), .text(template.tenant), .text(template.templateID), .text(template.displayName),
            .integer(template.createdAt), .int(template.updatedAt), .text(template.domain), .text(template.source),
            .text(JSONText.object(template.translations)), .text(JSONText.object(template.testData)))
    }

    static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM email_template WHERE id = ?1", .text(id))
    }
}

/// Why a site's mail could not be made; closed key set.
struct EmailTemplateError: JSONWritable, Sendable {
    let id: String
    let tenant: String
    let template: String
    let reason: String
    let count: Int
    let createdAt: Int64
    let lastOccurredAt: Int64

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("tenantId", tenant)
            json.member("customTemplateId", template)
            json.member("error", reason)
            json.member("count", count)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.key("lastOccurredAt")
            json.date(milliseconds: lastOccurredAt)
        }
    }

    /// Oldest first.
    static func list(
        _ template: String, skip: Int, limit: Int, in session: inout Session
    ) throws(APIError) -> [EmailTemplateError] {
        try session.query(
            """
            SELECT id, tenant_id, email_template, error, occurred_count, created_at, last_occurred_at
            FROM email_template_error WHERE email_template = ?1 ORDER BY created_at, id LIMIT ?2 OFFSET ?3
            """,
            .text(template), .int(limit), .int(skip)
        ) { (row) throws(APIError) -> EmailTemplateError in
            EmailTemplateError(
                id: row.text(0), tenant: row.text(1), template: row.text(2), reason: row.text(3), count: row.int(4),
                createdAt: row.int64(5), lastOccurredAt: row.int64(6))
        }
    }

    /// Errors of one template that are kept at most; others are not.
    static let maximumCount = 100

    /// The same one again is counted.
    static func note(
        _ reason: String, of template: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            INSERT INTO email_template_error (
                id, tenant_id, email_template, error, occurred_count, created_at, last_occurred_at)
            SELECT ?1, ?2, ?3, ?4, 1, ?5, ?5
            WHERE EXISTS (SELECT 1 FROM email_template_error WHERE email_template = ?3 AND error = ?4)
               OR (SELECT COUNT(*) FROM email_template_error WHERE email_template = ?3) < ?6
            ON CONFLICT (email_template, error) DO UPDATE
            SET occurred_count = occurred_count + 1, last_occurred_at = excluded.last_occurred_at
            """,
            .text(Identifier.timeOrdered(at: session.now)), .text(tenant), .text(template), .text(reason),
            .integer(session.now), .int(maximumCount))
    }

    /// - Returns: whether there was such an error.
    static func delete(_ id: String, of template: String, in session: inout Session) throws(APIError) -> Bool {
        try session.run(
            "DELETE FROM email_template_error WHERE id = ?1 AND email_template = ?2", .text(id), .text(template)) > 0
    }
}
