import Domain
import Live
import Storage

/// Changes the state of comments: the row, its log, the moderator's statistics, readers' sockets and notices, all in one
/// transaction (contract: admin 6.3, live 2.5).
struct CommentModeration: Sendable {
    let tenant: Tenant
    let services: Services
    /// nil is the program.
    let actor: Moderator?
    /// Echoed with the comment that was named; nil makes one.
    let broadcastID: String?

    /// - Returns: the state afterwards. An act that changes nothing writes and sends nothing.
    @discardableResult
    func apply(
        _ act: ModerationAct, to comment: CommentRecord, in session: inout Session
    ) throws(APIError) -> ModerationState {
        let before = comment.state
        let after = before.after(act)
        guard !comment.isDeleted, after != before else { return before }
        let below = before.isVisible == after.isVisible ? [] : try visibleBelow(comment, in: &session)
        try ModerationSQL.update(comment.seq, after, in: &session)
        try note(comment, after, act, in: &session)
        try PageSQL.touch(comment.pageID, in: &session)
        let changed = try CommentSQL.require(comment.id, tenant: tenant.id, in: &session)
        try announce(comment, changed, below: below, in: &session)
        try Notices.commentBecameVisible(changed, services, in: &session)
        return after
    }

    /// Adds somebody's flag; a second one changes nothing.
    /// - Returns: whether the flag hid the comment.
    @discardableResult
    func flag(_ comment: CommentRecord, by flagger: String, in session: inout Session) throws(APIError) -> Bool {
        guard try ModerationSQL.insertFlag(comment.seq, by: flagger, in: &session) else { return false }
        let act = ModerationAct.countFlag(comment.flagCount + 1, threshold: nil)
        let after = try apply(act, to: comment, in: &session)
        return comment.isApproved && !after.isApproved
    }

    /// Takes somebody's flag back. What is hidden stays hidden.
    func unflag(_ comment: CommentRecord, by flagger: String, in session: inout Session) throws(APIError) {
        guard try ModerationSQL.deleteFlag(comment.seq, by: flagger, in: &session), comment.flagCount > 0 else {
            return
        }
        try apply(.countFlag(comment.flagCount - 1, threshold: nil), to: comment, in: &session)
    }

    // MARK: Records

    private func note(
        _ comment: CommentRecord, _ after: ModerationState, _ act: ModerationAct, in session: inout Session
    ) throws(APIError) {
        let before = comment.state
        if before.isApproved != after.isApproved {
            try log(.approveStatusChanged, comment, before.isApproved, after.isApproved, in: &session)
        }
        if before.isSpam != after.isSpam {
            try log(.spamStatusChanged, comment, before.isSpam, after.isSpam, in: &session)
        }
        if before.isReviewed != after.isReviewed {
            try log(.reviewStatusChanged, comment, before.isReviewed, after.isReviewed, in: &session)
        }
        switch act {
        case .countFlag(let count, _):
            let event = count > before.flagCount ? CommentLogEvent.flagged : .unFlagged
            try CommentLog.note(event, comment, by: actor?.name, in: &session)
        case .clearFlags: try CommentLog.note(.unFlagged, comment, by: actor?.name, in: &session)
        case .approve, .markSpam, .markNotSpam, .review: break
        }
        guard let actor, let counted = counted(act, before, after) else { return }
        try ModeratorSQL.count(counted, by: actor.key, tenant: tenant.id, in: &session)
    }

    private func log(
        _ event: CommentLogEvent, _ comment: CommentRecord, _ before: Bool, _ after: Bool,
        in session: inout Session
    ) throws(APIError) {
        try CommentLog.note(
            event, comment, by: actor?.name, before: String(before), after: String(after), in: &session)
    }

    private func counted(
        _ act: ModerationAct, _ before: ModerationState, _ after: ModerationState
    ) -> ModeratorAct? {
        switch act {
        case .approve where before.isApproved != after.isApproved: after.isApproved ? .approved : .unapproved
        case .markSpam where before.isSpam != after.isSpam: .spam
        case .markNotSpam where before.isSpam != after.isSpam: .notSpam
        case .approve, .markSpam, .markNotSpam: .reviewed
        case .review(let isReviewed): isReviewed ? .reviewed : nil
        case .clearFlags: .unflagged
        case .countFlag: nil
        }
    }

    // MARK: Readers

    /// What readers see below the comment while it is there, parents first: it goes and comes with it.
    private func visibleBelow(_ comment: CommentRecord, in session: inout Session) throws(APIError) -> [CommentRecord] {
        var shown: Set<Int64> = [comment.seq]
        return try CommentSQL.records(CommentSQL.subtree(comment.seq, in: &session), in: &session).filter { record in
            guard record.seq != comment.seq, let parent = record.parentSeq, shown.contains(parent),
                record.state.isVisible
            else { return false }
            shown.insert(record.seq)
            return true
        }
    }

    private func announce(
        _ before: CommentRecord, _ after: CommentRecord, below: [CommentRecord], in session: inout Session
    ) throws(APIError) {
        guard let page = try PageSQL.find(id: after.pageID, in: &session) else { throw .commentNotFound }
        switch (before.state.isVisible, after.state.isVisible) {
        case (true, false):
            for record in below.reversed() { try send(.deletedComment, record, page, nil, in: &session) }
            try announceHiding(before, after, page, in: &session)
        case (false, true):
            try announceShowing(before, after, page, in: &session)
            for record in below { try send(.newComment, record, page, nil, in: &session) }
        case (false, false) where !before.isSpam && after.isSpam:
            // Its author and moderators saw what waited for approval; spam is for the queues alone.
            let audience = Audience.author(identity: before.authorKey ?? "")
            try send(.deletedComment, after, page, broadcastID, audience, in: &session)
        case (false, false), (true, true): break
        }
    }

    /// Everybody loses it; the author of what only waits for approval keeps it.
    private func announceHiding(
        _ before: CommentRecord, _ after: CommentRecord, _ page: Page, in session: inout Session
    ) throws(APIError) {
        guard !after.isSpam, let author = after.authorKey else {
            return try send(.deletedComment, before, page, broadcastID, in: &session)
        }
        let audience = try allBut(author, before, page, in: &session)
        try send(.deletedComment, before, page, broadcastID, audience, in: &session)
        try send(.updatedComment, after, page, nil, .only(identity: author), in: &session)
    }

    /// Everybody gets it; for its author it changes, where it was there before.
    private func announceShowing(
        _ before: CommentRecord, _ after: CommentRecord, _ page: Page, in session: inout Session
    ) throws(APIError) {
        guard !before.isSpam, let author = after.authorKey else {
            return try send(.newComment, after, page, broadcastID, in: &session)
        }
        let audience = try allBut(author, after, page, in: &session)
        try send(.newComment, after, page, broadcastID, audience, in: &session)
        try send(.updatedComment, after, page, nil, .only(identity: author), in: &session)
    }

    /// Nil where groups decide: their audience cannot leave the author out.
    private func allBut(
        _ author: String, _ comment: CommentRecord, _ page: Page, in session: inout Session
    ) throws(APIError) -> Audience? {
        let groups = try GroupLimit.groups(of: comment, tenant.settings(of: page), in: &session)
        return groups == nil ? .everyoneBut(identity: author) : nil
    }

    func send(
        _ type: LiveEventType, _ comment: CommentRecord, _ page: Page, _ broadcastID: String?,
        _ audience: Audience? = nil, in session: inout Session
    ) throws(APIError) {
        try session.emit(
            CommentEvents.make(
                type, comment, page: page, tenant: tenant, broadcastID: broadcastID, audience: audience,
                in: &session),
            to: page.room)
    }
}

enum ModerationSQL {
    static func update(_ seq: Int64, _ state: ModerationState, in session: inout Session) throws(APIError) {
        try session.run(
            """
            UPDATE comment SET is_approved = ?2, is_spam = ?3, is_perm_not_spam = ?4, is_reviewed = ?5,
                               is_hidden_by_flags = ?6, flag_count = ?7
            WHERE seq = ?1
            """,
            .integer(seq), .bool(state.isApproved), .bool(state.isSpam), .bool(state.isPermanentlyNotSpam),
            .bool(state.isReviewed), .bool(state.isHiddenByFlags), .integer(state.flagCount))
    }

    /// - Returns: whether it is new.
    static func insertFlag(_ seq: Int64, by key: String, in session: inout Session) throws(APIError) -> Bool {
        try session.run(
            """
            INSERT INTO comment_flag (comment_seq, flagger_key, created_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (comment_seq, flagger_key) DO NOTHING
            """,
            .integer(seq), .text(key), .integer(session.now)) > 0
    }

    /// - Returns: whether it was there.
    static func deleteFlag(_ seq: Int64, by key: String, in session: inout Session) throws(APIError) -> Bool {
        try session.run(
            "DELETE FROM comment_flag WHERE comment_seq = ?1 AND flagger_key = ?2", .integer(seq), .text(key)) > 0
    }
}
