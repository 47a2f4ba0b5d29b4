import Domain
import JSON
import Storage

/// What a moderator asks for with a ban.
private struct BanRequest {
    /// Characters of a reason at most.
    static let reasonLimit = 1000

    let byEmail: Bool
    let byDomain: Bool
    let byAddress: Bool
    let removesAll: Bool
    let isShadow: Bool
    let end: BanEnd
    /// Possibly a ban that is to be changed; some clients send something else under that name.
    let updateID: String?
    let reason: String?

    /// - Throws: `invalid-input` (400).
    init(_ call: Call, at now: Int64) throws(APIError) {
        byEmail = try call.flag("banEmail") ?? false
        byDomain = try call.flag("banEmailDomain") ?? false
        byAddress = try call.flag("banIP") ?? false
        removesAll = try call.flag("deleteAllUsersComments") ?? false
        isShadow = try call.flag("isShadowBan") ?? false
        updateID = call.text("updateId")
        let reason = call.text("banReason")?.composed.plainLine ?? ""
        guard reason.unicodeScalars.count <= Self.reasonLimit else {
            throw .invalidInput("banReason has more than \(Self.reasonLimit) characters.")
        }
        self.reason = reason.isEmpty ? nil : reason
        guard byEmail || byDomain || byAddress else {
            throw .invalidInput("One of banEmail, banEmailDomain and banIP must be true.")
        }
        guard let end = BanEnd(call.text("bannedUntil"), now: now) else {
            let words = BanDuration.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidInput("bannedUntil must be one of \(words), or a date to come.")
        }
        self.end = end
    }
}

extension BanRoutes {
    /// Bans the author of a comment and removes it (contract: admin 6.6).
    static func banUserFromComment(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let request = try BanRequest(visit.call, at: session.now)
        let comment = try visit.comment(in: &session)
        guard try !isStaff(comment, visit.tenant, in: &session) else {
            throw APIError(
                403, "unauthorized", "Administrators and moderators cannot be banned.", phrase: .notAllowed)
        }
        let identities = try Identities(of: comment, in: &session)
        let choice = IdentityChoice(
            identities, byEmail: request.byEmail, byDomain: request.byDomain, byAddress: request.byAddress)
        guard !choice.isEmpty else {
            throw APIError(
                422, "cannot-ban", "Nothing is known of the author of this comment that the ban could go by.")
        }
        let changelog = try save(request, choice, identities, comment, visit, in: &session)
        try finish(request, choice, comment, visit, in: &session)
        return .json(
            Answer { json in
                json.key("changelog")
                changelog.write(to: &json)
            })
    }

    /// Puts the ban in place of those of the same identities.
    private static func save(
        _ request: BanRequest, _ choice: IdentityChoice, _ identities: Identities, _ comment: CommentRecord,
        _ visit: ModeratorVisit, in session: inout Session
    ) throws(APIError) -> BanChangelog {
        let tenant = visit.tenant.id
        let known = try request.updateID.flatMap { (id) throws(APIError) -> Ban? in
            try BanSQL.find(id, tenant: tenant, in: &session)
        }.flatMap { isOwn($0, visit) ? $0 : nil }
        let ban = Ban(
            id: known?.id ?? Identifier.timeOrdered(at: session.now), tenant: tenant,
            createdAt: known?.createdAt ?? session.now, bannedBy: visit.moderator.key, commentText: comment.source,
            username: comment.name, isShadow: request.isShadow, until: request.end.until,
            email: choice.emailDomain.map { "*@" + $0 } ?? (choice.emailKey == nil ? nil : identities.email),
            choice: choice, reason: request.reason)
        let replaced = try BanSQL.same(choice, tenant: tenant, in: &session).filter { $0.id != ban.id }
        let now = session.now
        guard replaced.allSatisfy({ isOwn($0, visit) || ($0.until ?? .max) <= now }) else {
            throw APIError(403, "unauthorized", "Somebody else banned this author already.", phrase: .notAllowed)
        }
        for old in replaced {
            try BanSQL.remember(old.id, tenant: tenant, in: &session)
            try BanSQL.delete(old.id, tenant: tenant, in: &session)
        }
        if let known { try BanSQL.remember(known.id, tenant: tenant, in: &session) }
        try BanSQL.save(ban, in: &session)
        try ModeratorRoom.tellOfBans(tenant: tenant, in: &session)
        try visit.note(
            known == nil ? .create : .update, "BannedUser", "\(ban.username ?? "Somebody") was banned.", in: &session)
        return BanChangelog(ban: ban, before: known, replaced: replaced)
    }

    /// Whoever is bound to groups changes no ban that somebody else imposed.
    private static func isOwn(_ ban: Ban, _ visit: ModeratorVisit) -> Bool {
        visit.moderator.groups == nil || ban.bannedBy == visit.moderator.key
    }

    /// Removes what was written, and notes what the moderator did.
    private static func finish(
        _ request: BanRequest, _ choice: IdentityChoice, _ comment: CommentRecord, _ visit: ModeratorVisit,
        in session: inout Session
    ) throws(APIError) {
        let (tenant, services, moderator) = (visit.tenant, visit.call.services, visit.moderator.key)
        // Clients take an id of their own in what they are told for the echo of what they have done themselves.
        _ = try CommentDeletion(tenant: tenant, broadcastID: nil, services: services)
            .run(comment, by: .backend, in: &session)
        if request.removesAll {
            try BanSweep.begin(choice, groups: visit.moderator.groups, tenant, services, in: &session)
        }
        let last = try BanPreference.find(moderator, tenant: tenant.id, in: &session)
        try BanPreference(
            byEmail: request.byEmail, byAddress: request.byAddress, isShadow: request.isShadow,
            duration: request.end.duration ?? last?.duration ?? .oneDay
        ).save(for: moderator, tenant: tenant.id, in: &session)
        try ModeratorSQL.count(.banned, by: visit.moderator, in: &session)
    }

    /// Whether the author is an administrator or a moderator, by what is known of them now.
    private static func isStaff(
        _ comment: CommentRecord, _ tenant: Tenant, in session: inout Session
    ) throws(APIError) -> Bool {
        guard let key = comment.userID, let caller = try Caller.find(key, tenant, in: &session) else {
            return comment.isByAdmin || comment.isByModerator
        }
        if caller.mayModerate { return true }
        // An address that nobody signed may be anybody's.
        let address = caller.person.flatMap { $0.isSimple ? nil : $0.email }
        return try ModeratorSQL.isStaff(key, email: address, of: tenant, in: &session)
    }
}

/// What a ban changed, as the client gives it back to undo it; closed key set.
private struct BanChangelog: JSONWritable, Sendable {
    let ban: Ban
    /// How it was; nil for a new one.
    let before: Ban?
    let replaced: [Ban]

    func write(to json: inout JSONWriter) {
        json.object { json in
            if let before {
                json.member("updatedBannedUserId", ban.id)
                json.key("changedValuesBefore")
                before.write(to: &json)
            } else {
                json.member("createdBannedUserId", ban.id)
            }
            json.key("deletedBannedUsers")
            json.beginArray()
            for old in replaced { old.write(to: &json) }
            json.endArray()
        }
    }
}
