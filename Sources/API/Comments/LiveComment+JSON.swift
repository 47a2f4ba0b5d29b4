import Domain
import JSON

/// A comment as live events carry it (contract: live 2.2): the whole state, and the date in whole seconds, because one
/// client's parser knows no fractions.
struct LiveComment: JSONWritable, Sendable {
    let record: CommentRecord
    let page: String
    let settings: WidgetSettings

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", record.id)
            json.member("tenantId", record.tenant)
            json.member("userId", orNull: record.userID)
            json.member("anonUserId", orNull: record.guestID)
            json.member("urlId", page)
            json.member("url", record.url)
            json.member("commenterName", CommenterName.formatted(record.name, as: settings.nameFormat))
            if settings.enablesCommenterLinks, let link = record.link { json.member("commenterLink", link) }
            json.member("commentHTML", record.html)
            json.member("comment", record.source)
            json.member("parentId", orNull: record.parentID)
            json.member("votes", record.votes)
            json.member("votesUp", record.votesUp)
            json.member("votesDown", record.votesDown)
            json.member("verified", record.isVerified)
            json.member("approved", record.isApproved)
            json.member("avatarSrc", orNull: record.shownAvatar)
            json.member("hasImages", record.hasImages)
            json.member("hasLinks", record.hasLinks)
            json.member("hasCode", record.hasCode)
            json.member("isByAdmin", record.isByAdmin)
            json.member("isByModerator", record.isByModerator)
            json.member("isPinned", record.pinnedAt > 0)
            json.member("isLocked", record.isLocked)
            json.member("isDeleted", record.isDeleted)
            json.member("isDeletedUser", record.isDeletedUser)
            json.member("isSpam", record.isSpam)
            json.member("displayLabel", orNull: record.label)
            if let rating = record.rating {
                json.key("rating")
                json.double(rating)
            }
            json.key("badges")
            json.beginArray()
            json.endArray()
            json.member("flagCount", record.flagCount)
            json.member("locale", orNull: record.locale)
            json.key("date")
            json.date(milliseconds: record.createdAt, wholeSeconds: true)
        }
    }
}
