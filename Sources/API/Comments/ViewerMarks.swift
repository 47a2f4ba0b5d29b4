import Domain
import JSON
import Storage

/// What one viewer did to the comments of an answer: votes, flags, blocks. Three queries, however many comments.
struct ViewerMarks: Sendable {
    private var votes: [Int64: (id: String, direction: Int)] = [:]
    private var flags: Set<Int64> = []
    private(set) var blocked: Set<String> = []
    /// Answers to the viewer that were not viewed in the bell.
    var unread: Set<Int64> = []

    /// - Parameter key: wire id of the viewer; nil for somebody unknown, who has left no marks.
    static func load(
        _ seqs: [Int64], viewer key: String?, tenant: String, in session: inout Session
    ) throws(APIError) -> ViewerMarks {
        var marks = ViewerMarks()
        guard let key else { return marks }
        let list = Value.text(JSONText.numbers(seqs))
        for (seq, id, direction) in try session.query(
            """
            SELECT comment_seq, id, direction FROM vote
            WHERE tenant_id = ?1 AND voter_key = ?2 AND comment_seq IN (SELECT value FROM json_each(?3))
            """,
            .text(tenant), .text(key), list,
            row: { (row) throws(APIError) -> (Int64, String, Int) in (row.int64(0), row.text(1), row.int(2)) })
        {
            marks.votes[seq] = (id, direction)
        }
        marks.flags = Set(
            try session.query(
                """
                SELECT f.comment_seq FROM json_each(?2) AS wanted
                JOIN comment_flag AS f ON f.comment_seq = wanted.value AND f.flagger_key = ?1
                """,
                .text(key), list
            ) { (row) throws(APIError) -> Int64 in row.int64(0) })
        marks.blocked = Set(try BlockSQL.blockedKeys(by: key, tenant: tenant, in: &session))
        return marks
    }

    /// Nothing that an answer would show.
    var isEmpty: Bool { votes.isEmpty && flags.isEmpty && blocked.isEmpty }

    /// Whether the comment is marked.
    func touch(_ seq: Int64, author: String?) -> Bool {
        votes[seq] != nil || flags.contains(seq) || author.map(blocked.contains) ?? false
    }

    /// The members of a comment that depend on its viewer (contract: public 4.3).
    func write(_ seq: Int64, author: String?, to json: inout JSONWriter) {
        json.member("isFlagged", flags.contains(seq))
        json.member("isBlocked", author.map(blocked.contains) ?? false)
        if unread.contains(seq) { json.member("isUnread", true) }
        writeVote(seq, to: &json)
    }

    /// The viewer's own vote, where there is one.
    func writeVote(_ seq: Int64, to json: inout JSONWriter) {
        guard let vote = votes[seq] else { return }
        json.member("isVotedUp", vote.direction > 0)
        json.member("isVotedDown", vote.direction < 0)
        json.member("myVoteId", vote.id)
    }
}
