import Domain
import JSON
import Translations

/// `customConfig` of a read (contract: public 21.1): what the owner set, with or without all labels.
struct CustomConfig: JSONWritable, Sendable {
    let settings: WidgetSettings
    /// With what the owner set.
    let hasSettings: Bool
    /// Also with all labels in this language, changed by the owner's own; nil is without.
    let language: Language?

    func write(to json: inout JSONWriter) {
        json.object { json in
            for (name, value) in hasSettings ? settings.values.members : [] {
                if name == "translations", language != nil { continue }
                json.key(name)
                json.value(value)
            }
            guard let language else { return }
            json.key("translations")
            json.raw(Wording.of(language).labelsJSON(changedBy: settings.labelChanges))
        }
    }
}

/// The labels of a list of notifications (contract: public 13.2), changed by the owner's own.
struct NotificationLabels: JSONWritable, Sendable {
    let settings: WidgetSettings
    let language: Language

    func write(to json: inout JSONWriter) {
        json.raw(Wording.of(language).notificationLabelsJSON(changedBy: settings.labelChanges))
    }
}

extension WidgetSettings {
    /// Labels that the owner words otherwise; members that are no texts do not count.
    var labelChanges: [String: String] {
        var changes: [String: String] = [:]
        for member in values.present("translations")?.object?.members ?? [] {
            changes[member.name] = member.value.string
        }
        return changes
    }
}
