import Domain
import JSON
import Storage

/// What a backend says of a mail, checked as far as that goes without the store.
struct EmailTemplateWrite: Sendable {
    static let members: Set<String> = [
        "emailTemplateId", "displayName", "ejs", "domain", "translationOverridesByLocale", "testData",
    ]
    private static let dataLimit = 100 * 1024

    private let templateID: String?
    private let displayName: String?
    private let source: String?
    /// `null` is every domain.
    private let domain: Change<String>
    private let translations: JSONObject?
    private let testData: JSONObject?

    /// - Throws: `invalid-email-template-id`, `domain-invalid` (422), `invalid-input` (400).
    init(_ body: JSONObject) throws(APIError) {
        let reader = PatchReader(body: body)
        templateID = try reader.text("emailTemplateId", limit: 1000).value
        if let templateID, MailDefinition.find(templateID) == nil {
            throw APIError(422, "invalid-email-template-id", "There is no mail of this emailTemplateId.")
        }
        displayName = try reader.text("displayName", limit: 200).value
        if let displayName, displayName.trimmed.isEmpty { throw .invalidInput("displayName is empty.") }
        source = try reader.text("ejs", limit: MailTemplate.maximumLength).value
        guard source?.utf8.count ?? 0 <= MailTemplate.maximumLength else {
            throw .invalidInput("ejs may have at most \(MailTemplate.maximumLength) bytes.")
        }
        let domain = try reader.text("domain", isNullable: true, limit: SiteDomain.maximumLength)
        self.domain = try Self.checked(domain)
        translations = try Self.object("translationOverridesByLocale", body)
        try Self.requireWords(translations)
        testData = try Self.object("testData", body)
    }

    private static func checked(_ domain: Change<String>) throws(APIError) -> Change<String> {
        guard let text = domain.value else { return domain }
        if text.isEmpty || text == "*" { return .clear }
        guard let canonical = SiteDomain.canonical(text) else { throw domainInvalid }
        return .set(canonical)
    }

    static let domainInvalid = APIError(422, "domain-invalid", "domain must be one of the site's domains, or *.")

    /// For a new mail.
    /// - Throws: `invalid-input` (400) for what it must have.
    static func new(_ body: JSONObject) throws(APIError) -> EmailTemplateWrite {
        try require(["emailTemplateId", "displayName", "ejs"], in: body)
        return try EmailTemplateWrite(body)
    }

    /// For a mail that is only looked at.
    static func rendering(_ body: JSONObject) throws(APIError) -> EmailTemplateWrite {
        try require(["emailTemplateId", "ejs"], in: body)
        return try EmailTemplateWrite(body)
    }

    private static func require(_ names: [String], in body: JSONObject) throws(APIError) {
        for name in names where body.present(name) == nil { throw .invalidInput("\(name) is missing.") }
    }

    private static func object(_ name: String, _ body: JSONObject) throws(APIError) -> JSONObject? {
        guard let value = body.present(name) else { return nil }
        guard let object = value.object, value.jsonBytes().count <= dataLimit else {
            throw .invalidInput("\(name) must be an object of at most \(dataLimit) bytes.")
        }
        return object
    }

    private static func requireWords(_ translations: JSONObject?) throws(APIError) {
        for (locale, words) in translations?.members ?? [] {
            guard let words = words.object, words.members.allSatisfy({ $0.value.string != nil }) else {
                throw .invalidInput("translationOverridesByLocale.\(locale.cut(to: 50)) must be an object of strings.")
            }
        }
        guard translations.map({ JSONValue.object($0).repeatedName == nil }) ?? true else {
            throw .invalidInput("translationOverridesByLocale has a name twice.")
        }
    }

    func applied(to former: EmailTemplate) -> EmailTemplate {
        var template = former
        template.templateID = templateID ?? former.templateID
        template.displayName = displayName ?? former.displayName
        template.source = source ?? former.source
        template.translations = translations ?? former.translations
        template.testData =
            testData ?? (former.id.isEmpty ? MailDefinition.find(template.templateID)?.testData : nil)
            ?? former.testData
        switch domain {
        case .keep: break
        case .clear: template.domain = "*"
        case .set(let domain): template.domain = domain
        }
        return template
    }
}
