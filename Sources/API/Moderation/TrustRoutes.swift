import Domain
import HTTP1
import JSON
import Storage

/// What moderators learn of somebody, and how far they trust them (contract: admin 6.7).
enum TrustRoutes {
    static func register(on routes: inout Routes) {
        let base = "moderate-comments/mod_api/"
        routes.moderation(.get, base + "get-trust-factor", "getTrustFactor", read: trustFactor)
        routes.moderation(.put, base + "set-trust-factor", "setTrustFactor", write: setTrustFactor)
        routes.moderation(
            .get, base + "get-user-internal-profile", "getUserInternalProfile", read: internalProfile)
    }

    private static func trustFactor(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let tenant = visit.tenant.id
        let id = try visit.call.required("userId")
        let trust = try NamedUser.key(id, tenant: tenant, in: &session).map { (key) throws(APIError) -> Trust in
            try visit.requireConcern(author: key, in: &session)
            return try Trust.of(key, tenant: tenant, in: &session)
        }
        return .json(
            Answer { json in
                if let factor = trust?.automatic { json.member("autoTrustFactor", factor) }
                if let factor = trust?.manual { json.member("manualTrustFactor", factor) }
            })
    }

    private static func setTrustFactor(
        _ visit: ModeratorVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let tenant = visit.tenant.id
        let id = try visit.call.required("userId")
        let factor = try factor(visit.call)
        guard let key = try NamedUser.key(id, tenant: tenant, in: &session) else {
            throw APIError(404, "user-does-not-exist", "There is no user with this id.")
        }
        try visit.requireConcern(author: key, in: &session)
        let previous = try Trust.of(key, tenant: tenant, in: &session).manual
        if factor != previous {
            try Trust.set(factor, for: key, tenant: tenant, in: &session)
            let now = factor.map { "is \($0) now" } ?? "follows from what they write again"
            try visit.note(.update, "TrustFactor", "The trust in \(key) \(now).", in: &session)
        }
        return .json(Answer { if let previous { $0.member("previousManualTrustFactor", previous) } })
    }

    /// nil for none, which takes back what was set.
    private static func factor(_ call: Call) throws(APIError) -> Int? {
        guard let number = try call.integer("trustFactor") else { return nil }
        guard let factor = Int(exactly: number), TrustFactor.range.contains(factor) else {
            throw .invalidInput("trustFactor must be a whole number from 0 to 100.")
        }
        return factor
    }

    // MARK: Profile

    private static func internalProfile(
        _ visit: ModeratorVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let comment = try visit.comment(named: visit.call.required("commentId"), in: &session)
        let profile = try InternalProfile(of: comment, in: &session)
        return .json(
            Answer { json in
                json.key("profile")
                profile.write(to: &json)
            })
    }
}

/// The author of a comment, as nobody but moderators sees them.
private struct InternalProfile: JSONWritable, Sendable {
    let comment: CommentRecord
    let person: Person?
    let addressHash: String?
    let firstCommentDate: Int64?
    /// Votes on what they wrote.
    let karma: Int64?

    init(of comment: CommentRecord, in session: inout Session) throws(APIError) {
        self.comment = comment
        person = try comment.userID.flatMap { (id) throws(APIError) -> Person? in
            try PersonSQL.find(id, tenant: comment.tenant, in: &session)?.person
        }
        addressHash = try Identities(of: comment, in: &session).addressHash
        let totals = try session.first(
            """
            SELECT MIN(created_at), SUM(votes_up - votes_down) FROM comment
            WHERE tenant_id = ?1 AND author_key = ?2 AND is_deleted = 0
            """,
            .text(comment.tenant), .text(comment.authorKey)
        ) { (row) throws(APIError) -> (Int64?, Int64?) in (row.int64OrNil(0), row.int64OrNil(1)) }
        firstCommentDate = totals?.0
        karma = totals?.1
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("commenterName", comment.name)
            json.member("firstCommentDate", dateOrNull: firstCommentDate)
            json.member("ipHash", ifPresent: addressHash)
            json.member("websiteUrl", orNull: comment.link)
            if let karma { json.member("karma", karma) }
            json.member("locale", ifPresent: person?.locale ?? comment.locale)
            json.member("verified", comment.isVerified)
            json.member("avatarSrc", orNull: comment.shownAvatar)
            json.member("displayName", ifPresent: person?.displayName)
            json.member("username", ifPresent: person?.username)
            json.member("commenterEmail", orNull: comment.email)
            json.member("email", orNull: person?.email)
            json.member("anonUserId", orNull: comment.guestID)
            json.member("userId", orNull: comment.userID)
        }
    }
}
