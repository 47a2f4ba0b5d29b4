import JSON

/// How a tenant's new comments are judged (contract: admin 5.7 and 8.1). Readers' clients never see these keys. A value
/// type, made once for each change of the tenant.
package struct ModerationSettings: Sendable, Equatable {
    /// What becomes of a comment that its author wrote here before.
    package enum RepeatAction: Int64, Sendable {
        case allow = 0
        case refuse = 1
        case spam = 2
    }

    private let values: [String: JSONValue]
    /// Words that are masked besides those of the shipped lists; a star at the end stands for any ending.
    package let addedWords: WordList
    /// Words that are never masked.
    package let exceptedWords: WordList

    /// From keys that were set; those that are unknown or do not fit count as not set.
    package init(_ object: JSONObject = JSONObject()) {
        var values: [String: JSONValue] = [:]
        for (name, value) in object.members { values[name] = Self.kinds[name]?.checked(value) }
        self.init(values: values)
    }

    /// - Parameter text: a JSON object; anything else counts as nothing set.
    package init(parsing text: String) { self.init((try? JSONValue.parse(text))?.object ?? JSONObject()) }

    /// Names of all keys, in order.
    package static let names: [String] = kinds.keys.sorted()

    /// What a key may hold; nil when there is no such key.
    package static func kind(of name: String) -> SettingKind? { kinds[name] }

    /// With some keys set; `null` takes a key back.
    /// - Throws: a sentence that names the key and what it may hold.
    package func setting(_ changes: JSONObject) throws(SettingFault) -> ModerationSettings {
        var changed = values
        for (name, value) in changes.members {
            guard let kind = Self.kinds[name] else { throw SettingFault("There is no setting \"\(name)\".") }
            guard !value.isNull else {
                changed[name] = nil
                continue
            }
            guard let checked = kind.checked(value) else {
                throw SettingFault("\(name) must be \(kind.description).")
            }
            changed[name] = checked
        }
        return ModerationSettings(values: changed)
    }

    private init(values: [String: JSONValue]) {
        self.values = values
        func texts(_ name: String) -> [String] { values[name]?.array?.compactMap(\.string) ?? [] }
        addedWords = WordList(texts("profanityWords"))
        exceptedWords = WordList(texts("profanityExceptions"))
    }

    /// The keys that were set, by name.
    package var object: JSONObject {
        var object = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { object.append(name, value) }
        return object
    }

    // MARK: Readings

    /// Profane words are masked, or make a comment spam.
    package var filtersProfanity: Bool { flag("enableProfanityFilter", unset: true) }
    /// Comments are judged by what moderators marked before.
    package var filtersSpam: Bool { flag("enableSpamFilter", unset: true) }
    /// A profane comment is spam, instead of masked.
    package var sendsProfaneToSpam: Bool { flag("sendProfaneToSpam") }
    /// Names are not looked at.
    package var allowsProfaneNames: Bool { flag("allowProfaneNames") }
    /// Profane words in names are masked.
    package var masksNames: Bool { filtersProfanity && !allowsProfaneNames }
    /// Spam is refused, instead of kept unseen.
    package var refusesSpam: Bool { flag("blockSpam") }
    /// Nothing is shown before a moderator approved it.
    package var requiresApproval: Bool { flag("commentsRequireApproval") }
    /// A verified author needs no approval.
    package var approvesVerified: Bool { flag("autoApproveCommentOnVerification") }
    /// Who has an approved comment needs no approval; everybody else does.
    package var approvesKnownOnly: Bool { flag("onlyAutoApproveApprovedUsers") }
    /// Comments of authors who never proved their address go after ``unverifiedLifetime``.
    package var removesUnverified: Bool { flag("removeUnverifiedComments") }
    /// Milliseconds; 3 days unless set.
    package var unverifiedLifetime: Int64 { number("unverifiedCommentsTTLms") ?? 259_200_000 }
    /// What becomes of repetitions; refused unless set.
    package var repeatAction: RepeatAction { number("repeatAction").flatMap(RepeatAction.init) ?? .refuse }
    /// Shorter comments may be repeated, in characters.
    package var repeatMinimum: Int { Int(number("repeatMinLength") ?? 0) }
    /// So many flags hide a comment; nil for never.
    package var flagThreshold: Int64? { number("autoUnapproveFlagThreshold") }

    private func flag(_ name: String, unset: Bool = false) -> Bool { values[name]?.bool ?? unset }

    private func number(_ name: String) -> Int64? { values[name]?.integer }

    private static let kinds: [String: SettingKind] = [
        "allowProfaneNames": .flag, "autoApproveCommentOnVerification": .flag,
        "autoUnapproveFlagThreshold": .number(1...1_000_000), "blockSpam": .flag, "commentsRequireApproval": .flag,
        "enableProfanityFilter": .flag, "enableSpamFilter": .flag, "onlyAutoApproveApprovedUsers": .flag,
        "profanityExceptions": .texts, "profanityWords": .texts, "removeUnverifiedComments": .flag,
        "repeatAction": .number(0...2), "repeatMinLength": .number(0...100_000),
        "sendProfaneToSpam": .flag, "unverifiedCommentsTTLms": .number(60_000...31_536_000_000),
    ]
}
