import JSON

/// What a tenant has set for its threads (contract: public 21). Holds the keys as given, and reads those that the
/// server itself obeys.
package struct WidgetSettings: Sendable {
    /// The keys that were set explicitly, as clients get them in `customConfig`.
    package let values: JSONObject

    /// From keys that were set.
    package init(_ values: JSONObject = JSONObject()) { self.values = values }

    /// - Parameter text: a JSON object; anything else counts as nothing set.
    package init(parsing text: String) { self.init((try? JSONValue.parse(text))?.object ?? JSONObject()) }

    private func flag(_ name: String) -> Bool { values[name]?.bool ?? false }

    private func number(_ name: String) -> Int? { values[name]?.integer.map(Int.init) }

    /// Guests need no e-mail, and a missing name falls back.
    package var allowsAnonymous: Bool { flag("allowAnon") }
    /// Votes need neither name nor e-mail, and count at once.
    package var allowsAnonymousVotes: Bool { flag("allowAnonVotes") }
    /// Flags need no identity.
    package var allowsAnonymousFlags: Bool { flag("allowAnonFlag") }
    /// Nobody votes.
    package var disablesVoting: Bool { flag("disableVoting") }
    /// Nobody blocks.
    package var disablesBlocking: Bool { flag("disableBlocking") }
    /// Authors may not delete; administrators and moderators may.
    package var disablesOwnDeletes: Bool { flag("disableCommenterCommentDelete") }
    /// Authors may not edit; administrators and moderators may.
    package var disablesOwnEdits: Bool { flag("disableCommenterCommentEdit") }
    /// Guests are not asked for an e-mail.
    package var disablesEmailInputs: Bool { flag("disableEmailInputs") }
    /// Reads name no live room.
    package var disablesLive: Bool { flag("disableLiveCommenting") }
    /// Images are dropped from comments.
    package var disablesImages: Bool { flag("noImageUploads") }
    /// Only replies, but for administrators and moderators.
    package var disablesNewRoots: Bool { flag("noNewRootComments") }
    /// The address of a commenter is shown.
    package var enablesCommenterLinks: Bool { flag("enableCommenterLinks") }
    /// `searchText` is obeyed.
    package var enablesSearch: Bool { flag("enableSearch") }
    /// Hash tags that the tenant does not have are plain text.
    package var disablesNewHashTags: Bool { flag("disableAutoHashTagCreation") }
    /// Views of comments are counted.
    package var enablesViewCounts: Bool { flag("enableViewCounts") }
    /// Spoilers are marked.
    package var enablesSpoilers: Bool { flag("enableSpoilers") }
    /// Everybody sees who voted.
    package var enablesVoteList: Bool { flag("enableVoteList") }
    /// Nothing may be written, votes included.
    package var isReadOnly: Bool { flag("readonly") }
    /// Reading and writing need single sign-on.
    package var requiresSSO: Bool { flag("requireSSO") }
    /// With `requiresSSO`: only signed sign-on counts.
    package var requiresSecureSSO: Bool { number("ssoSecLvl") == 1 }
    /// Links become their text.
    package var rendersLinksAsText: Bool { number("commentHTMLRenderingMode") == 1 }
    /// There are no votes down.
    package var hasHeartVotes: Bool { number("voteStyle") == 1 }
    /// Name of guests who gave none.
    package var defaultUsername: String? { values["defaultUsername"]?.string }
    /// Language of `translatedError`.
    package var locale: String? { values["locale"]?.string }

    /// Longest comment in characters; 2000 unless set.
    package var maximumCommentLength: Int { max(1, number("maxCommentCharacterLength") ?? 2000) }
    /// Comments per person and minute; 5 unless set.
    package var commentsPerMinute: Int { max(0, number("maxCommentCreatedCountPUPM") ?? 5) }
    /// Comments per page, 10 to 200; 30 unless set.
    package var pageSize: Int { min(200, max(10, number("pageSize") ?? 30)) }

    /// How names are shown.
    package var nameFormat: CommenterName.Format {
        number("commenterNameFormat").flatMap(CommenterName.Format.init) ?? .asEntered
    }

    /// Order of reads that name none; most relevant unless set.
    package var defaultDirection: SortDirection {
        values["defaultSortDirection"]?.string.flatMap(SortDirection.init) ?? .mostRelevant
    }

    /// Hosts that links may point to; nil is any.
    package var linkHosts: [String]? {
        values.present("restrictedLinkDomains")?.array?.compactMap { $0.string?.lowercased() }
    }

    /// What deleting a comment with replies does; cascade unless set.
    package var deleteMode: DeleteMode { number("commentThreadDeleteMode").flatMap(DeleteMode.init) ?? .cascade }

    /// What deleting a comment that has replies does (contract: public 8.3).
    package enum DeleteMode: Int, Sendable {
        case cascade = 0
        case anonymise = 1
        case forbid = 2
        case staffOnly = 3
    }
}
