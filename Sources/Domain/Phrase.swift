/// A sentence that an end user reads, by meaning. The words live in `PhraseBook`.
package enum Phrase: String, Sendable, CaseIterable {
    case commentLocked
    case threadClosed
    case readOnly
    case commentTooBig
    case commentEmpty
    case rateLimited
    case duplicate
    case nameInvalid
    case nameIsEmail
    case nameTaken
    case emailInvalid
    case loginRequired
    case notAllowed
    case editKeyInvalid
    case alreadyVoted
    case votingDisabled
    case linkNotAllowed
    case cannotBlock
    case deleteHasReplies
    case pageNotAccessible
    case answerRequired
    case termsRequired
    case signOnBroken
    case commentsPrivate
    case banned
    case bannedBecause
    case spam
}
