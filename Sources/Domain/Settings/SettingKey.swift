import JSON

/// One of the settings that a site may have, and what it may hold (contract: public 21.2). Strict clients refuse any
/// other name.
package struct SettingKey: Sendable {
    /// As clients spell it.
    package let name: String
    /// What it may hold.
    package let kind: SettingKind
    /// What clients take it to be when it is absent: for clients that know it and must forget it.
    package let unset: JSONValue
    /// How it keeps people from something, nil when it does not.
    package let restriction: Restriction?

    private init(_ name: String, _ kind: SettingKind, unset: JSONValue = .null) {
        self.name = name
        self.kind = kind
        self.unset = unset
        restriction = Self.restrictions[name]
    }

    /// All of them, by name.
    package static let all: [SettingKey] = (flags + numbers + words + texts + lists).sorted { $0.name < $1.name }

    /// The setting of this name.
    /// - Throws: a sentence that names the nearest one, or says why this one cannot be set.
    package static func named(_ name: String) throws(SettingFault) -> SettingKey {
        if let key = byName[name] { return key }
        if clientOptions.contains(name) {
            throw SettingFault("\"\(name)\" is an option of the widget on the page; the server does not keep it.")
        }
        let near = all.min { Spelling.distance(name, $0.name) < Spelling.distance(name, $1.name) }
        guard let near, Spelling.distance(name, near.name) <= 3 else {
            throw SettingFault("There is no setting \"\(name)\".")
        }
        throw SettingFault("There is no setting \"\(name)\". Did you mean \(near.name)?")
    }

    /// How the setting of this name keeps people from something; nil when it does not.
    static func restriction(of name: String) -> Restriction? { byName[name]?.restriction }

    /// The values in the form that is kept and sent: whole numbers without a fraction, hosts in lower case, moments in
    /// UTC. `null` is kept where `keepsNull`: in a narrower rule it takes back what a wider one says.
    /// - Throws: a sentence that names the setting and what it may hold.
    package static func checked(_ values: JSONObject, keepsNull: Bool) throws(SettingFault) -> JSONObject {
        var checked: [String: JSONValue] = [:]
        for (name, value) in values.members {
            guard checked.updateValue(try named(name).checked(value), forKey: name) == nil else {
                throw SettingFault("\(name) is there twice.")
            }
        }
        var result = JSONObject()
        for (name, value) in checked.sorted(by: { $0.key < $1.key }) where keepsNull || !value.isNull {
            result.append(name, value)
        }
        return result
    }

    /// As ``checked(_:keepsNull:)``, for one value.
    package func checked(_ value: JSONValue) throws(SettingFault) -> JSONValue {
        if value.isNull { return value }
        if let twice = value.repeatedName { throw SettingFault("\(name) has \"\(twice)\" twice.") }
        guard let checked = kind.checked(value) else { throw SettingFault("\(name) must be \(kind.description).") }
        return checked
    }

    // MARK: The table

    /// What the server itself obeys, where one value lets people do or see less than another.
    private static let restrictions: [String: Restriction] = {
        var restrictions: [String: Restriction] = [
            "allowedEmbedDomains": .allowed(absentIsAll: false), "commentHTMLRenderingMode": .more(unset: 0),
            "commentThreadDeleteMode": .more(unset: 0), "commenterNameFormat": .more(unset: 0),
            "maxCommentCharacterLength": .less(unset: 2000), "maxCommentCreatedCountPUPM": .less(unset: 5),
            "mentionAutoCompleteMode": .more(unset: 0), "restrictedLinkDomains": .allowed(absentIsAll: true),
            "spamRules": .spamRules, "ssoSecLvl": .more(unset: 0), "tos": .terms, "widgetQuestionId": .text,
            "widgetQuestionsRequired": .more(unset: 0),
        ]
        let forbidding = """
            disableAutoHashTagCreation disableBlocking disableCommenterCommentDelete disableCommenterCommentEdit \
            disableProfileComments disableProfileDirectMessages disableVoting limitCommentsByGroups noImageUploads \
            noNewRootComments readonly requireSSO showQuestion
            """
        for name in forbidding.split(separator: " ") { restrictions[String(name)] = .flag(true) }
        let allowing = """
            allowAnon allowAnonFlag allowAnonVotes allowEmbeds disableEmailInputs enableCommenterLinks enableVoteList
            """
        for name in allowing.split(separator: " ") { restrictions[String(name)] = .flag(false) }
        return restrictions
    }()

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Options that never leave the page (contract: public 21.1).
    private static let clientOptions: Set<String> = [
        "callbacks", "countAll", "disableImageRedirect", "enableInfiniteScrolling", "inlineReactImages", "jumpToId",
        "maxReplyDepth", "mentionGroupIds", "moderationGroupIds", "newCommentsToBottom", "noCustomConfig",
        "pageReactConfig", "pageTitle", "simpleSSO", "sso", "startingPage", "tenantId", "url", "urlId",
    ]

    private static let flags: [SettingKey] = """
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
        """.split(separator: " ").map { name in
            SettingKey(String(name), .flag, unset: .bool(name == "showCommentSaveSuccess"))
        }

    private static let numbers: [SettingKey] = [
        SettingKey("commentHTMLRenderingMode", .number(0...1), unset: .integer(0)),
        SettingKey("commentThreadDeleteMode", .number(0...3)),
        SettingKey("commenterNameFormat", .number(0...4)),
        SettingKey("countAboveToggle", .number(0...Int64(Int32.max)), unset: .integer(0)),
        SettingKey("maxCommentCharacterLength", .number(1...1_000_000)),
        SettingKey("maxCommentCreatedCountPUPM", .number(0...10_000)),
        SettingKey("mentionAutoCompleteMode", .number(0...2)),
        SettingKey("pageSize", .number(10...200)),
        SettingKey("ssoSecLvl", .number(0...1), unset: .integer(0)),
        SettingKey("ticketMaxFileSize", .number(0...Int64(Int32.max)), unset: .integer(0)),
        SettingKey("usersListLocation", .number(0...3), unset: .integer(0)),
        SettingKey("voteStyle", .number(0...1), unset: .integer(0)),
        SettingKey("widgetQuestionResultsStyle", .number(0...2), unset: .integer(0)),
        SettingKey("widgetQuestionStyle", .number(0...1), unset: .integer(0)),
        SettingKey("widgetQuestionWhenToSave", .number(0...1), unset: .integer(0)),
        SettingKey("widgetQuestionsRequired", .number(0...1), unset: .integer(0)),
        SettingKey("widgetSubQuestionVisibility", .number(0...1), unset: .integer(0)),
    ]

    private static let words: [SettingKey] = [
        SettingKey("defaultSortDirection", .word(SortDirection.allCases.map(\.rawValue))),
        SettingKey("gifRating", .word(["g", "pg", "pg-13", "r"]), unset: .string("pg")),
        SettingKey("imageContentProfanityLevel", .word(["off", "low", "medium", "high"]), unset: .string("off")),
    ]

    private static let texts: [SettingKey] = [
        SettingKey("commentCountFormat", .text(1000)),
        SettingKey("customCSS", .text(100_000)),
        SettingKey("defaultAvatarSrc", .address),
        SettingKey("defaultUsername", .name),
        SettingKey("headerHTML", .text(100_000)),
        SettingKey("hideCommentsUnderCountTextFormat", .text(1000)),
        SettingKey("locale", .language),
        SettingKey("ticketBaseUrl", .address, unset: .string("")),
        SettingKey("ticketKBSearchEndpoint", .address, unset: .string("")),
        SettingKey("widgetQuestionId", .text(100), unset: .string("")),
    ]

    private static let lists: [SettingKey] = [
        SettingKey("allowedEmbedDomains", .hosts), SettingKey("allowedLanguages", .languages),
        SettingKey("restrictedLinkDomains", .hosts), SettingKey("spamRules", .spamRules, unset: .array([])),
        SettingKey("ticketAutoAssignUserIds", .texts, unset: .array([])),
        SettingKey("tos", .terms, unset: Terms.none), SettingKey("translations", .translations),
    ]
}

/// Why a setting cannot be kept.
package struct SettingFault: Error, Sendable, Equatable {
    /// One sentence for whoever set it.
    package let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

/// How near a word is to one that was meant.
private enum Spelling {
    /// How many letters must be changed, added or left out to make one word of the other, without regard to case.
    static func distance(_ word: String, _ other: String) -> Int {
        let (left, right) = (Array(word.lowercased().utf8.prefix(100)), Array(other.lowercased().utf8))
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, wanted) in right.enumerated() {
                let replaced = diagonal + (letter == wanted ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
