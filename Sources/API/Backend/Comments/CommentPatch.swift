import Domain
import JSON
import Storage

/// What a site's backend changes of a comment (contract: admin 5.1, PATCH). Members that are not in the body are kept;
/// `null` clears those that may be without a value.
struct CommentPatch: Sendable {
    let rawURLID: Change<String>
    /// Canonical; nil moves nothing.
    let urlID: String?
    let url: Change<String>
    let pageTitle: Change<String>
    let userID: Change<String>
    let email: Change<String>
    let name: Change<String>
    let link: Change<String>
    let html: String?
    let parentID: Change<String>
    let date: Int64?
    let localDateString: Change<String>
    let localDateHours: Change<Int64>
    let votes: JSONObject?
    let expireAt: Change<Int64>
    let isVerified: Bool?
    let verifiedAt: Change<Int64>
    let isParentNotified: Bool?
    let isTenantNotified: Bool?
    let isReviewed: Bool?
    let externalID: Change<String>
    let externalParentID: Change<String>
    let avatar: Change<String>
    let isSpam: Bool?
    let isApproved: Bool?
    let isDeleted: Bool?
    let isDeletedUser: Bool?
    let isByAdmin: Bool?
    let isByModerator: Bool?
    let isPinned: Bool?
    let isLocked: Bool?
    let flagCount: Int64?
    let label: Change<String>
    let meta: Change<String>
    let moderationGroups: [String]?
    let feedbackIDs: String?
    /// Nothing but unlocking: the only thing that a locked comment lets be done to it.
    let onlyUnlocks: Bool
    let hasText: Bool

    /// - Throws: `invalid-input` (400).
    init(_ body: JSONObject) throws(APIError) {
        guard !body.members.isEmpty else { throw .invalidInput("The body has nothing to change.") }
        let reader = PatchReader(body: body)
        rawURLID = try reader.text("urlIdRaw", limit: 3 * PageIdentity.maximumLength)
        urlID = try Self.urlID(reader)
        url = try reader.text("url", limit: 2000)
        pageTitle = try reader.text("pageTitle", isNullable: true, limit: 2000)
        userID = try reader.text("userId", isNullable: true, limit: 1100)
        email = try Self.email(reader)
        name = try Self.name(reader)
        link = try Self.checked("commenterLink", reader, WebAddress.isWeb)
        html = try reader.text("commentHTML", limit: CommentDraft.hardLimit).value
        parentID = try reader.text("parentId", isNullable: true, limit: 100)
        date = try reader.whole("date", isNullable: true, 0...NewBackendComment.lastMoment).value
        localDateString = try reader.text("localDateString", isNullable: true, limit: 100)
        localDateHours = try reader.whole("localDateHours", isNullable: true, -1000...1000)
        votes = ["votes", "votesUp", "votesDown"].contains { body[$0] != nil } ? body : nil
        expireAt = try reader.moment("expireAt", isNullable: true)
        isVerified = try reader.flag("verified")
        verifiedAt = try reader.moment("verifiedDate", isNullable: true)
        isParentNotified = try reader.flag("notificationSentForParent")
        isTenantNotified = try reader.flag("notificationSentForParentTenant")
        isReviewed = try reader.flag("reviewed")
        externalID = try reader.text("externalId", limit: 1000)
        externalParentID = try reader.text("externalParentId", isNullable: true, limit: 1000)
        avatar = try Self.checked("avatarSrc", reader, AvatarSource.isUsable, limit: 50_000)
        isSpam = try reader.flag("isSpam")
        isApproved = try reader.flag("approved")
        isDeleted = try reader.flag("isDeleted")
        isDeletedUser = try reader.flag("isDeletedUser")
        isByAdmin = try reader.flag("isByAdmin")
        isByModerator = try reader.flag("isByModerator")
        isPinned = try reader.flag("isPinned", isNullable: true)
        isLocked = try reader.flag("isLocked", isNullable: true)
        flagCount = try reader.whole("flagCount", isNullable: true, 0...1_000_000).orZero
        label = try reader.text("displayLabel", isNullable: true, limit: 100)
        meta = body["meta"] == nil ? .keep : try BackendMeta.text(body).map { .set($0) } ?? .clear
        moderationGroups = try reader.list("moderationGroupIds")
        feedbackIDs = try reader.list("feedbackIds") == nil ? nil : try Feedback.ids(body)
        onlyUnlocks = isLocked == false && body.members.allSatisfy { $0.name == "isLocked" }
        hasText = try reader.text("comment", limit: .max).value != nil
    }

    private static func urlID(_ reader: PatchReader) throws(APIError) -> String? {
        guard let raw = try reader.text("urlId", limit: 3 * PageIdentity.maximumLength).value else { return nil }
        guard let urlID = PageIdentity.canonical(raw), urlID != LiveRoomName.feed else {
            throw APIError(422, "missing-url-id", "urlId names no page.")
        }
        return urlID
    }

    private static func email(_ reader: PatchReader) throws(APIError) -> Change<String> {
        let email = try reader.text("commenterEmail", isNullable: true, limit: 1000)
        guard let address = email.value, !EmailAddress.isValid(address) else { return email }
        throw APIError(422, "invalid-email", "commenterEmail is no e-mail address.", phrase: .emailInvalid)
    }

    private static func name(_ reader: PatchReader) throws(APIError) -> Change<String> {
        guard let given = try reader.text("commenterName", limit: 10_000).value else { return .keep }
        let name = CommenterName.cleaned(given)
        guard !name.isEmpty, name.unicodeScalars.count <= NewBackendComment.nameLimit else {
            throw APIError(
                422, "invalid-name", "commenterName must have 1 to \(NewBackendComment.nameLimit) characters.",
                phrase: .nameInvalid)
        }
        guard !EmailAddress.isValid(name) else {
            throw APIError(422, "invalid-name-is-email", "commenterName is an e-mail address.", phrase: .nameIsEmail)
        }
        return .set(name)
    }

    private static func checked(
        _ name: String, _ reader: PatchReader, _ isUsable: (String) -> Bool, limit: Int = 3000
    ) throws(APIError) -> Change<String> {
        let change = try reader.text(name, isNullable: true, limit: limit)
        guard let text = change.value else { return change }
        if text.isEmpty { return .clear }
        guard isUsable(text) else { throw .invalidInput("\(name) must be an http or https address.") }
        return change
    }
}

/// Reads members of a body that changes something.
struct PatchReader: Sendable {
    let body: JSONObject

    private func change<Value>(
        _ name: String, _ isNullable: Bool, _ what: String, _ convert: (JSONValue) -> Value?
    ) throws(APIError) -> Change<Value> {
        guard let value = body[name] else { return .keep }
        if value.isNull {
            guard isNullable else { throw .invalidInput("\(name) may not be null.") }
            return .clear
        }
        guard let converted = convert(value) else { throw .invalidInput("\(name) must be \(what).") }
        return .set(converted)
    }

    /// - Parameter limit: characters.
    func text(_ name: String, isNullable: Bool = false, limit: Int) throws(APIError) -> Change<String> {
        try change(name, isNullable, "a string of at most \(limit) characters") { value in
            value.string.flatMap { $0.unicodeScalars.count <= limit ? $0 : nil }
        }
    }

    /// nil when absent; `null` is false where it may be.
    func flag(_ name: String, isNullable: Bool = false) throws(APIError) -> Bool? {
        switch try change(name, isNullable, "true or false", \.bool) {
        case .keep: nil
        case .clear: false
        case .set(let flag): flag
        }
    }

    func whole(
        _ name: String, isNullable: Bool = false, _ range: ClosedRange<Int64>
    ) throws(APIError) -> Change<Int64> {
        try change(name, isNullable, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Milliseconds of an ISO date.
    func moment(_ name: String, isNullable: Bool) throws(APIError) -> Change<Int64> {
        try change(name, isNullable, "an ISO date") { value in value.string.flatMap(ISODate.parse) }
    }

    /// nil when absent.
    func list(_ name: String) throws(APIError) -> [String]? {
        guard let value = body[name] else { return nil }
        guard !value.isNull else { throw .invalidInput("\(name) may not be null.") }
        guard let texts = try body.texts(name), texts.count <= 100 else {
            throw .invalidInput("\(name) must be a list of at most 100 strings.")
        }
        return texts
    }
}

extension Change {
    /// What is set; nil when nothing is.
    var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}

extension Change<Int64> {
    /// nil keeps; what is cleared is 0.
    fileprivate var orZero: Int64? {
        switch self {
        case .keep: nil
        case .clear: 0
        case .set(let number): number
        }
    }
}
