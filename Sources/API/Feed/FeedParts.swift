import Domain
import JSON

/// The structured parts of a post, from a body to the JSON that is stored. Keys that the contract does not know are
/// left out, and addresses are http or https only: they become links and pictures of every reader.
enum FeedParts {
    static func media(_ body: JSONObject, _ settings: WidgetSettings) throws(APIError) -> String? {
        guard let items = try body.objects("media") else { return nil }
        try check(items.count, "media", FeedLimits.media)
        var list: [JSONValue] = []
        for item in items {
            var medium = JSONObject()
            try medium.append(label: "title", of: item, limit: FeedLimits.titleLength)
            try medium.append(address: "linkUrl", of: item, settings)
            let sizes = try item.objects("sizes") ?? []
            guard !sizes.isEmpty else { throw .invalidInput("Every medium needs sizes.") }
            try check(sizes.count, "sizes", FeedLimits.sizes)
            medium.append("sizes", .array(try sizes.map { (size) throws(APIError) in try Self.size(size) }))
            list.append(.object(medium))
        }
        return text(list)
    }

    private static func size(_ item: JSONObject) throws(APIError) -> JSONValue {
        var size = JSONObject()
        for side in ["w", "h"] {
            guard let length = item[side]?.integer, (1...FeedLimits.side).contains(length) else {
                throw .invalidInput("\(side) of a size must be a whole number from 1 to \(FeedLimits.side).")
            }
            size.append(side, .integer(length))
        }
        guard let source = try item.text("src"), WebAddress.isWeb(source) else {
            throw .invalidInput("src of a size must be an http or https address.")
        }
        size.append("src", .string(source))
        return .object(size)
    }

    static func links(_ body: JSONObject, _ settings: WidgetSettings) throws(APIError) -> String? {
        guard let items = try body.objects("links") else { return nil }
        try check(items.count, "links", FeedLimits.links)
        var list: [JSONValue] = []
        for item in items {
            var link = JSONObject()
            try link.append(label: "text", of: item, limit: FeedLimits.titleLength)
            try link.append(label: "title", of: item, limit: FeedLimits.titleLength)
            try link.append(label: "description", of: item, limit: FeedLimits.descriptionLength)
            try link.append(address: "url", of: item, settings)
            guard !link.members.isEmpty else { throw .invalidInput("A link has neither a text nor an address.") }
            list.append(.object(link))
        }
        return text(list)
    }

    static func tags(_ body: JSONObject) throws(APIError) -> String? {
        guard let given = try body.texts("tags") else { return nil }
        var tags: [String] = []
        for tag in given.map(\.composed.line) where !tags.contains(tag) {
            guard !tag.isEmpty, tag.count <= FeedLimits.tagLength else {
                throw .invalidInput("A tag must have 1 to \(FeedLimits.tagLength) characters.")
            }
            tags.append(tag)
            try check(tags.count, "tags", FeedLimits.tags)
        }
        return tags.isEmpty ? "" : JSONText.list(tags)
    }

    static func meta(_ body: JSONObject) throws(APIError) -> String? {
        guard let value = body.present("meta") else { return nil }
        guard let given = value.object else { throw .invalidInput("meta must be an object.") }
        try check(given.members.count, "entries of meta", FeedLimits.metaEntries)
        var meta = JSONObject()
        // Of a repeated name the last value counts.
        for (name, _) in given.members where meta[name] == nil {
            guard (1...FeedLimits.metaKeyLength).contains(name.count), let text = given[name]?.string,
                text.count <= FeedLimits.metaValueLength
            else {
                throw .invalidInput(
                    "meta must have names of 1 to \(FeedLimits.metaKeyLength) characters, and strings of up to "
                        + "\(FeedLimits.metaValueLength) as values.")
            }
            meta.append(name, .string(text))
        }
        return meta.members.isEmpty ? "" : JSONText.object(meta)
    }

    private static func check(_ count: Int, _ what: String, _ limit: Int) throws(APIError) {
        guard count <= limit else { throw .invalidInput("A post may have at most \(limit) \(what).") }
    }

    private static func text(_ items: [JSONValue]) -> String {
        items.isEmpty ? "" : JSONText.text(.array(items)) ?? ""
    }
}

extension JSONObject {
    /// A text of one line for people; nil when absent or null.
    /// - Throws: `invalid-input` (400) when it has more characters than `limit`.
    func label(_ name: String, limit: Int) throws(APIError) -> String? {
        guard let text = try text(name)?.composed.line else { return nil }
        guard text.count <= limit else { throw .invalidInput("\(name) may have up to \(limit) characters.") }
        return text
    }

    fileprivate mutating func append(label name: String, of item: JSONObject, limit: Int) throws(APIError) {
        guard let text = try item.label(name, limit: limit), !text.isEmpty else { return }
        append(name, .string(text))
    }

    fileprivate mutating func append(
        address name: String, of item: JSONObject, _ settings: WidgetSettings
    ) throws(APIError) {
        guard let text = try item.text(name)?.trimmed, !text.isEmpty else { return }
        guard WebAddress.isWeb(text), let host = WebAddress.host(text) else {
            throw .invalidInput("\(name) must be an http or https address.")
        }
        try CommentDraft.checkLinks([host], settings)
        append(name, .string(text))
    }
}
