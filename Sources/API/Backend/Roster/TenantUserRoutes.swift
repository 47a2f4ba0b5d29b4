import Domain
import HTTP1
import JSON
import Storage

/// Those who run a tenant, for its own backend (contract: admin 5.8).
enum TenantUserRoutes {
    private static let pageSize = 100
    private static let resource = "TenantUser"

    static func register(on routes: inout Routes) {
        routes.backend(.get, "tenant-users", "GetTenantUsers", read: getUsers)
        routes.backend(.post, "tenant-users", "CreateTenantUser", prepare: createUser)
        routes.backend(.get, "tenant-users/{id}", "GetTenantUser", read: getUser)
        routes.backend(.patch, "tenant-users/{id}", "UpdateTenantUser", prepare: updateUser)
        routes.backend(.put, "tenant-users/{id}", "ReplaceTenantUser", prepare: replaceUser)
        routes.backend(.delete, "tenant-users/{id}", "DeleteTenantUser", write: deleteUser)
        routes.backend(.post, "tenant-users/{id}/send-login-link", "SendLoginLink", write: sendLoginLink)
    }

    // MARK: Reading

    private static func getUsers(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let users = try TenantUser.list(skip: visit.skip(), limit: pageSize, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("tenantUsers", users) })
    }

    private static func getUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        try answer(visit.call.parameter("id"), visit, in: &session)
    }

    private static func answer(
        _ id: String, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> Reply {
        guard let user = try TenantUser.find(id, tenant: visit.tenant.id, in: &session) else { throw notFound }
        return .json(Answer { $0.member("tenantUser", user) })
    }

    private static let notFound = APIError(404, "not-found", "There is no user of the tenant with this id.")
    private static let noSuchUser = APIError(
        404, "user-does-not-exist", "There is no user of the tenant with this id.")

    private static func require(
        _ visit: BackendVisit, orThrow error: APIError, in session: inout Session
    ) throws(APIError) -> Account {
        let id = visit.call.parameter("id")
        guard let account = try AccountSQL.find(id: id, tenant: visit.tenant.id, in: &session) else { throw error }
        return account
    }

    // MARK: Writing

    private static func createUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        let write = try TenantUserWrite(visit.call.bodyObject(), at: session.now)
        try write.requireAll()
        return { (session) throws(APIError) -> Reply in
            let id = try write.save(over: nil, tenant: visit.tenant.id, in: &session)
            try visit.note(.create, resource, id, in: &session)
            return try answer(id, visit, in: &session)
        }
    }

    private static func updateUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        try change(visit, isReplaced: false, in: &session)
    }

    private static func replaceUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> WriteUnit {
        try change(visit, isReplaced: true, in: &session)
    }

    private static func change(
        _ visit: BackendVisit, isReplaced: Bool, in session: inout Session
    ) throws(APIError) -> WriteUnit {
        let write = try TenantUserWrite(visit.call.bodyObject(), at: session.now)
        if isReplaced { try write.requireAll() }
        let updatesComments = try visit.flag("updateComments") ?? false
        return { (session) throws(APIError) -> Reply in
            let former = try require(visit, orThrow: noSuchUser, in: &session)
            let id = try write.save(over: former, isReplaced: isReplaced, tenant: visit.tenant.id, in: &session)
            if updatesComments { try PersonRenaming.begin(id, visit, in: &session) }
            try visit.note(.update, resource, id, in: &session)
            return .success
        }
    }

    private static func deleteUser(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let mode = try visit.commentDeletion()
        let account = try require(visit, orThrow: notFound, in: &session)
        try AccountSQL.requireAnotherOwner(than: account, in: &session)
        try PersonErasure.begin(mode, of: account.id, visit, in: &session)
        try AccountSQL.delete(account, in: &session)
        try visit.note(.delete, resource, account.id, in: &session)
        return .success
    }

    /// A letter that waits is replaced by the newer one.
    private static func sendLoginLink(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let account = try require(visit, orThrow: notFound, in: &session)
        let redirect = visit.call.text("redirectURL")
        if let redirect {
            guard WebAddress.isWeb(redirect), redirect.utf8.count <= 2000, visit.tenant.admits(origin: redirect) else {
                throw .invalidInput("redirectURL must be an address of one of the tenant's domains.")
            }
        }
        try LoginLetter.ask(for: account, redirect: redirect, in: &session)
        try visit.note(.update, "LoginLink", account.id, in: &session)
        return .success
    }
}
