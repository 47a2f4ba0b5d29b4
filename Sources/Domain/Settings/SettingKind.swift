import Bytes
import JSON

/// What a setting may hold.
package enum SettingKind: Sendable {
    case flag
    case number(ClosedRange<Int64>)
    case word([String])
    /// At most so many characters.
    case text(Int)
    /// What a guest may be called.
    case name
    /// An http or https address.
    case address
    /// A language such as `de` or `pt_br`.
    case language
    case languages
    case hosts
    case texts
    case spamRules
    case terms
    case translations

    /// Entries of a list at most.
    static let listLimit = 1000
    /// Characters of a text in a list at most.
    static let entryLimit = 2000

    /// Completes "must be …", and says so in the list of settings.
    package var description: String {
        switch self {
        case .flag: "true or false"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .text(let limit): "a text of up to \(limit) characters"
        case .name: "a name of 1 to \(CommenterName.guestLimit) characters"
        case .address: "an http or https address"
        case .language: "a language such as en_us or de"
        case .languages: "a list of languages such as [\"en_us\", \"de\"]"
        case .hosts: "a list of host names such as [\"example.com\"]"
        case .texts: "a list of texts"
        case .spamRules:
            "a list of rules such as {\"actions\": [\"spam\"], \"commentContains\": \"casino\"}, with the actions "
                + SpamRule.Action.allCases.map(\.rawValue).joined(separator: ", ")
        case .terms:
            "an object such as {\"enabled\": true, \"textByLocale\": {\"en_us\": \"…\"}, "
                + "\"lastUpdated\": \"2026-01-31T00:00:00Z\"}"
        case .translations: "an object of texts that are not empty, such as {\"SUBMIT_REPLY\": \"Answer\"}"
        }
    }

    /// Whether a value may be typed without quotes.
    package var isPlainText: Bool {
        switch self {
        case .word, .text, .name, .address, .language: true
        default: false
        }
    }

    /// The value as it is kept; nil when it does not fit.
    func checked(_ value: JSONValue) -> JSONValue? {
        switch self {
        case .flag: return value.bool.map(JSONValue.bool)
        case .number(let range): return value.integer.flatMap { range.contains($0) ? .integer($0) : nil }
        case .word(let words): return value.string.flatMap { words.contains($0) ? .string($0) : nil }
        case .text(let limit): return value.string.flatMap { $0.count <= limit ? .string($0) : nil }
        case .name: return value.string.flatMap(Self.name)
        case .address: return value.string.flatMap { WebAddress.isWeb($0) ? .string($0) : nil }
        case .language: return value.string.flatMap(Self.language)
        case .languages: return Self.list(value, Self.language)
        case .hosts: return Self.list(value, Self.host)
        case .texts: return Self.list(value) { $0.count <= Self.entryLimit ? .string($0) : nil }
        case .spamRules: return SpamRule.checked(value)
        case .terms: return Terms.checked(value)
        case .translations: return Self.labels(value)
        }
    }

    private static func list(_ value: JSONValue, _ entry: (String) -> JSONValue?) -> JSONValue? {
        guard let items = value.array, items.count <= listLimit else { return nil }
        let checked = items.compactMap { $0.string.flatMap(entry) }
        return checked.count == items.count ? .array(checked) : nil
    }

    /// An object of texts.
    static func texts(_ value: JSONValue) -> JSONValue? {
        guard let members = value.object?.members, members.count <= listLimit else { return nil }
        let areTexts = members.allSatisfy { name, value in
            guard let text = value.string else { return false }
            return !name.isEmpty && name.count <= 200 && text.count <= entryLimit
        }
        return areTexts ? value : nil
    }

    /// Texts that something can be seen of: an empty label is a button that nobody finds.
    private static func labels(_ value: JSONValue) -> JSONValue? {
        let areVisible = value.object?.members.allSatisfy { _, value in
            value.string?.unicodeScalars.contains(where: \.isVisible) == true
        }
        return areVisible == true ? texts(value) : nil
    }

    private static func name(_ text: String) -> JSONValue? {
        let name = CommenterName.cleaned(text)
        guard !name.isEmpty, name.unicodeScalars.count <= CommenterName.guestLimit, !EmailAddress.isValid(name) else {
            return nil
        }
        return .string(name)
    }

    private static func language(_ text: String) -> JSONValue? {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "_") || $0 == 0x2D }
        let isTag = parts.allSatisfy { part in
            (2...8).contains(part.count) && part.allSatisfy(ASCII.isLetterOrDigit)
        }
        guard isTag, (1...4).contains(parts.count), (2...3).contains(parts[0].count) else { return nil }
        return .string(text)
    }

    private static func host(_ text: String) -> JSONValue? { HostName.checked(text).map(JSONValue.string) }
}

/// Names of hosts in settings.
package enum HostName {
    /// In lower case; nil when this is none: labels of letters, digits, `-` and `_` with dots between, at most 253 bytes.
    package static func checked(_ text: String) -> String? {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let isHost = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        return isHost && text.utf8.count <= 253 ? text.lowercased() : nil
    }

    /// A host and those above it: of `a.b.c` also `b.c` and `c`.
    static func domains(of host: String) -> [String] {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    /// Whether a host is this one or below it. Both in lower case.
    package static func covers(_ domain: String, _ host: String) -> Bool {
        host == domain || (host.hasSuffix(domain) && host.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: "."))
    }
}
