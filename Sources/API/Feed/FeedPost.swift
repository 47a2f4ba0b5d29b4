import Domain
import JSON
import Storage

/// A post as stored, joined with its author's present name and picture.
struct FeedPost: Sendable {
    let id: String
    let tenant: String
    let createdAt: Int64
    /// Wire id of its author.
    let authorKey: String?
    let content: FeedContent
    let weight: Double
    private let writtenName: String?
    private let hasGivenName: Bool
    // Of the author's row, where there is one.
    private let username: String?
    private let displayName: String?
    private let avatar: String?

    init(_ row: borrowing Row) {
        id = row.text(0)
        tenant = row.text(1)
        createdAt = row.int64(2)
        authorKey = row.textOrNil(3)
        writtenName = row.textOrNil(4)
        hasGivenName = row.bool(5)
        weight = row.double(6)
        content = FeedContent(
            title: row.text(7), html: row.text(8), media: row.text(9), links: row.text(10), tags: row.text(11),
            meta: row.text(12))
        username = row.textOrNil(13)
        displayName = row.textOrNil(14)
        avatar = row.textOrNil(15)
    }

    /// The name given with the post, else the author's present one, else the one the author had.
    private var name: String? {
        if hasGivenName { return writtenName }
        if let displayName, !displayName.isEmpty { return displayName }
        return username ?? writtenName
    }
}

extension FeedPost {
    /// The object of the contract (live 5.1); closed key set.
    /// - Parameter isLive: the date in whole seconds, as on the socket everywhere.
    func write(_ counts: FeedCounts, _ settings: WidgetSettings, isLive: Bool = false, to json: inout JSONWriter) {
        json.beginObject()
        json.member("_id", id)
        json.member("tenantId", tenant)
        json.key("createdAt")
        json.date(milliseconds: createdAt, wholeSeconds: isLive)
        if !content.title.isEmpty { json.member("title", content.title) }
        if !content.html.isEmpty { json.member("contentHTML", content.html) }
        json.member("fromUserId", ifPresent: authorKey)
        json.member(
            "fromUserDisplayName", orNull: name.map { CommenterName.formatted($0, as: settings.nameFormat) })
        json.member("fromUserAvatar", orNull: avatar)
        json.member("tags", rawIfPresent: content.tags)
        json.member("meta", rawIfPresent: content.meta)
        json.member("media", rawIfPresent: content.media)
        json.member("links", rawIfPresent: content.links)
        if weight != 0 {
            json.key("weight")
            json.double(weight)
        }
        counts.write(of: id, to: &json)
        json.endObject()
    }
}

extension JSONWriter {
    /// A member that is JSON already, left out when it is empty.
    fileprivate mutating func member(_ name: StaticString, rawIfPresent text: String) {
        guard !text.isEmpty else { return }
        key(name)
        raw(text.utf8)
    }
}
