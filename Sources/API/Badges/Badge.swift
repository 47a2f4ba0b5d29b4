import Domain
import JSON
import Storage

/// What a badge is given for (contract: admin 5.6).
package enum BadgeType: Int, Sendable, CaseIterable {
    case commentCount = 0
    case upVotes, replies, pinned, veteran, nightOwl, fastReply
    case modDeleted, modApproved, modUnapproved, modReviewed, modSpam, modNotSpam
    case repliedToPage
    /// By hand.
    case manual

    /// As the command line names it.
    package var word: String {
        switch self {
        case .commentCount: "comment-count"
        case .upVotes: "up-votes"
        case .replies: "replies"
        case .pinned: "pinned"
        case .veteran: "veteran"
        case .nightOwl: "night-owl"
        case .fastReply: "fast-reply"
        case .modDeleted: "mod-deleted"
        case .modApproved: "mod-approved"
        case .modUnapproved: "mod-unapproved"
        case .modReviewed: "mod-reviewed"
        case .modSpam: "mod-spam"
        case .modNotSpam: "mod-not-spam"
        case .repliedToPage: "replied-to-page"
        case .manual: "manual"
        }
    }
}

/// How a badge looks, and how it is named.
package struct BadgeFace: Sendable, Equatable {
    /// One line.
    package var description: String
    /// What stands on it.
    package var label: String
    /// Address of an image.
    package var image: String?
    /// CSS colours.
    package var backgroundColor: String?
    /// CSS colour.
    package var borderColor: String?
    /// CSS colour.
    package var textColor: String?
    /// CSS class.
    package var cssClass: String?

    /// Text alone.
    package init(description: String, label: String) {
        self.description = description
        self.label = label
    }

    init(_ row: borrowing Row, from column: Int) {
        description = row.text(column)
        label = row.text(column + 1)
        image = row.textOrNil(column + 2)
        backgroundColor = row.textOrNil(column + 3)
        borderColor = row.textOrNil(column + 4)
        textColor = row.textOrNil(column + 5)
        cssClass = row.textOrNil(column + 6)
    }

    /// The members that all forms of a badge have.
    func writeMembers(nullsLooks: Bool, to json: inout JSONWriter) {
        json.member("description", description)
        json.member("displayLabel", label)
        let looks: [(StaticString, String?)] = [
            ("displaySrc", image), ("backgroundColor", backgroundColor), ("borderColor", borderColor),
            ("textColor", textColor),
        ]
        for (name, look) in looks where nullsLooks || look != nil { json.member(name, orNull: look) }
        json.member("cssClass", ifPresent: cssClass)
    }
}

/// A badge of a tenant, whoever has it.
package struct Badge: Sendable {
    /// Its id.
    package let id: String
    /// Whose it is.
    package let tenant: String
    let createdBy: String
    let createdAt: Int64
    /// Whether somebody can still be given it.
    package let isEnabled: Bool
    /// What it is given for.
    package let type: BadgeType
    let threshold: Int64
    let veteranMilliseconds: Int64?
    /// For those who run the site.
    package let name: String
    /// How it looks.
    package let face: BadgeFace
    let urlID: String?
    let replaces: String?
    /// Those who have it.
    package let uses: Int64

    /// As moderators choose from it; closed key set.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("tenantId", tenant)
            json.member("createdByUserId", createdBy)
            json.key("createdAt")
            json.date(milliseconds: createdAt)
            json.member("enabled", isEnabled)
            json.member("urlId", ifPresent: urlID)
            json.member("type", type.rawValue)
            json.member("threshold", threshold)
            json.member("uses", uses)
            json.member("name", name)
            face.writeMembers(nullsLooks: true, to: &json)
            if let veteranMilliseconds { json.member("veteranUserThresholdMillis", veteranMilliseconds) }
            json.member("isAwaitingReprocess", false)
            json.member("isAwaitingDeletion", false)
            json.member("replacesBadgeId", ifPresent: replaces)
        }
    }
}

/// A badge as it stands with comments (contract: public 4.2); closed key set.
struct ShownBadge: JSONWritable, Sendable {
    /// Of the badge, not of its holder's row.
    let id: String
    let type: Int
    let face: BadgeFace

    func write(to json: inout JSONWriter) { json.object { writeMembers(to: &$0) } }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("type", type)
        face.writeMembers(nullsLooks: false, to: &json)
    }

    /// Of one person at most.
    static let limit = 15
}

extension JSONWriter {
    /// A list member.
    mutating func member(_ name: StaticString, _ badges: [ShownBadge]) {
        key(name)
        beginArray()
        for badge in badges { badge.write(to: &self) }
        endArray()
    }
}

/// A badge that somebody has.
struct UserBadge: JSONWritable, Sendable {
    let id: String
    let tenant: String
    /// Wire id.
    let userKey: String
    let badgeID: String
    let type: Int
    let threshold: Int64
    let veteranMilliseconds: Int64
    let isDisplayed: Bool
    let receivedAt: Int64
    let face: BadgeFace
    let urlID: String?

    /// Closed key set.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("userId", userKey)
            json.member("badgeId", badgeID)
            json.member("fromTenantId", tenant)
            json.key("createdAt")
            json.date(milliseconds: receivedAt)
            json.member("type", type)
            json.member("threshold", threshold)
            face.writeMembers(nullsLooks: false, to: &json)
            json.member("veteranUserThresholdMillis", veteranMilliseconds)
            json.member("displayedOnComments", isDisplayed)
            json.key("receivedAt")
            json.date(milliseconds: receivedAt)
            json.member("urlId", ifPresent: urlID)
        }
    }

    var shown: ShownBadge { ShownBadge(id: badgeID, type: type, face: face) }
}
