import Domain
import HTTP1
import JSON
import Server
import Storage

/// People of single sign-on for a site's own backend (contract: admin 5.2).
enum BackendPersonRoutes {
    private static let pageSize = 100
    private static let resource = "SSOUser"

    static func register(on routes: inout Routes) {
        routes.backend(.get, "sso-users", "GetSSOUsers", read: getUsers)
        routes.backend(.post, "sso-users", "AddSSOUser", prepare: addUser)
        routes.backend(.get, "sso-users/by-id/{id}", "GetSSOUserById", read: getUserByID)
        routes.backend(.get, "sso-users/by-email/{email}", "GetSSOUserByEmail", read: getUserByEmail)
        routes.backend(.patch, "sso-users/{id}", "PatchSSOUser", prepare: patchUser)
        routes.backend(.put, "sso-users/{id}", "PutSSOUser", prepare: putUser)
        // One description has the id in the body only.
        routes.backend(.put, "sso-users", "PutSSOUser", prepare: putUser)
        routes.backend(.delete, "sso-users/{id}", "DeleteSSOUser", write: deleteUser)
    }

    // MARK: Reading

    private static func getUsers(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let users = try BackendPerson.list(
            skip: visit.skip(), limit: pageSize, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("users", users) })
    }

    private static func getUserByID(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        answer(try require(wireID(visit.call.parameter("id"), visit), visit, in: &session))
    }

    private static func getUserByEmail(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let email = visit.call.parameter("email")
        guard let id = try BackendPerson.id(ofEmail: email, tenant: visit.tenant.id, in: &session) else {
            throw noSuchUser
        }
        return answer(try require(id, visit, in: &session))
    }

    private static let noSuchUser = APIError(404, "user-does-not-exist", "There is no such user.")

    private static func answer(_ user: BackendPerson) -> Reply { .json(Answer { $0.member("user", user) }) }

    private static func wireID(_ id: String, _ visit: BackendVisit) -> String { "\(visit.tenant.id):\(id)" }

    private static func require(
        _ id: String, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BackendPerson {
        guard let user = try BackendPerson.find(id, tenant: visit.tenant.id, in: &session) else { throw noSuchUser }
        return user
    }

    // MARK: Writing

    private static func addUser(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try PersonWrite(visit)
        let id = wireID(try checkedID(write.id), visit)
        try write.requireAll()
        return { (session) throws(APIError) -> Reply in
            guard try PersonSQL.find(id, tenant: visit.tenant.id, in: &session) == nil else {
                throw APIError(422, "user-exists", "There is a user with this id already.")
            }
            try write.save(id, over: nil, tenant: visit.tenant.id, in: &session)
            try visit.note(.create, resource, id, in: &session)
            return answer(try require(id, visit, in: &session))
        }
    }

    /// - Throws: `missing-id`, `invalid-input` (422).
    private static func checkedID(_ id: String?) throws(APIError) -> String {
        guard let id, !id.trimmed.isEmpty else { throw APIError(422, "missing-id", "id is missing.") }
        guard id.unicodeScalars.count <= PersonWrite.idLimit, !id.unicodeScalars.contains(where: \.isInvisibleControl)
        else { throw .invalidInput("id may have up to \(PersonWrite.idLimit) characters, without controls.") }
        return id
    }

    private static func patchUser(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try PersonWrite(visit)
        let updatesComments = try visit.flag("updateComments") ?? false
        let id = wireID(visit.call.parameter("id"), visit)
        return { (session) throws(APIError) -> Reply in
            guard let former = try PersonSQL.find(id, tenant: visit.tenant.id, in: &session) else { throw noSuchUser }
            try write.save(id, over: former, tenant: visit.tenant.id, in: &session)
            if updatesComments { try PersonRenaming.begin(id, visit, in: &session) }
            try visit.note(.update, resource, id, in: &session)
            return answer(try require(id, visit, in: &session))
        }
    }

    /// Replaces somebody, or makes them.
    private static func putUser(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try PersonWrite(visit)
        let updatesComments = try visit.flag("updateComments") ?? false
        let id = wireID(try checkedID(visit.call.parameters["id"] ?? write.id), visit)
        try write.requireAll()
        return { (session) throws(APIError) -> Reply in
            let tenant = visit.tenant.id
            let former = try PersonSQL.find(id, tenant: tenant, in: &session)
            if former != nil { try PersonCommentSQL.forget(id, tenant: tenant, in: &session) }
            try write.save(id, over: former, isReplaced: true, tenant: tenant, in: &session)
            try PersonSQL.touchPages(of: id, tenant: tenant, in: &session)
            if updatesComments { try PersonRenaming.begin(id, visit, in: &session) }
            try visit.note(former == nil ? .create : .update, resource, id, in: &session)
            return answer(try require(id, visit, in: &session))
        }
    }

    // MARK: Deleting

    private static func deleteUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let mode = try visit.commentDeletion()
        let id = wireID(visit.call.parameter("id"), visit)
        let user = try require(id, visit, in: &session)
        try PersonErasure.begin(mode, of: id, visit, in: &session)
        try PersonSQL.touchPages(of: id, tenant: visit.tenant.id, in: &session)
        try PersonSQL.delete(id, tenant: visit.tenant.id, in: &session)
        try visit.note(.delete, resource, id, in: &session)
        return answer(user)
    }
}
