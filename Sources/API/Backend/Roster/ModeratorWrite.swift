import Domain
import JSON
import Storage

/// What a backend says of a moderator, checked (contract: admin 5.11).
struct ModeratorWrite: Sendable {
    private static let textLimit = 1000
    private static let groupLimit = 100
    private static let groupLength = 50

    private let name: String?
    private let email: String?
    private let userID: Change<String>
    private let groups: Change<[String]>

    /// - Throws: `unexpected-param`, `empty-request`, `name-required`, `email-required`, `invalid-email`,
    ///   `invalid-input` (422).
    init(_ visit: BackendVisit) throws(APIError) {
        let body = try visit.body(only: ["name", "email", "userId", "moderationGroupIds", "tenantId"])
        guard !body.members.isEmpty else { throw APIError(422, "empty-request", "The body is empty.") }
        if let tenant = body.present("tenantId"), tenant.string != visit.tenant.id {
            throw APIError(422, "unexpected-param", "A moderator stays with the tenant.")
        }
        let reader = PatchReader(body: body)
        name = try Self.name(reader)
        email = try Self.email(reader)
        userID = try reader.text("userId", isNullable: true, limit: 2 * Self.textLimit)
        groups = try Self.groups(body)
    }

    private static func name(_ reader: PatchReader) throws(APIError) -> String? {
        guard reader.body["name"] != nil else { return nil }
        let name = CommenterName.cleaned(try reader.text("name", isNullable: true, limit: textLimit).value ?? "")
        guard !name.isEmpty else { throw nameRequired }
        return name
    }

    private static func email(_ reader: PatchReader) throws(APIError) -> String? {
        guard reader.body["email"] != nil else { return nil }
        let email = (try reader.text("email", isNullable: true, limit: textLimit).value ?? "").trimmed
        guard !email.isEmpty else { throw TenantUserWrite.emailRequired }
        guard EmailAddress.isValid(email) else { throw .invalidEmail }
        return email
    }

    private static let nameRequired = APIError(422, "name-required", "name is missing or empty.")

    /// None is no bound: clients cannot send null.
    private static func groups(_ body: JSONObject) throws(APIError) -> Change<[String]> {
        guard let value = body["moderationGroupIds"] else { return .keep }
        if value.isNull { return .clear }
        guard let groups = try body.texts("moderationGroupIds"), groups.count <= groupLimit,
            groups.allSatisfy({ (1...groupLength).contains($0.unicodeScalars.count) })
        else {
            throw .invalidInput(
                "moderationGroupIds must be a list of at most \(groupLimit) texts of 1 to \(groupLength) characters.")
        }
        return groups.isEmpty ? .clear : .set(groups)
    }

    /// For somebody new.
    func requireAll() throws(APIError) {
        guard name != nil else { throw Self.nameRequired }
        guard email != nil else { throw TenantUserWrite.emailRequired }
    }

    // MARK: Storage

    /// - Returns: the id.
    /// - Throws: `not-found` (404) for a user id of nobody, `already-exists` (422).
    func save(
        over former: BackendModerator?, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> String {
        let user = try user(visit, in: &session)
        let (name, email) = (name ?? former?.name, email ?? former?.email)
        let userID = user.applied(to: former?.userID)
        try requireFree(former?.id, userID: userID, email: email, visit.tenant.id, in: &session)
        let hasAccepted = hasAccepted(former, user, email)
        let groups = groups.applied(to: former?.groups)
        let id = former?.id ?? Identifier.timeOrdered(at: session.now)
        try session.run(
            """
            INSERT INTO moderator (
                id, tenant_id, name, email, email_key, user_id, has_accepted, moderation_groups, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, email = excluded.email, email_key = excluded.email_key,
                user_id = excluded.user_id, has_accepted = excluded.has_accepted,
                moderation_groups = excluded.moderation_groups
            """,
            .text(id), .text(visit.tenant.id), .text(name), .text(email), .text(email?.lowercased()), .text(userID),
            .bool(hasAccepted), .text(groups.map(JSONText.list)), .integer(session.now))
        return id
    }

    /// Who has another address now did not accept anything yet, unless a user is named.
    private func hasAccepted(_ former: BackendModerator?, _ user: Change<String>, _ email: String?) -> Bool {
        switch user {
        case .set: return true
        case .clear: return false
        case .keep:
            guard let former, former.hasAccepted else { return false }
            return former.userID != nil || former.email?.lowercased() == email?.lowercased()
        }
    }

    /// As the key that comments are kept under.
    private func user(_ visit: BackendVisit, in session: inout Session) throws(APIError) -> Change<String> {
        guard let id = userID.value, !id.isEmpty else { return userID.isChange ? .clear : .keep }
        guard let user = try NamedIdentity.user(id, visit.tenant, in: &session), user.userID != nil else {
            throw APIError(404, "not-found", "There is no user with this userId.")
        }
        return .set(user.key)
    }

    private func requireFree(
        _ id: String?, userID: String?, email: String?, _ tenant: String, in session: inout Session
    ) throws(APIError) {
        let other = try session.first(
            """
            SELECT 1 FROM moderator WHERE tenant_id = ?1 AND id IS NOT ?2 AND (email_key = ?3 OR user_id = ?4) LIMIT 1
            """,
            .text(tenant), .text(id), .text(email?.lowercased()), .text(userID)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        if other != nil {
            throw APIError(422, "already-exists", "There is a moderator with this address or user already.")
        }
    }
}
