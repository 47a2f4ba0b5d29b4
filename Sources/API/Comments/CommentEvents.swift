import Domain
import JSON
import Live
import Storage

/// Live events about comments (contract: live 2.3).
enum CommentEvents {
    /// An event for whoever sees the comment.
    /// - Parameter broadcastID: nil makes one: events that the sender must not take for the echo of its own request.
    /// - Parameter readers: who hears of it among those.
    static func make(
        _ type: LiveEventType, _ comment: CommentRecord, page: Page, tenant: Tenant, broadcastID: String?,
        positions: CommentPositions? = nil, readers: Audience = .everyone, in session: inout Session
    ) throws(APIError) -> NewEvent {
        let sight = try CommentSight.audience(of: comment.seq, on: page, tenant, in: &session)
        let audience = Audience.all([sight, readers])
        return make(type, comment, page, tenant, broadcastID, positions, for: audience, at: session.now)
    }

    /// An event for an audience that is known already.
    static func make(
        _ type: LiveEventType, _ comment: CommentRecord, _ page: Page, _ tenant: Tenant, _ broadcastID: String?,
        _ positions: CommentPositions? = nil, for audience: Audience, at now: Int64
    ) -> NewEvent {
        let settings = tenant.settings(of: page)
        let payload = LiveComment(record: comment, page: page.urlID, settings: settings)
        return LiveEvent.make(type, broadcastID: broadcastID, audience: audience, at: now) {
            json in
            json.member("comment", payload)
            guard let positions else { return }
            json.key("extraInfo")
            json.object { $0.member("commentPositions", positions) }
        }
    }
}
