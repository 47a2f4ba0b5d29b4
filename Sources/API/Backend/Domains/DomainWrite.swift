import Domain
import JSON

/// What a backend says of a domain, checked. Members that nobody may set are overlooked.
struct DomainWrite: Sendable {
    private static let headerLimit = 50
    private static let web = "an http or https address"

    /// As it is kept; nil when absent.
    let domain: String?
    private let fromName: Change<String>
    private let fromEmail: Change<String>
    private let headers: Change<String>
    private let logo: Change<String>
    private let smallLogo: Change<String>
    private let unsubscribeURL: Change<String>
    private let hidesUnsubscribeLinks: Change<Bool>
    private let dkim: Change<String>

    /// - Throws: `domain-too-long`, `domain-invalid` (422), `invalid-input` (400).
    init(_ body: JSONObject) throws(APIError) {
        let reader = PatchReader(body: body)
        domain = try body.filled("domain").map { text throws(APIError) in try Self.checked(text) }
        fromName = try Self.checked(reader.text("emailFromName", isNullable: true, limit: 200), "one line of text") {
            $0.line == $0
        }
        fromEmail = try Self.checked(
            reader.text("emailFromEmail", isNullable: true, limit: 300), "an e-mail address", EmailAddress.isValid)
        logo = try Self.checked(reader.text("logoSrc", isNullable: true, limit: 3000), Self.web, WebAddress.isWeb)
        smallLogo = try Self.checked(
            reader.text("logoSrc100px", isNullable: true, limit: 3000), Self.web, WebAddress.isWeb)
        unsubscribeURL = try Self.checked(
            reader.text("footerUnsubscribeURL", isNullable: true, limit: 3000), Self.web, WebAddress.isWeb)
        headers = try Self.texts("emailHeaders", body, only: nil)
        dkim = try Self.texts("dkim", body, only: ["domainName", "keySelector", "publicKey"])
        switch body["disableUnsubscribeLinks"] {
        case nil: hidesUnsubscribeLinks = .keep
        case .null: hidesUnsubscribeLinks = .clear
        case .bool(let flag): hidesUnsubscribeLinks = .set(flag)
        default: throw .invalidInput("disableUnsubscribeLinks must be true or false.")
        }
    }

    /// A domain as it is kept.
    /// - Throws: `domain-too-long`, `domain-invalid` (422).
    static func checked(_ text: String) throws(APIError) -> String {
        guard text.unicodeScalars.count <= SiteDomain.maximumLength else {
            throw APIError(422, "domain-too-long", "A domain may have up to \(SiteDomain.maximumLength) characters.")
        }
        guard let domain = SiteDomain.canonical(text) else {
            throw APIError(
                422, "domain-invalid",
                "A domain is a host such as example.com, with at most one * that is not all of it.")
        }
        return domain
    }

    private static func checked(
        _ change: Change<String>, _ what: String, _ isValid: (String) -> Bool
    ) throws(APIError) -> Change<String> {
        guard let text = change.value else { return change }
        if text.isEmpty { return .clear }
        guard isValid(text) else { throw .invalidInput("\"\(text.cut(to: 100))\" must be \(what).") }
        return change
    }

    /// Names and lines of a message's head, so without anything that could end them.
    private static func texts(
        _ name: String, _ body: JSONObject, only names: [String]?
    ) throws(APIError) -> Change<String> {
        guard let value = body[name] else { return .keep }
        if value.isNull { return .clear }
        guard let members = value.object?.members, members.count <= headerLimit else {
            throw .invalidInput("\(name) must be an object of at most \(headerLimit) strings.")
        }
        var kept = JSONObject()
        for (key, value) in members where names?.contains(key) ?? true {
            guard let text = value.string, text.utf8.count <= 4000, isName(key), !text.contains(where: \.isNewline),
                !text.utf8.contains(0), kept[key] == nil
            else { throw .invalidInput("\(name) must have header names, and values of one line.") }
            kept.append(key, value)
        }
        return .set(JSONText.object(kept))
    }

    /// A token of RFC 9110, as far as anybody uses it.
    private static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { UInt8(ascii: "!")...UInt8(ascii: "~") ~= $0 && $0 != UInt8(ascii: ":") }
    }

    /// What is said afterwards.
    /// - Parameter former: nil forgets what is not mentioned.
    func applied(to former: DomainFacts?) -> DomainFacts {
        DomainFacts(
            fromName: fromName.applied(to: former?.fromName), fromEmail: fromEmail.applied(to: former?.fromEmail),
            headers: headers.applied(to: former?.headers), logo: logo.applied(to: former?.logo),
            smallLogo: smallLogo.applied(to: former?.smallLogo),
            unsubscribeURL: unsubscribeURL.applied(to: former?.unsubscribeURL),
            hidesUnsubscribeLinks: hidesUnsubscribeLinks.applied(to: former?.hidesUnsubscribeLinks),
            dkim: dkim.applied(to: former?.dkim))
    }
}
