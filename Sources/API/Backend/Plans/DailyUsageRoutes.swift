import Domain
import HTTP1
import JSON
import Storage

/// What happened on a site, by days (contract: admin 5.10).
enum DailyUsageRoutes {
    private static let pageSize = 365

    static func register(on routes: inout Routes) {
        routes.backend(.get, "tenant-daily-usage", "GetTenantDailyUsages", read: getTenantDailyUsages)
    }

    /// Oldest first.
    private static func getTenantDailyUsages(
        _ visit: BackendVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let year = try visit.call.integer("yearNumber", status: 422)
        let month = try visit.call.integer("monthNumber", status: 422)
        let day = try visit.call.integer("dayNumber", status: 422)
        let tenant = visit.tenant.id
        let usages = try session.query(
            """
            SELECT day, year, month - 1, day_of_month, comments, conversations, votes, accounts FROM (
                SELECT day, comments, conversations, votes, accounts,
                       CAST(strftime('%Y', day * 86400, 'unixepoch') AS INTEGER) AS year,
                       CAST(strftime('%m', day * 86400, 'unixepoch') AS INTEGER) AS month,
                       CAST(strftime('%d', day * 86400, 'unixepoch') AS INTEGER) AS day_of_month
                FROM daily_usage WHERE tenant_id = ?1)
            WHERE (?2 IS NULL OR year = ?2) AND (?3 IS NULL OR month = ?3 + 1) AND (?4 IS NULL OR day_of_month = ?4)
            ORDER BY day LIMIT ?5 OFFSET ?6
            """,
            .text(tenant), .int(year), .int(month.map { min($0, 1000) }), .int(day), .int(pageSize), .int(visit.skip())
        ) { (row) throws(APIError) -> DailyUsage in DailyUsage(row, tenant: tenant) }
        return .json(Answer { $0.member("tenantDailyUsages", usages) })
    }
}

/// Closed key set. What is not counted is 0.
private struct DailyUsage: JSONWritable, Sendable {
    private static let uncounted = [
        "commentFetchCount", "userMentionSearch", "hashTagSearch", "gifSearchTrending", "gifSearch", "apiCreditsUsed",
        "apiErrorCount",
    ]

    private let tenant: String
    /// Since 1970.
    private let dayNumber: Int64
    private let year: Int
    private let month: Int
    private let day: Int
    private let comments: Int
    private let conversations: Int
    private let votes: Int
    private let accounts: Int

    init(_ row: borrowing Row, tenant: String) {
        self.tenant = tenant
        dayNumber = row.int64(0)
        year = row.int(1)
        month = row.int(2)
        day = row.int(3)
        comments = row.int(4)
        conversations = row.int(5)
        votes = row.int(6)
        accounts = row.int(7)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", "\(tenant):\(dayNumber)")
            json.member("tenantId", tenant)
            json.member("yearNumber", year)
            json.member("monthNumber", month)
            json.member("dayNumber", day)
            json.member("commentCreateCount", comments)
            json.member("conversationCreateCount", conversations)
            json.member("voteCount", votes)
            json.member("accountCreatedCount", accounts)
            for name in Self.uncounted {
                json.key(name)
                json.int(0)
            }
            json.key("createdAt")
            json.date(milliseconds: dayNumber * 86_400_000)
            json.member("billed", false)
            json.member("ignored", true)
        }
    }
}
