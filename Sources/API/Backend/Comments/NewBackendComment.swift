import Domain
import JSON
import Storage
import Translations

/// A comment that a site's backend writes, decoded and rendered (contract: admin 5.1, 4).
struct NewBackendComment: Sendable {
    static let nameLimit = 500
    /// The end of the year 9999, milliseconds.
    static let lastMoment: Int64 = 253_402_300_799_999

    let urlID: String
    let rawURLID: String
    let facts: PageFacts
    var draft: CommentDraft
    let screening: Screening
    let userID: String?
    let name: String
    let email: String?
    let link: String?
    let avatar: String?
    let parentID: String?
    let date: Int64?
    let votes: (up: Int64, down: Int64)
    let isApproved: Bool
    let isSpam: Bool
    /// nil is what follows from the author.
    let isVerified: Bool?
    let isReviewed: Bool?
    let isPinned: Bool
    let domain: String?
    /// The commenter's, as given.
    let address: String?
    let locale: String
    let localDateString: String?
    let localDateHours: Int64?
    let productID: Int64?
    let rating: Double?
    let feedbackIDs: String?
    let questionValues: String?
    let meta: String?
    let moderationGroups: String?
    let isParentNotified: Bool?
    let isTenantNotified: Bool?

    /// - Throws: `missing-url-id`, `empty-comment`, `comment-too-big`, `restricted-link`, `invalid-…`, `…-readonly` (422).
    init(_ body: JSONObject, _ visit: BackendVisit, in session: inout Session) throws(APIError) {
        let tenant = visit.tenant
        rawURLID = try body.text("urlId") ?? ""
        guard let urlID = PageIdentity.canonical(rawURLID), urlID != LiveRoomName.feed else {
            throw APIError(422, "missing-url-id", "urlId is missing or names no page.")
        }
        self.urlID = urlID
        let settings = tenant.settings(of: urlID)
        userID = try body.filled("userId")
        email = try Self.email(body)
        let written = try Self.name(body, isOptional: userID != nil)
        try Self.checkLists(body)
        facts = PageFacts(url: try body.text("url"), title: try body.text("pageTitle"))
        link = try body.text("commenterLink").flatMap { WebAddress.isWeb($0) ? $0 : nil }
        avatar = try body.text("avatarSrc").flatMap { AvatarSource.isUsable($0) ? $0 : nil }
        parentID = try body.filled("parentId")
        date = try Self.date(body)
        votes = try Self.votes(body)
        isApproved = try body.flag("approved") ?? false
        isSpam = try body.flag("isSpam") ?? false
        isVerified = try body.flag("verified")
        isReviewed = try body.flag("reviewed")
        isPinned = try body.flag("isPinned") ?? false
        domain = try body.filled("domain")?.lowercased().cut(to: 1000)
        address = try body.filled("ip")
        locale =
            try body.filled("locale")?.cut(to: 20)
            ?? ReaderLanguage.of(visit.call, person: nil, settings: settings).locale
        localDateString = try body.text("localDateString")?.cut(to: 100)
        localDateHours = try body.whole("localDateHours")
        productID = try body.whole("productId")
        rating = try body.number("rating")
        feedbackIDs = try Feedback.ids(body)
        questionValues = try Feedback.values(body)
        meta = try BackendMeta.text(body)
        moderationGroups = try body.texts("moderationGroupIds").map { JSONText.list($0.prefix(100).map(\.self)) }
        isParentNotified = try body.flag("notificationSentForParent")
        isTenantNotified = try body.flag("notificationSentForParentTenant")
        name = Screening.name(written, tenant.moderation, locale)
        (draft, screening) = try CommentDraft.screened(
            body, tenant: tenant, settings: settings, as: .asEntered, locale: locale, in: &session)
    }

    private static func name(_ body: JSONObject, isOptional: Bool) throws(APIError) -> String {
        let name = CommenterName.cleaned(try body.text("commenterName") ?? "")
        if isOptional { return name.cut(to: nameLimit) }
        guard !name.isEmpty, name.unicodeScalars.count <= nameLimit else {
            throw APIError(
                422, "invalid-name", "commenterName must have 1 to \(nameLimit) characters.", phrase: .nameInvalid)
        }
        guard !EmailAddress.isValid(name) else {
            throw APIError(422, "invalid-name-is-email", "commenterName is an e-mail address.", phrase: .nameIsEmail)
        }
        return name
    }

    private static func email(_ body: JSONObject) throws(APIError) -> String? {
        guard let email = try body.filled("commenterEmail")?.trimmed else { return nil }
        guard EmailAddress.isValid(email) else {
            throw APIError(422, "invalid-email", "commenterEmail is no e-mail address.", phrase: .emailInvalid)
        }
        return email
    }

    /// Lists that are none, or whose entries say too little, are nothing a caller may make up.
    private static func checkLists(_ body: JSONObject) throws(APIError) {
        for (name, code) in [("mentions", "mentions-readonly"), ("hashTags", "hash-tags-readonly")] {
            guard let value = body.present(name) else { continue }
            let entries = value.array?.map(\.object)
            guard let entries, entries.allSatisfy({ $0?["id"]?.string != nil && $0?["tag"]?.string != nil }) else {
                throw APIError(422, code, "\(name) must be a list of objects that have id and tag.")
            }
        }
        guard body.present("comment") != nil else {
            throw APIError(422, "empty-comment", "comment is missing.", phrase: .commentEmpty)
        }
    }

    private static func date(_ body: JSONObject) throws(APIError) -> Int64? {
        guard let value = body.present("date") else { return nil }
        guard let date = value.integer, (0...lastMoment).contains(date) else {
            throw APIError(422, "invalid-date", "date must be milliseconds since 1970.")
        }
        return date
    }

    /// Of sum, up and down two say the third; a sum alone fills its side.
    static func votes(
        _ body: JSONObject, up oldUp: Int64? = nil, down oldDown: Int64? = nil
    ) throws(APIError) -> (up: Int64, down: Int64) {
        let limit: Int64 = 1_000_000_000
        let sum = try body.whole("votes")
        let up = try body.whole("votesUp")
        let down = try body.whole("votesDown")
        var result: (up: Int64, down: Int64)
        switch (sum, up, down) {
        case (_, let up?, let down?): result = (up, down)
        case (let sum?, let up?, nil): result = (up, up - sum)
        case (let sum?, nil, let down?): result = (sum + down, down)
        case (let sum?, nil, nil): result = (max(0, sum), max(0, -sum))
        case (nil, let up, let down): result = (up ?? oldUp ?? 0, down ?? oldDown ?? 0)
        }
        result.up = max(0, result.up)
        guard (up ?? 0) >= 0, (down ?? 0) >= 0, result.up <= limit, (0...limit).contains(max(0, result.down)) else {
            throw .invalidInput("votesUp and votesDown must be 0 to \(limit).")
        }
        result.down = max(0, result.down)
        return result
    }
}

/// Pictures of people.
enum AvatarSource {
    /// An address of up to 3000 characters, or the picture itself of up to 50,000.
    static func isUsable(_ source: String) -> Bool {
        guard source.hasPrefix("data:image/") else { return WebAddress.isWeb(source) && source.count <= 3000 }
        return source.utf8.count <= 50_000 && !WebAddress.breaksOut(source)
    }
}

/// What a site keeps with a comment for itself.
enum BackendMeta {
    /// Of which strict clients know that they are texts.
    private static let texts = ["wpUserId", "wpPostId", "wpId"]

    /// - Returns: nil when absent or null.
    /// - Throws: `invalid-input` (400).
    static func text(_ body: JSONObject) throws(APIError) -> String? {
        guard let value = body.present("meta") else { return nil }
        guard let object = value.object, texts.allSatisfy({ object[$0].map { $0.string != nil } ?? true }) else {
            throw .invalidInput("meta must be an object in which \(texts.joined(separator: ", ")) are strings.")
        }
        guard let text = NewComment.kept(value) else { throw .invalidInput("meta is larger than 16 KiB.") }
        return text
    }
}

extension JSONObject {
    /// A text member; nil when absent, null or empty.
    func filled(_ name: String) throws(APIError) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return text
    }

    /// A whole number; nil when absent or null.
    func whole(_ name: String) throws(APIError) -> Int64? {
        guard let value = present(name) else { return nil }
        guard let number = value.integer, Int32(exactly: number) != nil else {
            throw .invalidInput("\(name) must be a whole number of at most 32 bits.")
        }
        return number
    }
}
