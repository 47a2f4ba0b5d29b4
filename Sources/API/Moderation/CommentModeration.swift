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
        try move(comment, to: after, by: act, in: &session)
        return after
    }

    /// - Parameters:
    ///   - act: what is counted of the moderator; nil for a state that somebody just says.
    ///   - isLive: readers hear of it.
    func move(
        _ comment: CommentRecord, to after: ModerationState, by act: ModerationAct?, isLive: Bool = true,
        in session: inout Session
    ) throws(APIError) {
        let before = comment.state
        guard let page = try PageSQL.find(id: comment.pageID, in: &session) else { throw .commentNotFound }
        let isShown = before.isVisible == after.isVisible
        let isLong = isShown || !isLive ? false : try SubtreeNews.isLong(comment, in: &session)
        let below = isShown || !isLive || isLong ? [] : try visibleBelow(comment, in: &session)
        // Who saw it is known before it goes, who sees it after it came.
        if isLive { try announceLoss(of: comment, below, becoming: after, page, isLong, in: &session) }
        try ModerationSQL.update(comment.seq, after, in: &session)
        try PageSQL.touch(page.id, in: &session)
        let changed = try CommentSQL.require(comment.id, tenant: tenant.id, in: &session)
        if isLive { try announceGain(of: changed, below, from: before, page, isLong, in: &session) }
        if let act, actor != nil { try SpamFilter.learn(from: act, comment, in: &session) }
        try note(comment, after, act, in: &session)
        try ModeratorRoom.tell(of: [comment.id], broadcastID: broadcastID, tenant: tenant.id, in: &session)
        // Nobody is told how many flags there are.
        if !before.differsOnlyByFlags(from: after) { try CommentHooks.updated(changed, tenant, in: &session) }
        if !before.isVisible { try Notices.commentBecameVisible(changed, services, in: &session) }
    }

    /// Adds somebody's flag; a second one changes nothing.
    /// - Returns: whether the flag hid the comment.
    @discardableResult
    func flag(_ comment: CommentRecord, by flagger: String, in session: inout Session) throws(APIError) -> Bool {
        guard !comment.isDeleted, try ModerationSQL.insertFlag(comment.seq, by: flagger, in: &session) else {
            return false
        }
        let act = ModerationAct.countFlag(comment.flagCount + 1, threshold: tenant.moderation.flagThreshold)
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
        _ comment: CommentRecord, _ after: ModerationState, _ act: ModerationAct?, in session: inout Session
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
        case .approve, .markSpam, .markNotSpam, .putBack, .review, nil: break
        }
        guard let actor, let act, let counted = counted(act, before, after) else { return }
        try ModeratorSQL.count(counted, by: actor, in: &session)
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
        case .putBack where before.isSpam != after.isSpam: after.isSpam ? .spam : .notSpam
        case .approve, .markSpam, .markNotSpam: .reviewed
        case .putBack: nil
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

    /// Everybody who saw it loses it, except that the author of what only waits for approval keeps it.
    private func announceLoss(
        of comment: CommentRecord, _ below: [CommentRecord], becoming after: ModerationState, _ page: Page,
        _ isLong: Bool, in session: inout Session
    ) throws(APIError) {
        let isHiding = comment.state.isVisible && !after.isVisible
        guard isHiding || (!comment.isSpam && after.isSpam) else { return }
        // What waited was there for its author alone.
        guard isHiding else { return try tellAuthor(.deletedComment, comment, page, in: &session) }
        let keeper = after.isSpam ? nil : comment.authorKey
        if isLong {
            return try SubtreeNews.begin(
                isShown: false, comment, keeper: keeper, broadcastID: broadcastID, services, in: &session)
        }
        for record in below.reversed() { try send(.deletedComment, record, page, nil, in: &session) }
        try send(.deletedComment, comment, page, broadcastID, allBut(keeper), in: &session)
    }

    /// Everybody who sees it gets it; for its author it changes, where it was there before.
    private func announceGain(
        of comment: CommentRecord, _ below: [CommentRecord], from before: ModerationState, _ page: Page,
        _ isLong: Bool, in session: inout Session
    ) throws(APIError) {
        guard comment.state.isVisible != before.isVisible else {
            if before.isSpam, !comment.isSpam { try tellAuthor(.newComment, comment, page, in: &session) }
            return
        }
        let keeper = before.isSpam || comment.isSpam ? nil : comment.authorKey
        if comment.state.isVisible, isLong {
            try SubtreeNews.begin(
                isShown: true, comment, keeper: keeper, broadcastID: broadcastID, services, in: &session)
        } else if comment.state.isVisible {
            try send(.newComment, comment, page, broadcastID, allBut(keeper), in: &session)
            for record in below { try send(.newComment, record, page, nil, in: &session) }
        }
        guard let keeper else { return }
        try send(.updatedComment, comment, page, nil, .only(identity: keeper), in: &session)
    }

    private func tellAuthor(
        _ type: LiveEventType, _ comment: CommentRecord, _ page: Page, in session: inout Session
    ) throws(APIError) {
        guard let author = comment.authorKey else { return }
        try send(type, comment, page, broadcastID, .only(identity: author), in: &session)
    }

    private func allBut(_ identity: String?) -> Audience { identity.map { .everyoneBut(identity: $0) } ?? .everyone }

    func send(
        _ type: LiveEventType, _ comment: CommentRecord, _ page: Page, _ broadcastID: String?,
        _ audience: Audience = .everyone, in session: inout Session
    ) throws(APIError) {
        try session.emit(
            CommentEvents.make(
                type, comment, page: page, tenant: tenant, broadcastID: broadcastID, readers: audience,
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
