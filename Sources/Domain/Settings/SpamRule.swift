import JSON

/// What a site says of comments with certain words (contract: public 21.2 `spamRules`).
package struct SpamRule: Sendable, Equatable {
    /// What becomes of a comment that a rule names.
    package enum Action: String, Sendable, CaseIterable {
        /// Kept, but not shown.
        case spam
        /// Shown, whatever anything else thinks of it.
        case notSpam = "not-spam"
        /// May be said again and again.
        case ignoreRepeat = "ignore-repeat"
    }

    /// What all rules together say of one comment.
    package struct Verdict: Sendable, Equatable {
        /// From the first rule that says anything about it; nil when none does.
        package var isSpam: Bool?
        /// Repetitions are allowed.
        package var ignoresRepeat = false
        /// What the rule that says spam looks for; empty for one that names every comment.
        package var rule: String?

        /// - Parameter isSpam: nil when no rule says anything.
        package init(isSpam: Bool? = nil, ignoresRepeat: Bool = false, rule: String? = nil) {
            self.isSpam = isSpam
            self.rule = rule
            self.ignoresRepeat = ignoresRepeat
        }
    }

    let actions: [Action]
    /// Composed and in lower case; nil is any comment.
    let contained: String?

    init?(_ value: JSONValue) {
        guard let object = value.object,
            object.members.allSatisfy({ ["actions", "commentContains"].contains($0.name) }),
            let words = object["actions"]?.array, !words.isEmpty
        else { return nil }
        actions = words.compactMap { $0.string.flatMap(Action.init) }
        guard actions.count == words.count else { return nil }
        guard let text = object.present("commentContains") else {
            contained = nil
            return
        }
        guard let text = text.string, !text.isEmpty, text.count <= SettingKind.entryLimit else { return nil }
        contained = text.composed.lowercased()
    }

    static func checked(_ value: JSONValue) -> JSONValue? {
        guard let items = value.array, items.count <= SettingKind.listLimit,
            items.allSatisfy({ SpamRule($0) != nil })
        else { return nil }
        return value
    }

    /// - Parameter texts: the comment as written and as shown; a rule that finds its words in either names it.
    package static func verdict(_ rules: [SpamRule], on texts: String...) -> Verdict {
        var verdict = Verdict()
        guard !rules.isEmpty else { return verdict }
        let texts = texts.map { $0.composed.lowercased() }
        for rule in rules where rule.names(texts) {
            for action in rule.actions {
                switch action {
                case .spam:
                    if verdict.isSpam == nil { verdict.rule = rule.contained ?? "" }
                    verdict.isSpam = verdict.isSpam ?? true
                case .notSpam: verdict.isSpam = verdict.isSpam ?? false
                case .ignoreRepeat: verdict.ignoresRepeat = true
                }
            }
        }
        return verdict
    }

    private func names(_ texts: [String]) -> Bool {
        guard let contained else { return true }
        return texts.contains { $0.firstRange(of: contained) != nil }
    }
}

/// The terms that commenters must accept (contract: public 21.2 `tos`).
package struct Terms: Sendable, Equatable {
    static let none: JSONValue = {
        var object = JSONObject()
        object.append("enabled", .bool(false))
        return .object(object)
    }()

    /// When they last changed, milliseconds since 1970: who accepted them earlier is asked again. 0 when not said.
    package let updatedAt: Int64

    /// Nil when they are not to be accepted.
    init?(_ value: JSONValue?) {
        guard let object = value?.object, object["enabled"]?.bool == true else { return nil }
        updatedAt = object["lastUpdated"]?.string.flatMap(ISODate.parse) ?? 0
    }

    static func checked(_ value: JSONValue) -> JSONValue? {
        guard let object = value.object else { return nil }
        var checked = JSONObject()
        for (name, value) in object.members where !value.isNull {
            let kept: JSONValue? =
                switch name {
                case "enabled": value.bool.map(JSONValue.bool)
                case "textByLocale": SettingKind.texts(value)
                case "lastUpdated":
                    value.string.flatMap(ISODate.parse).map { .string(ISODate.format(milliseconds: $0)) }
                default: nil
                }
            guard let kept else { return nil }
            checked.append(name, kept)
        }
        return .object(checked)
    }
}
