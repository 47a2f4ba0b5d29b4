import Domain
import HTTP1
import JSON
import Storage

/// Sums over answers, and answers with their comments (contract: admin 5.19). Always fresh: what is read long enough runs
/// off the loop.
enum QuestionSumsRoutes {
    /// Sums of one call at most.
    private static let bulkLimit = 100

    static func register(on routes: inout Routes) {
        // The documentation spells it in another way than the clients.
        for base in ["question-results-aggregation", "question-results-aggregate"] {
            routes.backend(.get, base, "AggregateQuestionResults", read: aggregate)
            routes.backend(.post, base + "/bulk", "BulkAggregateQuestionResults", read: aggregateAll)
            routes.backend(.get, base + "/combine/comments", "CombineCommentsWithQuestionResults", read: combine)
        }
    }

    private static func aggregate(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let sums = try QuestionSums.load(QuestionSumsQuery(visit), tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("data", sums) })
    }

    private static func aggregateAll(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        _ = try visit.flag("forceRecalculate")
        guard let items = try visit.call.bodyObject().objects("aggregations"), items.count <= bulkLimit else {
            throw .invalidInput("aggregations must be a list of at most \(bulkLimit) objects.")
        }
        var queries: [(id: String, query: QuestionSumsQuery)] = []
        var ids: Set<String> = []
        for item in items {
            guard let id = try item.filled("aggId"), ids.insert(id).inserted else {
                throw .invalidInput("Each of the aggregations needs an aggId of its own.")
            }
            queries.append((id, try QuestionSumsQuery(item)))
        }
        guard queries.reduce(0, { $0 + $1.query.questionIDs.count }) <= QuestionSumsQuery.questionLimit else {
            throw .invalidInput("At most \(QuestionSumsQuery.questionLimit) questions are summed at once.")
        }
        var sums: [(id: String, sums: QuestionSums)] = []
        for (id, query) in queries {
            sums.append((id, try QuestionSums.load(query, tenant: visit.tenant.id, in: &session)))
        }
        let answer = sums
        return .json(
            Answer { json in
                json.key("data")
                json.object { json in
                    for (id, sums) in answer {
                        json.key(id)
                        sums.write(to: &json)
                    }
                }
            })
    }

    private static func combine(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let query = try QuestionSumsQuery(visit)
        let lowest = try visit.value("minValue") ?? -Double.greatestFiniteMagnitude
        let highest = try visit.value("maxValue") ?? Double.greatestFiniteMagnitude
        let results = try CommentedResult.list(
            query, from: lowest, to: highest, limit: visit.limit(usual: 30, maximum: 200), tenant: visit.tenant.id,
            in: &session)
        let now = session.now
        return .json(
            Answer { json in
                json.key("data")
                json.object { json in
                    json.member("results", results)
                    json.key("createdAt")
                    json.date(milliseconds: now)
                }
            })
    }
}

extension BackendVisit {
    /// A number of the query; nil when absent.
    fileprivate func value(_ name: String) throws(APIError) -> Double? {
        guard let text = call.text(name) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw .invalidInput("The query parameter \(name) must be a number.")
        }
        return number
    }
}
