import Domain
import Storage

/// A comment as stored, joined with its author's present name and picture.
struct CommentRecord: Sendable {
    let seq: Int64
    let id: String
    let tenant: String
    let pageID: Int64
    let parentSeq: Int64?
    let parentID: String?
    let userID: String?
    let guestID: String?
    let writtenName: String
    let writtenLink: String?
    let writtenLabel: String?
    let source: String
    let html: String
    let url: String
    let locale: String?
    let createdAt: Int64
    var votesUp: Int64
    var votesDown: Int64
    let pinnedAt: Int64
    let isLocked: Bool
    let isDeleted: Bool
    let isDeletedUser: Bool
    let isVerified: Bool
    let isByAdmin: Bool
    let isByModerator: Bool
    let hasImages: Bool
    let hasLinks: Bool
    let hasCode: Bool
    let rating: Double?
    let feedbackIDs: String?
    let editKeyHash: String?
    let editKeyExpiresAt: Int64
    let email: String?
    let viewCount: Int64
    // JSON arrays, as the site's backend gets them.
    let mentions: String?
    let hashTags: String?
    /// What the author shows there.
    var badges: [ShownBadge] = []
    /// What moderators decide.
    let state: ModerationState
    /// Groups whose moderators may see it; nil is all.
    let moderationGroups: [String]?
    private let writtenAvatar: String?
    private let ownWords: OwnWords
    // Of the author's row, where there is one.
    private let username: String?
    private let displayName: String?
    private let displayLabel: String?
    private let avatar: String?
    private let websiteURL: String?

    var isApproved: Bool { state.isApproved }
    var isSpam: Bool { state.isSpam }
    var flagCount: Int64 { state.flagCount }

    /// Wire id of whoever wrote it.
    var authorKey: String? { userID ?? guestID }

    /// The author's present name, else the one written with the comment.
    var name: String {
        if ownWords.contains(.name) { return writtenName }
        if let displayName, !displayName.isEmpty { return displayName }
        return username ?? writtenName
    }

    var label: String? { isOwn(.label) ? writtenLabel : displayLabel }
    var shownAvatar: String? { isOwn(.avatar) ? writtenAvatar : avatar }
    var link: String? { isOwn(.link) ? writtenLink : websiteURL }

    private func isOwn(_ word: OwnWords) -> Bool { username == nil || ownWords.contains(word) }

    var votes: Int64 { votesUp - votesDown }

    init(_ row: borrowing Row) {
        seq = row.int64(0)
        id = row.text(1)
        tenant = row.text(2)
        pageID = row.int64(3)
        parentSeq = row.int64OrNil(4)
        parentID = row.textOrNil(5)
        userID = row.textOrNil(6)
        guestID = row.textOrNil(7)
        writtenName = row.text(8)
        writtenLink = row.textOrNil(9)
        writtenLabel = row.textOrNil(10)
        source = row.text(11)
        html = row.text(12)
        url = row.text(13)
        locale = row.textOrNil(14)
        createdAt = row.int64(15)
        votesUp = row.int64(16)
        votesDown = row.int64(17)
        pinnedAt = row.int64(18)
        isLocked = row.bool(19)
        isDeleted = row.bool(22)
        isDeletedUser = row.bool(23)
        isVerified = row.bool(24)
        isByAdmin = row.bool(25)
        isByModerator = row.bool(26)
        hasImages = row.bool(27)
        hasLinks = row.bool(28)
        hasCode = row.bool(29)
        rating = row.doubleOrNil(31)
        feedbackIDs = row.textOrNil(32)
        editKeyHash = row.textOrNil(33)
        editKeyExpiresAt = row.int64(34)
        email = row.textOrNil(35)
        username = row.textOrNil(36)
        displayName = row.textOrNil(37)
        displayLabel = row.textOrNil(38)
        avatar = row.textOrNil(39)
        websiteURL = row.textOrNil(40)
        viewCount = row.int64(41)
        mentions = row.textOrNil(42)
        hashTags = row.textOrNil(43)
        state = ModerationState(
            isApproved: row.bool(20), isSpam: row.bool(21), isPermanentlyNotSpam: row.bool(45),
            isReviewed: row.bool(44), isHiddenByFlags: row.bool(46), flagCount: row.int64(30))
        moderationGroups = row.textOrNil(47).map(JSONText.strings)
        writtenAvatar = row.textOrNil(48)
        ownWords = OwnWords(rawValue: row.int(49))
    }
}

/// What shows of an author as it was written with the comment, whatever the person is called now.
struct OwnWords: OptionSet, Sendable {
    let rawValue: Int

    static let name = OwnWords(rawValue: 1)
    static let avatar = OwnWords(rawValue: 2)
    static let label = OwnWords(rawValue: 4)
    static let link = OwnWords(rawValue: 8)
}
