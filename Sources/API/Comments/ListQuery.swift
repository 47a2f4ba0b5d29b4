import Domain
import JSON

/// What a read of comments asks for (contract: public 5.1), checked and clamped.
struct ListQuery: Sendable {
    /// Items of a flat list at most.
    static let flatLimit = 1000
    /// Comments of one answer at most.
    static let nodeLimit = 10_000
    /// What `page=-1`, everything, is worth.
    static let everythingLimit = 2000
    /// What the client asks for that pages chats from their end: one item more than its screen takes.
    static let probingLimit = 31

    /// Which items of the first level.
    enum Slice: Sendable, Hashable {
        case page(Int)
        case everything
        case range(skip: Int, limit: Int?)
        case pageOf(commentID: String)
        case after(commentID: String, limit: Int?)
        case before(commentID: String, limit: Int?)
    }

    /// Which level.
    enum Parent: Sendable, Hashable {
        case any
        case roots
        case comment(String)
    }

    /// What decides which comments come, and how they are nested.
    struct Shape: Sendable, Hashable {
        var direction = SortDirection.mostRelevant
        var isTree = false
        var slice = Slice.page(0)
        var parent = Parent.any
        var pageSize = 30
        var skipChildren = 0
        var limitChildren: Int?
        var maximumDepth: Int?
        var countsChildren = false
        /// Pages are counted from the newest.
        var isFromTail = false
    }

    var shape: Shape
    let countsAll: Bool?
    let includesConfig: Bool
    let includesTranslations: Bool
    let includesNotificationCount: Bool
    let search: SearchQuery?
    let hashTags: [String]
    let author: String?
    /// The viewer counts as one who saw the comments.
    let countsViews: Bool

    /// - Throws: the code that the contract names for each parameter (422), `invalid-input` (400) for the others.
    init(_ call: Call, settings: WidgetSettings) throws(APIError) {
        let overrides = WidgetSettings(parsing: call.text("customConfigStr") ?? "")
        var shape = Shape()
        shape.isTree = try call.flag("asTree") ?? false
        shape.direction = try Self.direction(call, settings, overrides)
        shape.pageSize = overrides.values["pageSize"] == nil ? settings.pageSize : overrides.pageSize
        shape.slice = try Self.slice(call)
        shape.parent = Self.parent(call, isTree: shape.isTree)
        shape.skipChildren = try call.count("skipChildren", code: "invalid-skip-children") ?? 0
        shape.limitChildren = try call.count("limitChildren", code: "invalid-limit-children")
        shape.maximumDepth = try call.count("maxTreeDepth", code: "invalid-max-tree-depth")
        shape.countsChildren = try call.flag("countChildren") ?? false
        self.shape = shape
        countsAll = try call.flag("countAll")
        includesConfig = try call.flag("includeConfig") ?? false
        includesTranslations = try call.flag("includei10n") ?? false
        includesNotificationCount = try call.flag("includeNotificationCount") ?? false
        search = settings.enablesSearch ? try Self.search(call) : nil
        hashTags = try Self.hashTags(call)
        author = call.text("userId")
        let isCrawler = try call.flag("isCrawler") ?? false
        countsViews = settings.enablesViewCounts && !isCrawler
    }

    /// Filters make a list of matches without their threads.
    var isFiltered: Bool { search != nil || !hashTags.isEmpty || author != nil }

    /// Whether the page's setting decides from which end this is paged (contract: live 6).
    var mayBeFromTail: Bool {
        guard shape.isTree, shape.direction == .oldestFirst, shape.parent == .any, !isFiltered else { return false }
        return switch shape.slice {
        case .page, .range: true
        case .everything, .pageOf, .after, .before: false
        }
    }

    /// Whether many readers ask for just this: their answers are worth keeping.
    var isCommon: Bool {
        if isFiltered { return false }
        if case .comment = shape.parent { return false }
        return switch shape.slice {
        case .page, .everything, .range: true
        case .pageOf, .after, .before: false
        }
    }

    /// Whether this continues an answer that already gave the count (contract: public 5.5).
    var isFollowUp: Bool {
        if case .comment = shape.parent { return true }
        return switch shape.slice {
        case .page(let page): page > 0
        case .range(let skip, _): skip > 0
        case .after, .before: true
        case .everything, .pageOf: false
        }
    }

    private static func search(_ call: Call) throws(APIError) -> SearchQuery? {
        guard let text = call.text("searchText"), !text.trimmed.isEmpty else { return nil }
        guard let query = SearchQuery(text) else {
            throw .invalidInput(
                "The query parameter searchText may have \(SearchQuery.maximumTerms) words "
                    + "and \(SearchQuery.maximumLength) bytes.")
        }
        return query
    }

    private static func hashTags(_ call: Call) throws(APIError) -> [String] {
        let tags = Set(call.list("hashTags").map(HashTags.normalised)).subtracting([""])
        guard tags.count <= HashTags.maximumCount else {
            throw .invalidInput("At most \(HashTags.maximumCount) hashTags are allowed.")
        }
        return tags.sorted()
    }

    private static func direction(
        _ call: Call, _ settings: WidgetSettings, _ overrides: WidgetSettings
    ) throws(APIError) -> SortDirection {
        guard let word = call.text("direction") else {
            return overrides.values["defaultSortDirection"] == nil
                ? settings.defaultDirection : overrides.defaultDirection
        }
        guard let direction = SortDirection(rawValue: word) else {
            throw APIError(422, "invalid-direction", "The query parameter direction must be OF, NF or MR.")
        }
        return direction
    }

    private static func slice(_ call: Call) throws(APIError) -> Slice {
        let skip = try call.count("skip", code: "invalid-skip")
        let limit = try call.count("limit", code: "invalid-limit")
        if let id = call.text("fetchPageForCommentId") { return .pageOf(commentID: id) }
        switch (try cursor("afterCommentId", call), try cursor("beforeCommentId", call)) {
        case (nil, nil): break
        case (let id?, nil): return .after(commentID: id, limit: limit)
        case (nil, let id?): return .before(commentID: id, limit: limit)
        case (_?, _?): throw .invalidInput("afterCommentId and beforeCommentId exclude each other.")
        }
        if skip != nil || limit != nil { return .range(skip: skip ?? 0, limit: limit) }
        let page = try call.integer("page") ?? 0
        if page == -1 { return .everything }
        guard page >= 0 else { throw .invalidInput("The query parameter page may not be below -1.") }
        return .page(Int(min(page, 1_000_000)))
    }

    private static func cursor(_ name: String, _ call: Call) throws(APIError) -> String? {
        guard let id = call.text(name) else { return nil }
        guard Identifier.time(of: id) != nil else {
            throw .invalidInput("The query parameter \(name) is no id of a comment.")
        }
        return id
    }

    private static func parent(_ call: Call, isTree: Bool) -> Parent {
        guard let id = call.text("parentId") else { return .any }
        if id == "null" { return isTree ? .any : .roots }
        return .comment(id)
    }
}
