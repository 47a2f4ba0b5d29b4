import Domain
import JSON
import Live
import RichText
import Storage

extension BackendCommentRoutes {
    /// Changes what the body names (contract: admin 5.1).
    static func updateComment(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let body = try visit.call.bodyObject(mayBeEmpty: true)
        let patch = try CommentPatch(body)
        let isLive = try visit.flag("isLive") ?? false
        let checksSpam = try visit.flag("doSpamCheck") ?? false
        let comment = try CommentSQL.require(visit.call.parameter("id"), tenant: visit.tenant.id, in: &session)
        let settings = visit.tenant.settings(of: try PageSQL.find(id: comment.pageID, in: &session))
        let text =
            patch.hasText
            ? try CommentDraft.screened(
                body, tenant: visit.tenant, settings: settings, as: .asEntered, locale: comment.locale, in: &session)
            : nil
        let update = CommentUpdate(
            visit: visit, patch: patch, text: text, html: patch.html.map { SafeHTML.of($0, settings) },
            isLive: isLive, checksSpam: checksSpam)
        return { (session) throws(APIError) -> Reply in
            try update.run(in: &session)
            return .success
        }
    }
}

/// Carries a change out.
private struct CommentUpdate: Sendable {
    /// Comments below one that moves to another page: they move with it, in the same unit.
    private static let moveLimit = 1000

    let visit: BackendVisit
    let patch: CommentPatch
    /// Of a new text.
    let text: (draft: CommentDraft, screening: Screening)?
    /// Shown instead of what the text makes; safe.
    let html: String?
    let isLive: Bool
    let checksSpam: Bool

    private var tenant: Tenant { visit.tenant }

    func run(in session: inout Session) throws(APIError) {
        let id = visit.call.parameter("id")
        let former = try CommentSQL.require(id, tenant: tenant.id, in: &session)
        try requireRights(former, in: &session)
        guard !former.isLocked || patch.onlyUnlocks else { throw .commentLocked }
        var fields = try CommentFields.load(former.seq, in: &session)
        try change(&fields, of: former, in: &session)
        let target = try targetPage(former, in: &session)
        try moveUnderParent(&fields, of: former, target, in: &session)
        let verdict = try verdict(former, in: &session)
        // From here on nothing is refused.
        let draft = verdict.flatMap { verdict in text.map { $0.screening.draft($0.draft, verdict) } }
        if let draft { try NewCommentSQL.update(former.seq, draft, tenant: tenant.id, in: &session) }
        if let html { fields.html = html } else if let draft { fields.html = draft.rendered.html }
        try fields.save(former.seq, in: &session)
        try renamePage(target ?? former.pageID, in: &session)
        if let target { try movePage(of: former, to: target, in: &session) }
        try setDeleted(former, in: &session)
        try verdict?.log(former.id, tenant: tenant.id, in: &session)
        if verdict?.isSpam == true {
            try session.run("UPDATE comment SET is_ai_spam = 1 WHERE seq = ?1", .integer(former.seq))
        }
        try announce(former, verdict, hasMoved: target != nil, in: &session)
    }

    /// About a new text.
    private func verdict(
        _ comment: CommentRecord, in session: inout Session
    ) throws(APIError) -> CommentVerdict? {
        guard let text else { return nil }
        var matter = CommentMatter(
            editing: comment, text.draft, text.screening, tenant, visit.call.services,
            isStaff: comment.isByAdmin || comment.isByModerator, asksFilter: checksSpam)
        matter.mayRefuse = false
        return try NewCommentDecision.decide(matter, in: &session)
    }

    /// - Throws: `invalid-user` (422), `unauthorized` (403).
    private func requireRights(_ comment: CommentRecord, in session: inout Session) throws(APIError) {
        guard let context = try visit.contextUser(in: &session), !context.isStaff else { return }
        guard context.key == comment.authorKey else {
            throw .contextUnauthorized("Somebody else wrote this comment.")
        }
    }

    // MARK: Fields

    private func change(
        _ fields: inout CommentFields, of comment: CommentRecord, in session: inout Session
    ) throws(APIError) {
        try changeAuthor(&fields, in: &session)
        fields.apply(patch, at: session.now)
        if let votes = patch.votes {
            let isCleared = votes["votes"]?.isNull == true
            let counts = try NewBackendComment.votes(
                votes, up: isCleared || votes["votesUp"]?.isNull == true ? 0 : fields.votesUp,
                down: isCleared || votes["votesDown"]?.isNull == true ? 0 : fields.votesDown)
            fields.votesUp = counts.up
            fields.votesDown = counts.down
        }
    }

    /// An address alone must be somebody's already: nobody is made here.
    private func changeAuthor(_ fields: inout CommentFields, in session: inout Session) throws(APIError) {
        switch patch.userID {
        case .set(let id):
            fields.setAuthor(try visit.user(id, in: &session))
        case .clear:
            fields.setAuthor(nil)
        case .keep:
            guard let email = patch.email.value else { return }
            guard let key = try CommenterSQL.key(ofEmail: email, tenant: tenant.id, in: &session),
                let user = try NamedIdentity.user(key, tenant, in: &session)
            else { throw APIError(422, "invalid-user", "Nobody has this commenterEmail; name a userId with it.") }
            fields.setAuthor(user)
        }
    }

    // MARK: Place

    /// The page it moves to; nil when it stays.
    /// - Throws: `invalid-input` (422) when more stands below it than one unit may move.
    private func targetPage(_ comment: CommentRecord, in session: inout Session) throws(APIError) -> Int64? {
        guard let urlID = patch.urlID else { return nil }
        let known = try PageSQL.find(urlID, tenant: tenant.id, in: &session)
        if let known, known.id == comment.pageID { return nil }
        guard try CommentSQL.countBelow(comment.seq, upTo: Self.moveLimit + 1, in: &session) <= Self.moveLimit else {
            throw .invalidInput(
                "A comment with more than \(Self.moveLimit) replies below it cannot move to another page.")
        }
        if let known { return known.id }
        let facts = PageFacts(url: patch.url.value ?? comment.url, title: patch.pageTitle.value)
        return try PageSQL.findOrInsert(urlID, facts, replacesKnown: false, tenant: tenant.id, in: &session).id
    }

    private func moveUnderParent(
        _ fields: inout CommentFields, of comment: CommentRecord, _ target: Int64?, in session: inout Session
    ) throws(APIError) {
        switch patch.parentID {
        case .keep:
            // What stood above stays behind.
            guard target != nil else { return }
            fields.setParent(nil)
        case .clear: fields.setParent(nil)
        case .set(let id):
            guard let parent = try CommentSQL.find(id, tenant: tenant.id, in: &session),
                parent.pageID == target ?? comment.pageID, parent.seq < comment.seq
            else {
                throw .invalidInput(
                    "parentId must name a comment of the same page that was written earlier and stands elsewhere.")
            }
            fields.setParent(parent)
        }
    }

    private func renamePage(_ page: Int64, in session: inout Session) throws(APIError) {
        guard case .keep = patch.pageTitle else {
            try session.run(
                "UPDATE page SET title = ?2 WHERE id = ?1", .integer(page),
                .text(PageFacts(title: patch.pageTitle.value).title))
            return
        }
    }

    /// With everything below it.
    private func movePage(
        of comment: CommentRecord, to target: Int64, in session: inout Session
    ) throws(APIError) {
        let seqs = try CommentSQL.subtree(comment.seq, in: &session)
        guard let from = try PageSQL.find(id: comment.pageID, in: &session),
            let to = try PageSQL.find(id: target, in: &session)
        else { throw .commentNotFound }
        if isLive {
            for record in try CommentSQL.records(seqs.reversed(), in: &session) where record.state.isVisible {
                try emit(.deletedComment, record, from, in: &session)
            }
        }
        try CommentFields.move(seqs, to: target, in: &session)
        try CommentHooks.updated(seqs.filter { $0 != comment.seq }, tenant, in: &session)
        try PageSQL.touch(from.id, in: &session)
        try PageSQL.touch(to.id, in: &session)
        guard isLive else { return }
        for record in try CommentSQL.records(seqs, in: &session) where record.state.isVisible {
            try emit(.newComment, record, to, in: &session)
        }
    }

    private func emit(
        _ type: LiveEventType, _ record: CommentRecord, _ page: Page, in session: inout Session
    ) throws(APIError) {
        try session.emit(
            CommentEvents.make(type, record, page: page, tenant: tenant, broadcastID: nil, in: &session), to: page.room)
    }

    // MARK: State

    private func setDeleted(_ comment: CommentRecord, in session: inout Session) throws(APIError) {
        guard let isDeleted = patch.isDeleted, isDeleted != comment.isDeleted else { return }
        if isDeleted {
            try Trash.keep([comment.seq], root: comment.seq, anonymised: true, in: &session)
            try CommentSQL.anonymise(comment.seq, in: &session)
            try Notices.commentsAreGone([comment.seq], tenant: tenant.id, visit.call.services, in: &session)
        } else if try Trash.find(comment.id, tenant: tenant.id, in: &session) != nil {
            try Trash.restoreAnonymised(comment.seq, in: &session)
        }
    }

    private func announce(
        _ former: CommentRecord, _ verdict: CommentVerdict?, hasMoved: Bool, in session: inout Session
    ) throws(APIError) {
        let comment = try CommentSQL.require(former.id, tenant: tenant.id, in: &session)
        let state = state(of: comment, verdict)
        if !comment.isDeleted, state != comment.state {
            let change = CommentModeration(
                tenant: tenant, services: visit.call.services, actor: nil, broadcastID: nil)
            try change.move(comment, to: state, by: nil, isLive: isLive, in: &session)
        }
        let isUpdate = comment.state.isVisible == state.isVisible && !hasMoved
        let changed = try CommentChange.announce(
            comment, broadcastID: nil, tenant, former: former, isLive: isLive && isUpdate, in: &session)
        if text != nil { try Notices.commentWasEdited(changed, visit.call.services, in: &session) }
    }

    /// The caller says what holds: nothing follows from anything else, but that an approval ends what flags did.
    private func state(of comment: CommentRecord, _ verdict: CommentVerdict?) -> ModerationState {
        var state = comment.state
        if let isReviewed = patch.isReviewed { state.isReviewed = isReviewed }
        if let isSpam = patch.isSpam { state.isSpam = isSpam }
        if let isApproved = patch.isApproved {
            if isApproved, state.isHiddenByFlags { state.flagCount = 0 }
            state.isHiddenByFlags = false
            state.isApproved = isApproved
        }
        if let flagCount = patch.flagCount { state.flagCount = flagCount }
        if verdict?.isSpam == true {
            state.isSpam = true
            state.isApproved = false
        }
        return state
    }
}

/// HTML of a backend, through the same rules as what people write.
enum SafeHTML {
    static func of(_ html: String, _ settings: WidgetSettings) -> String {
        CommentRenderer.render(html, RenderOptions(settings)).html
    }
}
