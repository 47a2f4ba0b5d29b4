import Domain
import JSON
import Storage

/// What a backend says of somebody, checked (contract: admin 5.2, 1.8).
struct PersonWrite: Sendable {
    static let idLimit = 1000
    private static let textLimit = 1000

    /// As the site gives it; nil when absent.
    let id: String?
    let username: String?
    let email: Change<String>
    private let displayName: Change<String>
    private let displayLabel: Change<String>
    private let websiteURL: Change<String>
    private let avatar: Change<String>
    private let groupIDs: Change<[String]>
    private let isAccountOwner: Bool?
    private let isAdmin: Bool?
    private let isModerator: Bool?
    private let isActivityPrivate: Bool?
    private let isCommentsPrivate: Bool?
    private let isDirectMessagesDisabled: Bool?
    private let optedInNotifications: Bool?
    private let optedInSubscriptions: Bool?
    private let signUpDate: Int64?
    private let createdFromURLID: Change<String>
    private let loginCount: Int64?

    /// - Throws: `empty-request`, `invalid-email`, `invalid-input` (422).
    init(_ visit: BackendVisit) throws(APIError) {
        let body = try visit.filledBody()
        let reader = PatchReader(body: body)
        id = try reader.text("id", limit: Self.idLimit).value
        username = try Self.username(reader)
        email = try Self.email(reader)
        displayName = try Self.shown("displayName", limit: 500, reader)
        displayLabel = try Self.shown("displayLabel", limit: 100, reader)
        websiteURL = try Self.source("websiteUrl", limit: 2000, reader, WebAddress.isWeb)
        avatar = try Self.source("avatarSrc", limit: 50_000, reader, AvatarSource.isUsable)
        groupIDs = try Self.groups(body)
        isAccountOwner = try reader.flag("isAccountOwner", isNullable: true)
        isAdmin = try reader.flag("isAdminAdmin", isNullable: true)
        isModerator = try reader.flag("isCommentModeratorAdmin", isNullable: true)
        isActivityPrivate = try reader.flag("isProfileActivityPrivate", isNullable: true)
        isCommentsPrivate = try reader.flag("isProfileCommentsPrivate", isNullable: true)
        isDirectMessagesDisabled = try reader.flag("isProfileDMDisabled", isNullable: true)
        optedInNotifications = try reader.flag("optedInNotifications", isNullable: true)
        optedInSubscriptions = try reader.flag("optedInSubscriptionNotifications", isNullable: true)
        // Follows from whom the person blocks.
        _ = try reader.flag("hasBlockedUsers", isNullable: true)
        signUpDate = try reader.whole("signUpDate", isNullable: true, 0...NewBackendComment.lastMoment).value
        createdFromURLID = try reader.text("createdFromUrlId", isNullable: true, limit: PageIdentity.maximumLength)
        loginCount = try reader.whole("loginCount", isNullable: true, 0...Int64(Int32.max)).value
    }

    private static func username(_ reader: PatchReader) throws(APIError) -> String? {
        guard let given = try reader.text("username", limit: 10 * textLimit).value else { return nil }
        let name = CommenterName.cleaned(given)
        guard !name.isEmpty, name.unicodeScalars.count <= textLimit, !EmailAddress.isValid(name) else {
            throw .invalidInput("username must have 1 to \(textLimit) characters and be no e-mail address.")
        }
        return name
    }

    private static func email(_ reader: PatchReader) throws(APIError) -> Change<String> {
        guard let value = reader.body.present("email") else { return .keep }
        guard let email = value.string?.trimmed, email.unicodeScalars.count <= textLimit, EmailAddress.isValid(email)
        else { throw invalidEmail }
        return .set(email)
    }

    private static let invalidEmail = APIError(422, "invalid-email", "email is missing or no e-mail address.")

    /// Without markup and invisible characters.
    private static func shown(_ name: String, limit: Int, _ reader: PatchReader) throws(APIError) -> Change<String> {
        let change = try reader.text(name, isNullable: true, limit: limit)
        guard let text = change.value.map(CommenterName.cleaned) else { return change }
        return text.isEmpty ? .clear : .set(text)
    }

    private static func source(
        _ name: String, limit: Int, _ reader: PatchReader, _ isUsable: (String) -> Bool
    ) throws(APIError) -> Change<String> {
        let change = try reader.text(name, isNullable: true, limit: limit)
        guard let text = change.value else { return change }
        if text.isEmpty { return .clear }
        guard isUsable(text) else { throw .invalidInput("\(name) must be an http or https address.") }
        return change
    }

    /// `null` is unrestricted, an empty list sees nothing that is restricted.
    private static func groups(_ body: JSONObject) throws(APIError) -> Change<[String]> {
        guard let value = body["groupIds"] else { return .keep }
        if value.isNull { return .clear }
        guard let groups = try body.texts("groupIds"), groups.count <= 100,
            groups.allSatisfy({ $0.unicodeScalars.count <= 50 })
        else { throw .invalidInput("groupIds must be a list of at most 100 strings of at most 50 characters.") }
        return .set(groups)
    }

    /// For somebody who is made or replaced.
    /// - Throws: `invalid-input`, `invalid-email` (422).
    func requireAll() throws(APIError) {
        guard username != nil else { throw .invalidInput("username is missing.") }
        guard email.value != nil else { throw Self.invalidEmail }
    }

    // MARK: Storage

    /// - Parameters:
    ///   - former: nil for somebody new.
    ///   - isReplaced: nothing of the former is kept where the body says nothing.
    func save(
        _ id: String, over former: PersonSQL.Known?, isReplaced: Bool = false, tenant: String,
        in session: inout Session
    ) throws(APIError) {
        let kept = isReplaced ? nil : former?.person
        var person = kept ?? Person(id: id, username: "", isSimple: false)
        apply(to: &person)
        // The next sign-on counts again, even if it says what the last one said. One that was signed before a right
        // was taken away does not.
        let hasLost = former.map { $0.person.hasRights(beyond: person) } ?? false
        let signedAt = try PersonSQL.firstMoment(former, of: id, tenant: tenant, in: &session)
        try PersonSQL.save(
            person, digest: nil, signedAt: hasLost ? max(signedAt + 1, session.now) : signedAt, tenant: tenant,
            in: &session)
        if hasLost { try TenantSQL.touch(tenant, in: &session) }
        try session.run(
            """
            UPDATE person SET created_at = COALESCE(?3, created_at), login_count = COALESCE(?4, login_count),
                              is_account_owner = COALESCE(?5, is_account_owner),
                              created_from_url_id = CASE WHEN ?6 THEN ?7 ELSE created_from_url_id END
            WHERE tenant_id = ?1 AND id = ?2
            """,
            .text(tenant), .text(id), .int(signUpDate), .int(loginCount), .bool(isAccountOwner),
            .bool(createdFromURLID.isChange), .text(createdFromURLID.value))
        if former?.person.looksLike(person) != true {
            try PersonSQL.touchPages(of: id, tenant: tenant, in: &session)
        }
    }

    private func apply(to person: inout Person) {
        person.username = username ?? person.username
        person.email = email.applied(to: person.email)
        person.displayName = displayName.applied(to: person.displayName)
        person.displayLabel = displayLabel.applied(to: person.displayLabel)
        person.websiteURL = websiteURL.applied(to: person.websiteURL)
        person.avatar = avatar.applied(to: person.avatar)
        person.groupIDs = groupIDs.applied(to: person.groupIDs)
        // Who owns the account may do everything; who does no more has to be told what is left.
        person.isAdmin = isAccountOwner == true || (isAdmin ?? (isAccountOwner == nil && person.isAdmin))
        person.isModerator = isModerator ?? person.isModerator
        person.isActivityPrivate = isActivityPrivate ?? person.isActivityPrivate
        person.isCommentsPrivate = isCommentsPrivate ?? person.isCommentsPrivate
        person.isDirectMessagesDisabled = isDirectMessagesDisabled ?? person.isDirectMessagesDisabled
        person.optedInNotifications = optedInNotifications ?? person.optedInNotifications
        person.optedInSubscriptions = optedInSubscriptions ?? person.optedInSubscriptions
    }
}

extension Person {
    /// Whether something is allowed that is not to the other.
    func hasRights(beyond other: Person) -> Bool {
        guard let otherGroups = other.groupIDs else {
            return isAdmin && !other.isAdmin || isModerator && !other.isModerator
        }
        let losesGroups = groupIDs.map { !Set($0).isSubset(of: otherGroups) } ?? true
        return isAdmin && !other.isAdmin || isModerator && !other.isModerator || losesGroups
    }

    /// Neither roles nor groups.
    mutating func loseRights() {
        isAdmin = false
        isModerator = false
        groupIDs = []
    }
}

extension Change {
    /// Whether there is anything to do.
    var isChange: Bool {
        if case .keep = self { false } else { true }
    }
}
