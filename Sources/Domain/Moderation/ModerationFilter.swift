import JSON

/// Which comments a moderator wants to see (contract: admin 6.1). Everything that is set must hold.
package struct ModerationFilter: Sendable, Equatable {
    /// Somebody has dealt with it.
    package var isReviewed: Bool?
    /// Readers see it, unless it is spam.
    package var isApproved: Bool?
    package var isSpam: Bool?
    /// Its author is banned.
    package var isBanned: Bool?
    package var isLocked: Bool?
    /// Somebody flagged it.
    package var isFlagged = false
    /// Two words of the filter exclude each other: nothing fits.
    package var isContradictory = false
    /// Wire id of the author.
    package var userID: String?
    /// Canonical page id.
    package var urlID: String?
    /// Host of the page.
    package var domain: String?
    /// Groups of the moderator; nil binds to none.
    package var groups: [String]?
    /// Keyed hash of the author's address.
    package var addressHash: String?
    package var search = ModerationSearch()

    /// Everything.
    package init() {}

    /// - Parameters:
    ///   - words: `needs-review`, `spam` and so on, separated by commas; unknown ones are ignored.
    ///   - narrowed: a JSON object with `userId`, `urlId`, `domain`; nil without.
    /// - Returns: nil when `narrowed` is something else.
    package init?(words: String, narrowed: String?) {
        for word in words.split(separator: ",") { add(word.lowercased()) }
        guard let narrowed, !narrowed.isEmpty else { return }
        guard let object = (try? JSONValue.parse(narrowed))?.object else { return nil }
        for (name, value) in object.members where !value.isNull {
            guard let text = value.string else { return nil }
            switch name {
            case "userId": userID = text
            case "urlId": urlID = PageIdentity.canonical(text) ?? text
            case "domain": domain = text.lowercased()
            default: break
            }
        }
    }

    private mutating func add(_ word: String) {
        switch word.trimmed {
        case "needs-review": set(\.isReviewed, false)
        case "reviewed": set(\.isReviewed, true)
        case "needs-approval": set(\.isApproved, false)
        case "approved": set(\.isApproved, true)
        case "spam": set(\.isSpam, true)
        case "not-spam": set(\.isSpam, false)
        case "banned": set(\.isBanned, true)
        case "locked": set(\.isLocked, true)
        case "flagged": isFlagged = true
        default: break
        }
    }

    private mutating func set(_ path: WritableKeyPath<ModerationFilter, Bool?>, _ value: Bool) {
        if let known = self[keyPath: path], known != value { isContradictory = true }
        self[keyPath: path] = value
    }

    /// Whether only the states that are counted all the time decide.
    package var isOfStatesOnly: Bool {
        isBanned == nil && userID == nil && urlID == nil && domain == nil && groups == nil && addressHash == nil
            && search == ModerationSearch()
    }

    /// Whether nothing is asked for: every comment fits.
    package var isEmpty: Bool { self == ModerationFilter() }

    /// Whether comments in this state fit.
    /// - Parameter state: a sum of 1 approved, 2 spam, 4 reviewed, 8 flagged, 16 locked.
    package func includes(state: Int) -> Bool {
        guard !isContradictory else { return false }
        func holds(_ bit: Int, _ wanted: Bool?) -> Bool { wanted.map { $0 == (state & bit != 0) } ?? true }
        return holds(1, isApproved) && holds(2, isSpam) && holds(4, isReviewed) && holds(8, isFlagged ? true : nil)
            && holds(16, isLocked)
    }
}
