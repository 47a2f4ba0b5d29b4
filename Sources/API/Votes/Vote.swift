import Domain
import JSON
import Live
import Storage

/// A vote as stored.
struct Vote: Sendable {
    let id: String
    let commentSeq: Int64
    /// Wire id of the person or guest.
    let voterKey: String
    let userID: String?
    /// 1 or -1.
    let direction: Int
    /// Not counted until the voter's address is confirmed.
    let isPending: Bool
    let editKeyHash: String?
    let createdAt: Int64
}

/// Who votes (contract: public 9.1).
struct Voter: Sendable {
    let key: String
    let userID: String?
    let guestID: String?
    let name: String?
    let email: String?
    let isVerified: Bool
    let isPending: Bool
    /// Only for guests.
    let editKey: String?
    let sessionToken: String?

    /// Somebody whom the caller vouches for.
    /// - Parameter key: of a person or an account, not of a guest.
    init(key: String, name: String) {
        self.key = key
        self.name = name
        userID = key
        guestID = nil
        email = nil
        isVerified = true
        isPending = false
        editKey = nil
        sessionToken = nil
    }

    /// - Throws: `not-logged-in` (401), `invalid-email` (422).
    init(
        _ input: NewVote, _ caller: Caller, _ visit: Visit, _ settings: WidgetSettings, in session: inout Session
    ) throws(APIError) {
        if let person = caller.person {
            key = person.id
            userID = person.id
            guestID = nil
            name = person.shownName
            email = person.email
            isVerified = true
            isPending = false
            editKey = nil
            sessionToken = nil
            return
        }
        let needsNoAddress = settings.allowsAnonymous || settings.allowsAnonymousVotes
        let email = input.email?.isEmpty == false ? input.email : caller.guest?.email
        if let email, !EmailAddress.isValid(email) {
            throw APIError(422, "invalid-email", "commenterEmail is no e-mail address.", phrase: .emailInvalid)
        }
        guard needsNoAddress || email != nil else { throw .notLoggedIn }
        if let guest = caller.guest {
            key = guest.id
            sessionToken = visit.sessionToken
        } else {
            let created = try GuestSQL.create(name: input.name, email: email, tenant: visit.tenant.id, in: &session)
            key = created.guest.id
            sessionToken = created.token
        }
        userID = nil
        guestID = key
        name = input.name ?? caller.guest?.name
        self.email = email
        isVerified = false
        isPending = !needsNoAddress
        editKey = Identifier.secret()
    }
}

enum VoteSQL {
    /// Names shown at most.
    static let shownNames = 25

    static func find(comment: Int64, voter: String, in session: inout Session) throws(APIError) -> Vote? {
        try session.first(
            """
            SELECT id, comment_seq, voter_key, user_id, direction, is_pending, edit_key_hash, created_at
            FROM vote WHERE comment_seq = ?1 AND voter_key = ?2
            """,
            .integer(comment), .text(voter), row: vote)
    }

    static func find(id: String, in session: inout Session) throws(APIError) -> Vote? {
        try session.first(
            """
            SELECT id, comment_seq, voter_key, user_id, direction, is_pending, edit_key_hash, created_at
            FROM vote WHERE id = ?1
            """,
            .text(id), row: vote)
    }

    private static func vote(_ row: borrowing Row) throws(APIError) -> Vote {
        Vote(
            id: row.text(0), commentSeq: row.int64(1), voterKey: row.text(2), userID: row.textOrNil(3),
            direction: row.int(4), isPending: row.bool(5), editKeyHash: row.textOrNil(6), createdAt: row.int64(7))
    }

    /// - Parameter keeping: the id of the vote that this one replaces.
    static func insert(
        _ direction: Int, _ voter: Voter, comment: CommentRecord, keeping id: String?, in session: inout Session
    ) throws(APIError) -> Vote {
        let vote = Vote(
            id: id ?? Identifier.timeOrdered(at: session.now), commentSeq: comment.seq, voterKey: voter.key,
            userID: voter.userID, direction: direction, isPending: voter.isPending,
            editKeyHash: voter.editKey.map(Identifier.hash), createdAt: session.now)
        try session.run(
            """
            INSERT INTO vote (
                id, tenant_id, comment_seq, voter_key, user_id, anon_user_id, direction, is_pending, voter_name,
                voter_email, edit_key_hash, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """,
            .text(vote.id), .text(comment.tenant), .integer(comment.seq), .text(voter.key), .text(voter.userID),
            .text(voter.guestID), .int(direction), .bool(voter.isPending), .text(voter.name),
            .text(voter.email), .text(vote.editKeyHash), .integer(session.now))
        return vote
    }

    static func delete(_ id: String, in session: inout Session) throws(APIError) {
        try session.run("DELETE FROM vote WHERE id = ?1", .text(id))
    }

    /// Oldest vote first; one more than is shown, so that the caller sees whether there are more.
    static func names(_ comment: Int64, direction: Int64, in session: inout Session) throws(APIError) -> [String] {
        try session.query(
            """
            SELECT COALESCE(NULLIF(p.display_name, ''), p.username)
            FROM vote AS v JOIN person AS p ON p.tenant_id = v.tenant_id AND p.id = v.user_id
            WHERE v.comment_seq = ?1 AND v.direction = ?2 AND v.is_pending = 0
              AND COALESCE(p.is_activity_private, 0) = 0
            ORDER BY v.created_at, v.id LIMIT ?3
            """,
            .integer(comment), .integer(direction), .integer(Int64(shownNames + 1))
        ) { (row) throws(APIError) -> String in row.text(0) }
    }
}

/// Keeps a comment's counts equal to its votes, and tells readers of each change: clients add and subtract one per
/// event (contract: live 2.3).
struct VoteTally {
    let page: Page
    let comment: CommentRecord
    let tenant: Tenant

    /// - Throws: `voting-disabled` (403).
    func requireVoting(_ direction: Int) throws(APIError) {
        let settings = tenant.settings(of: page)
        guard !settings.disablesVoting, !(settings.hasHeartVotes && direction < 0) else {
            throw APIError(403, "voting-disabled", "This vote is not possible here.", phrase: .votingDisabled)
        }
    }

    /// Counts a vote; the other way round flips the one there is.
    /// - Throws: `refusal` for a second one of the same direction.
    func cast(
        _ direction: Int, by voter: Voter, broadcastID: String?, orRefuse refusal: APIError, in session: inout Session
    ) throws(APIError) -> Vote {
        let known = try VoteSQL.find(comment: comment.seq, voter: voter.key, in: &session)
        if let known {
            guard known.direction != direction else { throw refusal }
            try remove(known, broadcastID: broadcastID, in: &session)
        }
        let vote = try VoteSQL.insert(direction, voter, comment: comment, keeping: known?.id, in: &session)
        try add(vote, broadcastID: broadcastID, in: &session)
        return vote
    }

    func add(_ vote: Vote, broadcastID: String?, in session: inout Session) throws(APIError) {
        guard !vote.isPending else { return }
        try count(vote, by: 1, in: &session)
        try session.emit(event(.newVote, vote, broadcastID, in: &session), to: page.room)
        try Notices.voteWasCounted(vote, on: comment, page, tenant, in: &session)
    }

    func remove(_ vote: Vote, broadcastID: String?, in session: inout Session) throws(APIError) {
        try VoteSQL.delete(vote.id, in: &session)
        guard !vote.isPending else { return }
        try count(vote, by: -1, in: &session)
        try session.emit(event(.deletedVote, vote, broadcastID, in: &session), to: page.room)
        try Notices.voteWasTakenBack(vote, on: comment, tenant, in: &session)
    }

    /// Adds votes to one direction: up for a positive number, else down.
    func adjust(by amount: Int64, in session: inout Session) throws(APIError) {
        try count(up: max(amount, 0), down: max(-amount, 0), in: &session)
    }

    private func count(_ vote: Vote, by change: Int64, in session: inout Session) throws(APIError) {
        try count(up: vote.direction > 0 ? change : 0, down: vote.direction < 0 ? change : 0, in: &session)
    }

    private func count(up: Int64, down: Int64, in session: inout Session) throws(APIError) {
        let counts = try session.first(
            """
            UPDATE comment SET votes_up = votes_up + ?2, votes_down = votes_down + ?3 WHERE seq = ?1
            RETURNING votes_up, votes_down
            """,
            .integer(comment.seq), .integer(up), .integer(down)
        ) { (row) throws(APIError) -> (up: Int64, down: Int64) in (row.int64(0), row.int64(1)) }
        guard let counts else { throw .commentNotFound }
        let score = Relevance.score(votesUp: counts.up, votesDown: counts.down, createdAt: comment.createdAt)
        try session.run("UPDATE comment SET score = ?2 WHERE seq = ?1", .integer(comment.seq), .real(score))
        try CommentHooks.updated([comment.seq], tenant, in: &session)
        try PageSQL.touch(page.id, in: &session)
    }

    /// For whoever sees the comment.
    private func event(
        _ type: LiveEventType, _ vote: Vote, _ broadcastID: String?, in session: inout Session
    ) throws(APIError) -> NewEvent {
        let audience = try CommentSight.audience(of: comment.seq, on: page, tenant, in: &session)
        return LiveEvent.make(type, broadcastID: broadcastID, audience: audience, at: session.now) { json in
            json.key("vote")
            json.object { json in
                json.member("_id", vote.id)
                json.member("tenantId", tenant.id)
                json.member("urlId", page.urlID)
                json.member("urlIdRaw", page.urlID)
                json.member("commentId", comment.id)
                json.member("userId", orNull: vote.userID)
                json.member("direction", vote.direction)
                json.member("createdAt", vote.createdAt)
                json.member("verificationId", orNull: nil)
            }
        }
    }
}

extension APIError {
    /// A second vote of the same direction, as readers' apps know it.
    static let alreadyVoted = APIError(
        422, "already-voted", "One vote per comment and direction is allowed.", phrase: .alreadyVoted)

    /// The same for moderators and backends.
    static let duplicateVote = APIError(
        422, "duplicate", "One vote per comment and direction is allowed.", phrase: .alreadyVoted)
}
