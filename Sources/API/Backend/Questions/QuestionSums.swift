import Domain
import JSON
import Storage

/// Sums over the answers to questions (contract: admin 5.19); closed key set.
struct QuestionSums: JSONWritable, Sendable {
    /// Pages that are named at most: those with the most answers.
    static let pageLimit = 1000

    /// How many answers of each value.
    struct Datum: JSONWritable, Sendable {
        private(set) var counts: [Int64: Int] = [:]
        private(set) var total = 0

        mutating func add(_ value: Int64, _ count: Int) {
            counts[value, default: 0] += count
            total += count
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.key("v")
                writeCounts(to: &json)
                json.member("total", total)
            }
        }

        fileprivate func writeCounts(to json: inout JSONWriter) {
            json.object { json in
                for (value, count) in counts.sorted(by: { $0.key < $1.key }) {
                    json.key(String(value))
                    json.int(count)
                }
            }
        }
    }

    private var all = Datum()
    private var pages: [String: Datum] = [:]
    /// By the first day of the bucket, since 1970; nil when nobody asked.
    private var buckets: [Int64: Datum]?
    private let createdAt: Int64

    private init(createdAt: Int64) { self.createdAt = createdAt }

    /// Weighted by the answers, with two decimals.
    private var average: Double {
        guard all.total > 0 else { return 0 }
        let sum = all.counts.reduce(0.0) { $0 + Double($1.key) * Double($1.value) }
        return (sum / Double(all.total) * 100).rounded() / 100
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("total", all.total)
            json.key("average")
            json.double(average)
            json.key("countsByValue")
            all.writeCounts(to: &json)
            json.key("dataByUrlId")
            json.object { json in
                for (page, datum) in mostAnswered {
                    json.key(page)
                    datum.write(to: &json)
                }
            }
            if let buckets {
                json.key("dataByDateBucket")
                json.object { json in
                    for (day, datum) in buckets.sorted(by: { $0.key < $1.key }) {
                        json.key(String(ISODate.format(milliseconds: day * QuestionBucket.day).prefix(10)))
                        datum.write(to: &json)
                    }
                }
            }
            json.key("createdAt")
            json.date(milliseconds: createdAt)
        }
    }

    private var mostAnswered: [(key: String, value: Datum)] {
        guard pages.count > Self.pageLimit else { return pages.sorted { $0.key < $1.key } }
        let most = pages.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }.prefix(Self.pageLimit)
        return most.sorted { $0.key < $1.key }
    }

    // MARK: Storage

    /// Questions that the site does not have add nothing.
    static func load(
        _ query: QuestionSumsQuery, tenant: String, in session: inout Session
    ) throws(APIError) -> QuestionSums {
        var sums = QuestionSums(createdAt: session.now)
        if query.bucket != nil { sums.buckets = [:] }
        for config in try QuestionConfigSQL.find(query.questionIDs, tenant: tenant, in: &session) {
            try sums.addPages(config.id, query, tenant, in: &session)
            if let bucket = query.bucket { try sums.addDays(config.id, query, bucket, tenant, in: &session) }
        }
        return sums
    }

    /// In the order of an index that has all of it, so that nothing is sorted.
    private mutating func addPages(
        _ question: String, _ query: QuestionSumsQuery, _ tenant: String, in session: inout Session
    ) throws(APIError) {
        let rows: [(page: String, value: Int64, count: Int)]
        if let page = query.urlID {
            rows = try session.query(
                """
                SELECT url_id, value, COUNT(*) FROM question_result INDEXED BY question_result_by_page
                WHERE tenant_id = ?1 AND question_id = ?2 AND url_id = ?4 AND created_at >= ?3 GROUP BY url_id, value
                """,
                .text(tenant), .text(question), .integer(query.start), .text(page), row: Self.row)
        } else {
            rows = try session.query(
                """
                SELECT url_id, value, COUNT(*) FROM question_result INDEXED BY question_result_by_page
                WHERE tenant_id = ?1 AND question_id = ?2 AND created_at >= ?3 GROUP BY url_id, value
                """,
                .text(tenant), .text(question), .integer(query.start), row: Self.row)
        }
        for row in rows {
            all.add(row.value, row.count)
            pages[row.page, default: Datum()].add(row.value, row.count)
        }
    }

    private static func row(_ row: borrowing Row) throws(APIError) -> (page: String, value: Int64, count: Int) {
        (row.text(0), row.int64(1), row.int(2))
    }

    private mutating func addDays(
        _ question: String, _ query: QuestionSumsQuery, _ bucket: QuestionBucket, _ tenant: String,
        in session: inout Session
    ) throws(APIError) {
        var days = QuestionDays()
        if let page = query.urlID {
            try session.forEach(
                """
                SELECT created_at / 86400000, value FROM question_result INDEXED BY question_result_by_page
                WHERE tenant_id = ?1 AND question_id = ?2 AND url_id = ?4 AND created_at >= ?3
                """,
                .text(tenant), .text(question), .integer(query.start), .text(page)
            ) { (row) throws(APIError) in days.add(row.int64(1), 1, on: row.int64(0)) }
        } else {
            // In the order of an index that has all of it. The day bounds what is read of it.
            try session.forEach(
                """
                SELECT created_at / 86400000, value, COUNT(*) FROM question_result INDEXED BY question_result_by_day
                WHERE tenant_id = ?1 AND question_id = ?2 AND created_at / 86400000 >= ?3 / 86400000
                  AND created_at >= ?3
                GROUP BY created_at / 86400000, value
                """,
                .text(tenant), .text(question), .integer(query.start)
            ) { (row) throws(APIError) in days.add(row.int64(1), row.int(2), on: row.int64(0)) }
        }
        for (day, datum) in days.finished() {
            let first = bucket.firstDay(of: day)
            for (value, count) in datum.counts { buckets?[first, default: Datum()].add(value, count) }
        }
    }
}

/// Counts answers by days. Most come by time, so the day of the last one is at hand.
private struct QuestionDays {
    private var known: [Int64: QuestionSums.Datum] = [:]
    private var day: Int64?
    private var datum = QuestionSums.Datum()

    mutating func add(_ value: Int64, _ count: Int, on day: Int64) {
        if self.day != day {
            put()
            self.day = day
            datum = known[day] ?? QuestionSums.Datum()
        }
        datum.add(value, count)
    }

    mutating func finished() -> [Int64: QuestionSums.Datum] {
        put()
        return known
    }

    private mutating func put() {
        if let day { known[day] = datum }
    }
}

/// What sums are counted by.
enum QuestionBucket: String, Sendable {
    case byDay = "day"
    case byMonth = "month"
    case byYear = "year"

    /// Milliseconds.
    static let day: Int64 = 86_400_000

    /// Days since 1970.
    func firstDay(of day: Int64) -> Int64 {
        let text = ISODate.format(milliseconds: day * Self.day)
        let first =
            switch self {
            case .byDay: text.prefix(10)
            case .byMonth: text.prefix(7) + "-01"
            case .byYear: text.prefix(4) + "-01-01"
            }
        return (ISODate.parse(String(first)) ?? 0) / Self.day
    }
}

/// Which answers are summed.
struct QuestionSumsQuery: Sendable {
    /// Questions of one call at most.
    static let questionLimit = 100

    let questionIDs: [String]
    let urlID: String?
    let bucket: QuestionBucket?
    /// Milliseconds, inclusive.
    let start: Int64

    /// - Throws: `invalid-input` (400), `missing-url-id` (422).
    init(_ visit: BackendVisit) throws(APIError) {
        questionIDs = try Self.checked(visit.questionIDs())
        urlID = try visit.pageFilter()
        bucket = try Self.bucket(visit.call.text("timeBucket"))
        start = try visit.startDate() ?? .min
        _ = try visit.flag("forceRecalculate")
    }

    /// One of many.
    init(_ item: JSONObject) throws(APIError) {
        var ids = try item.texts("questionIds") ?? []
        if let id = try item.filled("questionId"), !ids.contains(id) { ids.append(id) }
        questionIDs = try Self.checked(ids)
        urlID = try item.filled("urlId").map { raw throws(APIError) in
            guard let urlID = PageIdentity.canonical(raw) else { throw .invalidInput("urlId names no page.") }
            return urlID
        }
        bucket = try Self.bucket(item.filled("timeBucket"))
        start =
            try item.filled("startDate").map { text throws(APIError) in
                guard let moment = ISODate.parse(text) else { throw .invalidInput("startDate must be an ISO date.") }
                return moment
            } ?? .min
    }

    private static func checked(_ ids: [String]) throws(APIError) -> [String] {
        guard !ids.isEmpty else { throw .invalidInput("questionId or questionIds is missing.") }
        guard ids.count <= questionLimit else {
            throw .invalidInput("At most \(questionLimit) questions are summed at once.")
        }
        return ids
    }

    private static func bucket(_ text: String?) throws(APIError) -> QuestionBucket? {
        guard let text else { return nil }
        guard let bucket = QuestionBucket(rawValue: text) else {
            throw .invalidInput("timeBucket must be day, month or year.")
        }
        return bucket
    }
}
