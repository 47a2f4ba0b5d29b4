import Domain
import JSON
import Live
import Storage

/// Stores comments of a site's backend: first everything that may refuse one, then the rows.
struct CommentSaver: Sendable {
    /// Whose comment it is.
    enum Author: Sendable {
        case known(NamedIdentity)
        /// Somebody whose address nobody has yet.
        case new(email: String)
        case nobody
    }

    /// What was found out of a comment that may be stored.
    struct Place: Sendable {
        let author: Author
        let parent: CommentRecord?
        let verdict: CommentVerdict
        /// What counts against the limit of comments.
        let limitKeys: [String]
    }

    private let visit: BackendVisit
    private let isLive: Bool
    private let checksSpam: Bool
    private let makesNotices: Bool
    private var tenant: Tenant { visit.tenant }

    /// - Throws: `invalid-input` (422) for flags in the query.
    init(_ visit: BackendVisit) throws(APIError) {
        self.visit = visit
        isLive = try visit.flag("isLive") ?? false
        checksSpam = try visit.flag("doSpamCheck") ?? false
        makesNotices = try visit.flag("populateNotifications") ?? false
        // No mail is sent from here.
        _ = try visit.flag("sendEmails")
    }

    // MARK: Checks

    /// Writes nothing but the note of a banned attempt.
    /// - Throws: `banned` (403), `invalid-user`, `invalid-name`, `duplicate` (422), `not-found` (404), `locked` (401),
    ///   `user-rate-limited` (429).
    func check(
        _ input: NewBackendComment, isOneOfMany: Bool, in session: inout Session
    ) throws(APIError) -> Place {
        let author = try author(of: input, in: &session)
        try requireNotBanned(author, input, in: &session)
        let parent = try parent(of: input, in: &session)
        let keys = limitKeys(input, author)
        let isLimited = !tenant.isExemptFromLimits && !isOneOfMany
        if isLimited {
            let limit = tenant.settings(of: input.urlID).commentsPerMinute
            try visit.call.services.limits.checkComments(keys, limit: limit, at: session.now)
        }
        let matter = matter(input, author, isLimited: isLimited)
        let verdict = try NewCommentDecision.decide(matter, in: &session)
        return Place(author: author, parent: parent, verdict: verdict, limitKeys: isLimited ? keys : [])
    }

    static let bannedCode = "banned"

    /// A site's backend learns of every ban, also of those that the banned do not learn of. It goes by what is known of
    /// the author and by what the body says. Nobody who moderates is bound by one.
    /// - Throws: `banned` (403).
    private func requireNotBanned(
        _ author: Author, _ input: NewBackendComment, in session: inout Session
    ) throws(APIError) {
        var known: NamedIdentity?
        if case .known(let identity) = author { known = identity }
        guard known.map({ $0.isStaff || $0.caller.isStaff }) != true else { return }
        let address = input.address.map { visit.call.services.addresses.of($0, tenant: tenant.id) }
        let identities = Identities(key: known?.key, email: known?.email ?? input.email, addressHash: address)
        var ban = try Bans.find(identities, tenant: tenant.id, in: &session)
        if ban == nil { ban = try Bans.find(Identities(email: input.email), tenant: tenant.id, in: &session) }
        guard let ban else { return }
        let name = known?.name ?? input.name
        try AuditLog.note(
            .create, BannedAct.comment.resource, BannedAct.comment.description, from: .api,
            by: known.map { ($0.key, name) }, visit.call, tenant: tenant.id, in: &session)
        throw .banned(ban)
    }

    /// The id comes before name and address; who has the address is who writes.
    private func author(of input: NewBackendComment, in session: inout Session) throws(APIError) -> Author {
        if let id = input.userID { return .known(try visit.user(id, in: &session)) }
        try requireFree(input.name, email: input.email, in: &session)
        guard let email = input.email else { return .nobody }
        guard let known = try CommenterSQL.key(ofEmail: email, tenant: tenant.id, in: &session),
            let identity = try NamedIdentity.user(known, tenant, in: &session)
        else { return .new(email: email) }
        return .known(identity)
    }

    /// Nobody gets the name of somebody who has another address.
    private func requireFree(_ name: String, email: String?, in session: inout Session) throws(APIError) {
        guard try CommentAuthor.isTaken(name, email: email, tenant: tenant.id, in: &session) else { return }
        throw APIError(422, "invalid-name", "This name belongs to somebody else.", phrase: .nameTaken)
    }

    private func parent(of input: NewBackendComment, in session: inout Session) throws(APIError) -> CommentRecord? {
        guard let id = input.parentID else { return nil }
        let parent = try CommentSQL.require(id, tenant: tenant.id, in: &session)
        guard try PageSQL.find(id: parent.pageID, in: &session)?.urlID == input.urlID else { throw .commentNotFound }
        guard try !CommentSQL.isLocked(parent, in: &session) else { throw .commentLocked }
        return parent
    }

    private func limitKeys(_ input: NewBackendComment, _ author: Author) -> [String] {
        if let address = input.address { return ["\(tenant.id) address \(address)"] }
        switch author {
        case .known(let identity):
            let kind = identity.userID == nil ? "guest" : "person"
            return ["\(tenant.id) \(kind) \(identity.key)"]
        case .new(let email): return ["\(tenant.id) email \(email.lowercased())"]
        case .nobody: return []
        }
    }

    /// Profane words are masked whoever calls; the rest is asked when the caller wants it. Spam is kept: a backend is no
    /// author who could write better.
    private func matter(_ input: NewBackendComment, _ author: Author, isLimited: Bool) -> CommentMatter {
        var questions: CommentMatter.Questions = .profanity
        if checksSpam { questions.insert(.spam) }
        if checksSpam, isLimited { questions.insert(.repetition) }
        var identity: NamedIdentity?
        if case .known(let known) = author { identity = known }
        var matter = CommentMatter(
            tenant: tenant, services: visit.call.services, questions: questions, draft: input.draft,
            screening: input.screening, authorKey: identity?.key,
            isStaff: identity.map { $0.isAdmin || $0.isModerator } ?? false,
            isVerified: input.isVerified ?? (identity?.userID != nil))
        matter.mayRefuse = false
        matter.urlID = input.urlID
        matter.parentID = input.parentID
        return matter
    }

    func note(_ place: Place, at now: Int64) {
        visit.call.services.limits.noteComment(place.limitKeys, at: now)
    }

    // MARK: Rows

    /// - Parameter pages: to be touched at the end of the unit.
    func save(
        _ input: NewBackendComment, _ place: Place, on pages: inout WrittenPages, in session: inout Session
    ) throws(APIError) -> SavedComment {
        var input = input
        input.draft = input.screening.draft(input.draft, place.verdict)
        let author = try identity(place.author, input, in: &session)
        let page = try pages.page(input.urlID, input.facts, tenant: tenant.id, in: &session)
        let id = try NewCommentSQL.insert(row(input, author, place, page, at: session.now), in: &session)
        try place.verdict.log(id, tenant: tenant.id, in: &session)
        let record = try CommentSQL.require(id, tenant: tenant.id, in: &session)
        if isLive {
            try session.emit(
                CommentEvents.make(.newComment, record, page: page, tenant: tenant, broadcastID: nil, in: &session),
                to: page.room)
        }
        try ModeratorRoom.tell(of: [record.id], tenant: tenant.id, in: &session)
        try CommentHooks.created(record, tenant, in: &session)
        if makesNotices { try Notices.commentBecameVisible(record, visit.call.services, in: &session) }
        return SavedComment(comment: try BackendComment(record, in: &session), user: try user(author, in: &session))
    }

    private func identity(
        _ author: Author, _ input: NewBackendComment, in session: inout Session
    ) throws(APIError) -> NamedIdentity? {
        switch author {
        case .known(let identity): return identity
        case .nobody: return nil
        case .new(let email):
            // An earlier comment of the same call may have made it.
            if let key = try CommenterSQL.key(ofEmail: email, tenant: tenant.id, in: &session),
                let known = try NamedIdentity.user(key, tenant, in: &session)
            {
                return known
            }
            let guest = try GuestSQL.create(name: input.name, email: email, tenant: tenant.id, in: &session).guest
            return NamedIdentity(Caller(tenant: tenant, identity: .guest(guest)), key: guest.id)
        }
    }

    private func row(
        _ input: NewBackendComment, _ author: NamedIdentity?, _ place: Place, _ page: Page, at now: Int64
    ) -> CommentRow {
        let name = author?.userID == nil ? input.name : author?.name ?? input.name
        var row = CommentRow(
            page: page, parent: place.parent.map { CommentRow.Parent(seq: $0.seq, id: $0.id) }, draft: input.draft,
            name: name, createdAt: input.date ?? now)
        row.userID = author?.userID
        row.guestID = author?.guestID
        row.email = author?.email ?? input.email
        row.link = input.link
        row.label = author?.caller.person?.displayLabel
        row.url = input.facts.url
        row.locale = input.locale
        row.localDateString = input.localDateString
        row.localDateHours = input.localDateHours
        row.isVerified = input.isVerified ?? (author?.userID != nil)
        row.isByAdmin = author?.isAdmin ?? false
        row.isByModerator = author?.isModerator ?? false
        row.rating = input.rating
        row.feedbackIDs = input.feedbackIDs
        row.questionValues = input.questionValues
        row.meta = input.meta
        row.moderationGroups = input.moderationGroups
        row.addressHash = input.address.map { visit.call.services.addresses.of($0, tenant: tenant.id) }
        complete(&row, input, at: now)
        row.apply(place.verdict)
        return row
    }

    /// With what people cannot say of their comments.
    private func complete(_ row: inout CommentRow, _ input: NewBackendComment, at now: Int64) {
        row.isApproved = input.isApproved
        row.isSpam = input.isSpam
        row.isReviewed = input.isReviewed
        row.pinnedAt = input.isPinned ? now : nil
        row.votesUp = input.votes.up
        row.votesDown = input.votes.down
        row.avatar = input.avatar
        row.domain = input.domain
        row.rawURLID = input.rawURLID
        row.productID = input.productID
        row.isParentNotified = input.isParentNotified
        row.isTenantNotified = input.isTenantNotified
        row.verifiedAt = row.isVerified ? now : nil
    }

    private func user(_ author: NamedIdentity?, in session: inout Session) throws(APIError) -> UserSession? {
        guard let caller = author?.caller, caller.key != nil else { return nil }
        return UserSession(caller: caller, hasBlockedUsers: try BlockSQL.hasBlocked(caller, in: &session))
    }
}

/// The pages that a unit writes comments to. Each is written once, however many comments it gets.
struct WrittenPages {
    private var known: [String: (facts: PageFacts, page: Page)] = [:]

    /// As ``PageSQL/findOrInsert(_:_:replacesKnown:tenant:in:)``, by somebody whose facts replace those known.
    mutating func page(
        _ urlID: String, _ facts: PageFacts, tenant: String, in session: inout Session
    ) throws(APIError) -> Page {
        if let written = known[urlID], written.facts == facts { return written.page }
        let page = try PageSQL.findOrInsert(urlID, facts, replacesKnown: true, tenant: tenant, in: &session)
        known[urlID] = (facts, page)
        return page
    }

    /// Notes that their comments changed.
    func touch(in session: inout Session) throws(APIError) {
        for written in known.values { try PageSQL.touch(written.page.id, in: &session) }
    }
}

enum CommenterSQL {
    /// Wire id of the person, else of the latest guest, with an address.
    static func key(ofEmail email: String, tenant: String, in session: inout Session) throws(APIError) -> String? {
        let person = try session.first(
            "SELECT id FROM person WHERE tenant_id = ?1 AND email_key = ?2 ORDER BY created_at DESC, id LIMIT 1",
            .text(tenant), .text(email.lowercased())
        ) { (row) throws(APIError) -> String in row.text(0) }
        if let person { return person }
        return try session.first(
            "SELECT id FROM guest WHERE tenant_id = ?1 AND email = ?2 ORDER BY last_seen_at DESC, id LIMIT 1",
            .text(tenant), .text(email)
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}
