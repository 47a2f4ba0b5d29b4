import Crypto
import Domain
import JSON
import Live
import Storage
import Translations

extension CommentRoutes {
    /// The source of a comment, for whoever may change it (contract: public 8.1). On the writer, because a wrong key is
    /// used up.
    static func getCommentText(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try CommentAccess.allow(.edit, visit, in: &session) { (comment, _) throws(APIError) -> Reply in
            let html = comment.html
            let source = comment.source
            return .json(
                Answer { json in
                    json.member("commentText", source)
                    json.member("sanitizedCommentText", html)
                })
        }
    }

    /// Replaces the text of a comment (contract: public 8.2).
    static func setCommentText(_ visit: Visit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let broadcastID = try visit.call.broadcastID()
        let settings = try settings(visit, in: &session)
        let text = try CommentDraft.screened(
            try visit.call.bodyObject(), tenant: visit.tenant, settings: settings,
            naming: try MentionRights.of(visit, in: &session),
            locale: ReaderLanguage.of(visit.call, person: nil, settings: settings).locale, in: &session)
        return { (session) throws(APIError) -> Reply in
            try CommentAccess.allow(.edit, visit, in: &session) { (comment, session) throws(APIError) -> Reply in
                let caller = try Caller.resolve(visit, in: &session)
                let matter = CommentMatter(
                    editing: comment, text.draft, text.screening, visit.tenant, visit.call.services,
                    isStaff: caller.mayModerate)
                return try BannedAct.edit.perform(by: caller, visit.call, owner: comment, in: &session) {
                    (session) throws(APIError) -> Reply in
                    try edit(comment, matter, broadcastID, visit, &session)
                }
            }
        }
    }

    private static func edit(
        _ comment: CommentRecord, _ matter: CommentMatter, _ broadcastID: String, _ visit: Visit,
        _ session: inout Session
    ) throws(APIError) -> Reply {
        let verdict = try NewCommentDecision.decide(matter, in: &session)
        let draft = matter.screening.draft(matter.draft, verdict)
        try NewCommentSQL.update(comment.seq, draft, tenant: comment.tenant, in: &session)
        try verdict.log(comment.id, tenant: comment.tenant, in: &session)
        try EditVerdict.apply(verdict, to: comment, visit.tenant, in: &session)
        let edited = try CommentChange.announce(comment, broadcastID: broadcastID, visit.tenant, in: &session)
        try Notices.commentWasEdited(edited, visit.call.services, in: &session)
        return .json(EditedComment(isApproved: edited.isApproved, html: edited.html))
    }
}

extension CommentRoutes {
    /// Of the page of the comment that the path names.
    fileprivate static func settings(_ visit: Visit, in session: inout Session) throws(APIError) -> WidgetSettings {
        guard !visit.tenant.rules.rules.isEmpty else { return visit.tenant.settings }
        let comment = try CommentSQL.require(visit.call.parameter("commentId"), tenant: visit.tenant.id, in: &session)
        return visit.tenant.settings(of: try PageSQL.find(id: comment.pageID, in: &session))
    }
}

private struct EditedComment: JSONWritable, Sendable {
    let isApproved: Bool
    let html: String

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.key("comment")
            json.object { json in
                json.member("approved", isApproved)
                json.member("commentHTML", html)
            }
        }
    }
}

/// After a row was changed: the page has a new version, and readers hear the whole new state.
enum CommentChange {
    @discardableResult
    static func announce(
        _ comment: CommentRecord, broadcastID: String?, _ tenant: Tenant, positions: CommentPositions? = nil,
        former: CommentRecord? = nil, isLive: Bool = true, in session: inout Session
    ) throws(APIError) -> CommentRecord {
        try PageSQL.touch(comment.pageID, in: &session)
        guard let page = try PageSQL.find(id: comment.pageID, in: &session) else { throw .commentNotFound }
        let changed = try CommentSQL.require(comment.id, tenant: tenant.id, in: &session)
        try ModeratorRoom.tell(of: [comment.id], broadcastID: broadcastID, tenant: tenant.id, in: &session)
        try CommentHooks.changed(from: former ?? comment, to: changed, tenant, in: &session)
        guard isLive else { return changed }
        try session.emit(
            CommentEvents.make(
                .updatedComment, changed, page: page, tenant: tenant, broadcastID: broadcastID, positions: positions,
                in: &session),
            to: page.room)
        return changed
    }
}

/// Who may change or delete a comment: its author, moderators, and the holder of its key (contract: public 8).
enum CommentAccess {
    enum Act { case edit, delete }

    /// Runs `body` for somebody who may do that to the comment named in the path. A wrong edit key is refused and used
    /// up, which must be kept, so it is no error that would undo it.
    /// - Throws: `not-found` (404); `locked`, `unauthorized`, `not-logged-in` (401).
    static func allow(
        _ act: Act, _ visit: Visit, in session: inout Session,
        _ body: (CommentRecord, inout Session) throws(APIError) -> Reply
    ) throws(APIError) -> Reply {
        let caller = try Caller.resolve(visit, in: &session)
        let comment = try CommentSQL.require(visit.call.parameter("commentId"), tenant: visit.tenant.id, in: &session)
        guard !comment.isDeleted else { throw .commentNotFound }
        let page = try PageSQL.find(id: comment.pageID, in: &session)
        try caller.requireWriting(page)
        if !caller.isStaff {
            let isAuthor = caller.key != nil && caller.key == comment.authorKey
            if !isAuthor, let key = visit.call.text("editKey") {
                guard EditKey.opens(comment, key, at: session.now) else {
                    try CommentSQL.burnEditKey(comment.seq, in: &session)
                    return .refused(.editKeyInvalid)
                }
            } else if !isAuthor {
                throw caller.key == nil ? .notLoggedIn : .unauthorized("Somebody else wrote this comment.")
            }
            let settings = visit.tenant.settings(of: page)
            guard !(act == .edit ? settings.disablesOwnEdits : settings.disablesOwnDeletes) else {
                throw .unauthorized("Comments may not be changed by their authors here.")
            }
        }
        guard !comment.isLocked else { throw .commentLocked }
        return try body(comment, &session)
    }
}

/// A guest's key to a comment: valid for a day, and for one wrong guess (contract: public 3.5).
enum EditKey {
    static func opens(_ comment: CommentRecord, _ key: String, at now: Int64) -> Bool {
        guard let hash = comment.editKeyHash, comment.editKeyExpiresAt > now else { return false }
        return Secret.matches(key, hash: hash)
    }
}

/// Secrets are compared in constant time.
enum Secret {
    static func equal(_ left: String, _ right: String) -> Bool {
        constantTimeEquals(Array(left.utf8), Array(right.utf8))
    }

    static func matches(_ secret: String, hash: String) -> Bool {
        constantTimeEquals(Array(Identifier.hash(ofSecret: secret).utf8), Array(hash.utf8))
    }
}

extension APIError {
    static let editKeyInvalid = APIError(
        401, "edit-key-invalid", "The edit key is wrong, used up or older than a day.", phrase: .editKeyInvalid)
}
