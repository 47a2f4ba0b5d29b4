import Domain
import JSON
import Live
import Storage

/// Live events about comments (contract: live 2.3).
enum CommentEvents {
    /// - Parameter broadcastID: nil makes one: events that the sender must not take for the echo of its own request.
    /// - Parameter audience: who hears of it among those who see the comment, and everything above it.
    static func make(
        _ type: LiveEventType, _ comment: CommentRecord, page: Page, tenant: Tenant, broadcastID: String?,
        positions: CommentPositions? = nil, audience: Audience = .everyone, in session: inout Session
    ) throws(APIError) -> NewEvent {
        let settings = tenant.settings(of: page)
        let sight = try CommentSight.audience(of: comment.seq, on: page, tenant, in: &session)
        let payload = LiveComment(record: comment, page: page.urlID, settings: settings)
        return LiveEvent.make(type, broadcastID: broadcastID, audience: .all([sight, audience]), at: session.now) {
            json in
            json.member("comment", payload)
            guard let positions else { return }
            json.key("extraInfo")
            json.object { $0.member("commentPositions", positions) }
        }
    }
}
