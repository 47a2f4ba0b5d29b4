import Domain
import JSON
import Live
import Storage

/// Live events about comments (contract: live 2.3).
enum CommentEvents {
    /// - Parameter broadcastID: nil makes one: events that the sender must not take for the echo of its own request.
    static func make(
        _ type: LiveEventType, _ comment: CommentRecord, page: Page, tenant: Tenant, broadcastID: String?,
        at now: Int64, positions: CommentPositions? = nil
    ) -> NewEvent {
        let payload = LiveComment(record: comment, page: page.urlID, settings: tenant.settings)
        return LiveEvent.make(type, broadcastID: broadcastID, audience: audience(of: comment), at: now) { json in
            json.member("comment", payload)
            guard let positions else { return }
            json.key("extraInfo")
            json.object { $0.member("commentPositions", positions) }
        }
    }

    /// What is not approved is for its author and moderators (contract: live 2.5).
    private static func audience(of comment: CommentRecord) -> Audience {
        comment.isApproved && !comment.isSpam ? .everyone : .author(identity: comment.authorKey ?? "")
    }
}
