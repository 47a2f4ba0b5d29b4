import Domain
import JSON
import Live
import Storage

/// Live events about notices (contract: live 7.1): for all sockets of their owner, and never logged.
enum NoticeEvents {
    /// Tells the owners of notices, who see the comments, how these are now.
    /// - Parameter type: `notification` makes clients count one more.
    static func announce(
        _ type: LiveEventType, _ ids: [String], _ tenant: Tenant, in session: inout Session
    ) throws(APIError) {
        guard !ids.isEmpty else { return }
        for notice in try Notice.complete(try NoticeSQL.find(ids, in: &session), tenant, in: &session) {
            let event = LiveEvent.make(type, broadcastID: nil, at: session.now) { json in
                json.member("notification", LiveNotice(notice: notice))
            }
            try session.emit(event, to: RoomKey(tenant: tenant.id, person: notice.row.owner))
        }
    }

    /// Tells somebody that many notices changed, or that some are gone.
    static func announceChanges(to owner: String, tenant: String, in session: inout Session) throws(APIError) {
        let event = LiveEvent.make(.notificationUpdate, broadcastID: nil, at: session.now) { _ in }
        try session.emit(event, to: RoomKey(tenant: tenant, person: owner))
    }
}
