extension ModerationSettings {
    /// Below this value of trust that a moderator gave somebody, comments wait for approval.
    package static let lowTrust = 10

    /// Whether new comments of some authors wait for a moderator (contract: public 22.4).
    package var holdsSome: Bool { requiresApproval || approvesKnownOnly }

    /// Whether a new comment is shown without a moderator's word.
    /// - Parameters:
    ///   - isVerified: the author's address is proven.
    ///   - isKnown: the author has a comment that is shown; asked only when it matters.
    package func approves<Fault: Error>(
        isVerified: Bool, isKnown: () throws(Fault) -> Bool
    ) throws(Fault) -> Bool {
        guard holdsSome else { return true }
        if approvesVerified, isVerified { return true }
        return approvesKnownOnly ? try isKnown() : false
    }
}
