import Domain
import JSON
import TestSupport
import Testing

/// What strangers are told of a tenant's settings (contract: public 21.1).
@Suite struct PublicConfigTests {
    /// Everybody may read these. A new setting has to be added here by hand, by somebody who has asked whether it is a
    /// secret.
    private static let names = """
        absoluteAndRelativeDates absoluteDates allowAnon allowAnonFlag allowAnonVotes allowEmbeds allowedEmbedDomains \
        allowedLanguages collapseReplies commentCountFormat commentHTMLRenderingMode commentThreadDeleteMode \
        commenterNameFormat countAboveToggle customCSS defaultAvatarSrc defaultSortDirection defaultUsername \
        disableAutoAdminMigration disableAutoHashTagCreation disableBlocking disableCommenterCommentDelete \
        disableCommenterCommentEdit disableEmailInputs disableLiveCommenting disableNotificationBell \
        disableProfileComments disableProfileDirectMessages disableProfiles disableSuccessMessage disableToolbar \
        disableUnverifiedLabel disableVoting enableCommenterLinks enableFChat enableResizeHandle enableSearch \
        enableSpoilers enableThirdPartyCookieBypass enableViewCounts enableVoteList enableWYSIWYG gifRating \
        hasDarkBackground headerHTML hideAvatars hideCommentsUnderCountTextFormat imageContentProfanityLevel \
        inputAfterComments limitCommentsByGroups locale maxCommentCharacterLength maxCommentCreatedCountPUPM \
        mentionAutoCompleteMode noImageUploads noNewRootComments noStyles pageSize readonly requireSSO \
        restrictedLinkDomains showBadgesInTopBar showCommentSaveSuccess showLiveRightAway showQuestion spamRules \
        ssoSecLvl ticketAutoAssignUserIds ticketBaseUrl ticketFileUploadsEnabled ticketKBSearchEndpoint \
        ticketMaxFileSize tos translations useShowCommentsToggle useSingleLineCommentInput usersListIncludeOffline \
        usersListLocation voteStyle widgetQuestionId widgetQuestionResultsStyle widgetQuestionShowBreakdown \
        widgetQuestionStyle widgetQuestionWhenToSave widgetQuestionsRequired widgetSubQuestionVisibility wrap
        """.split(separator: " ").map(String.init)

    /// Something that the setting may hold, which keeps nobody out.
    private static func value(of key: SettingKey) -> JSONValue {
        switch key.kind {
        case .flag: ["requireSSO", "limitCommentsByGroups"].contains(key.name) ? false : true
        case .number(let range): .integer(range.lowerBound)
        case .word(let words): .string(words[0])
        case .text, .name: "Text"
        case .address: "https://example.com/"
        case .language: "en_us"
        case .languages: ["en_us"]
        case .hosts: ["example.com"]
        case .texts: ["text"]
        case .spamRules: [["actions": ["spam"], "commentContains": "casino"]]
        case .terms: ["enabled": true, "textByLocale": ["en_us": "Be kind."]]
        case .translations: ["SUBMIT_REPLY": "Answer"]
        }
    }

    private static var everything: JSONValue {
        var settings = JSONObject()
        for key in SettingKey.all { settings.append(key.name, value(of: key)) }
        return .object(settings)
    }

    @Test func strangersSeeTheseSettingsAndNoOthers() throws {
        let site = try Site(Self.everything)
        let answer = try site.reader().comments(["includeConfig": "true"])
        let config = try #require(answer["customConfig"]?.object, "\(answer)")
        #expect(config.members.map(\.name) == Self.names)
    }

    @Test func noSecretOfTheTenantIsInIt() throws {
        let site = try Site(Self.everything)
        let secret = "https://hooks.example.com/secret-path"
        try site.does("POST", "webhooks", [:], ["url": .string(secret), "event": "comment-created"])
        let reader = try site.reader()
        for query: QueryItems in [["includeConfig": "true"], ["includeConfig": "true", "includei10n": "true"]] {
            let answer = try reader.comments(query)
            #expect(answer["customConfig", "customCSS"] == "Text")
            for hidden in [site.tenant.apiKey, "secret-path", "@example.com"] {
                #expect(!answer.text.contains(hidden), "\(hidden)")
            }
        }
    }
}
