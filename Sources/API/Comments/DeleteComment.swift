import Domain
import JSON
import Live
import Storage

extension CommentRoutes {
    /// Deletes a comment as the tenant's mode says (contract: public 8.3, live 2.3).
    static func deleteCommentPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let broadcastID = try visit.call.broadcastID()
        return try CommentAccess.allow(.delete, visit, in: &session) { (comment, session) throws(APIError) -> Reply in
            let caller = try Caller.resolve(visit, in: &session)
            let deletion = CommentDeletion(
                tenant: visit.tenant, broadcastID: broadcastID, services: visit.call.services)
            return .json(try deletion.run(comment, by: caller.isStaff ? .staff : .author, in: &session))
        }
    }
}

/// What became of a deleted comment.
enum DeletionResult: JSONWritable, Sendable {
    case removed
    case anonymised(CommentRecord)

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            switch self {
            case .removed: json.member("hardRemoved", true)
            case .anonymised(let comment):
                json.member("hardRemoved", false)
                json.key("comment")
                json.object { json in
                    json.member("isDeleted", true)
                    json.member("commentHTML", comment.html)
                    json.member("commenterName", "")
                }
            }
        }
    }
}

/// Deletes comments and tells readers of every one that went.
struct CommentDeletion {
    let tenant: Tenant
    /// Echoed with the comment that was named; those below it get ids of their own, since some clients drop whatever
    /// carries an id they sent.
    let broadcastID: String?
    /// nil on the thread of tasks, which wakes that of notices.
    let services: Services?
    /// Whether readers hear of it.
    var isLive = true
    /// Somebody who is deleted: nothing of theirs is kept, neither in the trash nor in the log.
    var erased: String?

    /// Who deletes. No mode binds a tenant's own backend.
    enum Actor { case author, staff, backend }

    /// Of many comments below, those that do not go at once go after the answer.
    /// - Throws: `not-allowed` (403) when the mode forbids it.
    func run(
        _ comment: CommentRecord, by actor: Actor, in session: inout Session
    ) throws(APIError) -> DeletionResult {
        let hasReplies = try CommentSQL.hasVisibleReplies(comment.seq, in: &session)
        guard let page = try PageSQL.find(id: comment.pageID, in: &session) else { throw .commentNotFound }
        switch tenant.settings(of: page).deleteMode {
        case .anonymise where hasReplies:
            return .anonymised(try anonymise(comment, in: &session))
        case .forbid where hasReplies && actor != .backend, .staffOnly where hasReplies && actor == .author:
            throw APIError(
                403, "not-allowed", "A comment with replies may not be deleted here.", phrase: .deleteHasReplies)
        case .cascade, .anonymise, .forbid, .staffOnly:
            let limit = SubtreeRemoval.atOnce
            if try CommentSQL.countBelow(comment.seq, upTo: limit + 1, in: &session) > limit {
                try SubtreeRemoval.begin(comment, on: page, self, in: &session)
            } else {
                let below = try CommentSQL.subtree(comment.seq, in: &session)
                try remove(below, named: comment, on: page, in: &session)
            }
            return .removed
        }
    }

    private func anonymise(
        _ comment: CommentRecord, in session: inout Session
    ) throws(APIError) -> CommentRecord {
        if let erased, comment.authorKey == erased {
            try CommentLog.forget([comment.seq], by: erased, in: &session)
        } else {
            try Trash.keep([comment.seq], root: comment.seq, anonymised: true, in: &session)
        }
        try CommentSQL.anonymise(comment.seq, in: &session)
        try Notices.commentsAreGone([comment.seq], tenant: tenant.id, services, in: &session)
        return try CommentChange.announce(
            comment, broadcastID: broadcastID, tenant, isLive: isLive, in: &session)
    }

    /// Children are newer than their parents: the descending order announces the deepest first and the named one last.
    private func remove(
        _ seqs: [Int64], named comment: CommentRecord, on page: Page, in session: inout Session
    ) throws(APIError) {
        let audiences = isLive ? try CommentSight.audiences(of: seqs, on: page, tenant, in: &session) : [:]
        for record in isLive ? try CommentSQL.records(seqs.reversed(), in: &session) : [] {
            let event = CommentEvents.make(
                .deletedComment, record, page, tenant, record.seq == comment.seq ? broadcastID : nil,
                for: audiences[record.seq] ?? .everyone, at: session.now)
            try session.emit(event, to: page.room)
        }
        try drop(seqs, root: comment.seq, on: page, in: &session)
    }

    /// Takes the rows away, of which readers have heard.
    func drop(
        _ seqs: [Int64], root: Int64, on page: Page, in session: inout Session
    ) throws(APIError) {
        if tenant.isTold(of: .deleted) {
            let records = try CommentSQL.records(seqs.sorted(by: >), in: &session)
            try CommentHooks.deleted(records, tenant, in: &session)
        }
        let ids = try CommentPlaceSQL.ids(seqs, in: &session)
        try ModeratorRoom.tell(of: ids, broadcastID: broadcastID, tenant: tenant.id, in: &session)
        try Trash.keep(seqs, root: root, except: erased, in: &session)
        if let erased { try CommentLog.forget(seqs, by: erased, in: &session) }
        try CommentSQL.delete(seqs, in: &session)
        try Notices.commentsAreGone(seqs, tenant: tenant.id, services, in: &session)
        try PageSQL.touch(page.id, in: &session)
    }
}
