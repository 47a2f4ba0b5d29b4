import Domain
import Live
import Storage

/// Somebody who is to be told of a comment, and why.
struct NoticeRecipient: Sendable {
    let owner: String
    let kind: NoticeKind
    /// The owner's own comment that ties them to it, else the comment itself.
    let relatedSeq: Int64
}

/// Who may be told of what an author did on a page (contract: public 13.5).
struct NoticeAudience {
    let tenant: Tenant
    let page: Page
    /// Wire id of whoever wrote or voted; nil when nobody is known.
    let author: String?
    /// Who sees the comment.
    let sight: Audience

    init(
        of comment: CommentRecord, by author: String?, on page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        self.tenant = tenant
        self.page = page
        self.author = author
        sight = try CommentSight.audience(of: comment.seq, on: page, tenant, in: &session)
    }

    /// Not oneself, nobody who blocked the author, nobody who does not want to be told, nobody who does not see the comment.
    func mayTell(_ owner: String, _ kind: NoticeKind, in session: inout Session) throws(APIError) -> Bool {
        guard owner != author, try !BlockSQL.hasBlocked(author, by: owner, tenant: tenant.id, in: &session),
            let caller = try Caller.find(owner, tenant, in: &session), caller.mayRead(page), caller.belongs(to: sight)
        else { return false }
        guard let person = caller.person else { return true }
        let wants = kind == .pageComment ? person.optedInSubscriptions : person.optedInNotifications
        return wants != false
    }
}
