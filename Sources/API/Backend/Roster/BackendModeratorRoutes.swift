import Domain
import HTTP1
import JSON
import Storage

/// Whom the tenant lets moderate, for its own backend (contract: admin 5.11).
enum BackendModeratorRoutes {
    private static let pageSize = 100
    private static let resource = "Moderator"
    private static let fromNameLimit = 100

    static func register(on routes: inout Routes) {
        routes.backend(.get, "moderators", "GetModerators", read: getModerators)
        routes.backend(.post, "moderators", "CreateModerator", prepare: createModerator)
        routes.backend(.get, "moderators/{id}", "GetModerator", read: getModerator)
        routes.backend(.patch, "moderators/{id}", "UpdateModerator", prepare: updateModerator)
        routes.backend(.delete, "moderators/{id}", "DeleteModerator", write: deleteModerator)
        routes.backend(.post, "moderators/{id}/send-invite", "SendInvite", write: sendInvite)
    }

    // MARK: Reading

    private static func getModerators(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let moderators = try BackendModerator.list(
            skip: visit.skip(), limit: pageSize, tenant: visit.tenant.id, in: &session)
        return .json(Answer { $0.member("moderators", moderators) })
    }

    private static func getModerator(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        let moderator = try require(visit.call.parameter("id"), visit, in: &session)
        return .json(Answer { $0.member("moderator", moderator) })
    }

    private static func require(
        _ id: String, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> BackendModerator {
        guard let moderator = try BackendModerator.find(id, tenant: visit.tenant.id, in: &session) else {
            throw APIError(404, "not-found", "There is no moderator with this id.")
        }
        return moderator
    }

    // MARK: Writing

    private static func createModerator(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try ModeratorWrite(visit)
        try write.requireAll()
        return { (session) throws(APIError) -> Reply in
            let id = try write.save(over: nil, visit, in: &session)
            try visit.note(.create, resource, id, in: &session)
            let moderator = try require(id, visit, in: &session)
            return .json(Answer { $0.member("moderator", moderator) })
        }
    }

    private static func updateModerator(_ visit: BackendVisit, _: inout Session) throws(APIError) -> WriteUnit {
        let write = try ModeratorWrite(visit)
        return { (session) throws(APIError) -> Reply in
            let former = try require(visit.call.parameter("id"), visit, in: &session)
            _ = try write.save(over: former, visit, in: &session)
            try visit.note(.update, resource, former.id, in: &session)
            return .success
        }
    }

    private static func deleteModerator(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        // There is no mail to say so yet.
        _ = try visit.flag("sendEmail")
        let moderator = try require(visit.call.parameter("id"), visit, in: &session)
        try moderator.delete(in: &session)
        try visit.note(.delete, resource, moderator.id, in: &session)
        return .success
    }

    // MARK: Invitations

    private static func sendInvite(_ visit: BackendVisit, _ session: inout Session) throws(APIError) -> Reply {
        guard let given = visit.call.text("fromName") else {
            throw APIError(422, "from-name-required", "The query parameter fromName is missing.")
        }
        let fromName = CommenterName.cleaned(given)
        guard !fromName.isEmpty, given.unicodeScalars.count <= fromNameLimit else {
            throw APIError(
                422, "from-name-invalid", "The query parameter fromName must have 1 to \(fromNameLimit) characters.")
        }
        let moderator = try require(visit.call.parameter("id"), visit, in: &session)
        let account = try account(for: moderator, visit, in: &session)
        try session.run(
            "UPDATE moderator SET user_id = COALESCE(user_id, ?2), has_accepted = 1 WHERE id = ?1",
            .text(moderator.id), .text(account.id))
        try LoginLetter.ask(for: account, fromName: fromName, in: &session)
        try visit.note(.update, resource, moderator.id, in: &session)
        return .success
    }

    /// The user with the moderator's address; a new one may do nothing but what the row says.
    /// - Throws: `email-required` (422), `unauthorized` (403) for a user of another tenant.
    private static func account(
        for moderator: BackendModerator, _ visit: BackendVisit, in session: inout Session
    ) throws(APIError) -> Account {
        guard let email = moderator.email else { throw TenantUserWrite.emailRequired }
        if try AccountSQL.find(email: email, in: &session) == nil {
            try AccountSQL.insert(
                email: email, name: moderator.name ?? email, roles: [], tenant: visit.tenant.id, in: &session)
        }
        guard let account = try AccountSQL.find(email: email, in: &session), account.tenant == visit.tenant.id else {
            throw APIError(
                403, "unauthorized", "This address belongs to a user of another tenant.", phrase: .notAllowed)
        }
        return account
    }
}
