import Domain
import HTTP1
import JSON
import Storage

/// Votes of moderators, and corrections of what was voted (contract: admin 6.5).
enum ModerationVoteRoutes {
    /// What one correction may add or take away.
    static let adjustmentLimit: Int64 = 1_000_000

    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/"
        routes.moderation(.post, base + "vote/{commentId}", "postVote", write: vote)
        routes.moderation(.delete, base + "vote/{commentId}/{voteId}", "deleteModerationVote", write: deleteVote)
        routes.moderation(.post, base + "adjust-comment-votes/{commentId}", "postAdjustCommentVotes", write: adjust)
    }

    private static func vote(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let direction = try direction(visit.call)
        let tally = try tally(visit, in: &session)
        try tally.requireVoting(direction)
        let voter = Voter(key: visit.moderator.key, name: visit.moderator.name)
        let vote = try tally.cast(
            direction, by: voter, broadcastID: try visit.change().broadcastID, orRefuse: .duplicateVote, in: &session)
        return .json(VoteCreated(vote: vote, voter: voter))
    }

    private static func direction(_ call: Call) throws(APIError) -> Int {
        switch try call.required("direction") {
        case "up": return 1
        case "down": return -1
        default: throw APIError(422, "invalid-direction", "The query parameter direction must be up or down.")
        }
    }

    private static func tally(_ visit: ModeratorVisit, in session: inout Session) throws(APIError) -> VoteTally {
        let comment = try visit.comment(in: &session)
        guard !comment.isDeleted, let page = try PageSQL.find(id: comment.pageID, in: &session) else {
            throw .commentNotFound
        }
        return VoteTally(page: page, comment: comment, tenant: visit.tenant)
    }

    /// Takes the moderator's own vote back.
    private static func deleteVote(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let tally = try tally(visit, in: &session)
        guard let vote = try VoteSQL.find(id: visit.call.parameter("voteId"), in: &session),
            vote.commentSeq == tally.comment.seq
        else { throw APIError(404, "not-found", "There is no vote with this id on this comment.") }
        guard vote.voterKey == visit.moderator.key else {
            throw APIError(403, "unauthorized", "Somebody else cast this vote.", phrase: .notAllowed)
        }
        try tally.remove(vote, broadcastID: visit.change().broadcastID, in: &session)
        return .json(Answer { $0.member("wasPendingVote", vote.isPending) })
    }

    /// Adds to the votes of one direction without a vote.
    private static func adjust(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard let number = try visit.call.bodyObject().number("adjustVoteAmount"),
            let amount = Int64(exactly: number), abs(amount) <= adjustmentLimit
        else {
            throw .invalidInput(
                "adjustVoteAmount must be a whole number from -\(adjustmentLimit) to \(adjustmentLimit).")
        }
        let tally = try tally(visit, in: &session)
        let comment = tally.comment
        let sum = comment.votes + amount
        guard Int32(exactly: sum) != nil else { throw .invalidInput("The comment would have too many votes.") }
        guard amount != 0 else { return .json(Answer { $0.member("newCommentVotes", sum) }) }
        try tally.adjust(by: amount, in: &session)
        let change = try visit.change()
        try CommentLog.note(
            .votesChanged, comment, by: visit.moderator.name, before: String(comment.votes), after: String(sum),
            in: &session)
        try CommentChange.announce(comment, broadcastID: change.broadcastID, visit.tenant, in: &session)
        return .json(Answer { $0.member("newCommentVotes", sum) })
    }
}
