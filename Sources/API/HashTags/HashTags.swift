import Domain
import JSON

/// Tags of comments (contract: public 7.6). Compared in lower case and without `#`.
enum HashTags {
    /// Tags of one comment at most.
    static let maximumCount = 50
    /// Longest tag in characters; longer ones are cut.
    static let maximumLength = 100

    /// What a tag is compared by.
    static func normalised(_ tag: String) -> String {
        let bare = tag.first == "#" || tag.first == "＃" ? String(tag.dropFirst()) : tag
        return bare.composed.lowercased().cut(to: maximumLength)
    }

    /// The tags of a comment: those in its text, and those that the client lists.
    /// - Throws: `invalid-input` (400).
    static func list(found: [String], listed: [JSONObject]) throws(APIError) -> [HashTag] {
        var tags = found.map { HashTag(written: $0) }
        for entry in listed {
            guard let written = try entry.text("tag") else { continue }
            var tag = HashTag(written: written)
            tag.isListed = true
            tag.isRetained = try entry.flag("retain") ?? false
            if let known = tags.firstIndex(where: { $0.key == tag.key }) {
                tags[known].isListed = true
                tags[known].isRetained = tags[known].isRetained || tag.isRetained
            } else {
                tags.append(tag)
            }
        }
        tags.removeAll { $0.key.isEmpty }
        guard tags.count <= maximumCount else {
            throw .invalidInput("A comment may have at most \(maximumCount) hash tags.")
        }
        return tags
    }
}

/// One tag of a comment.
struct HashTag: Sendable {
    /// What it is compared by.
    let key: String
    /// With `#`, as it was written.
    let tag: String
    /// The client named it.
    var isListed = false
    /// Stays with the comment when it is no longer in the text.
    var isRetained = false

    init(written: String) {
        key = HashTags.normalised(written)
        let bare = written.first == "#" || written.first == "＃" ? String(written.dropFirst()) : written
        tag = "#" + bare.composed.cut(to: HashTags.maximumLength)
    }
}
