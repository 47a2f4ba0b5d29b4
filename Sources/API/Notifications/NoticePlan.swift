import Domain
import JSON
import Storage

/// The next part of a job, found out by a reader so that the writer has little to do.
struct NoticePlan: Sendable {
    let job: NoticeJob
    /// nil when the comment cannot be seen (any more).
    let comment: CommentRecord?
    let tenant: Tenant
    private(set) var recipients: [NoticeRecipient] = []
    /// Who was told of being named, and is not named any more.
    private(set) var unnamed: [String] = []
    /// Where the job is afterwards; nil is its end.
    private(set) var next: NoticeJob.Place?
    /// Notices that are to be taken away at most.
    private(set) var removals = 0
    /// Rows that the writer will change, roughly.
    private(set) var weight = 1

    /// - Parameter limit: people looked at, at least 1; those named in a comment are never split.
    init?(_ job: NoticeJob, limit: Int, in session: inout Session) throws(APIError) {
        guard let tenant = try TenantSQL.find(job.tenant, in: &session) else { return nil }
        self.job = job
        self.tenant = tenant
        let comment = try CommentSQL.records([job.commentSeq], in: &session).first
        guard job.kind != .gone, let comment, comment.isApproved, !comment.isSpam, !comment.isDeleted,
            let page = try PageSQL.find(id: comment.pageID, in: &session)
        else {
            self.comment = nil
            guard job.kind == .gone else { return }
            removals = limit
            weight = max(1, try NoticeSQL.count(of: job.commentSeq, limit: limit, in: &session))
            return
        }
        self.comment = comment
        let source = NoticeSource(
            job: job, comment: comment, page: page,
            audience: try NoticeAudience(of: comment, by: comment.authorKey, on: page, tenant, in: &session))
        if job.kind == .edited { unnamed = try source.unnamed(in: &session) }
        next = job.place
        var left = limit
        while let place = next, left > 0 {
            let part = try source.part(at: place, limit: left, in: &session)
            recipients += part.recipients
            next = part.next
            left -= part.lookedAt
        }
        weight = max(1, recipients.count + unnamed.count)
    }
}

/// Finds the people whom a comment concerns.
struct NoticeSource {
    struct Part {
        var recipients: [NoticeRecipient] = []
        var lookedAt = 0
        var next: NoticeJob.Place?
    }

    let job: NoticeJob
    let comment: CommentRecord
    let page: Page
    let audience: NoticeAudience

    func part(at place: NoticeJob.Place, limit: Int, in session: inout Session) throws(APIError) -> Part {
        switch place.phase {
        case .named: try named(in: &session)
        case .thread: try thread(after: place.doneTo, limit: limit, in: &session)
        case .subscribers: try subscribers(after: place.doneTo, limit: limit, in: &session)
        }
    }

    // MARK: Named and answered

    private func named(in session: inout Session) throws(APIError) -> Part {
        var part = Part()
        for id in mentioned where try audience.mayTell(id, .mention, in: &session) {
            part.recipients.append(NoticeRecipient(owner: id, kind: .mention, relatedSeq: comment.seq))
        }
        guard job.kind == .visible else { return part }
        if let seq = comment.parentSeq, let owner = try NoticeSQL.author(of: seq, in: &session),
            !part.recipients.contains(where: { $0.owner == owner }), try audience.mayTell(owner, .reply, in: &session),
            try !NoticeSQL.hasOptedOut(owner, of: [seq], in: &session)
        {
            part.recipients.append(NoticeRecipient(owner: owner, kind: .reply, relatedSeq: seq))
        }
        part.lookedAt = part.recipients.count
        part.next = NoticeJob.Place(phase: comment.parentSeq == nil ? .subscribers : .thread)
        return part
    }

    private var mentioned: [String] {
        guard let text = comment.mentions, let mentions = (try? JSONValue.parse(text))?.array else { return [] }
        return mentions.compactMap { $0.object?["id"]?.string }
    }

    /// Who was told of being named, and is not named any more.
    func unnamed(in session: inout Session) throws(APIError) -> [String] {
        let named = Set(mentioned)
        return try NoticeSQL.mentioned(in: comment.seq, in: &session).filter { !named.contains($0) }
    }

    // MARK: Thread

    /// Whoever answered somewhere below the same root, by what ties them to it: the nearest comment of theirs above this
    /// one, else their newest. Whoever is answered directly was told of that, or wants to hear nothing of it.
    private func thread(after owner: String, limit: Int, in session: inout Session) throws(APIError) -> Part {
        guard let parent = comment.parentSeq else { return Part() }
        let answered = try NoticeSQL.author(of: parent, in: &session)
        let writers = try NoticeSQL.writers(around: comment.seq, after: owner, limit: limit, in: &session)
        var part = Part(lookedAt: max(1, writers.count))
        for writer in writers where writer.key != answered {
            guard try audience.mayTell(writer.key, .threadReply, in: &session),
                try !NoticeSQL.hasOptedOut(writer.key, of: [writer.tie, parent], in: &session)
            else { continue }
            part.recipients.append(NoticeRecipient(owner: writer.key, kind: .threadReply, relatedSeq: writer.tie))
        }
        if writers.count == limit, let last = writers.last {
            part.next = NoticeJob.Place(phase: .thread, doneTo: last.key)
        }
        return part
    }

    // MARK: Subscribers

    private func subscribers(after owner: String, limit: Int, in session: inout Session) throws(APIError) -> Part {
        let owners = try SubscriptionSQL.owners(
            page.urlID, tenant: page.tenant, before: job.createdAt, after: owner, limit: limit, in: &session)
        var part = Part(lookedAt: max(1, owners.count))
        for owner in owners where try audience.mayTell(owner, .pageComment, in: &session) {
            part.recipients.append(NoticeRecipient(owner: owner, kind: .pageComment, relatedSeq: comment.seq))
        }
        if owners.count == limit, let last = owners.last {
            part.next = NoticeJob.Place(phase: .subscribers, doneTo: last)
        }
        return part
    }
}
