import Bytes
import Domain
import JSON

/// After which page a list goes on: the page's place in the order, as it was.
struct PageCursor: Sendable {
    private let order: PageOrder
    private let number: Int64
    private let key: String
    private let alphabetical: AlphabeticalKey
    private let id: Int64

    init(_ order: PageOrder, _ page: ListedPage) {
        self.order = order
        id = page.page.id
        number = order == .commentCount ? Int64(page.commentCount) : order == .updatedAt ? page.updatedAt : 0
        key = order == .title ? page.titleKey : ""
        alphabetical = AlphabeticalKey(key)
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
        alphabetical = AlphabeticalKey(key)
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
            return left.alphabetical == right.alphabetical ? left.id < right.id : left.alphabetical < right.alphabetical
        }
        return (left.number, left.id) > (right.number, right.id)
    }
}
