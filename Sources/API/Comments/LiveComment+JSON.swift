import Domain
import JSON

/// A comment as live events carry it (contract: live 2.2): the whole state, and the date in whole seconds, because one
/// client's parser knows no fractions.
struct LiveComment: JSONWritable, Sendable {
    let record: CommentRecord
    let page: String
    let settings: WidgetSettings

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("_id", record.id)
            json.member("urlId", page)
            record.writeSharedMembers(to: &json)
            record.writeInnerMembers(to: &json)
            json.member("commenterName", CommenterName.formatted(record.name, as: settings.nameFormat))
            if settings.enablesCommenterLinks, let link = record.link { json.member("commenterLink", link) }
            if settings.enablesViewCounts { json.member("viewCount", record.viewCount) }
            json.member("badges", record.badges)
            json.key("date")
            json.date(milliseconds: record.createdAt, wholeSeconds: true)
        }
    }
}
