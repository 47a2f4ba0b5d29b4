import Domain
import HTTP1
import JSON
import Storage

/// Answers to a site's questions (contract: admin 5.19).
enum QuestionResultRoutes {
    private static let pageSize = 1000

    static func register(on routes: inout Routes) {
        routes.backend(.get, "question-results", "GetQuestionResults", read: getQuestionResults)
        routes.backend(.post, "question-results", "CreateQuestionResult", prepare: createQuestionResult)
        routes.backend(.get, "question-results/{id}", "GetQuestionResult", read: getQuestionResult)
        routes.backend(.patch, "question-results/{id}", "UpdateQuestionResult", prepare: updateQuestionResult)
        routes.backend(.delete, "question-results/{id}", "DeleteQuestionResult", write: deleteQuestionResult)
    }

    private static func getQuestionResults(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        var filter = QuestionResultSQL.Filter()
        filter.urlID = try visit.pageFilter()
        filter.userIDs = visit.call.text("userId").map { ["\(visit.tenant.id):\($0)", $0] }
        let questions = visit.questionIDs()
        filter.questionIDs = questions.isEmpty ? nil : questions
        filter.start = try visit.startDate() ?? .min
        let limit = try visit.limit(usual: pageSize, maximum: pageSize)
        let results = try QuestionResultSQL.list(
            filter, skip: visit.skip(), limit: limit, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("questionResults", results) })
    }

    private static func getQuestionResult(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let result = try named(visit, in: &session)
        return .json(Answer { $0.member("questionResult", result) })
    }

    private static func named(_ visit: BackendVisit, in session: inout Session) throws(APIError) -> QuestionResult {
        let id = visit.call.parameter("id")
        guard let result = try QuestionResultSQL.find([id], tenant: visit.tenant.id, in: &session).first else {
            throw APIError(404, "not-found", "There is no result with this id.")
        }
        return result
    }

    private static func createQuestionResult(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try QuestionResultWrite.new(visit.filledBody())
        return { (session) throws(APIError) -> Reply in
            var blank = QuestionResult()
            blank.id = Identifier.timeOrdered(at: session.now)
            blank.tenant = visit.tenant.id
            blank.createdAt = session.now
            let result = try write.applied(to: blank, visit, in: &session)
            try QuestionResultSQL.insert(result, in: &session)
            return .json(Answer { $0.member("questionResult", result) })
        }
    }

    private static func updateQuestionResult(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try QuestionResultWrite(visit.filledBody())
        return { (session) throws(APIError) -> Reply in
            let result = try write.applied(to: named(visit, in: &session), visit, in: &session)
            try QuestionResultSQL.update(result, in: &session)
            return .success
        }
    }

    private static func deleteQuestionResult(
        _ visit: BackendVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        try QuestionResultSQL.delete(named(visit, in: &session).id, in: &session)
        return .success
    }
}

extension BackendVisit {
    /// The page that a list is of; nil is all.
    /// - Throws: `missing-url-id` (422) for what names no page.
    func pageFilter() throws(APIError) -> String? {
        guard call.text("urlId") != nil else { return nil }
        return try call.pageID()
    }

    /// Ids of `questionId` and `questionIds`, which may be repeated or have commas, without repeats.
    func questionIDs() -> [String] {
        var seen: Set<String> = []
        return (call.query.all("questionId").filter { !$0.isEmpty } + call.list("questionIds"))
            .filter { seen.insert($0).inserted }
    }

    /// Milliseconds of an ISO date or of a number; nil when absent.
    /// - Throws: `invalid-input` (400).
    func startDate() throws(APIError) -> Int64? {
        try call.text("startDate").map { text throws(APIError) in
            guard let moment = ISODate.parse(text) ?? Int64(text) else {
                throw .invalidInput("startDate must be an ISO date or milliseconds since 1970.")
            }
            return moment
        }
    }
}
