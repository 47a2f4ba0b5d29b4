import Domain
import JSON
import Storage

/// What is said of a tenant, checked (contract: admin 5.7, 1.8). What is said of billing is looked at and forgotten.
struct TenantWrite: Sendable {
    private static let nameLimit = 200
    private static let emailLimit = 300

    private let name: String?
    private let email: Change<String>
    private let domains: [String]?
    private let moderation: JSONObject
    private let meta: JSONObject?
    private let signUpDate: Int64?

    /// - Throws: `unexpected-param`, `empty-request`, `name-invalid`, `email-invalid`, `sign-up-date-in-future`,
    ///   `domain-invalid`, `domain-too-long`, `invalid-billing-info`, `invalid-input`, those of ``requireSame`` (422).
    init(_ visit: BackendVisit, over former: BackendTenant?, at now: Int64) throws(APIError) {
        let body = try visit.body(only: former == nil ? Self.members : Self.members.union(["managedByTenantId"]))
        guard !body.members.isEmpty else { throw APIError(422, "empty-request", "The body is empty.") }
        let reader = PatchReader(body: body)
        name = try Self.name(body)
        email = try Self.email(body)
        guard visit.isOperator || !EmailAddress.isOfTestSuite(email.value) else {
            throw APIError(
                422, "email-invalid", "Addresses of test suites, which lift limits, are given with the operator's key.")
        }
        domains = try Self.domains(body)
        moderation = try Self.moderation(body)
        meta = try Self.meta(body)
        signUpDate = try reader.whole("signUpDate", isNullable: true, 0...NewBackendComment.lastMoment).value
        if let signUpDate, signUpDate > now {
            throw APIError(422, "sign-up-date-in-future", "signUpDate lies in the future.")
        }
        try Self.checkBilling(body, reader)
        try Self.requireSame(body, former)
    }

    private static let flags = [
        "autoApproveCommentOnVerification", "commentsRequireApproval", "enableProfanityFilter", "enableSpamFilter",
        "removeUnverifiedComments", "sendProfaneToSpam", "unverifiedCommentsTTLms",
    ]

    private static let members = Set(
        flags + [
            "name", "email", "domainConfiguration", "signUpDate", "packageId", "paymentFrequency", "billingInfoValid",
            "billingHandledExternally", "createdBy", "isSetup", "billingInfo", "stripeCustomerId",
            "stripeSubscriptionId", "stripePlanId", "deAnonIpAddr", "meta",
        ])

    // MARK: Members

    private static func name(_ body: JSONObject) throws(APIError) -> String? {
        guard let value = body["name"] else { return nil }
        let name = CommenterName.cleaned(value.string ?? "")
        guard !name.isEmpty, name.unicodeScalars.count <= nameLimit else {
            throw APIError(422, "name-invalid", "name must have 1 to \(nameLimit) characters.")
        }
        return name
    }

    private static func email(_ body: JSONObject) throws(APIError) -> Change<String> {
        guard let value = body["email"] else { return .keep }
        if value.isNull { return .clear }
        guard let email = value.string?.trimmed, email.unicodeScalars.count <= emailLimit, EmailAddress.isValid(email)
        else { throw APIError(422, "email-invalid", "email is no address of at most \(emailLimit) characters.") }
        return .set(email)
    }

    /// Each entry names a domain; what else it has is not ours to change here.
    private static func domains(_ body: JSONObject) throws(APIError) -> [String]? {
        guard let entries = try body.objects("domainConfiguration") else { return nil }
        guard entries.count <= DomainConfig.maximumCount else {
            throw .invalidInput("A site may have at most \(DomainConfig.maximumCount) domains.")
        }
        var domains: [String] = []
        for entry in entries {
            let domain = try DomainWrite.checked(try entry.text("domain") ?? "")
            if !domains.contains(domain) { domains.append(domain) }
        }
        return domains
    }

    /// The settings among the members.
    private static func moderation(_ body: JSONObject) throws(APIError) -> JSONObject {
        var changes = JSONObject()
        for name in flags { if let value = body[name] { changes.append(name, value) } }
        _ = try settings(ModerationSettings(), changes)
        return changes
    }

    private static func settings(
        _ settings: ModerationSettings, _ changes: JSONObject
    ) throws(APIError) -> ModerationSettings {
        do {
            return try settings.setting(changes)
        } catch {
            throw .invalidInput(error.sentence)
        }
    }

    /// Texts by names without dots and dollar signs.
    static func meta(_ body: JSONObject) throws(APIError) -> JSONObject? {
        guard let value = body.present("meta") else { return nil }
        guard let meta = value.object, meta.members.count <= 100, meta.members.allSatisfy(fits) else {
            throw .invalidInput(
                "meta must be an object of at most 100 texts of up to 2000 characters, named with up to 100 characters "
                    + "without . and $.")
        }
        return meta
    }

    private static func fits(_ member: (name: String, value: JSONValue)) -> Bool {
        guard let text = member.value.string, text.unicodeScalars.count <= 2000 else { return false }
        return (1...100).contains(member.name.unicodeScalars.count) && !member.name.contains { $0 == "." || $0 == "$" }
    }

    private static func checkBilling(_ body: JSONObject, _ reader: PatchReader) throws(APIError) {
        for name in ["billingHandledExternally", "isSetup"] { _ = try reader.flag(name, isNullable: true) }
        for name in ["createdBy", "stripeCustomerId", "stripeSubscriptionId", "stripePlanId"] {
            _ = try reader.text(name, isNullable: true, limit: 1000)
        }
        _ = try body.number("deAnonIpAddr")
        if let info = body.present("billingInfo"), info.object == nil {
            throw .invalidInput("billingInfo must be an object.")
        }
        guard try reader.flag("billingInfoValid", isNullable: true) == true, body.present("billingInfo") == nil else {
            return
        }
        throw APIError(422, "invalid-billing-info", "billingInfoValid needs billingInfo in the same body.")
    }

    /// - Throws: `invalid-package`, `cannot-change-package`, `payment-frequency-invalid`,
    ///   `cannot-change-payment-frequency`, `cannot-move-tenant` (422).
    private static func requireSame(_ body: JSONObject, _ former: BackendTenant?) throws(APIError) {
        if let package = body.present("packageId"), package.string != BackendTenant.packageID {
            let code = former == nil ? "invalid-package" : "cannot-change-package"
            throw APIError(422, code, "The only package here is \(BackendTenant.packageID).")
        }
        if let frequency = body.present("paymentFrequency"), frequency.double != 0 {
            let code = former == nil ? "payment-frequency-invalid" : "cannot-change-payment-frequency"
            throw APIError(422, code, "Nothing is paid for here: paymentFrequency is 0.")
        }
        if let parent = body.present("managedByTenantId"), parent.string != former?.parent {
            throw APIError(422, "cannot-move-tenant", "A tenant stays with the one that made it.")
        }
    }

    /// For a new one.
    func requireAll() throws(APIError) {
        guard name != nil else { throw APIError(422, "name-invalid", "name is missing.") }
        guard domains != nil else { throw .invalidInput("domainConfiguration is missing.") }
    }

    // MARK: Storage

    /// - Throws: `email-taken` (422).
    func insert(_ id: String, parent: String, in session: inout Session) throws(APIError) {
        try requireFree(id, in: &session)
        try TenantSQL.insert(
            id: id, name: name ?? id, ownerEmail: email.value, domains: domains ?? [], parent: parent, in: &session)
        try saveRest(of: id, moderation: ModerationSettings(), in: &session)
    }

    /// - Throws: `email-taken` (422).
    func save(over former: BackendTenant, in session: inout Session) throws(APIError) {
        try requireFree(former.id, in: &session)
        try session.run(
            "UPDATE tenant SET name = ?2, owner_email = ?3 WHERE id = ?1", .text(former.id),
            .text(name ?? former.name), .text(email.applied(to: former.email)))
        if let domains { try TenantSQL.setDomains(domains, of: former.id, in: &session) }
        try saveRest(of: former.id, moderation: former.moderation, in: &session)
    }

    private func saveRest(
        of id: String, moderation: ModerationSettings, in session: inout Session
    ) throws(APIError) {
        let changed = try Self.settings(moderation, self.moderation)
        if changed != moderation { try TenantSQL.set(changed, of: id, in: &session) }
        try session.run(
            "UPDATE tenant SET created_at = COALESCE(?2, created_at), meta = COALESCE(?3, meta) WHERE id = ?1",
            .text(id), .int(signUpDate), .text(meta.map(JSONText.object)))
    }

    private func requireFree(_ id: String, in session: inout Session) throws(APIError) {
        guard let email = email.value else { return }
        let other = try session.first(
            "SELECT 1 FROM tenant WHERE owner_email = ?1 COLLATE NOCASE AND id <> ?2 LIMIT 1", .text(email), .text(id)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        if other != nil { throw APIError(422, "email-taken", "There is a tenant with this address already.") }
    }
}
