import Domain
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

    /// Not oneself, nobody who blocked the author, nobody who does not want to be told, nobody without the page.
    func mayTell(_ owner: String, _ kind: NoticeKind, in session: inout Session) throws(APIError) -> Bool {
        guard owner != author, try !hasBlockedAuthor(owner, in: &session),
            let caller = try caller(owner, in: &session), caller.mayRead(page)
        else { return false }
        guard let person = caller.person else { return true }
        let wants = kind == .pageComment ? person.optedInSubscriptions : person.optedInNotifications
        return wants != false
    }

    private func hasBlockedAuthor(_ owner: String, in session: inout Session) throws(APIError) -> Bool {
        guard let author else { return false }
        return try session.first(
            "SELECT 1 FROM block WHERE tenant_id = ?1 AND blocker_key = ?2 AND blocked_key = ?3",
            .text(tenant.id), .text(owner), .text(author)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    private func caller(_ owner: String, in session: inout Session) throws(APIError) -> Caller? {
        if let person = try PersonSQL.find(owner, tenant: tenant.id, in: &session)?.person {
            return Caller(tenant: tenant, identity: .person(person))
        }
        guard let guest = try GuestSQL.find(id: owner, tenant: tenant.id, in: &session) else { return nil }
        return Caller(tenant: tenant, identity: .guest(guest))
    }
}
