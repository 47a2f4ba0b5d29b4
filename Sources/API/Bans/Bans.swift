import Domain
import JSON
import Storage

/// Who is banned now, and what that means for what they do (contract: public 22.8, admin 6.6).
enum Bans {
    /// The ban in force that says most: one that is told before one that is not, then the one that lasts longest. Costs
    /// one look-up where the tenant has banned nobody.
    static func find(
        _ identities: @autoclosure () -> Identities, tenant: String, in session: inout Session
    ) throws(APIError) -> Ban? {
        guard try BanSQL.exists(tenant: tenant, in: &session) else { return nil }
        return try BanSQL.matching(identities(), tenant: tenant, in: &session).max { left, right in
            guard left.isShadow == right.isShadow else { return left.isShadow }
            return (left.until ?? .max) < (right.until ?? .max)
        }
    }

    /// Which of these comments are by somebody who is banned now, by what their rows say.
    static func banned(
        among comments: [Int64], tenant: String, in session: inout Session
    ) throws(APIError) -> Set<Int64> {
        guard try BanSQL.exists(tenant: tenant, in: &session) else { return [] }
        return Set(
            try session.query(
                """
                SELECT wanted.value FROM json_each(?1) AS wanted
                WHERE EXISTS (
                    SELECT 1 FROM comment_ban AS b
                    WHERE b.comment_seq = wanted.value AND b.tenant_id = ?2 AND (b.until IS NULL OR b.until > ?3))
                """,
                .text(JSONText.numbers(comments)), .text(tenant), .integer(session.now)
            ) { (row) throws(APIError) -> Int64 in row.int64(0) })
    }
}

/// What somebody wants to do that a ban forbids.
struct BannedAct: Sendable {
    /// As the audit log names it.
    let resource: String
    let act: AuditLog.Act
    /// For the audit log.
    let description: String

    static let comment = BannedAct(
        resource: "Comment", act: .create, description: "Banned user blocked from commenting.")
    static let edit = BannedAct(resource: "Comment", act: .update, description: "Banned user blocked from editing.")
    static let vote = BannedAct(resource: "Vote", act: .create, description: "Banned user blocked from voting.")
    static let post = BannedAct(
        resource: "FeedPost", act: .create, description: "Banned user blocked from posting to the feed.")
    static let editPost = BannedAct(
        resource: "FeedPost", act: .update, description: "Banned user blocked from editing a post of the feed.")

    /// Does what somebody asks for, unless they are banned: then it is refused, or, when they shall not learn it, done
    /// and taken back, so that the answer is the one they would have got. The attempt is noted either way.
    /// - Parameters:
    ///   - email: of a guest, as the request says it.
    ///   - owner: whom a key for editing stands for, where nobody else is known.
    /// - Returns: a refusal is `banned` (403).
    func perform(
        by caller: Caller, _ call: Call, email: String? = nil, owner: CommentRecord? = nil,
        in session: inout Session, _ body: (inout Session) throws(APIError) -> Reply
    ) throws(APIError) -> Reply {
        let tenant = caller.tenant.id
        let identities = Identities(
            key: caller.key ?? owner?.authorKey,
            email: caller.person?.email ?? email ?? caller.guest?.email ?? (caller.key == nil ? owner?.email : nil))
        guard !caller.mayModerate, let ban = try ban(of: identities, call, tenant: tenant, in: &session) else {
            return try body(&session)
        }
        let reply = ban.isShadow ? try body(&session) : .refused(.banned(ban))
        try session.rewind()
        let name = caller.person?.shownName ?? caller.guest?.name ?? ban.username ?? ""
        try AuditLog.note(
            act, resource, description, from: .ui, by: identities.key.map { ($0, name) }, call, tenant: tenant,
            in: &session)
        return reply
    }

    private func ban(
        of identities: Identities, _ call: Call, tenant: String, in session: inout Session
    ) throws(APIError) -> Ban? {
        try Bans.find(identities.from(call, tenant: tenant), tenant: tenant, in: &session)
    }
}

extension Identities {
    /// The same, with the address that a call comes from.
    func from(_ call: Call, tenant: String) -> Identities {
        var identities = self
        identities.addressHash = call.services.addresses.of(call.clientAddress.key, tenant: tenant)
        return identities
    }
}

extension APIError {
    /// 403, with the end of the ban where it has one.
    static func banned(_ ban: Ban) -> APIError {
        let end = ban.until.map { " until \(ISODate.format(milliseconds: $0))" } ?? ""
        let reason = ban.reason.map { " Reason: \($0)" } ?? ""
        var error = APIError(
            403, "banned", "You may not write here\(end).\(reason)",
            phrase: ban.reason == nil ? .banned : .bannedBecause)
        error.phraseDetail = ban.reason ?? ""
        error.bannedUntil = ban.until
        return error
    }
}
