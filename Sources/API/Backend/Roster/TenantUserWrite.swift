import Domain
import JSON
import Storage

/// What a backend says of somebody who runs the tenant, checked (contract: admin 5.8, 1.8).
struct TenantUserWrite: Sendable {
    private static let textLimit = 1000

    /// nil when absent; never empty.
    let username: String?
    /// In lower case; nil when absent.
    let email: String?
    private let roles: [(role: AccountRoles, isGiven: Bool)]
    private let signUpDate: Int64?
    private let loginCount: Int64?
    private let lastLoginAt: Int64?
    /// By the names of the API; null takes a value back.
    private let profile: JSONObject

    /// - Throws: `username-required`, `email-required`, `invalid-email`, `unsupported-locale`,
    ///   `sign-up-date-in-future`, `invalid-input` (422).
    init(_ body: JSONObject, at now: Int64) throws(APIError) {
        let reader = PatchReader(body: body)
        username = try Self.username(reader)
        email = try Self.email(reader)
        var roles: [(AccountRoles, Bool)] = []
        for (name, role) in TenantUser.roles {
            if let isGiven = try reader.flag(name.description, isNullable: true) { roles.append((role, isGiven)) }
        }
        self.roles = roles
        signUpDate = try reader.whole("signUpDate", isNullable: true, 0...NewBackendComment.lastMoment).value
        if let signUpDate, signUpDate > now {
            throw APIError(422, "sign-up-date-in-future", "signUpDate lies in the future.")
        }
        loginCount = try reader.whole("loginCount", isNullable: true, 0...Int64(Int32.max)).value
        lastLoginAt = try reader.whole("lastLoginDate", isNullable: true, 0...NewBackendComment.lastMoment).value
        // Follows from whom moderators' rows name.
        _ = try reader.body.present("moderatorIds").map { (_) throws(APIError) -> [String]? in
            try reader.list("moderatorIds")
        }
        profile = try Self.profile(reader)
    }

    private static func username(_ reader: PatchReader) throws(APIError) -> String? {
        guard reader.body["username"] != nil else { return nil }
        let given = try reader.text("username", isNullable: true, limit: textLimit).value ?? ""
        let name = CommenterName.cleaned(given)
        guard !name.isEmpty else { throw usernameRequired }
        return name
    }

    private static func email(_ reader: PatchReader) throws(APIError) -> String? {
        guard reader.body["email"] != nil else { return nil }
        let email = (try reader.text("email", isNullable: true, limit: 10 * textLimit).value ?? "").trimmed
        guard !email.isEmpty else { throw emailRequired }
        guard EmailAddress.isValid(email) else { throw .invalidEmail }
        return email.lowercased()
    }

    static let usernameRequired = APIError(422, "username-required", "username is missing or empty.")
    static let emailRequired = APIError(422, "email-required", "email is missing or empty.")

    /// For somebody who is made or replaced.
    func requireAll() throws(APIError) {
        guard username != nil else { throw Self.usernameRequired }
        guard email != nil else { throw Self.emailRequired }
    }

    // MARK: Profile

    private static func profile(_ reader: PatchReader) throws(APIError) -> JSONObject {
        var profile = JSONObject()
        for (name, limit) in [("displayName", 500), ("displayLabel", 100)] {
            let change = try reader.text(name, isNullable: true, limit: limit)
            set(name, change.value.map { .string(CommenterName.cleaned($0)) }, change.isChange, &profile)
        }
        let addresses: [(String, Int, (String) -> Bool)] = [
            ("websiteUrl", 2000, WebAddress.isWeb), ("avatarSrc", 50_000, AvatarSource.isUsable),
        ]
        for (name, limit, isUsable) in addresses {
            let change = try reader.text(name, isNullable: true, limit: limit)
            if let text = change.value, !text.isEmpty, !isUsable(text) {
                throw .invalidInput("\(name) must be an http or https address.")
            }
            set(name, change.value.map { .string($0) }, change.isChange, &profile)
        }
        let origin = try reader.text("createdFromUrlId", isNullable: true, limit: PageIdentity.maximumLength)
        set("createdFromUrlId", origin.value.map { .string($0) }, origin.isChange, &profile)
        for name in ["verified", "optedInNotifications", "optedInTenantNotifications", "hideAccountCode"] {
            if let flag = try reader.flag(name, isNullable: true) { profile.append(name, .bool(flag)) }
        }
        for (name, range) in [("digestEmailFrequency", Int64(-1)...2), ("karma", Int64(Int32.min)...Int64(Int32.max))] {
            let change = try reader.whole(name, isNullable: true, range)
            set(name, change.value.map { .integer($0) }, change.isChange, &profile)
        }
        try locale(reader, &profile)
        return profile
    }

    /// What is empty counts as taken back.
    private static func set(
        _ name: String, _ value: JSONValue?, _ isChange: Bool, _ profile: inout JSONObject
    ) {
        guard isChange else { return }
        profile.append(name, value == .string("") ? .null : value ?? .null)
    }

    private static func locale(_ reader: PatchReader, _ profile: inout JSONObject) throws(APIError) {
        let change = try reader.text("locale", isNullable: true, limit: textLimit)
        if let locale = change.value, !locales.contains(locale) {
            throw APIError(422, "unsupported-locale", "There is no locale \(locale.cut(to: 50)).")
        }
        set("locale", change.value.map { .string($0) }, change.isChange, &profile)
    }

    private static let locales: Set<String> = [
        "bg_bg", "zh_cn", "zh_tw", "hr_hr", "da_dk", "en_us", "fr_fr", "de_de", "el_cy", "el_gr", "he", "it_it",
        "ja_jp", "ko_kr", "pl_pl", "pt_br", "ru_ru", "ru_ua", "sr_ba", "sr_latn_rs", "sl_sl", "sr_me", "sr_rs",
        "es_es", "uk_ua", "tr_tr", "nl_nl",
    ]

    // MARK: Storage

    /// - Parameter isReplaced: nothing of the former is kept where the body says nothing.
    /// - Returns: the id.
    /// - Throws: `username-taken`, `email-taken` (422), `unauthorized` (403) for the last owner.
    func save(
        over former: Account?, isReplaced: Bool = false, tenant: String, in session: inout Session
    ) throws(APIError) -> String {
        try requireFree(former?.id, tenant, in: &session)
        let kept = isReplaced ? nil : former
        var roles = kept?.roles ?? []
        for (role, isGiven) in self.roles {
            if isGiven { roles.insert(role) } else { roles.remove(role) }
        }
        guard let former else {
            let id = try AccountSQL.insert(
                email: email ?? "", name: username ?? "", roles: roles, tenant: tenant, in: &session)
            try saveFacts(of: id, isReplaced: false, in: &session)
            return id
        }
        if former.roles.contains(.owner), !roles.contains(.owner) {
            try AccountSQL.requireAnotherOwner(than: former, in: &session)
        }
        try AccountSQL.update(
            former, email: email ?? former.email, name: username ?? former.name, roles: roles, in: &session)
        try saveFacts(of: former.id, isReplaced: isReplaced, in: &session)
        return former.id
    }

    private func requireFree(_ id: String?, _ tenant: String, in session: inout Session) throws(APIError) {
        if let email, let other = try AccountSQL.find(email: email, in: &session), other.id != id {
            throw APIError(422, "email-taken", "There is a user with this address already.")
        }
        if let username, try AccountSQL.isTaken(username, by: id, tenant: tenant, in: &session) {
            throw APIError(422, "username-taken", "There is a user with this name already.")
        }
    }

    private func saveFacts(of id: String, isReplaced: Bool, in session: inout Session) throws(APIError) {
        let known = try session.first("SELECT profile FROM account WHERE id = ?1", .text(id)) {
            (row) throws(APIError) -> JSONObject in JSONText.members(row.text(0))
        }
        var merged = profile
        for (name, value) in known?.members ?? [] where !isReplaced && profile[name] == nil {
            merged.append(name, value)
        }
        var kept = JSONObject()
        for (name, value) in merged.members where !value.isNull { kept.append(name, value) }
        try session.run(
            """
            UPDATE account SET profile = ?2, created_at = COALESCE(?3, created_at),
                               login_count = COALESCE(?4, CASE WHEN ?6 THEN 0 ELSE login_count END),
                               last_login_at = COALESCE(?5, CASE WHEN ?6 THEN NULL ELSE last_login_at END)
            WHERE id = ?1
            """,
            .text(id), .text(JSONText.object(kept)), .int(signUpDate), .int(loginCount), .int(lastLoginAt),
            .bool(isReplaced))
    }
}

extension APIError {
    static let invalidEmail = APIError(422, "invalid-email", "email is no e-mail address.")
}
