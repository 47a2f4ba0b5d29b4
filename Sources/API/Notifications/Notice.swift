import Domain
import RichText
import Storage

/// What a notice is about, in the numbers of the contract (public 13.1).
enum NoticeKind: Int, Sendable {
    case reply = 0
    case threadReply = 1
    case votes = 2
    case pageComment = 3
    case mention = 7

    /// Direct messages, of which there are none here.
    static let direct = 5
}

/// A row of `notice_record`.
struct NoticeRow: Sendable {
    let id: String
    /// Wire id of whoever is told.
    let owner: String
    let kind: Int
    let isOfVotes: Bool
    let commentSeq: Int64
    let relatedSeq: Int64
    let isViewed: Bool
    let isCounted: Bool
    let isSent: Bool
    let createdAt: Int64
    /// The comment that caused it, or that was voted on.
    let commentID: String
    let relatedID: String
    let urlID: String
    let pageURL: String
    let pageTitle: String?
    let isOptedOut: Bool

    init(_ row: borrowing Row) {
        id = row.text(0)
        owner = row.text(1)
        kind = row.int(2)
        isOfVotes = row.bool(3)
        commentSeq = row.int64(4)
        relatedSeq = row.int64(5)
        isViewed = row.bool(6)
        isCounted = row.bool(7)
        isSent = row.bool(8)
        createdAt = row.int64(9)
        commentID = row.text(10)
        urlID = row.text(11)
        pageURL = row.text(12)
        pageTitle = row.textOrNil(13)
        relatedID = row.textOrNil(14) ?? row.text(10)
        isOptedOut = row.bool(15)
    }
}

/// A notice with those it is from, under their present names.
struct Notice: Sendable {
    let row: NoticeRow
    let tenant: String
    /// The comment itself: the one that caused it, or that was voted on.
    let comment: CommentRecord
    /// Of the latest actor.
    let fromName: String?
    let fromID: String?
    let fromAvatar: String?
    /// Only for votes.
    let votes: NoticeVotes?
    /// The beginning of the comment, where it was asked for.
    var contextHTML: String?

    /// Those about comments that somebody (still) sees.
    static func seen(
        _ rows: [NoticeRow], by caller: Caller, in session: inout Session
    ) throws(APIError) -> [NoticeRow] {
        let unseen = try CommentSight.unseen(rows.map(\.commentSeq), by: caller, in: &session)
        return rows.filter { !unseen.contains($0.commentSeq) }
    }

    /// Finds what is shown of notices. Those whose comment went meanwhile are left out.
    static func complete(
        _ rows: [NoticeRow], _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> [Notice] {
        let seqs = Array(Set(rows.map(\.commentSeq)))
        let records = try CommentSQL.records(seqs, in: &session)
        let comments = Dictionary(records.map { ($0.seq, $0) }) { first, _ in first }
        var notices: [Notice] = []
        for row in rows {
            guard let comment = comments[row.commentSeq] else { continue }
            let votes =
                row.isOfVotes
                ? try NoticeVotes.load(
                    comment.seq, owner: row.owner, tenant.id, tenant.settings(of: row.urlID), in: &session) : nil
            notices.append(Notice(row, tenant, comment, votes))
        }
        return notices
    }

    private init(_ row: NoticeRow, _ tenant: Tenant, _ comment: CommentRecord, _ votes: NoticeVotes?) {
        self.row = row
        self.tenant = tenant.id
        self.comment = comment
        self.votes = votes
        if let votes {
            fromName = votes.voters.first?.name
            fromID = votes.voters.first?.userID
            fromAvatar = votes.voters.first?.avatar
        } else {
            fromName = CommenterName.formatted(comment.name, as: tenant.settings(of: row.urlID).nameFormat)
            fromID = comment.userID
            fromAvatar = comment.shownAvatar
        }
    }

    // MARK: Context

    /// Characters of a comment's source that its beginning is made of.
    private static let contextLength = 300

    /// Adds the beginning of the comment.
    mutating func addContext(_ tenant: Tenant) {
        contextHTML = Self.beginning(of: comment, tenant.settings(of: row.urlID))
    }

    /// Rendered anew where the source is cut, so that no element stays open; without pictures then.
    private static func beginning(of comment: CommentRecord, _ settings: WidgetSettings) -> String {
        guard comment.source.utf8.count > contextLength, comment.source.count > contextLength else {
            return comment.html
        }
        var options = RenderOptions()
        options.linksAsText = settings.rendersLinksAsText
        options.allowsImages = false
        options.allowsSpoilers = settings.enablesSpoilers
        return CommentRenderer.render(String(comment.source.prefix(contextLength)) + "…", options).html
    }
}
