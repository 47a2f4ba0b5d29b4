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

    /// Whether the comment is the moderator's concern.
    func maySee(_ comment: CommentRecord) -> Bool {
        guard let groups else { return true }
        return !Set(comment.moderationGroups ?? []).isDisjoint(with: groups)
    }

    init(_ person: Person, isAdmin: Bool, tenant: String, in session: inout Session) throws(APIError) {
        key = person.id
        name = person.shownName
        self.isAdmin = isAdmin
        groups = isAdmin ? nil : try ModeratorSQL.groups(of: person.id, tenant: tenant, in: &session)
    }

    init(_ account: Account) {
        key = account.id
        name = account.name
        isAdmin = account.roles.isAdministrator
        groups = nil
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
            guard !person.isSimple, caller.isStaff else { throw .notModerator }
            tenant = visit.tenant
            moderator = try Moderator(person, isAdmin: caller.isAdmin, tenant: tenant.id, in: &session)
            return
        }
        let named = call.text("tenantId")
        if let named, try !TenantSQL.exists(named, in: &session) { throw .invalidTenant }
        guard let token = call.cookie(Account.cookie), let account = try AccountSQL.find(session: token, in: &session),
            let tenant = try TenantSQL.find(account.tenant, in: &session)
        else { throw .notLoggedIn }
        guard tenant.id == named ?? tenant.id, account.roles.mayModerate else { throw .notModerator }
        // A browser sends the cookie whatever page asks, but says which page that is.
        guard call.isOwnPage else {
            throw APIError(403, "unauthorized", "Another site's page may not use this session.", phrase: .notAllowed)
        }
        self.tenant = tenant
        moderator = Moderator(account)
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

enum ModeratorSQL {
    /// Groups that bind somebody; nil is none.
    static func groups(of user: String, tenant: String, in session: inout Session) throws(APIError) -> [String]? {
        try session.first(
            "SELECT moderation_groups FROM moderator WHERE tenant_id = ?1 AND user_id = ?2", .text(tenant), .text(user)
        ) { (row) throws(APIError) -> [String]? in row.textOrNil(0).map(JSONText.strings) } ?? nil
    }

    /// Whether this is somebody who runs the tenant or accepted to moderate it, by wire id or address.
    static func isStaff(
        _ user: String?, email: String?, of tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Bool {
        if let email, tenant.ownerEmail?.lowercased() == email.lowercased() { return true }
        return try session.first(
            """
            SELECT 1 FROM account WHERE tenant_id = ?1 AND email = ?2
            UNION ALL
            SELECT 1 FROM moderator WHERE tenant_id = ?1 AND email_key = ?3 AND has_accepted = 1
            UNION ALL
            SELECT 1 FROM moderator WHERE tenant_id = ?1 AND user_id = ?4 AND has_accepted = 1
            """,
            .text(tenant.id), .text(email?.lowercased()), .text(email.map(EmailAddress.key)), .text(user)
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }

    /// Counts an act of somebody who has a row (contract: admin 6.3).
    static func count(
        _ act: ModeratorAct, by user: String, tenant: String, in session: inout Session
    ) throws(APIError) {
        try session.run(
            """
            UPDATE moderator SET
                reviewed_count = reviewed_count + (?3 = 'reviewed'), deleted_count = deleted_count + (?3 = 'deleted'),
                spam_count = spam_count + (?3 = 'spam'), not_spam_count = not_spam_count + (?3 = 'not-spam'),
                approved_count = approved_count + (?3 = 'approved'),
                unapproved_count = unapproved_count + (?3 = 'unapproved'),
                edited_count = edited_count + (?3 = 'edited'), banned_count = banned_count + (?3 = 'banned'),
                unflagged_count = unflagged_count + (?3 = 'unflagged')
            WHERE tenant_id = ?1 AND user_id = ?2
            """,
            .text(tenant), .text(user), .text(act.rawValue))
    }
}

/// What is counted of a moderator.
enum ModeratorAct: String, Sendable {
    case reviewed, deleted, spam, approved, unapproved, edited, banned, unflagged
    case notSpam = "not-spam"
}
