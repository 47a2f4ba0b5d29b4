import JSON

/// What holds on a page (contract: public 21): the keys as they were set, and typed readings of those that the server
/// itself obeys. Copies share one object.
package struct WidgetSettings: Sendable {
    private final class Store: Sendable {
        let values: JSONObject
        let byName: [String: JSONValue]

        init(_ values: JSONObject) {
            self.values = values
            byName = Dictionary(values.members.map { ($0.name, $0.value) }) { $1 }
        }
    }

    private let store: Store

    /// The keys that were set explicitly, as clients get them in `customConfig`.
    package var values: JSONObject { store.values }

    /// From keys that were set.
    package init(_ values: JSONObject = JSONObject()) { store = Store(values) }

    /// - Parameter text: a JSON object; anything else counts as nothing set.
    package init(parsing text: String) { self.init((try? JSONValue.parse(text))?.object ?? JSONObject()) }

    /// What a client that knows `old` must be told, so that it also forgets what is not set any more: clients lay what
    /// they get over what they have. Nil when nothing changed.
    package func change(from old: WidgetSettings) -> JSONObject? {
        guard self != old else { return nil }
        var change = values
        for (name, _) in old.values.members where store.byName[name] == nil {
            if let key = try? SettingKey.named(name) { change.append(name, key.unset) }
        }
        return change
    }

    /// Whether somebody who could read under `old` may not any more.
    package func isStricter(than old: WidgetSettings) -> Bool {
        (requiresSSO && !old.requiresSSO) || (requiresSecureSSO && requiresSSO && !old.requiresSecureSSO)
    }

    private func value(_ name: String) -> JSONValue? { store.byName[name] }

    private func flag(_ name: String) -> Bool { value(name)?.bool ?? false }

    private func number(_ name: String) -> Int? { value(name)?.integer.map(Int.init) }

    private func texts(_ name: String) -> [String]? {
        guard let value = value(name), !value.isNull else { return nil }
        return value.array?.compactMap { $0.string?.lowercased() }
    }

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
    package var defaultUsername: String? { value("defaultUsername")?.string }
    /// Language of `translatedError`.
    package var locale: String? { value("locale")?.string }
    /// Sentences that replace those of the language, by name.
    package var translations: JSONObject? { value("translations")?.object }
    /// Nobody becomes an administrator by the owner's address.
    package var disablesAdminByAddress: Bool { flag("disableAutoAdminMigration") }
    /// Tags in texts are kept only where the site has them already.
    package var disablesNewHashTags: Bool { flag("disableAutoHashTagCreation") }
    /// Views of comments are counted.
    package var enablesViewCounts: Bool { flag("enableViewCounts") }
    /// The page is listed among the rooms to chat in.
    package var enablesPageChat: Bool { flag("enableFChat") }
    /// Comments of people with groups are for those who share one.
    package var limitsByGroups: Bool { flag("limitCommentsByGroups") }
    /// Which GIFs are offered when the request does not say; pg unless set.
    package var gifRating: String { value("gifRating")?.string ?? "pg" }
    /// Where people to mention are looked for; 2 is nowhere.
    package var mentionMode: Int { number("mentionAutoCompleteMode") ?? 0 }
    /// A question is asked with each new thread, and must be answered; this is its id, empty for any.
    package var requiredQuestion: String? {
        guard number("widgetQuestionsRequired") == 1 else { return nil }
        let id = value("widgetQuestionId")?.string ?? ""
        return flag("showQuestion") || !id.isEmpty ? id : nil
    }
    /// Rules about comments with certain words, in order.
    package var spamRules: [SpamRule] { value("spamRules")?.array?.compactMap(SpamRule.init) ?? [] }
    /// What commenters must accept; nil for nothing.
    package var terms: Terms? { Terms(value("tos")) }
    /// Hosts whose players may be embedded beside the well-known ones; nil when none may.
    package var embedHosts: [String]? { flag("allowEmbeds") ? texts("allowedEmbedDomains") ?? [] : nil }

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
        value("defaultSortDirection")?.string.flatMap(SortDirection.init) ?? .mostRelevant
    }

    /// Hosts that links may point to; nil is any.
    package var linkHosts: [String]? { texts("restrictedLinkDomains") }

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

extension WidgetSettings: Equatable {
    /// The same keys with the same values.
    package static func == (left: WidgetSettings, right: WidgetSettings) -> Bool {
        left.store === right.store || left.store.values == right.store.values
    }
}
