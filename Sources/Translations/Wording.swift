import Domain
import JSON

/// All words of one language. What a language lacks is there in English.
package struct Wording: Sendable {
    /// Words that clients show, by their names in the contract (public 18), in the order of the file.
    package let labels: [(name: String, text: String)]
    /// `labels` as a finished JSON object.
    package let labelsJSON: [UInt8]
    private let notificationLabelsJSON: [UInt8]
    /// Changes whenever a label does; 16 hexadecimal digits.
    package let fingerprint: String
    private let sentences: [String: String]

    /// - Parameters:
    ///   - file: a JSON object of `labels` and `sentences`; what is not understood counts as lacking.
    ///   - english: stands in for what is lacking.
    init(file: [UInt8], english: Wording?) {
        let content = (try? JSONValue.parse(file))?.object
        let own = Self.texts(content?["labels"])
        if let english {
            let known = Dictionary(own) { $1 }
            labels = english.labels.map { ($0.name, known[$0.name] ?? $0.text) }
        } else {
            labels = own
        }
        sentences = Dictionary(Self.texts(content?["sentences"])) { $1 }
        labelsJSON = Self.json(labels)
        notificationLabelsJSON = Self.json(labels.filter { Self.isOfNotifications($0.name) })
        fingerprint = Self.fingerprint(labelsJSON)
    }

    /// The sentence in this language. `detail` fills its gap, for instance a limit.
    package func sentence(_ phrase: Phrase, detail: String = "") -> String {
        guard let sentence = sentences[phrase.rawValue] else { return PhraseBook.text(phrase, detail: detail) }
        return PhraseBook.filled(sentence, with: detail)
    }

    /// The labels as a finished JSON object, changed by an owner's own words. Names that are no labels are added.
    package func labelsJSON(changedBy overrides: [String: String]) -> [UInt8] {
        guard !overrides.isEmpty else { return labelsJSON }
        let names = Set(labels.map(\.name))
        let added = overrides.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        return Self.json(
            labels.map { ($0.name, overrides[$0.name] ?? $0.text) } + added.map { ($0.key, $0.value) })
    }

    /// The labels of a list of notifications as a finished JSON object, changed by an owner's own words.
    package func notificationLabelsJSON(changedBy overrides: [String: String]) -> [UInt8] {
        guard !overrides.isEmpty else { return notificationLabelsJSON }
        return Self.json(
            labels.filter { Self.isOfNotifications($0.name) }.map { ($0.name, overrides[$0.name] ?? $0.text) })
    }

    /// A fingerprint of JSON, 16 hexadecimal digits (FNV-1a, 64 bits): for caches, no protection.
    package static func fingerprint(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func isOfNotifications(_ name: String) -> Bool {
        name.hasPrefix("NOTIFICATION_") || name.hasPrefix("BULK_")
    }

    private static func texts(_ value: JSONValue?) -> [(name: String, text: String)] {
        (value?.object?.members ?? []).compactMap { member in member.value.string.map { (member.name, $0) } }
    }

    private static func json(_ labels: [(name: String, text: String)]) -> [UInt8] {
        var json = JSONWriter(capacity: 64 * labels.count)
        json.object { json in
            for label in labels {
                json.key(label.name)
                json.string(label.text)
            }
        }
        return json.bytes
    }
}
