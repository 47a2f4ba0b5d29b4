import Domain
import JSON
import Live
import Storage

/// What readers hear of a comment that was hidden or shown with many below it. They lose and get each of them, since
/// clients count what they are told of and take away no more than one level by themselves; so that the writer is not
/// kept for it, they hear it after the answer, in small units. The thread itself is right with the answer.
enum SubtreeNews {
    /// Comments below one of which readers still hear in one unit with it.
    static let atOnce = 100
    /// Events of a later unit.
    private static let unitSize = 100

    /// Whether there is too much to tell, or something is to be told before.
    static func isLong(_ comment: CommentRecord, in session: inout Session) throws(APIError) -> Bool {
        if try CommentSQL.countBelow(comment.seq, upTo: atOnce + 1, in: &session) > atOnce { return true }
        return try LongTask.isOpen(
            [.hiding, .showing], String(comment.seq), tenant: comment.tenant, in: &session)
    }

    /// - Parameter keeper: who hears nothing of the comment itself.
    static func begin(
        isShown: Bool, _ comment: CommentRecord, keeper: String?, broadcastID: String?, _ services: Services,
        in session: inout Session
    ) throws(APIError) {
        var detail = JSONObject()
        detail.append("keeper", text: keeper)
        detail.append("broadcastID", text: broadcastID)
        try LongTask.begin(
            isShown ? .showing : .hiding, String(comment.seq), from: isShown ? 0 : .max, detail,
            tenant: comment.tenant, services, in: &session)
    }

    /// What is to be told of.
    static func walk(_ task: LongTask, _ tenant: Tenant, in session: inout Session) throws(APIError) -> SubtreeWalk? {
        guard let comment = try CommentSQL.records([task.comment], in: &session).first,
            let page = try PageSQL.find(id: comment.pageID, in: &session)
        else { return nil }
        let audience = try CommentSight.audience(ifShown: comment.seq, on: page, tenant, in: &session)
        return try SubtreeWalk(task, heardBy: audience, on: page, tenant, in: &session)
    }

    /// Hides the deepest first and the comment itself last; shows parents first.
    /// - Returns: where to go on; nil at the end.
    static func advance(
        _ task: LongTask, _ tenant: Tenant, _ walk: SubtreeWalk?, in session: inout Session
    ) throws(APIError) -> Int64? {
        guard let comment = try CommentSQL.records([task.comment], in: &session).first,
            let page = try PageSQL.find(id: comment.pageID, in: &session)
        else { return nil }
        let isShowing = task.kind == .showing
        // It was hidden again, of which they will hear: nothing hidden is shown.
        guard !isShowing || comment.state.isVisible else { return nil }
        let audience = try CommentSight.audience(ifShown: comment.seq, on: page, tenant, in: &session)
        let news = News(task: task, comment: comment, page: page, tenant: tenant, audience: audience)
        // What changed meanwhile may hide some of it.
        let walk = walk?.version == page.version ? walk : nil
        if isShowing {
            if task.place == 0 { try news.tellOfComment(.newComment, in: &session) }
            let part =
                if let walk {
                    walk.after(task.place, limit: unitSize)
                } else {
                    try SubtreePart.after(
                        task.place, of: comment.seq, heardBy: audience, on: page, tenant, limit: unitSize, in: &session)
                }
            try news.tell(.newComment, part.comments, in: &session)
            return part.next
        }
        let part =
            if let walk {
                walk.before(task.place, limit: unitSize)
            } else {
                try SubtreePart.before(
                    task.place, of: comment.seq, heardBy: audience, on: page, tenant, limit: unitSize, in: &session)
            }
        try news.tell(.deletedComment, part.comments, in: &session)
        if part.next == nil { try news.tellOfComment(.deletedComment, in: &session) }
        return part.next
    }

    private struct News {
        let task: LongTask
        let comment: CommentRecord
        let page: Page
        let tenant: Tenant
        let audience: Audience

        func tellOfComment(_ type: LiveEventType, in session: inout Session) throws(APIError) {
            let others = try task.detail.text("keeper").map { Audience.everyoneBut(identity: $0) } ?? .everyone
            let event = CommentEvents.make(
                type, comment, page, tenant, try task.detail.text("broadcastID"), for: .all([audience, others]),
                at: session.now)
            try session.emit(event, to: page.room)
        }

        func tell(
            _ type: LiveEventType, _ descendants: [CommentSight.Descendant], in session: inout Session
        ) throws(APIError) {
            let shown = descendants.filter(\.isShown)
            let audiences = Dictionary(shown.map { ($0.seq, $0.audience) }) { first, _ in first }
            for record in try CommentSQL.records(shown.map(\.seq), in: &session) {
                let event = CommentEvents.make(
                    type, record, page, tenant, nil, for: audiences[record.seq] ?? .everyone, at: session.now)
                try session.emit(event, to: page.room)
            }
        }
    }
}
