import JSON

/// A member of a payload: absent ones keep what is stored, `null` clears it.
package enum Change<Value: Sendable>: Sendable {
    case keep
    case clear
    case set(Value)

    /// The value after this change.
    package func applied(to current: Value?) -> Value? {
        switch self {
        case .keep: current
        case .clear: nil
        case .set(let value): value
        }
    }
}

/// What a sign-on payload says of a person (contract: public 3.2, table of user data).
package struct PersonChanges: Sendable {
    /// The id given by the site; empty when unsigned data has none.
    package let id: String
    /// Cleaned; empty when unsigned data has none.
    package let username: String
    /// Absent keeps, null clears.
    package let email: Change<String>
    /// Absent keeps, null clears.
    package let displayName: Change<String>
    /// Absent keeps, null clears.
    package let displayLabel: Change<String>
    /// Absent keeps, null clears.
    package let avatar: Change<String>
    /// Absent keeps, null clears.
    package let websiteURL: Change<String>
    /// Absent keeps, null clears.
    package let groupIDs: Change<[String]>
    /// Absent keeps, null clears.
    package let isAdmin: Change<Bool>
    /// Absent keeps, null clears.
    package let isModerator: Change<Bool>
    /// Absent keeps, null clears.
    package let isActivityPrivate: Change<Bool>
    /// Absent keeps, null clears.
    package let isCommentsPrivate: Change<Bool>
    /// Absent keeps, null clears.
    package let isDirectMessagesDisabled: Change<Bool>
    /// Absent keeps, null clears.
    package let optedInNotifications: Change<Bool>
    /// Absent keeps, null clears.
    package let optedInSubscriptions: Change<Bool>
    /// Absent keeps, null clears.
    package let locale: Change<String>
    /// Absent keeps, null clears.
    package let badgeConfig: Change<String>

    /// - Throws: `malformed-sso` when id, e-mail or username is missing or anything is out of bounds.
    init(secure user: JSONObject) throws(APIError) {
        guard let id = SSOPayload.text(user["id"]) else { throw .malformedSSO("The SSO user data has no id.") }
        guard SSOPayload.text(user["email"]) != nil else { throw .malformedSSO("The SSO user data has no email.") }
        guard let username = SSOPayload.text(user["username"]) else {
            throw .malformedSSO("The SSO user data has no username.")
        }
        try self.init(user, id: id, username: username, confersRights: true)
        guard !self.username.isEmpty else { throw .malformedSSO("The SSO username has nothing that can be shown.") }
    }

    /// - Throws: `malformed-sso` when anything is out of bounds.
    init(simple user: JSONObject) throws(APIError) {
        let name = SSOPayload.text(user["username"]) ?? SSOPayload.text(user["displayName"])
        try self.init(user, id: SSOPayload.text(user["id"]) ?? "", username: name ?? "", confersRights: false)
    }

    private init(_ user: JSONObject, id: String, username: String, confersRights: Bool) throws(APIError) {
        let reader = PersonDataReader(user: user)
        guard id.unicodeScalars.count <= 1000, !id.unicodeScalars.contains(where: \.isInvisibleControl) else {
            throw .malformedSSO("The SSO user id has more than 1000 characters or control characters.")
        }
        self.id = id
        self.username = try reader.checkedName(username)
        email = try reader.email()
        displayName = try reader.shownText("displayName", limit: 500)
        displayLabel = try reader.shownText("displayLabel", limit: 100)
        avatar = try reader.avatar()
        websiteURL = try reader.website()
        groupIDs = confersRights ? try reader.groups() : .keep
        isAdmin = confersRights ? reader.flag("isAdmin") : .keep
        isModerator = confersRights ? reader.flag("isModerator") : .keep
        isActivityPrivate = reader.flag("isProfileActivityPrivate")
        isCommentsPrivate = reader.flag("isProfileCommentsPrivate")
        isDirectMessagesDisabled = reader.flag("isProfileDMDisabled")
        optedInNotifications = reader.flag("optedInNotifications")
        optedInSubscriptions = reader.flag("optedInSubscriptionNotifications")
        locale = try reader.text("locale", limit: 20)
        badgeConfig = reader.badgeConfig()
    }
}

/// Reads single members of user data, each with its bound.
private struct PersonDataReader {
    let user: JSONObject

    func checkedName(_ name: String) throws(APIError) -> String {
        let name = CommenterName.cleaned(name)
        guard name.unicodeScalars.count <= 1000 else {
            throw .malformedSSO("The SSO username has more than 1000 characters.")
        }
        guard !EmailAddress.isValid(name) else {
            throw .malformedSSO("The SSO username is an e-mail address. Send a name that may be shown.")
        }
        return name
    }

    func text(_ name: String, limit: Int) throws(APIError) -> Change<String> {
        guard let value = user[name] else { return .keep }
        guard let text = SSOPayload.text(value) else { return .clear }
        guard text.unicodeScalars.count <= limit else {
            throw .malformedSSO("The SSO \(name) has more than \(limit) characters.")
        }
        return .set(text)
    }

    /// A text that stands beside comments: without markup and invisible characters.
    func shownText(_ name: String, limit: Int) throws(APIError) -> Change<String> {
        guard case .set(let text) = try text(name, limit: limit) else { return try self.text(name, limit: limit) }
        let cleaned = CommenterName.cleaned(text)
        return cleaned.isEmpty ? .clear : .set(cleaned)
    }

    func email() throws(APIError) -> Change<String> {
        let email = try text("email", limit: 1000)
        guard case .set(let address) = email else { return email }
        guard EmailAddress.isValid(address) else {
            throw APIError(422, "invalid-email", "The SSO email is no e-mail address.", phrase: .emailInvalid)
        }
        return email
    }

    func avatar() throws(APIError) -> Change<String> {
        let name = user["avatar"] == nil ? "avatarSrc" : "avatar"
        let isData = user[name]?.string?.hasPrefix("data:image/") == true
        let avatar = try text(name, limit: isData ? 50_000 : 3000)
        guard case .set(let source) = avatar else { return avatar }
        let isSafe = isData ? !WebAddress.breaksOut(source) : WebAddress.isWeb(source)
        return isSafe ? avatar : .clear
    }

    func website() throws(APIError) -> Change<String> {
        let website = try text("websiteUrl", limit: 2000)
        guard case .set(let address) = website, !WebAddress.isWeb(address) else { return website }
        return .clear
    }

    func flag(_ name: String) -> Change<Bool> {
        guard let value = user[name] else { return .keep }
        return value.bool.map { .set($0) } ?? .clear
    }

    func groups() throws(APIError) -> Change<[String]> {
        guard let value = user["groupIds"] else { return .keep }
        guard let items = value.array else { return .clear }
        let groups = items.compactMap { SSOPayload.text($0) }
        guard groups.count <= 100, groups.allSatisfy({ $0.count <= 50 }) else {
            throw .malformedSSO("The SSO groupIds are more than 100 or longer than 50 characters.")
        }
        return .set(groups)
    }

    func badgeConfig() -> Change<String> {
        guard let value = user["badgeConfig"] else { return .keep }
        guard value.object != nil else { return .clear }
        let bytes = value.jsonBytes()
        return bytes.count <= 8192 ? .set(String(decoding: bytes, as: UTF8.self)) : .clear
    }
}
