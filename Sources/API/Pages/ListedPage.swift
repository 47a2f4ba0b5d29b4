import Domain
import JSON
import Storage

/// One page of a list.
struct ListedPage: JSONWritable, Sendable {
    let page: Page
    let url: String
    let title: String
    let updatedAt: Int64
    var commentCount = 0

    /// Titles are compared without regard to case.
    var titleKey: String { title.composed.lowercased() }

    init(_ row: borrowing Row) {
        page = Page(
            id: row.int64(0), tenant: row.text(1), urlID: row.text(2), isClosed: row.bool(3),
            groupIDs: row.textOrNil(4).map(JSONText.strings), version: row.int64(5), viewVersion: row.int64(6))
        url = row.text(7).isEmpty ? page.urlID : row.text(7)
        title = row.text(8).isEmpty ? page.urlID : row.text(8)
        updatedAt = row.int64(9)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("urlId", page.urlID)
            json.member("url", url)
            json.member("title", title)
            json.member("commentCount", commentCount)
            json.member("updatedAt", updatedAt)
        }
    }
}
