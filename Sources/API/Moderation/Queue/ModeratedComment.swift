import Domain
import JSON
import Storage

/// A comment as moderators read it (contract: admin 3.2); closed key set.
struct ModeratedComment: JSONWritable, Sendable {
    private let record: CommentRecord
    private let detail: Detail
    private let marks: ViewerMarks
    private let isBanned: Bool

    /// What stands beside the record.
    private struct Detail: Sendable {
        let urlID: String
        let title: String?
        let localDate: String?
        let expireAt: Int64?
        let replyCount: Int
    }

    /// The comments with these numbers, in the order given, with the moderator's own marks.
    static func load(
        _ seqs: [Int64], for moderator: Moderator, tenant: String, in session: inout Session
    ) throws(APIError) -> [ModeratedComment] {
        let marks = try ViewerMarks.load(seqs, viewer: moderator.key, tenant: tenant, in: &session)
        let banned = try Bans.banned(among: seqs, tenant: tenant, in: &session)
        let details = try session.query(
            """
            SELECT d.seq, d.url_id, d.title, d.local_date_string, d.expire_at, d.reply_count
            FROM json_each(?1) AS wanted JOIN comment_detail AS d ON d.seq = wanted.value
            """,
            .text(JSONText.numbers(seqs))
        ) { (row) throws(APIError) -> (Int64, Detail) in
            let detail = Detail(
                urlID: row.text(1), title: row.textOrNil(2), localDate: row.textOrNil(3),
                expireAt: row.int64OrNil(4), replyCount: row.int(5))
            return (row.int64(0), detail)
        }
        let bySeq = Dictionary(details) { first, _ in first }
        return try CommentSQL.records(seqs, in: &session).compactMap { record in
            bySeq[record.seq].map { detail in
                ModeratedComment(
                    record: record, detail: detail, marks: marks, isBanned: banned.contains(record.seq))
            }
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            writeOrigin(to: &json)
            writeText(to: &json)
            writeState(to: &json)
            writeVotes(to: &json)
        }
    }

    private func writeOrigin(to json: inout JSONWriter) {
        json.member("_id", record.id)
        json.member("tenantId", record.tenant)
        json.member("urlId", detail.urlID)
        json.member("url", record.url)
        json.member("pageTitle", orNull: detail.title)
        json.member("userId", orNull: record.userID)
        json.member("anonUserId", orNull: record.guestID)
        json.member("commenterName", record.name)
        json.member("commenterLink", orNull: record.link)
        json.member("avatarSrc", orNull: record.shownAvatar)
        json.member("displayLabel", orNull: record.label)
        json.member("isBannedUser", isBanned)
        if !record.badges.isEmpty { json.member("badges", record.badges) }
        json.member("isByAdmin", record.isByAdmin)
        json.member("isByModerator", record.isByModerator)
        json.member("verified", record.isVerified)
    }

    private func writeText(to json: inout JSONWriter) {
        json.member("commentHTML", record.html)
        json.member("parentId", orNull: record.parentID)
        json.key("date")
        json.date(milliseconds: record.createdAt)
        json.member("localDateString", orNull: detail.localDate)
        if let expireAt = detail.expireAt {
            json.key("expireAt")
            json.date(milliseconds: expireAt)
        }
        json.member("locale", orNull: record.locale)
        json.member("hasLinks", record.hasLinks)
        json.member("hasCode", record.hasCode)
        json.member("replyCount", detail.replyCount)
        if let feedbackIDs = record.feedbackIDs { json.member("feedbackIds", JSONText.strings(feedbackIDs)) }
    }

    private func writeState(to json: inout JSONWriter) {
        json.member("approved", record.isApproved)
        json.member("reviewed", record.state.isReviewed)
        json.member("isSpam", record.isSpam)
        json.member("permNotSpam", record.state.isPermanentlyNotSpam)
        json.member("flagCount", record.flagCount)
        json.member("isPinned", record.pinnedAt > 0)
        json.member("isLocked", record.isLocked)
        json.member("isDeleted", record.isDeleted)
    }

    private func writeVotes(to json: inout JSONWriter) {
        json.member("votes", record.votes)
        json.member("votesUp", record.votesUp)
        json.member("votesDown", record.votesDown)
        marks.writeVote(record.seq, to: &json)
    }
}
