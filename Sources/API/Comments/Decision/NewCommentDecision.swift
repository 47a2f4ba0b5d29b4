import Domain
import Storage

/// What becomes of a comment that somebody wrote or changed (contract: admin 8.1, public 22.3 to 22.6): a list of phases,
/// each with a name that moderators read where it held a comment back.
///
/// Before the first one, the host was looked at by `Visit`, the author's bans by `BannedAct`, length, emptiness and links
/// by `CommentDraft`, and the thread by whoever takes the comment.
enum NewCommentDecision {
    /// In the order in which they are asked. What an earlier one found stands: later ones agree in silence.
    static let phases = [
        DecisionPhase("rate", DecisionPhase.countRate),
        DecisionPhase("profanity", DecisionPhase.lookForProfanity),
        DecisionPhase("rules", DecisionPhase.followRules),
        DecisionPhase("filter", DecisionPhase.askFilter),
        DecisionPhase("repetition", DecisionPhase.lookForRepetition),
        DecisionPhase("trust", DecisionPhase.askTrust),
        DecisionPhase("approval", DecisionPhase.askApproval),
        DecisionPhase("policy", DecisionPhase.applyPolicy),
    ]

    /// Reads, and writes nothing. On the writer.
    /// - Throws: `user-rate-limited` (429), `duplicate`, `spam` (422).
    static func decide(_ matter: CommentMatter, in session: inout Session) throws(APIError) -> CommentVerdict {
        var verdict = CommentVerdict()
        for phase in phases {
            verdict.phase = phase.name
            try phase.judge(matter, &verdict, &session)
        }
        return verdict
    }
}

/// One question about a comment.
struct DecisionPhase: Sendable {
    typealias Judge = @Sendable (CommentMatter, inout CommentVerdict, inout Session) throws(APIError) -> Void

    let name: String
    let judge: Judge

    init(_ name: String, _ judge: @escaping Judge) {
        self.name = name
        self.judge = judge
    }
}

/// What is decided about: a text, its author and its place.
struct CommentMatter: Sendable {
    /// What is asked.
    struct Questions: OptionSet, Sendable {
        let rawValue: Int

        static let rate = Questions(rawValue: 1)
        static let profanity = Questions(rawValue: 2)
        static let spam = Questions(rawValue: 4)
        static let repetition = Questions(rawValue: 8)
        static let approval = Questions(rawValue: 16)
        /// Of a comment that a person writes.
        static let all: Questions = [.rate, .profanity, .spam, .repetition, .approval]
    }

    let tenant: Tenant
    let services: Services
    let questions: Questions
    let draft: CommentDraft
    let screening: Screening
    /// Wire id; nil is nobody known.
    let authorKey: String?
    /// Administrators and moderators are not judged.
    let isStaff: Bool
    let isVerified: Bool
    /// Spam may be refused: whoever wrote it is told.
    var mayRefuse = true
    // Of a new comment.
    var limit = 0
    /// What counts against the limit.
    var limitKeys: [String] = []
    /// Canonical page id.
    var urlID = ""
    var parentID: String?
    /// Name and address of a guest without a session, who is somebody new each time.
    var passerBy: (name: String, email: String?)?
}

/// What was decided about a comment.
struct CommentVerdict: Sendable {
    struct Note: Sendable {
        let phase: String
        let event: CommentLogEvent
        let reason: String?
    }

    private(set) var isSpam = false
    private(set) var isApproved = true
    /// Words are to be masked.
    private(set) var isMasked = false
    /// A rule of the site says that it is none, or its author may do as they like.
    var isNotSpam = false
    /// The phase that is at work.
    fileprivate(set) var phase = ""
    /// For the comment's log.
    private(set) var notes: [Note] = []

    mutating func markSpam(_ event: CommentLogEvent, _ reason: String? = nil) {
        guard !isSpam else { return }
        isSpam = true
        isApproved = false
        note(event, reason)
    }

    mutating func hold(_ event: CommentLogEvent, _ reason: String? = nil) {
        guard isApproved else { return }
        isApproved = false
        note(event, reason)
    }

    mutating func mask(_ event: CommentLogEvent, _ reason: String?) {
        isMasked = true
        note(event, reason)
    }

    mutating func note(_ event: CommentLogEvent, _ reason: String?) {
        notes.append(Note(phase: phase, event: event, reason: reason))
    }

    /// Writes down which phase decided, and why.
    func log(_ id: String, tenant: String, in session: inout Session) throws(APIError) {
        for note in notes {
            try CommentLog.note(note.event, id, tenant, phase: note.phase, reason: note.reason, in: &session)
        }
    }
}
