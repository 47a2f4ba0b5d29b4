import Domain
import HTTP1
import Storage

/// Somebody whom a backend names by id (contract: admin 1.6).
struct NamedIdentity: Sendable {
    /// What comments, votes, flags and blocks are kept under.
    let key: String
    let userID: String?
    let guestID: String?
    let name: String?
    let email: String?
    /// With the rights that people and guests have; accounts have those of nobody here.
    let caller: Caller
    let isAdmin: Bool
    let isModerator: Bool

    /// Bound to no groups.
    let isStaff: Bool

    /// - Parameter id: the id that the site gave, a wire id, or the id of an account.
    static func user(_ id: String, _ tenant: Tenant, in session: inout Session) throws(APIError) -> NamedIdentity? {
        for key in ["\(tenant.id):\(id)", id] {
            guard let caller = try Caller.find(key, tenant, in: &session) else { continue }
            return NamedIdentity(caller, key: key)
        }
        guard let account = try AccountSQL.find(id: id, tenant: tenant.id, in: &session) else { return nil }
        return NamedIdentity(account, tenant)
    }

    /// Somebody without sign-on, who needs no record.
    static func guest(_ id: String, _ tenant: Tenant, in session: inout Session) throws(APIError) -> NamedIdentity {
        let key = Identifier.isGuest(id) ? id : "anon:" + id
        let known = try GuestSQL.find(id: key, tenant: tenant.id, in: &session)
        let guest = known ?? Guest(id: key, name: nil, email: nil)
        return NamedIdentity(Caller(tenant: tenant, identity: .guest(guest)), key: key)
    }

    init(_ caller: Caller, key: String) {
        self.key = key
        self.caller = caller
        userID = caller.person?.id
        guestID = caller.guest?.id
        name = caller.person?.shownName ?? caller.guest?.name
        email = caller.person?.email ?? caller.guest?.email
        isAdmin = caller.isAdmin
        isModerator = caller.isModerator
        isStaff = caller.isStaff
    }

    private init(_ account: Account, _ tenant: Tenant) {
        key = account.id
        userID = account.id
        guestID = nil
        name = account.name
        email = account.email
        caller = Caller(tenant: tenant, identity: .nobody)
        isAdmin = account.roles.isAdministrator
        let moderator = Moderator(account, tenant)
        isModerator = account.roles.contains(.moderation) || moderator.isInvited
        isStaff = isAdmin || (isModerator && moderator.groups == nil)
    }
}

extension BackendVisit {
    /// For whom a call is made: the query's `userId`, else `anonUserId`.
    /// - Throws: `missing-user-id`, `missing-anon-user-id`, and `unknown` for an id of nobody (422).
    func actor(unknown: String = "invalid-user", in session: inout Session) throws(APIError) -> NamedIdentity {
        if let id = call.text("userId") { return try user(id, unknown: unknown, in: &session) }
        if let id = call.text("anonUserId") { return try .guest(id, tenant, in: &session) }
        guard call.query["anonUserId"] == nil else {
            throw APIError(422, "missing-anon-user-id", "The query parameter anonUserId is empty.")
        }
        throw APIError(422, "missing-user-id", "The query parameter userId or anonUserId is missing.")
    }

    /// - Throws: `unknown` (422).
    func user(
        _ id: String, unknown: String = "invalid-user", in session: inout Session
    ) throws(APIError) -> NamedIdentity {
        guard let user = try NamedIdentity.user(id, tenant, in: &session) else {
            throw APIError(422, unknown, "There is nobody with this user id.")
        }
        return user
    }

    /// Whose rights bind the call; nil when the key acts for itself.
    /// - Throws: `invalid-user` (422).
    func contextUser(in session: inout Session) throws(APIError) -> NamedIdentity? {
        guard let id = call.text("contextUserId") else { return nil }
        return try user(id, in: &session)
    }
}

extension APIError {
    /// Somebody in whose name a backend acts lacks the right.
    static func contextUnauthorized(_ reason: String) -> APIError {
        APIError(403, "unauthorized", reason, phrase: .notAllowed)
    }
}
