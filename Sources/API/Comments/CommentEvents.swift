import Domain
import JSON
import Live
import Storage

/// Live events about comments (contract: live 2.3).
enum CommentEvents {
    /// - Parameter broadcastID: nil makes one: events that the sender must not take for the echo of its own request.
    /// - Parameter audience: nil is everybody who may see the comment.
    static func make(
        _ type: LiveEventType, _ comment: CommentRecord, page: Page, tenant: Tenant, broadcastID: String?,
        positions: CommentPositions? = nil, audience: Audience? = nil, in session: inout Session
    ) throws(APIError) -> NewEvent {
        let settings = tenant.settings(of: page)
        let audience =
            if let audience { audience } else { try self.audience(of: comment, settings, in: &session) }
        let payload = LiveComment(record: comment, page: page.urlID, settings: settings)
        return LiveEvent.make(type, broadcastID: broadcastID, audience: audience, at: session.now) { json in
            json.member("comment", payload)
            guard let positions else { return }
            json.key("extraInfo")
            json.object { $0.member("commentPositions", positions) }
        }
    }

    /// What is not approved is for its author and moderators, spam for moderators (contract: live 2.5, public 4.4).
    private static func audience(
        of comment: CommentRecord, _ settings: WidgetSettings, in session: inout Session
    ) throws(APIError) -> Audience {
        if comment.isSpam { return .moderators }
        guard comment.isApproved else { return .author(identity: comment.authorKey ?? "") }
        guard let groups = try GroupLimit.groups(of: comment, settings, in: &session) else { return .everyone }
        return .groups(groups, author: comment.authorKey ?? "")
    }
}
