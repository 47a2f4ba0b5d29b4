/// What decides whether readers see a comment, and in which queues moderators find it (contract: admin 6.3).
package struct ModerationState: Sendable, Equatable {
    /// Readers see it, unless it is spam.
    package var isApproved: Bool
    /// Nobody sees it outside the queues.
    package var isSpam: Bool
    /// The verdict stays whatever is written into the comment later.
    package var isPermanentlyNotSpam: Bool
    /// Somebody has dealt with it.
    package var isReviewed: Bool
    /// Readers' flags hid it, and no moderator has said otherwise since.
    package var isHiddenByFlags: Bool
    /// Flags that count.
    package var flagCount: Int64

    /// A comment as it is kept.
    package init(
        isApproved: Bool, isSpam: Bool, isPermanentlyNotSpam: Bool, isReviewed: Bool, isHiddenByFlags: Bool,
        flagCount: Int64
    ) {
        self.isApproved = isApproved
        self.isSpam = isSpam
        self.isPermanentlyNotSpam = isPermanentlyNotSpam
        self.isReviewed = isReviewed
        self.isHiddenByFlags = isHiddenByFlags
        self.flagCount = flagCount
    }

    /// Whether readers see it.
    package var isVisible: Bool { isApproved && !isSpam }

    /// Whether nothing but the number of flags is different.
    package func differsOnlyByFlags(from other: ModerationState) -> Bool {
        var same = self
        same.flagCount = other.flagCount
        return same == other
    }

    /// The state after an act; the same when the act changes nothing.
    package func after(_ act: ModerationAct) -> ModerationState {
        var state = self
        switch act {
        case .approve(let isApproved): state.approve(isApproved)
        case .markSpam: state.markSpam()
        case .markNotSpam(let isPermanent): state.markNotSpam(isPermanent)
        case .putBack(let verdict): state.putBack(verdict)
        case .review(let isReviewed): state.isReviewed = isReviewed
        case .countFlag(let count, let threshold): state.count(count, threshold)
        case .clearFlags: state.clearFlags()
        }
        return state
    }

    private mutating func approve(_ isApproved: Bool) {
        isReviewed = true
        self.isApproved = isApproved
        guard isApproved, isHiddenByFlags else { return }
        isHiddenByFlags = false
        flagCount = 0
    }

    private mutating func markSpam() {
        isApproved = false
        isSpam = true
        isPermanentlyNotSpam = false
        isReviewed = true
    }

    private mutating func markNotSpam(_ isPermanent: Bool) {
        isApproved = true
        isSpam = false
        isPermanentlyNotSpam = isPermanent
        isReviewed = true
        isHiddenByFlags = false
    }

    /// What flags hid stays so unless it is shown.
    private mutating func putBack(_ verdict: ModerationVerdict) {
        isApproved = verdict.isApproved
        isSpam = verdict.isSpam
        isPermanentlyNotSpam = verdict.isPermanentlyNotSpam && !verdict.isSpam
        isReviewed = verdict.isReviewed
        if isVisible { isHiddenByFlags = false }
    }

    /// Exactly the flag that reaches the threshold hides: what a moderator shows again stays.
    private mutating func count(_ count: Int64, _ threshold: Int64?) {
        let isReached = threshold.map { count == $0 && flagCount < count } ?? false
        flagCount = count
        guard isReached, isApproved else { return }
        isApproved = false
        isHiddenByFlags = true
    }

    private mutating func clearFlags() {
        flagCount = 0
        guard isHiddenByFlags else { return }
        isHiddenByFlags = false
        isApproved = true
    }
}

/// What is done to a comment's state (contract: admin 6.3).
package enum ModerationAct: Sendable, Equatable {
    case approve(Bool)
    /// Hides it, and teaches the filter.
    case markSpam
    /// Shows it, and teaches the filter; for good when `isPermanent`.
    case markNotSpam(isPermanent: Bool)
    /// What a moderator decided is taken back, at once: nothing in between is seen.
    case putBack(ModerationVerdict)
    /// The mark of the queue alone.
    case review(Bool)
    /// That many flags count now; nil as threshold never hides.
    case countFlag(Int64, threshold: Int64?)
    /// As a moderator takes all flags back.
    case clearFlags
}

/// What moderators had decided about a comment before a decision that is taken back.
package struct ModerationVerdict: Sendable, Equatable {
    package var isApproved: Bool
    package var isSpam: Bool
    package var isPermanentlyNotSpam: Bool
    package var isReviewed: Bool

    /// As a moderator's page read it from the comment.
    package init(isApproved: Bool, isSpam: Bool, isPermanentlyNotSpam: Bool, isReviewed: Bool) {
        self.isApproved = isApproved
        self.isSpam = isSpam
        self.isPermanentlyNotSpam = isPermanentlyNotSpam
        self.isReviewed = isReviewed
    }
}
