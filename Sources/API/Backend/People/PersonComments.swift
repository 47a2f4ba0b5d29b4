import Domain
import JSON
import Storage

/// What becomes of somebody's comments when a backend deletes them (contract: admin 5.2). Locks do not keep them. A first
/// part goes with the person, the rest after the answer; nothing of it can be brought back.
struct PersonErasure {
    /// Comments of one unit.
    private static let unitSize = 25
    /// Comments in the trash of one unit.
    private static let trashSize = 200

    let tenant: Tenant
    /// Wire id.
    let author: String
    /// Placeholders stay.
    let anonymises: Bool
    /// nil on the thread that carries on.
    let services: Services?

    enum Mode: Sendable {
        case remove, anonymise
    }

    /// nil leaves the comments as they are.
    static func begin(
        _ mode: Mode?, of author: String, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) {
        guard let mode else { return }
        let erasure = PersonErasure(
            tenant: visit.tenant, author: author, anonymises: mode == .anonymise, services: visit.call.services)
        try erasure.begin(in: &session)
    }

    init(tenant: Tenant, author: String, anonymises: Bool, services: Services?) {
        self.tenant = tenant
        self.author = author
        self.anonymises = anonymises
        self.services = services
    }

    init(_ task: LongTask, _ tenant: Tenant) {
        self.init(tenant: tenant, author: task.subject, anonymises: task.kind == .anonymising, services: nil)
    }

    private func begin(in session: inout Session) throws(APIError) {
        guard let place = try advance(before: .max, in: &session) else { return }
        try LongTask.begin(
            anonymises ? .anonymising : .erasing, author, from: place, tenant: tenant.id, services, in: &session)
    }

    /// - Returns: where to go on; nil at the end.
    func advance(before place: Int64, in session: inout Session) throws(APIError) -> Int64? {
        let isTrashLeft = try Trash.forget(author, tenant: tenant.id, limit: Self.trashSize, in: &session)
        let next = try anonymises ? anonymise(before: place, in: &session) : remove(before: place, in: &session)
        return next ?? (isTrashLeft ? 0 : nil)
    }

    /// Replies of others follow the mode of the page.
    private func remove(before place: Int64, in session: inout Session) throws(APIError) -> Int64? {
        let deletion = CommentDeletion(tenant: tenant, broadcastID: nil, services: services, erased: author)
        let seqs = try seqs(before: place, in: &session)
        var removed = 0
        for seq in seqs {
            // It may have gone with one above it.
            guard let comment = try CommentSQL.records([seq], in: &session).first else { continue }
            removed += 1 + (try CommentSQL.countBelow(seq, upTo: SubtreeRemoval.atOnce, in: &session))
            _ = try deletion.run(comment, by: .backend, in: &session)
            if removed >= Self.unitSize { return seq }
        }
        return seqs.count == Self.unitSize ? seqs.last : nil
    }

    private func anonymise(before place: Int64, in session: inout Session) throws(APIError) -> Int64? {
        let seqs = try seqs(before: place, in: &session)
        try CommentLog.forget(seqs, by: author, in: &session)
        for comment in try CommentSQL.records(seqs, in: &session) {
            try CommentSQL.anonymise(comment.seq, in: &session)
            try session.run("UPDATE comment SET is_deleted_user = 1 WHERE seq = ?1", .integer(comment.seq))
            try Notices.commentsAreGone([comment.seq], tenant: comment.tenant, services, in: &session)
            try CommentChange.announce(comment, broadcastID: nil, tenant, in: &session)
        }
        return seqs.count == Self.unitSize ? seqs.last : nil
    }

    private func seqs(before place: Int64, in session: inout Session) throws(APIError) -> [Int64] {
        try PersonCommentSQL.newest(
            of: author, before: place, limit: Self.unitSize, tenant: tenant.id, in: &session)
    }
}

/// Comments get what their author is called now, whatever was written with them: a first part with the change, the rest
/// after the answer.
enum PersonRenaming {
    /// Comments of one unit.
    private static let unitSize = 200

    static func begin(_ id: String, _ visit: BackendVisit, in session: inout Session) throws(APIError) {
        let tenant = visit.tenant
        guard let place = try advance(id, before: .max, tenant, in: &session) else { return }
        try LongTask.begin(.renaming, id, from: place, tenant: tenant.id, visit.call.services, in: &session)
    }

    /// - Returns: where to go on; nil at the end.
    static func advance(
        _ id: String, before place: Int64, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Int64? {
        let seqs = try PersonCommentSQL.newest(
            of: id, before: place, limit: unitSize, tenant: tenant.id, in: &session)
        if let person = try PersonSQL.find(id, tenant: tenant.id, in: &session)?.person {
            try PersonCommentSQL.rename(seqs, person, in: &session)
        } else if let account = try AccountSQL.find(id: id, tenant: tenant.id, in: &session) {
            try PersonCommentSQL.rename(seqs, account.id, email: account.email, in: &session)
        }
        guard seqs.count == unitSize else {
            // Webhooks are told of the comments as they are at the end.
            try CommentHooks.updatedAll(of: id, tenant, in: &session)
            return nil
        }
        return seqs.last
    }
}

extension BackendVisit {
    /// What becomes of the comments of somebody who is deleted; nil when they stay.
    /// - Throws: `invalid-input` (422).
    func commentDeletion() throws(APIError) -> PersonErasure.Mode? {
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
    static func newest(
        of author: String, before place: Int64, limit: Int, tenant: String, in session: inout Session
    ) throws(APIError) -> [Int64] {
        try session.query(
            """
            SELECT seq FROM comment WHERE tenant_id = ?1 AND author_key = ?2 AND seq < ?3 ORDER BY seq DESC LIMIT ?4
            """,
            .text(tenant), .text(author), .integer(place), .int(limit)
        ) { (row) throws(APIError) -> Int64 in row.int64(0) }
    }

    static func rename(_ seqs: [Int64], _ person: Person, in session: inout Session) throws(APIError) {
        let list = Value.text(JSONText.numbers(seqs))
        try session.run(
            """
            UPDATE comment SET own_words = 0, commenter_name = ?2, commenter_email = ?3, email_key = ?4,
                               email_domain = ?5, display_label = ?6
            WHERE seq IN (SELECT value FROM json_each(?1))
            """,
            list, .text(person.shownName), .text(person.email), .text(person.email.map(EmailAddress.key)),
            .text(person.email.map(EmailAddress.domain)), .text(person.displayLabel))
        try touchPages(of: list, in: &session)
    }

    /// As above, for a user of the tenant.
    static func rename(
        _ seqs: [Int64], _ account: String, email: String, in session: inout Session
    ) throws(APIError) {
        let list = Value.text(JSONText.numbers(seqs))
        try session.run(
            """
            UPDATE comment SET own_words = 0, commenter_name = COALESCE(a.profile ->> 'displayName', a.name),
                               commenter_email = a.email, email_key = ?3, email_domain = ?4,
                               display_label = a.profile ->> 'displayLabel', avatar = a.profile ->> 'avatarSrc'
            FROM account AS a WHERE a.id = ?2 AND comment.seq IN (SELECT value FROM json_each(?1))
            """,
            list, .text(account), .text(EmailAddress.key(email)), .text(EmailAddress.domain(email)))
        try touchPages(of: list, in: &session)
    }

    private static func touchPages(of list: Value, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE page SET version = version + 1
            WHERE id IN (SELECT page_id FROM comment WHERE seq IN (SELECT value FROM json_each(?1)))
            """,
            list)
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
