import Domain
import Storage

/// Who asks, with what the store knows of them (contract: public 3).
struct Caller: Sendable {
    enum Identity: Sendable {
        case person(Person)
        case guest(Guest)
        case nobody
    }

    let tenant: Tenant
    let identity: Identity
    /// What holds on the page that the request names; on pages that a comment leads to, ask the tenant.
    let settings: WidgetSettings

    /// - Parameter settings: of the page that is meant; nil is what holds everywhere.
    init(tenant: Tenant, identity: Identity, settings: WidgetSettings? = nil) {
        self.tenant = tenant
        self.identity = identity
        self.settings = settings ?? tenant.settings
    }

    /// Wire id of the person or guest; what votes, flags, blocks and comments are kept under.
    var key: String? {
        switch identity {
        case .person(let person): person.id
        case .guest(let guest): guest.id
        case .nobody: nil
        }
    }

    var person: Person? {
        if case .person(let person) = identity { person } else { nil }
    }

    var guest: Guest? {
        if case .guest(let guest) = identity { guest } else { nil }
    }

    /// May see, change and delete what others wrote, whatever its groups.
    var isStaff: Bool { mayModerate && moderationGroups == nil }

    /// May do what moderators do, within their groups.
    var mayModerate: Bool { isAdmin || isModerator || rolesByAddress.mayModerate }

    /// By the signed flag, or by a row that names the caller: what is not signed confers nothing.
    var isModerator: Bool {
        guard let person, !person.isSimple else { return false }
        guard let row = moderatorRow, row.hasAccepted else { return person.isModerator }
        return person.isModerator || row.userID == person.id || !tenant.settings.disablesAdminByAddress
    }

    /// What the tenant keeps of the caller as a moderator, by id or signed address.
    var moderatorRow: ModeratorRoster.Entry? {
        guard let person, !person.isSimple else { return nil }
        return tenant.moderators.entry(user: person.id, email: person.email)
    }

    /// Groups that bind the caller as a moderator; nil is all.
    var moderationGroups: [String]? { isAdmin ? nil : moderatorRow?.groups }

    /// By the signed flag, or because the address is that of somebody who runs the tenant.
    var isAdmin: Bool {
        guard let person, !person.isSimple else { return false }
        return person.isAdmin || rolesByAddress.isAdministrator
    }

    /// Of the user of the tenant who has the caller's signed address.
    private var rolesByAddress: AccountRoles {
        guard let person, !person.isSimple, let email = person.email?.lowercased(),
            !tenant.settings.disablesAdminByAddress
        else { return [] }
        return tenant.ownerEmail?.lowercased() == email ? .owner : tenant.staff[email] ?? []
    }

    /// What of a thread is visible.
    var viewer: ThreadViewer {
        if isStaff { return .staff }
        return key.map { .author($0) } ?? .reader
    }

    /// Groups whose comments the caller may see; nil is all, empty none. What is not signed confers none.
    var groups: [String]? {
        if isStaff { return nil }
        guard let person, !person.isSimple else { return [] }
        return person.groupIDs
    }

    /// Whether names and votes count as verified: signed on with an address.
    var isVerified: Bool {
        guard let person else { return false }
        return !person.isSimple || person.email != nil
    }

    /// Looks the visitor up; creates or updates a person on sight.
    /// - Throws: `needsWrite` when a reader finds that something must be written.
    static func resolve(_ visit: Visit, in session: inout Session) throws(APIError) -> Caller {
        let tenant = visit.tenant
        if let sso = visit.sso {
            let person = try PersonSQL.update(sso, of: tenant, in: &session)
            return Caller(tenant: tenant, identity: .person(person), settings: visit.settings)
        }
        if let token = visit.sessionToken,
            let guest = try GuestSQL.find(token: token, tenant: tenant.id, in: &session)
        {
            return Caller(tenant: tenant, identity: .guest(guest), settings: visit.settings)
        }
        return Caller(tenant: tenant, identity: .nobody, settings: visit.settings)
    }

    /// The person or guest with this wire id, away from any request; nil when there is none.
    static func find(_ key: String, _ tenant: Tenant, in session: inout Session) throws(APIError) -> Caller? {
        if let person = try PersonSQL.find(key, tenant: tenant.id, in: &session)?.person {
            return Caller(tenant: tenant, identity: .person(person))
        }
        guard let guest = try GuestSQL.find(id: key, tenant: tenant.id, in: &session) else { return nil }
        return Caller(tenant: tenant, identity: .guest(guest))
    }

    /// Creates or updates the person of a call's sign-on. On the writer.
    /// - Returns: whether the call names somebody.
    static func makeKnown(_ call: Call, in session: inout Session) throws(APIError) -> Bool {
        let visit = try Visit(call, in: &session)
        let caller = try resolve(visit, in: &session)
        return caller.key != nil
    }

    // MARK: Rights

    /// The key under which something of the caller is kept.
    /// - Throws: `not-logged-in` (401).
    func requireKey() throws(APIError) -> String {
        guard let key else { throw .notLoggedIn }
        return key
    }

    /// - Throws: `not-logged-in` or `unauthorized` (401).
    func requireStaff() throws(APIError) {
        if isStaff { return }
        if key == nil { throw .notLoggedIn }
        throw .unauthorized("Only administrators and moderators may do that.")
    }

    /// What holds on a page; nil is the page that the request names.
    private func settings(of page: Page?) -> WidgetSettings { page.map { tenant.settings(of: $0) } ?? settings }

    /// Whether the rule about sign-on lets the caller in (contract: public 3.4).
    private func satisfiesSignOnRule(_ settings: WidgetSettings) -> Bool {
        guard settings.requiresSSO, !isAdmin else { return true }
        guard let person else { return false }
        return !(person.isSimple && settings.requiresSecureSSO)
    }

    /// Whether the caller may read a page; nil is the one that the request names, where nothing was written yet.
    func mayRead(_ page: Page?) -> Bool {
        satisfiesSignOnRule(settings(of: page)) && (page.map(mayEnter) ?? true)
    }

    /// - Throws: `unauthorized-page` (403).
    func requireReading(_ page: Page?) throws(APIError) {
        guard mayRead(page) else {
            throw APIError(
                403, "unauthorized-page", "You do not have access to this page.", phrase: .pageNotAccessible)
        }
    }

    /// - Throws: `login-required` (401), `locked` (401), `unauthorized-page` (403).
    func requireWriting(_ page: Page?) throws(APIError) {
        let settings = settings(of: page)
        guard !settings.isReadOnly else {
            throw APIError(401, "locked", "This page is read only.", phrase: .readOnly)
        }
        guard satisfiesSignOnRule(settings) else {
            throw APIError(401, "login-required", "This page requires single sign-on.", phrase: .loginRequired)
        }
        try requireReading(page)
    }

    /// Group rule of a page (contract: public 5.6).
    private func mayEnter(_ page: Page) -> Bool {
        guard let required = page.groupIDs, !isAdmin else { return true }
        guard !required.isEmpty, let person else { return false }
        guard let own = person.groupIDs else { return !person.isSimple }
        return !Set(own).isDisjoint(with: required)
    }
}

extension APIError {
    static let notLoggedIn = APIError(
        401, "not-logged-in", "This needs somebody who is signed in.", phrase: .loginRequired)

    static let invalidTenant = APIError(404, "invalid-tenant", "There is no tenant with this id.")

    static func unauthorized(_ reason: String) -> APIError {
        APIError(401, "unauthorized", reason, phrase: .notAllowed)
    }
}
