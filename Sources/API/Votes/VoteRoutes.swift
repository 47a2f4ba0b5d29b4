import Domain
import HTTP1
import JSON
import Storage

/// Votes on comments (contract: public 9).
enum VoteRoutes {
    static func register(on routes: inout Routes) {
        let comment = "/comments/{tenantId}/{commentId}"
        routes.write(.post, comment + "/vote", "voteComment", voteComment)
        routes.write(.delete, comment + "/vote/{voteId}", "deleteCommentVote", deleteCommentVote)
        routes.read(.get, comment + "/votes", "getCommentVoteUserNames", getCommentVoteUserNames)
    }

    /// Votes up or down; the other way round flips the vote in place.
    static func voteComment(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let input = try NewVote(visit)
        let caller = try Caller.resolve(visit, in: &session)
        let comment = try CommentSQL.requireVisible(visit.call.parameter("commentId"), to: caller, in: &session)
        guard let page = try PageSQL.find(id: comment.pageID, in: &session), !comment.isDeleted else {
            throw .commentNotFound
        }
        try caller.requireWriting(page)
        let settings = visit.tenant.settings(of: page)
        return try BannedAct.vote.perform(by: caller, visit.call, email: input.email, in: &session) {
            (session) throws(APIError) -> Reply in
            let tally = VoteTally(page: page, comment: comment, tenant: visit.tenant)
            try tally.requireVoting(input.direction)
            let voter = try Voter(input, caller, visit, settings, in: &session)
            let vote = try tally.cast(
                input.direction, by: voter, broadcastID: input.broadcastID, orRefuse: .alreadyVoted, in: &session)
            return .json(VoteCreated(vote: vote, voter: voter))
        }
    }

    /// Takes a vote back: by its voter, by the vote's key, or by the key of the same guest's comment.
    static func deleteCommentVote(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let broadcastID = try visit.call.broadcastID()
        let caller = try Caller.resolve(visit, in: &session)
        let comment = try CommentSQL.require(visit.call.parameter("commentId"), tenant: visit.tenant.id, in: &session)
        guard let vote = try VoteSQL.find(id: visit.call.parameter("voteId"), in: &session),
            vote.commentSeq == comment.seq, let page = try PageSQL.find(id: comment.pageID, in: &session)
        else { throw APIError(404, "not-found", "There is no vote with this id on this comment.") }
        try caller.requireWriting(page)
        guard owns(vote, caller, comment, editKey: visit.call.text("editKey"), at: session.now) else {
            if caller.key == nil, visit.call.text("editKey") == nil { throw .notLoggedIn }
            throw .unauthorized("Somebody else cast this vote.")
        }
        let tally = VoteTally(page: page, comment: comment, tenant: visit.tenant)
        try tally.remove(vote, broadcastID: broadcastID, in: &session)
        return .json(Answer { if vote.isPending { $0.member("wasPendingVote", true) } })
    }

    private static func owns(
        _ vote: Vote, _ caller: Caller, _ comment: CommentRecord, editKey: String?, at now: Int64
    ) -> Bool {
        if caller.key == vote.voterKey { return true }
        guard let editKey else { return false }
        if let hash = vote.editKeyHash, Secret.matches(editKey, hash: hash) { return true }
        return comment.guestID == vote.voterKey && EditKey.opens(comment, editKey, at: now)
    }

    /// Who voted one way: names of people, without guests and private profiles.
    static func getCommentVoteUserNames(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        guard let direction = try visit.call.integer("dir"), (-1...1).contains(direction) else {
            throw .invalidInput("The query parameter dir must be 1 or -1.")
        }
        let caller = try Caller.resolve(visit, in: &session)
        let comment = try CommentSQL.requireVisible(visit.call.parameter("commentId"), to: caller, in: &session)
        guard let page = try PageSQL.find(id: comment.pageID, in: &session) else { throw .commentNotFound }
        let settings = visit.tenant.settings(of: page)
        guard settings.enablesVoteList || caller.isStaff else {
            throw caller.key == nil ? .notLoggedIn : .unauthorized("The list of voters is not public here.")
        }
        try caller.requireReading(page)
        let names = try VoteSQL.names(comment.seq, direction: direction > 0 ? 1 : -1, in: &session)
            .map { CommenterName.formatted($0, as: settings.nameFormat) }
        return .json(
            Answer { json in
                json.member("voteUserNames", Array(names.prefix(VoteSQL.shownNames)))
                json.member("hasMore", names.count > VoteSQL.shownNames)
            })
    }
}

/// The request to vote, decoded.
struct NewVote: Sendable {
    let direction: Int
    let broadcastID: String
    let email: String?
    let name: String?

    /// - Throws: `invalid-input` (400), `missing-url-id` (422).
    init(_ visit: Visit) throws(APIError) {
        let body = try visit.call.bodyObject()
        _ = try visit.call.pageID()
        broadcastID = try visit.call.broadcastID()
        switch try body.text("voteDir") {
        case "up": direction = 1
        case "down": direction = -1
        default: throw .invalidInput("voteDir must be \"up\" or \"down\".")
        }
        email = try body.text("commenterEmail")?.trimmed
        name = try body.text("commenterName").map { CommenterName.cleaned($0).cut(to: CommenterName.guestLimit) }
    }
}

/// The answer to a vote (contract: public 9.1); closed key set.
struct VoteCreated: JSONWritable, Sendable {
    let vote: Vote
    let voter: Voter

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("status", vote.isPending ? "pending-verification" : "success")
            json.member("voteId", vote.id)
            json.member("isVerified", voter.isVerified)
            guard let editKey = voter.editKey else { return }
            json.key("user")
            json.object { $0.member("sessionId", orNull: voter.sessionToken) }
            json.member("editKey", editKey)
        }
    }
}
