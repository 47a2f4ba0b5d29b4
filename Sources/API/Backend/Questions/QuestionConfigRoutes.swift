import Domain
import HTTP1
import JSON
import Storage

/// Questions that a site asks with its threads (contract: admin 5.19).
enum QuestionConfigRoutes {
    private static let pageSize = 100
    private static let resource = "QuestionConfig"

    static func register(on routes: inout Routes) {
        routes.backend(.get, "question-configs", "GetQuestionConfigs", read: getQuestionConfigs)
        routes.backend(.post, "question-configs", "CreateQuestionConfig", prepare: createQuestionConfig)
        routes.backend(.get, "question-configs/{id}", "GetQuestionConfig", read: getQuestionConfig)
        routes.backend(.patch, "question-configs/{id}", "UpdateQuestionConfig", prepare: updateQuestionConfig)
        routes.backend(.delete, "question-configs/{id}", "DeleteQuestionConfig", write: deleteQuestionConfig)
    }

    private static func getQuestionConfigs(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let configs = try QuestionConfigSQL.list(
            skip: visit.skip(), limit: pageSize, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("questionConfigs", configs) })
    }

    private static func getQuestionConfig(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let config = try named(visit, in: &session)
        return .json(Answer { $0.member("questionConfig", config) })
    }

    private static func named(_ visit: BackendVisit, in session: inout Session) throws(APIError) -> QuestionConfig {
        let id = visit.call.parameter("id")
        guard let config = try QuestionConfigSQL.find([id], tenant: visit.tenant.id, in: &session).first else {
            throw APIError(404, "not-found", "There is no question with this id.")
        }
        return config
    }

    private static func createQuestionConfig(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try QuestionWrite.new(visit.filledBody())
        let checked = try write.applied(to: QuestionConfig())
        return { (session) throws(APIError) -> Reply in
            var config = checked
            config.id = Identifier.timeOrdered(at: session.now)
            config.tenant = visit.tenant.id
            config.createdAt = session.now
            config.lastUsed = session.now
            try QuestionConfigSQL.save(config, in: &session)
            try visit.note(.create, resource, config.id, in: &session)
            let made = config
            return .json(Answer { $0.member("questionConfig", made) })
        }
    }

    private static func updateQuestionConfig(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try QuestionWrite(visit.filledBody())
        return { (session) throws(APIError) -> Reply in
            let config = try write.applied(to: named(visit, in: &session))
            try QuestionConfigSQL.save(config, in: &session)
            try visit.note(.update, resource, config.id, in: &session)
            return .success
        }
    }

    private static func deleteQuestionConfig(
        _ visit: BackendVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let config = try named(visit, in: &session)
        try QuestionConfigSQL.delete(config, visit.call.services, in: &session)
        try visit.note(.delete, resource, config.id, in: &session)
        return .success
    }
}
