import Domain
import JSON
import Live
import Storage

/// Closing threads for new comments, and opening them again (contract: admin 6.4, live 2.3).
extension ModerationRoutes {
    static func closeThread(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        try setClosed(true, visit, &session)
    }

    static func reopenThread(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        try setClosed(false, visit, &session)
    }

    /// For the moderators' page, which shows what can be done.
    static func threadState(_ visit: ModeratorVisit, _ session: inout Session) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        try visit.requireConcern(page: urlID, in: &session)
        let isClosed = try PageSQL.find(urlID, tenant: visit.tenant.id, in: &session)?.isClosed ?? false
        return .json(Answer { $0.member("isClosed", isClosed) })
    }

    private static func setClosed(
        _ isClosed: Bool, _ visit: ModeratorVisit, _ session: inout Session
    ) throws(APIError) -> Reply {
        let urlID = try visit.call.pageID()
        try visit.requireConcern(page: urlID, in: &session)
        let page = try PageSQL.findOrInsert(
            urlID, replacesKnown: false, tenant: visit.tenant.id, in: &session)
        guard page.isClosed != isClosed else { return .success }
        try ThreadState.set(isClosed, page, in: &session)
        try visit.note(
            .update, "Page", "The thread \(page.urlID) was \(isClosed ? "closed" : "opened").", in: &session)
        return .success
    }
}

enum ThreadState {
    /// Asking twice changes nothing.
    static func set(_ isClosed: Bool, _ page: Page, in session: inout Session) throws(APIError) {
        guard page.isClosed != isClosed else { return }
        try session.run("UPDATE page SET is_closed = ?2 WHERE id = ?1", .integer(page.id), .bool(isClosed))
        try session.emit(
            LiveEvent.make(.threadStateChange, broadcastID: nil, at: session.now) { $0.member("isClosed", isClosed) },
            to: page.room)
    }
}
