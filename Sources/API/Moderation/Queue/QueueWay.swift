import Domain
import Storage

/// The table and the index by which the comments of a queue are read.
struct QueueWay: Sendable {
    /// So many comments are put in order by date; of more, those of the right date are read until there are enough.
    static let mostSorted = 5000

    let source: [StaticString]
    /// Whether it is the index of threads, which has no tenants.
    var isOfPages = false
    /// How many comments it leads to at most; nil where they are many.
    var size: Int?
    /// What it adds to the conditions.
    var conditions: [StaticString] = []

    /// From the newest on.
    static let byDate = QueueWay(source: ["FROM comment AS c INDEXED BY comment_by_date"])

    /// Comments whose numbers were looked up.
    static let byNumbers = QueueWay(
        source: ["FROM json_each(?7) AS wanted CROSS JOIN comment AS c ON c.seq = wanted.value"])

    /// Comments with the words, in the order of the index of words.
    static let byWords = QueueWay(
        source: ["FROM comment_search AS s CROSS JOIN comment AS c ON c.seq = s.rowid"],
        conditions: ["AND s.comment_search MATCH 'words : (' || ?8 || ')'"])

    /// As well as this way says, and with the words.
    var withWords: QueueWay {
        var way = self
        way.conditions = [
            """
            AND c.seq IN (
                SELECT s.rowid FROM comment_search AS s WHERE s.comment_search MATCH 'words : (' || ?8 || ')')
            """
        ]
        return way
    }

    /// Whether it leads to all comments of the tenant.
    var isOfAll: Bool { source.last?.description.hasSuffix("comment_by_date") ?? false }

    private static let byAuthor = QueueWay(source: ["FROM comment AS c INDEXED BY comment_by_author"])

    private static let byAuthorOrName = QueueWay(source: [
        """
        FROM (
            SELECT a.seq FROM comment AS a INDEXED BY comment_by_author
            WHERE a.tenant_id = ?1 AND a.author_key IN (SELECT value FROM json_each(?2, '$.authors'))
            UNION SELECT value FROM json_each(?2, '$.comments')
        ) AS wanted CROSS JOIN comment AS c ON c.seq = wanted.seq
        """
    ])

    /// The one that reads the fewest rows, apart from words.
    static func best(
        for filter: ModerationFilter, _ found: QueueLookups, tenant: String, in session: inout Session
    ) throws(APIError) -> QueueWay {
        var ways: [(size: Int, way: QueueWay)] = []
        if let hash = filter.addressHash {
            let size = try QueueSQL.size(address: hash, tenant: tenant, limit: mostSorted + 1, in: &session)
            ways.append((size, QueueWay(source: ["FROM comment AS c INDEXED BY comment_by_address"])))
        }
        if let text = filter.search.exact {
            let size = try QueueSQL.size(exact: text, tenant: tenant, limit: mostSorted + 1, in: &session)
            ways.append((size, QueueWay(source: ["FROM comment AS c INDEXED BY comment_by_beginning"])))
        }
        if let authors = found.authors {
            let size = try QueueSQL.size(authors: authors, tenant: tenant, limit: mostSorted + 1, in: &session)
            ways.append((size + found.unowned.count, found.unowned.isEmpty ? byAuthor : byAuthorOrName))
        }
        if let pages = found.pages {
            let size = try QueueSQL.size(pages: pages, limit: mostSorted + 1, in: &session)
            ways.append((size, QueueWay(source: ["FROM comment AS c INDEXED BY comment_thread"], isOfPages: true)))
        }
        if var least = ways.min(by: { $0.size < $1.size }), least.size <= mostSorted {
            least.way.size = least.size
            return least.way
        }
        return QueueWay(source: ["FROM comment AS c INDEXED BY", try dated(filter, found, tenant, in: &session)])
    }

    /// The index in order of dates of the rarest state that the filter asks for.
    private static func dated(
        _ filter: ModerationFilter, _ found: QueueLookups, _ tenant: String, in session: inout Session
    ) throws(APIError) -> StaticString {
        let indexes: [(isWanted: Bool, bit: Int, isSet: Bool, name: StaticString)] = [
            (filter.isSpam == true, 2, true, "comment_spam"), (filter.isFlagged, 8, true, "comment_flagged"),
            (filter.isLocked == true, 16, true, "comment_locked_of_tenant"),
            (filter.isApproved == false, 1, false, "comment_unapproved"),
            (filter.isReviewed == false, 4, false, "comment_unreviewed"),
        ]
        let otherwise: StaticString =
            found.domain != nil
            ? "comment_by_domain" : filter.groups != nil ? "comment_grouped" : "comment_by_date"
        let wanted = indexes.filter(\.isWanted)
        guard !wanted.isEmpty else { return otherwise }
        let counts = try QueueSQL.counts(tenant: tenant, in: &session)
        let sizes = wanted.map { index in
            counts.reduce(0) { ($1.state & index.bit != 0) == index.isSet ? $0 + $1.count : $0 }
        }
        let total = counts.reduce(0) { $0 + $1.count }
        guard let least = sizes.indices.min(by: { sizes[$0] < sizes[$1] }) else { return otherwise }
        // An index that leaves nearly everything is worse than one that has the other facts.
        return sizes[least] * 2 > total ? otherwise : wanted[least].name
    }
}
