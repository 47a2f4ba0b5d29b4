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

    init(tenant: Tenant, author: String, anonymises: Bool, services: Services?) {
        self.tenant = tenant
        self.author = author
        self.anonymises = anonymises
        self.services = services
    }

    init(_ task: LongTask, _ tenant: Tenant) {
        self.init(tenant: tenant, author: task.subject, anonymises: task.kind == .anonymising, services: nil)
    }

    func begin(in session: inout Session) throws(APIError) {
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
        let tenant = visit.tenant.id
        guard let place = try advance(id, before: .max, tenant, in: &session) else { return }
        try LongTask.begin(.renaming, id, from: place, tenant: tenant, visit.call.services, in: &session)
    }

    /// - Returns: where to go on; nil at the end.
    static func advance(
        _ id: String, before place: Int64, _ tenant: String, in session: inout Session
    ) throws(APIError) -> Int64? {
        guard let person = try PersonSQL.find(id, tenant: tenant, in: &session)?.person else { return nil }
        let seqs = try PersonCommentSQL.newest(
            of: id, before: place, limit: unitSize, tenant: tenant, in: &session)
        try PersonCommentSQL.rename(seqs, person, in: &session)
        return seqs.count == unitSize ? seqs.last : nil
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
