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
