import Domain
import JSON
import Storage

extension CommentRoutes {
    static func pinComment(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try setPinned(true, visit, &session)
    }

    static func unPinComment(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try setPinned(false, visit, &session)
    }

    static func lockComment(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try setLocked(true, visit, &session)
    }

    static func unLockComment(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        try setLocked(false, visit, &session)
    }

    /// Pins or unpins; asking twice changes nothing (contract: public 11).
    private static func setPinned(
        _ isPinned: Bool, _ visit: Visit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let broadcastID = try visit.call.broadcastID()
        let comment = try requireAsStaff(visit, in: &session)
        let isChange = isPinned != (comment.pinnedAt > 0)
        if isChange { try CommentSQL.setPinned(comment.seq, at: isPinned ? session.now : nil, in: &session) }
        let positions = try CommentPositions(of: comment, in: &session)
        if isChange {
            try CommentChange.announce(
                comment, broadcastID: broadcastID, visit.tenant, positions: positions, in: &session)
        }
        return .json(Answer { $0.member("commentPositions", positions) })
    }

    /// Locks or unlocks; asking twice changes nothing.
    private static func setLocked(
        _ isLocked: Bool, _ visit: Visit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let broadcastID = try visit.call.broadcastID()
        let comment = try requireAsStaff(visit, in: &session)
        if isLocked != comment.isLocked {
            try CommentSQL.setLocked(comment.seq, isLocked, in: &session)
            try CommentChange.announce(comment, broadcastID: broadcastID, visit.tenant, in: &session)
        }
        return .success
    }

    private static func requireAsStaff(_ visit: Visit, in session: inout Session) throws(APIError) -> CommentRecord {
        // Moderators who sign in here have no other route for this.
        if visit.sso == nil, visit.sessionToken == nil, visit.call.cookie(Account.cookie) != nil {
            let moderation = try ModeratorVisit(ModeratorVisit.Claim(visit.call, in: &session), in: &session)
            guard moderation.tenant.id == visit.tenant.id else { throw .notModerator }
            return try moderation.comment(in: &session)
        }
        let caller = try Caller.resolve(visit, in: &session)
        try caller.requireStaff()
        let comment = try CommentSQL.require(visit.call.parameter("commentId"), tenant: visit.tenant.id, in: &session)
        try caller.requireWriting(try PageSQL.find(id: comment.pageID, in: &session))
        return comment
    }
}

/// Between which siblings a comment stands, for each order (contract: public 11).
struct CommentPositions: JSONWritable, Sendable {
    private var neighbours: [(direction: SortDirection, before: String?, after: String?)] = []

    /// Among the siblings as they are now, as an ordinary reader sees them.
    init(of comment: CommentRecord, in session: inout Session) throws(APIError) {
        let nodes = try CommentSQL.siblings(ofPage: comment.pageID, parent: comment.parentSeq, in: &session)
        for direction in SortDirection.allCases {
            let index = ThreadIndex(nodes, viewer: .reader, direction: direction)
            guard let position = index.position(ofSeq: comment.seq) else { continue }
            let (before, after) = index.neighbours(of: position)
            neighbours.append(
                (
                    direction, try Self.id(before.map { nodes[$0].seq }, in: &session),
                    try Self.id(after.map { nodes[$0].seq }, in: &session)
                ))
        }
    }

    private static func id(_ seq: Int64?, in session: inout Session) throws(APIError) -> String? {
        guard let seq else { return nil }
        return try session.first("SELECT id FROM comment WHERE seq = ?1", .integer(seq)) {
            (row) throws(APIError) -> String in row.text(0)
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            for (direction, before, after) in neighbours {
                json.key(direction.rawValue)
                json.object { json in
                    json.member("before", orNull: before)
                    json.member("after", orNull: after)
                }
            }
        }
    }
}
