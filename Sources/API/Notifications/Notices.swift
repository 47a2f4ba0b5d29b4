import Domain
import Live
import Storage

/// What happened that somebody may have to be told of. Everything here runs in the transaction of what happened.
enum Notices {
    // MARK: Comments

    /// A comment can be seen by everybody who may see its page: when it was written, or when it was approved. Calling it
    /// again for the same comment tells nobody twice. The notices are made after the answer.
    static func commentBecameVisible(
        _ comment: CommentRecord, _ services: Services, in session: inout Session
    ) throws(APIError) {
        guard comment.isApproved, !comment.isSpam, !comment.isDeleted, try concernsAnybody(comment, in: &session) else {
            return
        }
        try NoticeJob.insert(.visible, comment.seq, tenant: comment.tenant, in: &session)
        services.notices.wake()
    }

    /// The text of a comment changed: whoever is named only now is told, whoever is no longer named was not.
    static func commentWasEdited(
        _ comment: CommentRecord, _ services: Services, in session: inout Session
    ) throws(APIError) {
        guard comment.isApproved, !comment.isSpam else { return }
        if comment.mentions == nil, try NoticeSQL.mentioned(in: comment.seq, in: &session).isEmpty { return }
        try NoticeJob.insert(.edited, comment.seq, tenant: comment.tenant, in: &session)
        services.notices.wake()
    }

    /// Comments are deleted, or turned into placeholders. Their notices are not shown from now on; the rows go after the
    /// answer.
    static func commentsAreGone(
        _ seqs: [Int64], tenant: String, _ services: Services?, in session: inout Session
    ) throws(APIError) {
        guard try NoticeJob.insertGone(seqs, tenant: tenant, in: &session) > 0 else { return }
        services?.notices.wake()
    }

    /// An answer always has somebody above it. A root without names on a page without subscribers needs no work.
    private static func concernsAnybody(
        _ comment: CommentRecord, in session: inout Session
    ) throws(APIError) -> Bool {
        if comment.parentSeq != nil || comment.mentions != nil { return true }
        guard let page = try PageSQL.find(id: comment.pageID, in: &session) else { return false }
        return try SubscriptionSQL.hasSubscribers(page.urlID, tenant: page.tenant, in: &session)
    }

    // MARK: Votes

    /// A vote counts from now on. All votes on a comment are one notice, which becomes new with each.
    static func voteWasCounted(
        _ vote: Vote, on comment: CommentRecord, _ page: Page, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        guard vote.direction > 0, let owner = comment.authorKey, owner != vote.voterKey, !comment.isDeleted else {
            return
        }
        let audience = try NoticeAudience(of: comment, by: vote.voterKey, on: page, tenant, in: &session)
        guard try audience.mayTell(owner, .votes, in: &session),
            try !NoticeSQL.hasOptedOut(owner, of: [comment.seq], in: &session)
        else { return }
        let known = try NoticeSQL.takeVoteNotice(comment.seq, owner: owner, in: &session)
        let id = Identifier.timeOrdered(at: session.now, renewing: known?.id)
        try NoticeSQL.insertVoteNotice(id, comment, owner: owner, in: &session)
        // One that was in the bell's number already does not raise it.
        let type = known?.isCounted == true ? LiveEventType.notificationUpdate : .notification
        try NoticeEvents.announce(type, [id], tenant, in: &session)
    }

    /// A vote does not count any more. The notice goes with the last one.
    static func voteWasTakenBack(
        _ vote: Vote, on comment: CommentRecord, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        guard vote.direction > 0, let owner = comment.authorKey, owner != vote.voterKey,
            let id = try NoticeSQL.voteNotice(comment.seq, owner: owner, in: &session)
        else { return }
        guard try NoticeVotes.count(comment.seq, owner: owner, tenant: tenant.id, in: &session) > 0 else {
            try NoticeSQL.delete(id, in: &session)
            return try NoticeEvents.announceChanges(to: owner, tenant: tenant.id, in: &session)
        }
        guard let caller = try Caller.find(owner, tenant, in: &session),
            try CommentSight.unseen([comment.seq], by: caller, in: &session).isEmpty
        else { return }
        try NoticeEvents.announce(.notificationUpdate, [id], tenant, in: &session)
    }

    // MARK: Blocks

    /// Somebody wants to hear nothing more of an author: what they were told of is taken away too.
    static func authorWasBlocked(
        _ author: String, by owner: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        guard try NoticeSQL.delete(from: author, to: owner, tenant: tenant, in: &session) > 0 else { return }
        try NoticeEvents.announceChanges(to: owner, tenant: tenant, in: &session)
    }
}
