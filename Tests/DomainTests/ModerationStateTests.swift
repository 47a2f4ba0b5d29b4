import Domain
import Testing

/// What each act makes of a comment (contract: admin 6.3).
@Suite struct ModerationStateTests {
    /// Letters for what is true: Approved, Spam, Permanently not spam, Reviewed, Hidden by flags; digits for flags.
    private static func state(_ text: String) -> ModerationState {
        ModerationState(
            isApproved: text.contains("A"), isSpam: text.contains("S"), isPermanentlyNotSpam: text.contains("P"),
            isReviewed: text.contains("R"), isHiddenByFlags: text.contains("H"),
            flagCount: Int64(text.filter(\.isNumber)) ?? 0)
    }

    @Test(arguments: [
        ("A", ModerationAct.approve(true), "AR"), ("", .approve(true), "AR"), ("A2", .approve(false), "R2"),
        ("H3", .approve(true), "AR"), ("3", .approve(true), "AR3"), ("H3", .approve(false), "HR3"),
        ("S", .approve(true), "ASR"), ("AP1", .markSpam, "SR1"), ("S2", .markNotSpam(isPermanent: false), "AR2"),
        ("SR", .markNotSpam(isPermanent: true), "APR"), ("AP", .markNotSpam(isPermanent: false), "AR"),
        ("A", .review(true), "AR"), ("AR", .review(false), "A"), ("HR3", .clearFlags, "AR"), ("R3", .clearFlags, "R"),
        ("A2", .countFlag(3, threshold: 3), "H3"), ("A3", .countFlag(4, threshold: 3), "A4"),
        ("A1", .countFlag(2, threshold: 3), "A2"), ("A4", .countFlag(3, threshold: 3), "A3"),
        ("A2", .countFlag(3, threshold: nil), "A3"), ("2", .countFlag(3, threshold: 3), "3"),
        ("AR2", .countFlag(3, threshold: 3), "RH3"),
    ])
    func anActChangesWhatItSays(_ before: String, _ act: ModerationAct, _ after: String) {
        #expect(Self.state(before).after(act) == Self.state(after))
    }

    @Test(arguments: [
        ("AR", ModerationAct.approve(true)), ("R", .approve(false)), ("SR", .markSpam), ("R", .review(true)),
        ("", .review(false)), ("A", .clearFlags), ("APR", .markNotSpam(isPermanent: true)),
    ])
    func askingTwiceChangesNothing(_ state: String, _ act: ModerationAct) {
        #expect(Self.state(state).after(act) == Self.state(state))
    }

    @Test(arguments: [("A", true), ("AS", false), ("S", false), ("", false)])
    func readersSeeWhatIsApprovedAndNoSpam(_ state: String, _ isVisible: Bool) {
        #expect(Self.state(state).isVisible == isVisible)
    }
}
