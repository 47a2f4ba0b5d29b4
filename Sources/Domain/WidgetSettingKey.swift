import JSON

/// The names that settings may have, and what they hold (contract: public 21.2). Strict clients refuse any other.
package enum WidgetSettingKey {
    private enum Kind {
        case flag, number, text, texts, other
    }

    /// Why a setting cannot be stored; nil when it can. `null` clears.
    package static func fault(_ name: String, _ value: JSONValue) -> String? {
        guard let kind = kinds[name] else { return "There is no setting \"\(name)\"." }
        if value.isNull { return nil }
        switch kind {
        case .flag: return value.bool == nil ? "The setting \(name) must be true or false." : nil
        case .number: return value.integer == nil ? "The setting \(name) must be a whole number." : nil
        case .text: return value.string == nil ? "The setting \(name) must be a text." : nil
        case .texts:
            let isList = value.array?.allSatisfy { $0.string != nil } ?? false
            return isList ? nil : "The setting \(name) must be a list of texts."
        case .other: return nil
        }
    }

    private static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = [:]
        for (kind, names) in groups {
            for name in names.split(separator: " ") { kinds[String(name)] = kind }
        }
        return kinds
    }()

    private static let groups: [(Kind, String)] = [
        (
            .flag,
            """
            absoluteDates absoluteAndRelativeDates allowAnon allowAnonFlag allowAnonVotes allowEmbeds collapseReplies \
            disableAutoAdminMigration disableAutoHashTagCreation disableBlocking disableCommenterCommentDelete \
            disableCommenterCommentEdit disableEmailInputs disableLiveCommenting disableNotificationBell \
            disableProfileComments disableProfileDirectMessages disableProfiles disableSuccessMessage disableToolbar \
            disableUnverifiedLabel disableVoting enableCommenterLinks enableFChat enableResizeHandle enableSearch \
            enableSpoilers enableThirdPartyCookieBypass enableViewCounts enableVoteList enableWYSIWYG \
            hasDarkBackground hideAvatars inputAfterComments limitCommentsByGroups noImageUploads noNewRootComments \
            noStyles readonly requireSSO showBadgesInTopBar showCommentSaveSuccess showLiveRightAway showQuestion \
            ticketFileUploadsEnabled useShowCommentsToggle useSingleLineCommentInput usersListIncludeOffline \
            widgetQuestionShowBreakdown wrap
            """
        ),
        (
            .number,
            """
            commentHTMLRenderingMode commentThreadDeleteMode commenterNameFormat countAboveToggle \
            maxCommentCharacterLength maxCommentCreatedCountPUPM mentionAutoCompleteMode pageSize ssoSecLvl \
            ticketMaxFileSize usersListLocation voteStyle widgetQuestionResultsStyle widgetQuestionStyle \
            widgetQuestionWhenToSave widgetQuestionsRequired widgetSubQuestionVisibility
            """
        ),
        (
            .text,
            """
            commentCountFormat customCSS defaultAvatarSrc defaultSortDirection defaultUsername gifRating headerHTML \
            hideCommentsUnderCountTextFormat imageContentProfanityLevel locale ticketBaseUrl ticketKBSearchEndpoint \
            widgetQuestionId
            """
        ),
        (.texts, "allowedEmbedDomains allowedLanguages restrictedLinkDomains ticketAutoAssignUserIds"),
        (.other, "spamRules tos translations"),
    ]
}
