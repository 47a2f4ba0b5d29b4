import Domain
import JSON
import Storage

/// What was removed and can be brought back, the latest first. Comments that went with another come back with it, so they
/// are not listed beside it; neither is what stood on a page of which nothing is known any more.
enum RemovedComments {
    static func list(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let count = try ListPlace.count(visit.call)
        let place = try ListPlace(visit.call)
        guard let seq = place.key.isEmpty ? .max : Int64(place.key) else {
            throw .invalidInput("The query parameter after is none of an answer.")
        }
        let found = try find(
            groups: visit.moderator.groups, before: (place.time, seq), limit: count + 1, tenant: visit.tenant.id,
            in: &session)
        let shown = Array(found.prefix(count))
        let next = found.count > count ? shown.last?.place.text : nil
        return .json(
            Answer { json in
                json.member("comments", shown)
                json.member("nextAfter", orNull: next)
            })
    }

    /// - Parameters:
    ///   - groups: of the moderator, whose concern alone is meant; nil is everything.
    ///   - place: only what went earlier, by time, then by number.
    private static func find(
        groups: [String]?, before place: (time: Int64, seq: Int64), limit: Int, tenant: String,
        in session: inout Session
    ) throws(APIError) -> [RemovedComment] {
        try session.query(
            """
            SELECT t.seq, t.removed_at, t.id, t.url_id, c.url, g.title, c.user_id, c.anon_user_id,
                   CASE WHEN p.id IS NULL OR c.own_words & 1 THEN c.commenter_name
                        ELSE COALESCE(NULLIF(p.display_name, ''), p.username) END,
                   CASE WHEN p.id IS NULL OR c.own_words & 2 THEN c.avatar ELSE p.avatar END,
                   c.html, c.parent_id, c.created_at, c.is_approved, c.is_spam, c.is_reviewed, c.flag_count,
                   c.is_locked, c.is_by_admin, c.is_by_moderator, c.is_verified,
                   (SELECT COUNT(*) FROM trash AS r WHERE r.root_seq = t.seq AND r.seq <> t.seq)
            FROM trash AS t INDEXED BY trash_by_age JOIN trash_comment AS c ON c.seq = t.seq
            LEFT JOIN page AS g ON g.tenant_id = t.tenant_id AND g.url_id = t.url_id
            LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id
            WHERE t.tenant_id = ?1 AND t.removed_at > ?2 AND (t.removed_at, t.seq) < (?3, ?4) AND t.url_id IS NOT NULL
              AND (?6 IS NULL OR EXISTS (
                  SELECT 1 FROM json_each(c.moderation_groups) AS own
                  WHERE own.value IN (SELECT value FROM json_each(?6))))
              AND (t.root_seq = t.seq OR NOT EXISTS (
                  SELECT 1 FROM trash_comment AS r
                  WHERE r.seq = t.root_seq AND (?6 IS NULL OR EXISTS (
                      SELECT 1 FROM json_each(r.moderation_groups) AS own
                      WHERE own.value IN (SELECT value FROM json_each(?6))))))
            ORDER BY t.removed_at DESC, t.seq DESC LIMIT ?5
            """,
            .text(tenant), .integer(session.now - Trash.lifetime), .integer(place.time), .integer(place.seq),
            .int(limit), groups.map(Value.list) ?? .null
        ) { (row) throws(APIError) -> RemovedComment in RemovedComment(row) }
    }
}

/// A comment in the trash, with the names that a comment in the queue has, as far as they say something there.
private struct RemovedComment: JSONWritable, Sendable {
    private let seq, removedAt: Int64
    private let id: String
    private let urlID, url: String
    private let title, userID, guestID: String?
    private let name: String
    private let avatar: String?
    private let html: String
    private let parentID: String?
    private let createdAt: Int64
    private let isApproved, isSpam, isReviewed: Bool
    private let flagCount: Int64
    private let isLocked, isByAdmin, isByModerator, isVerified: Bool
    private let replyCount: Int

    var place: ListPlace { ListPlace(time: removedAt, key: String(seq)) }

    init(_ row: borrowing Row) {
        seq = row.int64(0)
        removedAt = row.int64(1)
        id = row.text(2)
        urlID = row.text(3)
        url = row.text(4)
        title = row.textOrNil(5)
        userID = row.textOrNil(6)
        guestID = row.textOrNil(7)
        name = row.text(8)
        avatar = row.textOrNil(9)
        html = row.text(10)
        parentID = row.textOrNil(11)
        createdAt = row.int64(12)
        isApproved = row.bool(13)
        isSpam = row.bool(14)
        isReviewed = row.bool(15)
        flagCount = row.int64(16)
        isLocked = row.bool(17)
        isByAdmin = row.bool(18)
        isByModerator = row.bool(19)
        isVerified = row.bool(20)
        replyCount = row.int(21)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", id)
            json.member("urlId", urlID)
            json.member("url", url)
            json.member("pageTitle", orNull: title)
            json.member("userId", orNull: userID)
            json.member("anonUserId", orNull: guestID)
            json.member("commenterName", name)
            json.member("avatarSrc", orNull: avatar)
            json.member("isByAdmin", isByAdmin)
            json.member("isByModerator", isByModerator)
            json.member("verified", isVerified)
            json.member("commentHTML", html)
            json.member("parentId", orNull: parentID)
            json.key("date")
            json.date(milliseconds: createdAt)
            writeState(to: &json)
        }
    }

    private func writeState(to json: inout JSONWriter) {
        json.member("approved", isApproved)
        json.member("reviewed", isReviewed)
        json.member("isSpam", isSpam)
        json.member("flagCount", flagCount)
        json.member("isLocked", isLocked)
        json.member("isDeleted", true)
        json.key("removedAt")
        json.date(milliseconds: removedAt)
        json.key("keptUntil")
        json.date(milliseconds: removedAt + Trash.lifetime)
        json.member("removedReplyCount", replyCount)
    }
}
