import Domain
import Storage

/// In whose name a comment is written (contract: public 3.5, 6.2).
struct CommentAuthor: Sendable {
    /// The caller, as the guest whom this call made, where it made one.
    let caller: Caller
    /// Wire id.
    let key: String
    let name: String
    let email: String?
    let label: String?
    /// The token of a guest's session.
    let sessionToken: String?
    /// This call began that session.
    let beganSession: Bool

    var guest: Guest? { caller.guest }

    /// - Throws: `invalid-name`, `invalid-name-is-email`, `invalid-email`, `username-taken` (422).
    init(_ input: NewComment, _ caller: Caller, in session: inout Session) throws(APIError) {
        if let person = caller.person {
            self.caller = caller
            key = person.id
            name = person.shownName
            email = person.email
            label = person.displayLabel
            sessionToken = nil
            beganSession = false
            return
        }
        let settings = caller.settings
        let name = try Self.guestName(input.name ?? caller.guest?.name, settings)
        let email = try Self.guestEmail(input.email ?? caller.guest?.email, settings)
        try Self.requireFree(name, email: email, tenant: caller.tenant.id, in: &session)
        let guest: Guest
        if let known = caller.guest {
            guest = try GuestSQL.touch(known, name: name, email: email, tenant: caller.tenant.id, in: &session)
            sessionToken = input.visit.sessionToken
            beganSession = false
        } else {
            let created = try GuestSQL.create(name: name, email: email, tenant: caller.tenant.id, in: &session)
            guest = created.guest
            sessionToken = created.token
            beganSession = true
        }
        self.caller = Caller(tenant: caller.tenant, identity: .guest(guest), settings: settings)
        self.name = name
        self.email = email
        key = guest.id
        label = nil
    }

    private static func guestName(_ name: String?, _ settings: WidgetSettings) throws(APIError) -> String {
        let name = name ?? ""
        if name.isEmpty, settings.allowsAnonymous { return settings.defaultUsername ?? "Anonymous" }
        guard !name.isEmpty, name.unicodeScalars.count <= CommenterName.guestLimit else {
            throw APIError(
                422, "invalid-name", "commenterName must have 1 to \(CommenterName.guestLimit) characters.",
                phrase: .nameInvalid)
        }
        guard !EmailAddress.isValid(name) else {
            throw APIError(422, "invalid-name-is-email", "commenterName is an e-mail address.", phrase: .nameIsEmail)
        }
        return name
    }

    private static func guestEmail(_ email: String?, _ settings: WidgetSettings) throws(APIError) -> String? {
        guard let email, !email.isEmpty else {
            if settings.allowsAnonymous || settings.disablesEmailInputs { return nil }
            throw APIError(422, "invalid-email", "commenterEmail is missing.", phrase: .emailInvalid)
        }
        guard EmailAddress.isValid(email) else {
            throw APIError(422, "invalid-email", "commenterEmail is no e-mail address.", phrase: .emailInvalid)
        }
        return email
    }

    /// A guest may not take the name of somebody registered under another address.
    private static func requireFree(
        _ name: String, email: String?, tenant: String, in session: inout Session
    ) throws(APIError) {
        if try isTaken(name, email: email, tenant: tenant, in: &session) {
            throw APIError(422, "username-taken", "This name belongs to somebody else.", phrase: .nameTaken)
        }
    }

    /// Whether somebody with another address is registered under a name.
    static func isTaken(
        _ name: String, email: String?, tenant: String, in session: inout Session
    ) throws(APIError) -> Bool {
        try session.first(
            """
            SELECT 1 FROM person
            WHERE tenant_id = ?1 AND (username_key = ?2 OR display_key = ?2) AND (email_key IS NULL OR email_key <> ?3)
            LIMIT 1
            """,
            .text(tenant), .text(name.lowercased()), .text(email?.lowercased() ?? "")
        ) { (row) throws(APIError) -> Int in row.int(0) } != nil
    }
}

/// How fast somebody may write (contract: public 22.3).
enum CommentLimits {
    static func note(_ input: NewComment, _ author: CommentAuthor, at now: Int64) {
        guard !input.visit.tenant.isExemptFromLimits else { return }
        input.visit.call.services.limits.noteComment(keys(input, author), at: now)
    }

    /// A person counts by id alone; a guest by session and by address, since sessions are free.
    fileprivate static func keys(_ input: NewComment, _ author: CommentAuthor) -> [String] {
        let tenant = input.visit.tenant.id
        guard author.guest != nil else { return ["\(tenant) person \(author.key)"] }
        return ["\(tenant) guest \(author.key)", "\(tenant) address \(input.visit.call.clientAddress.key)"]
    }
}

extension CommentMatter {
    /// A comment that somebody writes.
    init(_ input: NewComment, _ author: CommentAuthor) {
        self.init(
            tenant: input.visit.tenant, services: input.visit.call.services, questions: .all, draft: input.draft,
            screening: input.screening, authorKey: author.key, isStaff: author.caller.mayModerate,
            isVerified: author.caller.isVerified)
        limit = author.caller.settings.commentsPerMinute
        limitKeys = CommentLimits.keys(input, author)
        urlID = input.urlID
        parentID = input.parentID
        passerBy = author.beganSession ? (author.name, author.email) : nil
    }
}
