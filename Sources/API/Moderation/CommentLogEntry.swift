import Domain
import JSON
import Storage

/// An entry of a comment's log as moderators read it (contract: admin 6.2); closed key set.
struct CommentLogEntry: JSONWritable, Sendable {
    private let date: Int64
    private let event: String
    private let actor: String?
    private let before: String?
    private let after: String?
    private let phase: String?

    fileprivate init(_ row: borrowing Row) {
        date = row.int64(0)
        event = row.text(1)
        actor = row.textOrNil(2)
        before = row.textOrNil(3)
        after = row.textOrNil(4)
        phase = row.textOrNil(5)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("date")
            json.date(milliseconds: date)
            json.member("username", ifPresent: actor)
            json.member("actionName", label)
            json.member("messageHTML", sentence)
        }
    }

    /// What it is called in a list; events of others than the known ones by their own names.
    private var label: String {
        switch CommentLogEvent(rawValue: event) {
        case .anonymized: "Anonymized"
        case .restoredFromAnonymized: "Restored"
        case .reviewStatusChanged: "Review Status Changed"
        case .spamStatusChanged: "Spam Status Changed"
        case .approveStatusChanged: "Approval Status Changed"
        case .textChanged: "Text Changed"
        case .votesChanged: "Votes Changed"
        case .badgeAwarded: "Badge Awarded"
        case .flagged: "Flagged"
        case .unFlagged: "Flag Removed"
        case .badWordsFoundBadPhrase, .badWordsFoundBadWord: "Profanity Masked"
        case .isSpamDueToBadWords, .spamRuleMatch, .isSpam, .isSpamRepeatComment: "Comment is Spam"
        case .notSpamPerfectTrustFactor, .notSpamFromEngine: "Not Spam"
        case .repeatCommentCheckIgnored: "Repeat Check Ignored"
        case .notApprovedLowTrustFactor, .notApprovedRequiresApproval: "Not Auto Approved"
        case nil: Self.spaced(event)
        }
    }

    private var sentence: String {
        switch CommentLogEvent(rawValue: event) {
        case .anonymized: "The author and the text were removed."
        case .restoredFromAnonymized: "The author and the text were restored."
        case .reviewStatusChanged: change("The comment", "reviewed", "not reviewed")
        case .spamStatusChanged: change("The comment", "spam", "not spam")
        case .approveStatusChanged: change("The comment", "approved", "not approved")
        case .textChanged: "The text was changed from \(Self.bold(before)) to \(Self.bold(after))."
        case .votesChanged: "The votes changed from \(Self.bold(before)) to \(Self.bold(after))."
        case .badgeAwarded: "The author was given the badge \(Self.bold(after))."
        case .flagged: "The comment was flagged."
        case .unFlagged: "A flag was taken back."
        case .badWordsFoundBadPhrase, .badWordsFoundBadWord, .isSpamDueToBadWords, .spamRuleMatch, .isSpam,
            .isSpamRepeatComment, .notSpamPerfectTrustFactor, .notSpamFromEngine, .repeatCommentCheckIgnored,
            .notApprovedLowTrustFactor, .notApprovedRequiresApproval:
            decision
        case nil: unknown
        }
    }

    /// Which phase decided, and why.
    private var decision: String { reason + (phase.map { " (Phase: \(Self.escaped($0)).)" } ?? "") }

    private var reason: String {
        switch CommentLogEvent(rawValue: event) {
        case .badWordsFoundBadPhrase: "The phrase \(Self.bold(after)) was masked."
        case .badWordsFoundBadWord: "The word \(Self.bold(after)) was masked."
        case .isSpamDueToBadWords: "The comment is spam because of the word \(Self.bold(after))."
        case .spamRuleMatch: "The comment is spam by the site's rule about \(Self.bold(after))."
        case .isSpam: "The comment is spam for the filter (\(Self.bold(after)))."
        case .isSpamRepeatComment: "The comment is spam because its author had just said the same."
        case .notSpamPerfectTrustFactor: "The filter was not followed: the author is trusted completely."
        case .notSpamFromEngine: "The filter was not followed: the author has trust \(Self.bold(after))."
        case .repeatCommentCheckIgnored: "That it repeats another was not minded: \(Self.bold(after))."
        case .notApprovedLowTrustFactor: "The comment waits for approval: the author has trust \(Self.bold(after))."
        case .notApprovedRequiresApproval: "The comment waits for approval, as the site wants it."
        default: unknown
        }
    }

    /// For a mark that is on or off.
    private func change(_ subject: String, _ isOn: String, _ isOff: String) -> String {
        func word(_ value: String?) -> String { Self.bold(value == "true" ? isOn : isOff) }
        return "\(subject) was \(word(before)) and is now \(word(after))."
    }

    private var unknown: String {
        switch (before, after) {
        case (nil, nil): Self.escaped(Self.spaced(event)) + "."
        case (let before?, let after?):
            "\(Self.escaped(Self.spaced(event))): \(Self.bold(before)) became \(Self.bold(after))."
        case (let value, let other): "\(Self.escaped(Self.spaced(event))): \(Self.bold(value ?? other))."
        }
    }

    /// The only tag that is used.
    private static func bold(_ text: String?) -> String { "<b>\(escaped(text ?? ""))</b>" }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `TextChanged` as words.
    private static func spaced(_ name: String) -> String {
        name.reduce(into: "") { words, character in
            if character.isUppercase, !words.isEmpty, words.last?.isUppercase == false { words += " " }
            words.append(character)
        }
    }
}

extension CommentLog {
    /// What happened to a comment, oldest first.
    static func entries(
        of id: String, tenant: String, in session: inout Session
    ) throws(APIError) -> [CommentLogEntry] {
        try session.query(
            """
            SELECT happened_at, event, actor, before, after, phase FROM comment_log
            WHERE tenant_id = ?1 AND comment_id = ?2 ORDER BY id
            """,
            .text(tenant), .text(id)
        ) { (row) throws(APIError) -> CommentLogEntry in CommentLogEntry(row) }
    }
}
