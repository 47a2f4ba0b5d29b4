import JSON

/// What a tenant has set for its threads (contract: public 21). Holds the keys as given, and reads those that the
/// server itself obeys.
package struct WidgetSettings: Sendable {
    /// The keys that were set explicitly, as clients get them in `customConfig`.
    package let values: JSONObject

    package init(_ values: JSONObject = JSONObject()) { self.values = values }

    /// - Parameter text: a JSON object; anything else counts as nothing set.
    package init(parsing text: String) { self.init((try? JSONValue.parse(text))?.object ?? JSONObject()) }

    private func flag(_ name: String) -> Bool { values[name]?.bool ?? false }

    private func number(_ name: String) -> Int? { values[name]?.integer.map(Int.init) }

    package var allowsAnonymous: Bool { flag("allowAnon") }
    package var allowsAnonymousVotes: Bool { flag("allowAnonVotes") }
    package var allowsAnonymousFlags: Bool { flag("allowAnonFlag") }
    package var disablesVoting: Bool { flag("disableVoting") }
    package var disablesBlocking: Bool { flag("disableBlocking") }
    package var disablesOwnDeletes: Bool { flag("disableCommenterCommentDelete") }
    package var disablesOwnEdits: Bool { flag("disableCommenterCommentEdit") }
    package var disablesEmailInputs: Bool { flag("disableEmailInputs") }
    package var disablesLive: Bool { flag("disableLiveCommenting") }
    package var disablesImages: Bool { flag("noImageUploads") }
    package var disablesNewRoots: Bool { flag("noNewRootComments") }
    package var enablesCommenterLinks: Bool { flag("enableCommenterLinks") }
    package var enablesSearch: Bool { flag("enableSearch") }
    package var enablesSpoilers: Bool { flag("enableSpoilers") }
    package var enablesVoteList: Bool { flag("enableVoteList") }
    package var isReadOnly: Bool { flag("readonly") }
    package var requiresSSO: Bool { flag("requireSSO") }
    package var requiresSecureSSO: Bool { number("ssoSecLvl") == 1 }
    package var rendersLinksAsText: Bool { number("commentHTMLRenderingMode") == 1 }
    package var hasHeartVotes: Bool { number("voteStyle") == 1 }
    package var defaultUsername: String? { values["defaultUsername"]?.string }
    package var locale: String? { values["locale"]?.string }

    /// Longest comment in characters; 2000 unless set.
    package var maximumCommentLength: Int { max(1, number("maxCommentCharacterLength") ?? 2000) }
    /// Comments per person and minute; 5 unless set.
    package var commentsPerMinute: Int { max(0, number("maxCommentCreatedCountPUPM") ?? 5) }
    /// Comments per page, 10 to 200; 30 unless set.
    package var pageSize: Int { min(200, max(10, number("pageSize") ?? 30)) }

    package var nameFormat: CommenterName.Format {
        number("commenterNameFormat").flatMap(CommenterName.Format.init) ?? .asEntered
    }

    package var defaultDirection: SortDirection {
        values["defaultSortDirection"]?.string.flatMap(SortDirection.init) ?? .mostRelevant
    }

    /// Hosts that links may point to; nil is any.
    package var linkHosts: [String]? {
        values.present("restrictedLinkDomains")?.array?.compactMap { $0.string?.lowercased() }
    }

    package var deleteMode: DeleteMode { number("commentThreadDeleteMode").flatMap(DeleteMode.init) ?? .cascade }

    /// What deleting a comment that has replies does (contract: public 8.3).
    package enum DeleteMode: Int, Sendable {
        case cascade = 0
        case anonymise = 1
        case forbid = 2
        case staffOnly = 3
    }
}
