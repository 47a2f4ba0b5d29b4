import Bytes
import Domain
import HTTP1
import JSON
import Storage

/// The pages of a tenant, for clients that list them as rooms (contract: public 14.1).
enum PageListRoutes {
    static func register(on routes: inout Routes) {
        routes.read(.get, "/pages/{tenantId}", "getPagesPublic", getPagesPublic)
    }

    /// Pages where chat is switched on and the visitor may enter.
    static func getPagesPublic(_ visit: Visit, _ session: inout Session) throws(APIError) -> Reply {
        let request = try PageListRequest(visit.call)
        let caller = try Caller.resolve(visit, in: &session)
        guard visit.tenant.rules.mayHold(\.enablesPageChat) else {
            return .json(PageListAnswer(pages: [], next: nil))
        }
        var listing = PageListing(request: request, caller: caller, counts: visit.call.services.pageCounts)
        let pages = try listing.find(visit.call.services.threads, in: &session)
        let shown = Array(pages.prefix(request.limit))
        let next = pages.count > shown.count ? shown.last.map { PageCursor(request.order, $0).text } : nil
        return .json(PageListAnswer(pages: shown, next: next))
    }
}

/// Orders of a list of pages. The words are the contract's.
enum PageOrder: String, Sendable {
    /// Newest first.
    case updatedAt
    /// Most first.
    case commentCount
    /// Alphabetical.
    case title
}

/// One page of a list.
struct ListedPage: JSONWritable, Sendable {
    let page: Page
    let url: String
    let title: String
    let updatedAt: Int64
    var commentCount = 0

    /// Titles are compared without regard to case, by bytes.
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

/// What a list of pages is asked for.
struct PageListRequest: Sendable {
    let order: PageOrder
    let limit: Int
    /// Beginning of titles, in lower case.
    let prefix: String
    /// Only pages with a comment.
    let needsComments: Bool
    let cursor: PageCursor?

    /// - Throws: `invalid-limit` (422), `invalid-input` (400).
    init(_ call: Call) throws(APIError) {
        let word = call.text("sortBy")
        guard let order = word.map(PageOrder.init(rawValue:)) ?? .updatedAt else {
            throw .invalidInput("The query parameter sortBy must be updatedAt, commentCount or title.")
        }
        self.order = order
        let limit = try call.integer("limit", code: "invalid-limit") ?? 50
        guard (1...200).contains(limit) else {
            throw APIError(422, "invalid-limit", "The query parameter limit must be 1 to 200.")
        }
        self.limit = Int(limit)
        prefix = call.text("q")?.composed.lowercased() ?? ""
        needsComments = try call.flag("hasComments") ?? false
        guard let text = call.text("cursor") else {
            cursor = nil
            return
        }
        guard let cursor = PageCursor(text, order) else {
            throw .invalidInput("The query parameter cursor is none of an answer with this sortBy.")
        }
        self.cursor = cursor
    }
}

/// After which page a list goes on: the page's place in the order, as it was.
struct PageCursor: Sendable {
    private let order: PageOrder
    private let number: Int64
    private let key: String
    private let id: Int64

    init(_ order: PageOrder, _ page: ListedPage) {
        self.order = order
        id = page.page.id
        number = order == .commentCount ? Int64(page.commentCount) : order == .updatedAt ? page.updatedAt : 0
        key = order == .title ? page.titleKey : ""
    }

    /// - Parameter text: as a client got it; nil comes of anything else, or of another order.
    init?(_ text: String, _ order: PageOrder) {
        guard let bytes = Base64.decodeURL(text[...]), let items = (try? JSONValue.parse(bytes))?.array,
            items.count == 4,
            items[0].string == order.rawValue, let number = items[1].integer, let key = items[2].string,
            let id = items[3].integer
        else { return nil }
        self.order = order
        self.number = number
        self.key = key
        self.id = id
    }

    var text: String {
        let value = JSONValue.array([.string(order.rawValue), .integer(number), .string(key), .integer(id)])
        return Base64.encodeURL(value.jsonBytes())
    }

    /// Where pages of the order `updatedAt` go on: by time, then by row.
    var place: (updatedAt: Int64, id: Int64) { (number, id) }

    static func < (left: PageCursor, right: PageCursor) -> Bool {
        if left.order == .title {
            let (key, other) = (left.key.utf8, right.key.utf8)
            return key.elementsEqual(other) ? left.id < right.id : key.lexicographicallyPrecedes(other)
        }
        return (left.number, left.id) > (right.number, right.id)
    }
}

private struct PageListAnswer: JSONWritable, Sendable {
    let pages: [ListedPage]
    let next: String?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.success()
            json.member("pages", pages)
            json.member("nextCursor", orNull: next)
        }
    }
}
