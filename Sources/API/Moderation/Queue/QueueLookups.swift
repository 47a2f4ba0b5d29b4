import Domain
import JSON
import Storage

/// What a filter names, as numbers and ids of the store.
struct QueueLookups: Sendable {
    /// What the text finds; nil where no text is looked for.
    let text: TextMatch?
    /// Pages that fit; nil is any.
    let pages: [Int64]?
    /// Authors that fit; nil is any.
    let authors: [String]?
    /// Numbers of comments that fit by their author's name alone, because nobody is kept whose they are.
    let unowned: [Int64]
    /// Host that fits; nil is any.
    let domain: String?
    /// Nothing fits.
    let isEmpty: Bool

    init(_ filter: ModerationFilter, tenant: String, in session: inout Session) throws(APIError) {
        let search = filter.search
        var pages: [Int64]?
        if filter.urlID != nil || !search.pages.isEmpty {
            pages = try QueueSQL.pages(urlID: filter.urlID, search.pages, tenant: tenant, in: &session)
        }
        var authors: [String]?
        if filter.userID != nil || !search.users.isEmpty {
            authors = try QueueSQL.authors(id: filter.userID, search.users, tenant: tenant, in: &session)
        }
        unowned =
            filter.userID == nil && !search.users.isEmpty
            ? try QueueSQL.unowned(search.users, tenant: tenant, in: &session) : []
        let hosts = Set(search.domains + [filter.domain].compactMap { $0 })
        text = TextMatch(search)
        self.pages = pages
        self.authors = authors
        domain = hosts.first
        isEmpty =
            filter.isContradictory || hosts.count > 1 || pages?.isEmpty == true
            || (authors?.isEmpty == true && unowned.isEmpty)
    }
}

extension QueueLookups {
    /// An object with the lists `authors` and `comments`, of which either will do; nil where any author fits.
    var written: String? {
        guard let authors else { return nil }
        var object = JSONObject()
        object.append("authors", .array(authors.map { .string($0) }))
        object.append("comments", .array(unowned.map { .integer($0) }))
        return JSONText.object(object)
    }
}

/// How the words of a search are found.
struct TextMatch: Sendable {
    /// In the syntax of the index; nil when nothing of the search is a word.
    let expression: String?
    /// What must stand in the source as it is, in lower case.
    let pieces: [String]
    /// Finds the words in a comment that is read anyway; nil where there are none, or where they are not all.
    let matcher: WordMatcher?
    /// The whole comment.
    private let isExact: Bool

    /// Nil when no text is looked for.
    init?(_ search: ModerationSearch) {
        guard !search.terms.isEmpty || search.exact != nil else { return nil }
        isExact = search.exact != nil
        pieces = search.pieces
        let query = search.words.flatMap { $0.isEmpty ? nil : $0 }
        expression = query?.expression
        // Where the source is asked as well, a walk would read all sources on its way to a few comments.
        matcher = isExact || !pieces.isEmpty ? nil : query.flatMap { WordMatcher($0) }
    }

    /// All but the words.
    var conditions: [StaticString] {
        var parts: [StaticString] = []
        if !pieces.isEmpty {
            parts.append(
                "AND NOT EXISTS (SELECT 1 FROM json_each(?9) AS p WHERE instr(lower(c.source), p.value) = 0)")
        }
        // Without the sign SQLite would put the text in the place of the column, and have no use for the index.
        if isExact { parts.append("AND substr(c.source, 1, 24) = substr(?10, 1, 24) AND +c.source = ?10") }
        return parts
    }
}
