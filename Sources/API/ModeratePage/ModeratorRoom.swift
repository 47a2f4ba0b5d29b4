import Domain
import JSON
import Live
import Storage

/// What open pages of moderators hear: that something happened to comments, whoever sees them. The events carry ids
/// alone; what a moderator may know of them is read through the API, which minds groups. No reader's socket gets them.
enum ModeratorRoom {
    /// Where the socket opens.
    static let path = "/auth/my-account/moderate-comments/live"
    /// Ids of one event at most.
    private static let chunk = 200

    /// Who opens a socket, by a session or a secure sign-on that is known already.
    /// - Throws: `invalid-tenant` (404); `not-logged-in`, `malformed-sso` (401); `unauthorized`,
    ///   `domain-unauthorized` (403).
    static func visit(_ call: Call, in session: inout Session) throws(APIError) -> ModeratorVisit {
        do {
            return try ModeratorVisit(ModeratorVisit.Claim(call, in: &session), in: &session)
        } catch {
            // Opening a socket writes nothing: who was never seen, or has changed, must read something first.
            throw error.reroute == nil ? error : .notLoggedIn
        }
    }

    /// Under which a moderator's socket is known, which is on no page.
    static func identity(of key: String) -> String { prefix + key }

    /// The moderator's key; nil for somebody on a page.
    static func key(of identity: String) -> String? {
        identity.hasPrefix(prefix) ? String(identity.dropFirst(prefix.count)) : nil
    }

    /// Whether the user of the tenant, or the person, with this key still moderates.
    static func admits(_ key: String, _ tenant: Tenant, in session: inout Session) throws(APIError) -> Bool {
        if let account = try AccountSQL.find(id: key, tenant: tenant.id, in: &session) {
            return try account.mayModerate(in: &session)
        }
        return try Caller.find(key, tenant, in: &session)?.mayModerate == true
    }

    /// No wire id of a person begins like this: theirs begin with the id of a tenant, which has no asterisk.
    private static let prefix = "*moderator:"

    /// These comments came, changed or went.
    static func tell(
        of comments: [String], broadcastID: String? = nil, tenant: String, in session: inout Session
    ) throws(APIError) {
        for start in stride(from: 0, to: comments.count, by: chunk) {
            let part = Array(comments[start..<min(start + chunk, comments.count)])
            try emit(part, broadcastID, tenant, in: &session)
        }
    }

    /// Somebody was banned, or is not any more, which shows on whatever they wrote.
    static func tellOfBans(tenant: String, in session: inout Session) throws(APIError) {
        try emit([], nil, tenant, in: &session)
    }

    private static func emit(
        _ comments: [String], _ broadcastID: String?, _ tenant: String, in session: inout Session
    ) throws(APIError) {
        let event = LiveEvent.make(.moderation, broadcastID: broadcastID, isLogged: false, at: session.now) { json in
            json.member("commentIds", comments)
        }
        try session.emit(event, to: RoomKey(moderatorsOf: tenant))
    }
}
