import Domain
import HTTP1
import JSON
import Storage

/// Votes for a site's own backend (contract: admin 5.4).
enum BackendVoteRoutes {
    static func register(on routes: inout Routes) {
        routes.backend(.get, "votes", "GetVotes", read: getVotes)
        routes.backend(.get, "votes/for-user", "GetVotesForUser", read: getVotesForUser)
        routes.backend(.post, "votes", "CreateVote", write: createVote)
        routes.backend(.delete, "votes/{id}", "DeleteVote", write: deleteVote)
    }

    private static func getVotes(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let votes = try BackendVote.list(
            page: visit.call.pageID(), voter: nil, tenant: visit.tenant.id, in: &session)
        return .json(SortedVotes(votes: votes))
    }

    private static func getVotesForUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let page = try visit.call.pageID()
        guard visit.call.text("userId") != nil || visit.call.text("anonUserId") != nil else {
            throw APIError(422, "invalid-user-id", "The query parameter userId or anonUserId is missing.")
        }
        let voter = try visit.actor(unknown: "invalid-user-id", in: &session)
        let votes = try BackendVote.list(page: page, voter: voter.key, tenant: visit.tenant.id, in: &session)
        return .json(SortedVotes(votes: votes))
    }

    /// Always live; the other way round flips the vote there is.
    private static func createVote(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let actor = try visit.actor(unknown: "invalid-user-id", in: &session)
        let direction = try direction(visit.call)
        guard let id = visit.call.text("commentId"),
            let comment = try CommentSQL.find(id, tenant: visit.tenant.id, in: &session), !comment.isDeleted,
            let page = try PageSQL.find(id: comment.pageID, in: &session)
        else { throw APIError(422, "invalid-comment-id", "There is no comment with this commentId.") }
        let tally = VoteTally(page: page, comment: comment, tenant: visit.tenant)
        try tally.requireVoting(direction)
        let vote = try cast(direction, by: Voter(actor), tally, in: &session)
        try session.run("UPDATE vote SET is_authorized = 1 WHERE id = ?1", .text(vote.id))
        return .json(
            Answer { json in
                json.member("voteId", vote.id)
                json.member("isVerified", true)
            })
    }

    private static func cast(
        _ direction: Int, by voter: Voter, _ tally: VoteTally, in session: inout Session
    ) throws(APIError) -> Vote {
        do {
            return try tally.cast(NewVote(direction: direction, broadcastID: nil), by: voter, in: &session)
        } catch {
            var error = error
            if error.code == "already-voted" { error.code = "duplicate" }
            throw error
        }
    }

    private static func direction(_ call: Call) throws(APIError) -> Int {
        switch call.text("direction") {
        case "up": return 1
        case "down": return -1
        default:
            throw APIError(422, "invalid-direction", "The query parameter direction must be \"up\" or \"down\".")
        }
    }

    private static func deleteVote(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard let vote = try VoteSQL.find(id: visit.call.parameter("id"), in: &session),
            let comment = try CommentSQL.records([vote.commentSeq], in: &session).first,
            comment.tenant == visit.tenant.id, let page = try PageSQL.find(id: comment.pageID, in: &session)
        else { throw APIError(404, "not-found", "There is no vote with this id.") }
        let tally = VoteTally(page: page, comment: comment, tenant: visit.tenant)
        try tally.remove(vote, broadcastID: nil, in: &session)
        return .json(Answer { if vote.isPending { $0.member("wasPendingVote", true) } })
    }
}

extension Voter {
    /// Somebody in whose name a backend votes.
    fileprivate init(_ actor: NamedIdentity) {
        key = actor.key
        userID = actor.userID
        guestID = actor.guestID
        name = actor.name
        email = actor.email
        isVerified = true
        isPending = false
        editKey = nil
        sessionToken = nil
    }
}

/// A vote as a backend reads it; closed key set.
private struct BackendVote: JSONWritable, Sendable {
    private let id: String
    private let urlID: String
    private let commentID: String
    private let voter: String
    private let direction: Int
    private let createdAt: Int64
    let isPending: Bool
    /// By somebody signed on, or by the backend.
    let isAuthorized: Bool

    private init(_ row: borrowing Row) {
        id = row.text(0)
        urlID = row.text(1)
        commentID = row.text(2)
        voter = row.text(3)
        direction = row.int(4)
        createdAt = row.int64(5)
        isPending = row.bool(6)
        isAuthorized = row.bool(7)
    }

    /// Oldest first.
    /// - Parameter voter: nil is everybody.
    static func list(
        page: String, voter: String?, tenant: String, in session: inout Session
    ) throws(APIError) -> [BackendVote] {
        try session.query(
            """
            SELECT v.id, p.url_id, c.id, COALESCE(v.user_id, v.anon_user_id, ''), v.direction, v.created_at,
                   v.is_pending, v.user_id IS NOT NULL OR v.is_authorized = 1
            FROM page AS p JOIN comment AS c ON c.page_id = p.id JOIN vote AS v ON v.comment_seq = c.seq
            WHERE p.tenant_id = ?1 AND p.url_id = ?2 AND (?3 IS NULL OR v.voter_key = ?3)
            ORDER BY v.created_at, v.id
            """,
            .text(tenant), .text(page), .text(voter)
        ) { (row) throws(APIError) -> BackendVote in BackendVote(row) }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("urlId", urlID)
            json.member("commentId", commentID)
            json.member("userId", voter)
            json.member("direction", String(direction))
            json.key("createdAt")
            json.date(milliseconds: createdAt)
        }
    }
}

private struct SortedVotes: JSONWritable, Sendable {
    let votes: [BackendVote]

    func write(to json: inout JSONWriter) {
        let applied = votes.filter { !$0.isPending }
        json.object { json in
            json.success()
            json.member("appliedAuthorizedVotes", applied.filter(\.isAuthorized))
            json.member("appliedAnonymousVotes", applied.filter { !$0.isAuthorized })
            json.member("pendingVotes", votes.filter(\.isPending))
        }
    }
}
