import Domain
import HTTP1
import Server
import Storage

/// Somebody who may moderate (contract: admin 1.2, 7).
struct Moderator: Sendable {
    /// Wire id of a person, or id of an account; what votes and flags are kept under.
    let key: String
    let name: String
    /// May do what moderators may not, such as export.
    let isAdmin: Bool
    /// Sees comments that share one of these groups; nil is all.
    let groups: [String]?
    /// What the tenant keeps of the moderator; nil for whoever is one by sign-on or as a user alone.
    private let row: ModeratorRoster.Entry?

    /// The row in which acts are counted.
    var rowID: String? { row?.id }
    /// Whether a row alone makes a moderator.
    var isInvited: Bool { row?.hasAccepted ?? false }

    /// Whether the comment is the moderator's concern.
    func maySee(_ comment: CommentRecord) -> Bool {
        guard let groups else { return true }
        return !Set(comment.moderationGroups ?? []).isDisjoint(with: groups)
    }

    init(_ person: Person, _ caller: Caller) {
        key = person.id
        name = person.shownName
        isAdmin = caller.isAdmin
        groups = caller.moderationGroups
        row = caller.moderatorRow
    }

    init(_ account: Account, _ tenant: Tenant) {
        key = account.id
        name = account.name
        isAdmin = account.roles.isAdministrator
        row = tenant.moderators.entry(user: account.id, email: account.email)
        groups = isAdmin ? nil : row?.groups
    }
}

extension Account {
    /// By a role, or as a moderator who was invited.
    func mayModerate(in session: inout Session) throws(APIError) -> Bool {
        if roles.mayModerate { return true }
        guard let tenant = try TenantSQL.find(tenant, in: &session) else { return false }
        return Moderator(self, tenant).isInvited
    }
}

/// A call of a moderator.
struct ModeratorVisit: Sendable {
    let call: Call
    let tenant: Tenant
    let moderator: Moderator

    /// What the call says of who sends it, as far as that does not change: made on the loop, carries no right yet.
    struct Claim: Sendable {
        let call: Call
        /// Of the sign-on; nil where a cookie stands for it.
        let visit: Visit?

        /// - Throws: `invalid-tenant` (404), `malformed-sso` (401), `domain-unauthorized` (403).
        init(_ call: Call, in session: inout Session) throws(APIError) {
            self.call = call
            visit = call.text("sso") == nil ? nil : try Visit(call, in: &session)
        }
    }

    /// - Throws: `invalid-tenant` (404), `not-logged-in` (401), `unauthorized` (403).
    init(_ claim: Claim, in session: inout Session) throws(APIError) {
        call = claim.call
        if let visit = claim.visit {
            let caller = try Caller.resolve(visit, in: &session)
            guard let person = caller.person else { throw .notLoggedIn }
            guard !person.isSimple, caller.mayModerate else { throw .notModerator }
            tenant = visit.tenant
            moderator = Moderator(person, caller)
            return
        }
        let named = call.text("tenantId")
        if let named, try !TenantSQL.exists(named, in: &session) { throw .invalidTenant }
        guard let token = call.cookie(Account.cookie), let account = try AccountSQL.find(session: token, in: &session),
            let tenant = try TenantSQL.find(account.tenant, in: &session)
        else { throw .notLoggedIn }
        let moderator = Moderator(account, tenant)
        guard tenant.id == named ?? tenant.id, account.roles.mayModerate || moderator.isInvited else {
            throw .notModerator
        }
        // A browser sends the cookie whatever page asks, but says which page that is.
        guard call.isOwnPage else {
            throw APIError(403, "unauthorized", "Another site's page may not use this session.", phrase: .notAllowed)
        }
        self.tenant = tenant
        self.moderator = moderator
    }

    /// The comment named in the path, as far as it is the moderator's concern.
    /// - Throws: `not-found` (404).
    func comment(in session: inout Session) throws(APIError) -> CommentRecord {
        try comment(named: call.parameter("commentId"), in: &session)
    }

    /// A comment, as far as it is the moderator's concern.
    /// - Throws: `not-found` (404).
    func comment(named id: String, in session: inout Session) throws(APIError) -> CommentRecord {
        let comment = try CommentSQL.require(id, tenant: tenant.id, in: &session)
        guard moderator.maySee(comment) else { throw .commentNotFound }
        return comment
    }

    /// Whoever is bound to groups has to do with those who wrote something in one of them.
    /// - Throws: `not-found` (404).
    func requireConcern(author key: String, in session: inout Session) throws(APIError) {
        guard let groups = moderator.groups else { return }
        let found = try session.first(
            """
            SELECT 1 FROM comment WHERE tenant_id = ?1 AND author_key = ?2 AND moderation_groups IS NOT NULL
              AND EXISTS (SELECT 1 FROM json_each(moderation_groups) AS g
                          WHERE g.value IN (SELECT value FROM json_each(?3))) LIMIT 1
            """,
            .text(tenant.id), .text(key), .list(groups)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        if found == nil { throw APIError(404, "not-found", "There is nobody with this id whom you moderate.") }
    }

    /// As above, with a page.
    /// - Parameter page: its canonical id.
    /// - Throws: `not-found` (404).
    func requireConcern(page urlID: String, in session: inout Session) throws(APIError) {
        guard let groups = moderator.groups else { return }
        let found = try session.first(
            """
            SELECT 1 FROM comment AS c JOIN page AS p ON p.id = c.page_id
            WHERE p.tenant_id = ?1 AND p.url_id = ?2 AND c.moderation_groups IS NOT NULL
              AND EXISTS (SELECT 1 FROM json_each(c.moderation_groups) AS g
                          WHERE g.value IN (SELECT value FROM json_each(?3))) LIMIT 1
            """,
            .text(tenant.id), .text(urlID), .list(groups)
        ) { (row) throws(APIError) -> Int in row.int(0) }
        if found == nil { throw APIError(404, "not-found", "There is no page with this id that you moderate.") }
    }

    /// A change to comments by this moderator.
    func change() throws(APIError) -> CommentModeration {
        let id = try call.broadcastID()
        return CommentModeration(
            tenant: tenant, services: call.services, actor: moderator, broadcastID: id.isEmpty ? nil : id)
    }
}

extension APIError {
    static let notModerator = APIError(
        403, "unauthorized", "Only administrators and moderators may do that.", phrase: .notAllowed)
}
