import Domain
import Storage

/// What becomes of somebody's comments when a backend deletes them (contract: admin 5.2). Locks do not keep them.
struct PersonComments {
    let visit: BackendVisit
    /// Wire id.
    let author: String

    enum Mode: Sendable {
        case remove, anonymise
    }

    /// nil leaves them as they are.
    func apply(_ mode: Mode?, in session: inout Session) throws(APIError) {
        switch mode {
        case nil: break
        case .remove: try remove(in: &session)
        case .anonymise: try anonymise(in: &session)
        }
    }

    /// Replies of others follow the mode of the page.
    private func remove(in session: inout Session) throws(APIError) {
        let deletion = CommentDeletion(
            tenant: visit.tenant, broadcastID: nil, services: visit.call.services)
        for seq in try PersonCommentSQL.seqs(of: author, tenant: visit.tenant.id, in: &session) {
            // It may have gone with one above it.
            guard let comment = try CommentSQL.records([seq], in: &session).first else { continue }
            _ = try deletion.run(comment, by: .backend, in: &session)
        }
    }

    private func anonymise(in session: inout Session) throws(APIError) {
        for seq in try PersonCommentSQL.seqs(of: author, tenant: visit.tenant.id, in: &session) {
            guard let comment = try CommentSQL.records([seq], in: &session).first else { continue }
            try CommentSQL.anonymise(seq, in: &session)
            try session.run("UPDATE comment SET is_deleted_user = 1 WHERE seq = ?1", .integer(seq))
            try Notices.commentsAreGone([seq], tenant: comment.tenant, visit.call.services, in: &session)
            try CommentChange.announce(comment, broadcastID: nil, visit.tenant, in: &session)
        }
    }
}

extension BackendVisit {
    /// What becomes of the comments of somebody who is deleted; nil when they stay.
    /// - Throws: `invalid-input` (422).
    func commentDeletion() throws(APIError) -> PersonComments.Mode? {
        let deletes = try flag("deleteComments") ?? false
        switch call.text("commentDeleteMode") {
        case nil, "0": return deletes ? .remove : nil
        case "1": return deletes ? .anonymise : nil
        default: throw .invalidInput("The query parameter commentDeleteMode must be 0 or 1.")
        }
    }
}

enum PersonCommentSQL {
    /// Newest first.
    static func seqs(of author: String, tenant: String, in session: inout Session) throws(APIError) -> [Int64] {
        try session.query(
            "SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key = ?2 ORDER BY seq DESC",
            .text(tenant), .text(author)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    /// Comments show what the person is called now, whatever was written with them.
    static func rename(_ id: String, _ tenant: Tenant, in session: inout Session) throws(APIError) {
        guard let person = try PersonSQL.find(id, tenant: tenant.id, in: &session)?.person else { return }
        try session.run(
            """
            UPDATE comment SET own_words = 0, commenter_name = ?3, commenter_email = ?4, email_key = ?5,
                               email_domain = ?6, display_label = ?7
            WHERE tenant_id = ?1 AND author_key = ?2
            """,
            .text(tenant.id), .text(id), .text(person.shownName), .text(person.email),
            .text(person.email.map(EmailAddress.key)), .text(person.email.map(EmailAddress.domain)),
            .text(person.displayLabel))
        try PersonSQL.touchPages(of: id, tenant: tenant.id, in: &session)
        try CommentHooks.updatedAll(of: id, tenant, in: &session)
    }

    /// As above, of a user of the tenant.
    static func rename(account id: String, tenant: String, in session: inout Session) throws(APIError) {
        guard let email = try AccountSQL.find(id: id, tenant: tenant, in: &session)?.email else { return }
        try session.run(
            """
            UPDATE comment SET own_words = 0, commenter_name = COALESCE(a.profile ->> 'displayName', a.name),
                               commenter_email = a.email, email_key = ?3, email_domain = ?4,
                               display_label = a.profile ->> 'displayLabel', avatar = a.profile ->> 'avatarSrc'
            FROM account AS a WHERE a.id = ?2 AND comment.tenant_id = ?1 AND comment.author_key = ?2
            """,
            .text(tenant), .text(id), .text(EmailAddress.key(email)), .text(EmailAddress.domain(email)))
        try PersonSQL.touchPages(of: id, tenant: tenant, in: &session)
    }

    /// What the next save does not say goes back to its default.
    static func forget(_ id: String, tenant: String, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE person SET login_count = 0, is_account_owner = 0, created_from_url_id = NULL
            WHERE tenant_id = ?1 AND id = ?2
            """,
            .text(tenant), .text(id))
    }
}
