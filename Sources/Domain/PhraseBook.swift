/// The English words behind each phrase, which the compiler wants complete. Those of other languages are in the files of
/// the target `Translations`, where a test names those that are missing.
package enum PhraseBook {
    /// The sentence in English. `detail` fills its gap.
    package static func text(_ phrase: Phrase, detail: String = "") -> String {
        filled(english(phrase), with: detail)
    }

    /// A sentence of any language with its gap, `{}`, filled.
    package static func filled(_ sentence: String, with detail: String) -> String {
        let parts = sentence.split(separator: "{}", omittingEmptySubsequences: false)
        return parts.count < 2 ? sentence : parts.joined(separator: detail)
    }

    private static func english(_ phrase: Phrase) -> String {
        switch phrase {
        case .commentLocked: "This comment is locked."
        case .threadClosed: "This thread is closed for new comments."
        case .readOnly: "This thread can be read but not changed."
        case .commentTooBig: "Your comment is too long. It may have up to {} characters."
        case .commentEmpty: "Please write something first."
        case .rateLimited: "You are going a little fast. Please wait a moment and try again."
        case .duplicate: "You have just said that."
        case .nameInvalid: "Please enter a name of up to 100 characters."
        case .nameIsEmail: "Please enter a name, not an e-mail address."
        case .nameTaken: "That name belongs to somebody else here. Please choose another one."
        case .emailInvalid: "Please enter a valid e-mail address."
        case .loginRequired: "Please sign in first."
        case .notAllowed: "You may not do that."
        case .editKeyInvalid: "This comment can no longer be changed from here."
        case .alreadyVoted: "You have already voted on this comment."
        case .votingDisabled: "Voting is switched off here."
        case .linkNotAllowed: "Links to {} are not allowed here."
        case .cannotBlock: "The author of this comment cannot be blocked."
        case .deleteHasReplies: "This comment has replies and cannot be deleted."
        case .pageNotAccessible: "You do not have access to this page."
        case .answerRequired: "Please answer the question first."
        case .termsRequired: "Please accept the terms of this site first."
        case .signOnBroken: "Signing you in did not work. Please reload the page."
        case .commentsPrivate: "The comments on this profile are private."
        case .banned: "You may not write here at present."
        case .bannedBecause: "You may not write here at present ({})."
        case .spam: "Your comment looks like spam and was not posted."
        }
    }
}
