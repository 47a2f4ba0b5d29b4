import Domain

/// Orders of a list of pages. The words are the contract's.
enum PageOrder: String, Sendable {
    /// Newest first.
    case updatedAt
    /// Most first.
    case commentCount
    /// Alphabetical.
    case title
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
