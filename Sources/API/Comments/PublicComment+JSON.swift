import Domain
import JSON

/// A comment as one viewer reads it (contract: public 4.3); closed key set.
struct PublicComment: JSONWritable, Sendable {
    /// Only in answers as a tree.
    struct Branch: Sendable {
        let hasChildren: Bool
        /// Direct visible children, when they were asked for.
        let childCount: Int?
        /// Descendants included in the answer.
        let nestedCount: Int
    }

    let record: CommentRecord
    let settings: WidgetSettings
    var marks = ViewerMarks()
    var branch: Branch?
    /// Only in the answer to its author's creation.
    var editKey: String?
    /// A guest's address is not confirmed.
    var requiresVerification = false
    /// Moderators and the author's own answer see the mark.
    var showsSpam = false

    func write(to json: inout JSONWriter) {
        json.object { json in
            writeUnmarkedMembers(to: &json)
            writeMarks(to: &json)
        }
    }

    /// What depends on the viewer.
    func writeMarks(to json: inout JSONWriter) { marks.write(record.seq, author: record.authorKey, to: &json) }

    /// Everything but the braces, the marks and the children, so that a tree can be written without recursion.
    func writeUnmarkedMembers(to json: inout JSONWriter) {
        json.member("_id", record.id)
        record.writeSharedMembers(to: &json)
        json.member("commenterName", CommenterName.formatted(record.name, as: settings.nameFormat))
        if settings.enablesCommenterLinks, let link = record.link { json.member("commenterLink", link) }
        json.key("date")
        json.date(milliseconds: record.createdAt)
        json.member("displayLabel", ifPresent: record.label)
        if !record.badges.isEmpty { json.member("badges", record.badges) }
        if settings.enablesViewCounts { json.member("viewCount", record.viewCount) }
        if record.isDeleted { json.member("isDeleted", true) }
        if record.isDeletedUser { json.member("isDeletedUser", true) }
        if record.isSpam, showsSpam { json.member("isSpam", true) }
        if requiresVerification { json.member("requiresVerification", true) }
        json.member("editKey", ifPresent: editKey)
        if let branch { write(branch, to: &json) }
    }

    private func write(_ branch: Branch, to json: inout JSONWriter) {
        json.member("hasChildren", branch.hasChildren)
        json.member("childCount", ifPresent: branch.childCount)
        json.member("nestedChildrenCount", branch.nestedCount)
    }
}
